package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/postmortem/export"
)

// own reads the folder of own templates, nil where there is none. No link in it
// leads out of it.
func (p PostmortemConfig) own() (*export.Templates, error) {
	if p.Templates == "" {
		return nil, nil //nolint:nilnil // nil has none
	}
	root, err := os.OpenRoot(p.Templates)
	if err != nil {
		return nil, fmt.Errorf("postmortem.templates: %w; write a folder", err)
	}
	own, err := export.LoadTemplates(root.FS())
	_ = root.Close() // all is read
	if err != nil {
		return nil, fmt.Errorf("postmortem.templates (%s): %w", p.Templates, err)
	}
	return own, nil
}

// templatesRemark tries the own templates, as serve does.
func (c Config) templatesRemark() finding {
	const check = "postmortem.templates"
	own, err := c.Postmortem.own()
	switch {
	case err != nil:
		return finding{Check: check, Status: setup.Failing, Message: strings.TrimPrefix(oneLine(err), check+" "), Fix: "correct the file; houston serve does not start without it"}
	case own == nil:
		return finding{Check: check, Status: setup.Fine, Message: "there are none"}
	default:
		return finding{Check: check, Status: setup.Fine, Message: fmt.Sprintf("%s was tried with documents in each language", c.Postmortem.Templates)}
	}
}
