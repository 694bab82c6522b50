package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/incidents"
)

// RunbookConfig is a checklist in Markdown and the incidents it is attached to:
// the steps of the file, then those written here.
type RunbookConfig struct {
	Name  string             `mapstructure:"name"`
	Path  string             `mapstructure:"path"`
	Text  string             `mapstructure:"text"`
	Match RunbookMatchConfig `mapstructure:"match"`
}

// RunbookMatchConfig says which incidents a runbook is attached to; what is left
// out matches all. Labels must all be on one alert.
type RunbookMatchConfig struct {
	Severity []string          `mapstructure:"severity"`
	Service  []string          `mapstructure:"service"`
	Labels   map[string]string `mapstructure:"labels"`
}

const (
	// maxRunbook bounds a runbook's file, in bytes.
	maxRunbook = 1 << 20
	// maxSteps bounds the steps of a runbook.
	maxSteps = 200
)

func validateRunbooks(all *complaints, runbooks []RunbookConfig) {
	names := map[string]bool{}
	for i, r := range runbooks {
		key := fmt.Sprintf("runbooks[%d]", i)
		switch {
		case strings.TrimSpace(r.Name) == "":
			all.add(key+".name", "is empty; write what people call it")
		case names[r.Name]:
			all.add(key+".name", "%q stands twice; give each its own name", r.Name)
		}
		names[r.Name] = true
		if r.Path == "" && r.Text == "" {
			all.add(key, "write path, a Markdown file, or text")
		}
		for j, severity := range r.Match.Severity {
			all.severity(fmt.Sprintf("%s.match.severity[%d]", key, j), severity)
		}
	}
}

// runbooks reads all runbooks.
func (c Config) runbooks() ([]incidents.Runbook, error) {
	var all []incidents.Runbook
	var failed error
	for i, r := range c.Runbooks {
		runbook, err := r.read()
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("runbooks[%d] (%s): %w", i, r.Name, err))
			continue
		}
		all = append(all, runbook)
	}
	return all, failed
}

func (r RunbookConfig) read() (incidents.Runbook, error) {
	var source []byte
	if r.Path != "" {
		var err error
		if source, err = os.ReadFile(r.Path); err != nil {
			return incidents.Runbook{}, fmt.Errorf("read the file: %w", err)
		}
	}
	source = append(append(source, "\n\n"...), r.Text...)
	if len(source) > maxRunbook {
		return incidents.Runbook{}, errors.New("it has more than a megabyte; split it")
	}
	steps := checklist(source)
	switch {
	case len(steps) == 0:
		return incidents.Runbook{}, errors.New("it has no checklist; write its steps as lines like: - [ ] Look at the dashboard")
	case len(steps) > maxSteps:
		return incidents.Runbook{}, fmt.Errorf("it has %d steps; at most %d fit, so split it", len(steps), maxSteps)
	}
	runbook := incidents.Runbook{Name: r.Name, Steps: steps, Services: r.Match.Service, Labels: r.Match.Labels}
	for _, severity := range r.Match.Severity {
		runbook.Severities = append(runbook.Severities, incidents.Severity(severity))
	}
	return runbook, nil
}

// checklist reads the task list items of a Markdown text in their order, each
// with the heading it stands under.
func checklist(source []byte) []incidents.RunbookStep {
	root := goldmark.New(goldmark.WithExtensions(extension.TaskList)).Parser().Parse(text.NewReader(source))
	var steps []incidents.RunbookStep
	heading := ""
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			heading = plainText(n, source)
		case *extast.TaskCheckBox:
			if step := plainText(n.Parent(), source); step != "" {
				steps = append(steps, incidents.RunbookStep{Heading: heading, Text: step})
			}
		}
		return ast.WalkContinue, nil
	})
	return steps
}

// plainText gives the words of a block, links with their address.
func plainText(block ast.Node, source []byte) string {
	var b bytes.Buffer
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.URL(source))
			}
		case *ast.Link:
			if !entering {
				b.WriteString(" (" + string(n.Destination) + ")")
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// runbookRemark reads every runbook, as serve does.
func (c Config) runbookRemark() finding {
	const check = "runbooks"
	all, err := c.runbooks()
	switch {
	case err != nil:
		return finding{Check: check, Status: setup.Failing, Message: oneLine(err), Fix: "correct the path or the file; houston serve does not start without it"}
	case len(all) == 0:
		return finding{Check: check, Status: setup.Fine, Message: "there are none"}
	}
	steps := 0
	for _, r := range all {
		steps += len(r.Steps)
	}
	return finding{Check: check, Status: setup.Fine, Message: fmt.Sprintf("%d with %d steps", len(all), steps)}
}
