// Package page writes reports as pages of HTML. A page is complete in one file: it loads
// nothing, and its policy allows its own style and script only.
//
//	Page    a kind of page: its body, style and script, beside the shared ones
//	Markup  writes HTML and XML with escapes
//	JSON    a value for the script of a page
//
// The folder asset contains the shared parts:
//
//	frame.html  the document around the body of a page
//	base.css    colours, type, and the parts that the shared scripts draw
//	dom.js      elements, texts to copy, files to save
//	table.js    a table that draws only the rows in view
//	list.html   the elements of a list: tiles, bars, filters, views
//	list.js     their content: filters, views, groups and keys
//	finding.js  severities, rules and repairs, for pages of findings; finding.css is their style
//
// Package internal/test/pagetest tries pages in a browser.
//
// The frame, style and scripts that pages share belong here; the content of a page belongs
// to its report.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the shared parts
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/pcatdev/pcat/internal/terminal"
)

// The shared parts. Style and scripts are trusted: nothing is put into them.
var (
	//go:embed asset/frame.html
	frame string
	//go:embed asset/list.html
	listElements string
	//go:embed asset/base.css
	baseStyle string
	//go:embed asset/dom.js
	domScript string
	//go:embed asset/table.js
	tableScript string
	//go:embed asset/list.js
	listScript string
	//go:embed asset/finding.css
	findingStyle string
	//go:embed asset/finding.js
	findingScript string
)

// Page is a kind of page.
type Page struct {
	// Body is the content of the element body, with ${name} for the parts that
	// depend on the report, and ${list} for the elements of list.js.
	Body string
	// Buttons are beside the search.
	Buttons string
	// Style and Script follow the shared ones.
	Style, Script string
	// Findings adds the parts that pages of findings share.
	Findings bool
	// Picture leaves out the shared style and the scripts of lists: only dom.js is shared.
	Picture bool
}

// Write writes a page. It calls part for each part of the body, and for the parts
// "title" and "data", the JSON for the script. The error is that of part; an error of
// the writer persists in m. All but the parts is own text of the page; see [Markup.Own].
func (p *Page) Write(m Markup, part func(name string) error) error {
	return expand(m, frame, func(name string) error {
		switch name {
		case "policy":
			m.Own(strings.ReplaceAll(p.Policy(), "'", "&#39;"))
		case "style":
			m.Own(p.style())
		case "script":
			m.Own(p.script())
		case "body":
			return expand(m, strings.TrimSuffix(p.Body, "\n"), func(name string) error {
				if name != "list" {
					return part(name)
				}
				before, after, _ := strings.Cut(strings.TrimSuffix(listElements, "\n"), "${buttons}")
				m.Own(before + strings.TrimSuffix(p.Buttons, "\n") + after)
				return nil
			})
		default:
			return part(name)
		}
		return nil
	})
}

// Policy returns the Content-Security-Policy of the page: it allows its own style and script, and nothing
// else.
func (p *Page) Policy() string {
	return "default-src 'none'; style-src " + source(p.style()) + "; script-src " + source(p.script()) + "; base-uri 'none'; form-action 'none'"
}

func (p *Page) style() string {
	switch {
	case p.Picture:
		return p.Style
	case p.Findings:
		return baseStyle + findingStyle + p.Style
	}
	return baseStyle + p.Style
}

func (p *Page) script() string {
	script := "'use strict';\n" + domScript
	if !p.Picture {
		script += tableScript + listScript
	}
	if p.Findings {
		script += findingScript
	}
	return script + p.Script
}

// expand writes text, and calls part for each ${name} in it.
func expand(m Markup, text string, part func(name string) error) error {
	for {
		before, rest, more := strings.Cut(text, "${")
		m.Own(before)
		if !more {
			return nil
		}
		name, after, _ := strings.Cut(rest, "}")
		if err := part(name); err != nil {
			return err
		}
		text = after
	}
}

// source returns the expression of a policy that allows text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// JSON returns v as JSON for the element of the data: `<` is escaped, so that no text ends
// the element, and so are hidden characters.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := json.NewEncoder(terminal.JSONWriter(&b)).Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
