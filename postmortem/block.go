package postmortem

import "strings"

// BlockKind says what a [Block] is.
type BlockKind int

// The kinds of blocks.
const (
	Paragraph BlockKind = iota
	List
	Code
)

// Block is a piece of a section's text. Lines are those of a paragraph, the
// items of a list, or the lines of code.
type Block struct {
	Kind  BlockKind
	Lines []string
}

const fence = "```"

// BlocksOf cuts a section's text into blocks. Whatever it is given it gives back
// every word of it.
func BlocksOf(text string) []Block {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	var blocks []Block
	code := false
	open := false // the last block may take more lines
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == fence:
			if !code {
				blocks = append(blocks, Block{Kind: Code})
			}
			code, open = !code, false
		case code:
			last := &blocks[len(blocks)-1]
			last.Lines = append(last.Lines, strings.TrimRight(line, " \t"))
		case trimmed == "":
			open = false
		case strings.HasPrefix(trimmed, "- ") && strings.TrimSpace(trimmed[2:]) != "":
			if !open || blocks[len(blocks)-1].Kind != List {
				blocks, open = append(blocks, Block{Kind: List}), true
			}
			last := &blocks[len(blocks)-1]
			last.Lines = append(last.Lines, strings.TrimSpace(trimmed[2:]))
		default:
			if !open || blocks[len(blocks)-1].Kind != Paragraph {
				blocks, open = append(blocks, Block{Kind: Paragraph}), true
			}
			last := &blocks[len(blocks)-1]
			last.Lines = append(last.Lines, trimmed)
		}
	}
	return blocks
}

// TextOf writes blocks as a section's text.
func TextOf(blocks []Block) string {
	var parts []string
	for _, b := range blocks {
		switch b.Kind {
		case List:
			parts = append(parts, "- "+strings.Join(b.Lines, "\n- "))
		case Code:
			parts = append(parts, strings.Join(append(append([]string{fence}, b.Lines...), fence), "\n"))
		case Paragraph:
			parts = append(parts, strings.Join(b.Lines, "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}
