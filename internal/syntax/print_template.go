package syntax

import "strings"

// template writes a template.
func (p *printer) template(n *EPP) {
	if n.ParametersGiven {
		p.write("<%- ")
		p.pipes(n.Parameters)
		if len(n.Body.Statements) == 0 {
			p.closeTag(" %>")
			return
		}
		p.closeTag(" -%>\n")
	}
	p.text = true
	p.statements(n.Body.Statements)
	switch {
	case !p.text:
		p.closeTag(" %>")
	case strings.HasSuffix(p.b.String(), "<%%"):
		p.b.WriteString("<% %>") // <%% at the very end would be dropped
	}
}

// openTag switches from text to code.
func (p *printer) openTag(opening string) {
	if p.text {
		p.text, p.rendered = false, false
		p.b.WriteString(opening)
	}
}

// closeTag switches from code to text.
func (p *printer) closeTag(closing string) {
	p.flush()
	p.write(closing)
	p.text = true
}

// isTemplateText reports whether a statement is template text, or has its own
// tag.
func isTemplateText(s Expr) bool {
	switch s.(type) {
	case *RenderString, *Render:
		return true
	}
	return false
}

// endsTemplate reports whether the text of an expression ends with the empty
// text at the end of a template, after which nothing can follow.
func endsTemplate(e Expr) bool {
	switch n := last(e).(type) {
	case *RenderString:
		return n.Text == ""
	case *Selector:
		return len(n.Entries) == 1 && endsTemplate(n.Entries[0].Value)
	}
	return false
}

// renderString writes text outside of tags. Empty text is the remainder of a
// line break that -%> removed at the end of the template.
func (p *printer) renderString(n *RenderString) {
	switch {
	case n.Text == "":
		p.openTag("<% ")
		p.closeTag("-%>\n")
	case !p.text:
		p.closeTag(" %>")
	case p.rendered:
		p.b.WriteString("<% %>") // keep two texts apart
	}
	p.b.WriteString(escapeTemplate(n.Text))
	p.rendered = n.Text != ""
}

// escapeTemplate returns text with its tags escaped as <%% and %%>.
func escapeTemplate(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		switch {
		case strings.HasPrefix(text[i:], "<%"):
			b.WriteString("%%")
			i++
		case strings.HasPrefix(text[i:], "%>"):
			b.WriteString("%>")
			i++
		}
	}
	return b.String()
}

// render writes <%= expression %>.
func (p *printer) render(n *Render) {
	if !p.text {
		p.closeTag(" %>")
	}
	p.openTag("<%= ")
	p.node(n.Expr)
	p.closeTag(" %>")
}
