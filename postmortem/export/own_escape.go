package export

import (
	"fmt"
	"text/template"
	"text/template/parse"
)

// safeMarkdown is Markdown that is escaped already.
type safeMarkdown string

// escaper is the function that every action of an own Markdown template ends
// with, as html/template does it for HTML: no author has to think of it.
const escaper = "_escape"

func escaped(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case safeMarkdown:
		return string(value)
	default:
		return guardStart(inline(fmt.Sprint(value)))
	}
}

// escapeAll puts the escaper behind whatever a set of templates prints.
func escapeAll(set *template.Template) {
	for _, t := range set.Templates() {
		if t.Tree != nil {
			escapeList(t.Tree, t.Root)
		}
	}
}

func escapeList(tree *parse.Tree, list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			if len(node.Pipe.Decl) == 0 { // else it prints nothing
				name := parse.NewIdentifier(escaper).SetPos(node.Pos).SetTree(tree)
				node.Pipe.Cmds = append(node.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: node.Pos, Args: []parse.Node{name}})
			}
		case *parse.IfNode:
			escapeBranches(tree, node.BranchNode)
		case *parse.RangeNode:
			escapeBranches(tree, node.BranchNode)
		case *parse.WithNode:
			escapeBranches(tree, node.BranchNode)
		}
	}
}

func escapeBranches(tree *parse.Tree, branch parse.BranchNode) {
	escapeList(tree, branch.List)
	escapeList(tree, branch.ElseList)
}
