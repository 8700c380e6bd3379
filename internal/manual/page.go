// Package manual writes the help and the manual pages of a command from its cobra command.
//
//	Help      for a terminal
//	Page      in the macros of man(7)
//	Markdown  for the site
//
// The presentation of help belongs here; its texts belong to the commands.
package manual

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Statuses are the meanings of the exit statuses of a program, from 0 on.
type Statuses []string

// Page returns the manual page of a command, in the macros of man(7). It is made of the same words
// as the command's help.
func Page(cmd *cobra.Command, statuses Statuses) string {
	var p page
	name := Name(cmd)
	p.macro("TH", strings.ToUpper(name), "1", "", cmd.Root().Name(), cmd.Root().Name()+" manual")
	p.section("NAME")
	p.text(escape(name) + ` \- ` + escape(cmd.Short))
	p.section("SYNOPSIS")
	p.synopsis(cmd)
	if cmd.Long != "" {
		p.section("DESCRIPTION")
		p.paragraphs(cmd.Long)
	}
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.literal(cmd.Example)
	}
	p.commands(cmd)
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("GLOBAL OPTIONS", cmd.InheritedFlags())
	p.facts("ENVIRONMENT", facts(cmd, environmentKey))
	p.facts("FILES", facts(cmd, filesKey))
	p.facts("EXIT STATUS", exits(cmd, statuses))
	p.seeAlso(cmd)
	return p.b.String()
}

// Name is the name under which man finds the page: pcat-audit for pcat audit.
func Name(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// page writes roff, section by section.
type page struct{ b strings.Builder }

func (p *page) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, a := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(escape(a), `"`, `\(dq`) + `"`)
	}
	p.b.WriteString("\n")
}

func (p *page) section(title string) { p.macro("SH", title) }

// text writes a line that is escaped already.
func (p *page) text(line string) { p.b.WriteString(line + "\n") }

func (p *page) item(term, body string) {
	p.text(".TP\n" + term)
	p.text(escape(body))
}

func (p *page) paragraphs(text string) {
	for i, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			p.text(".PP")
		}
		if strings.HasPrefix(block, "  ") {
			p.literal(block)
			continue
		}
		p.text(escape(block))
	}
}

// literal keeps lines as they are.
func (p *page) literal(text string) {
	p.text(".nf\n" + escape(strings.TrimRight(text, "\n")) + "\n.fi")
}

func (p *page) synopsis(cmd *cobra.Command) {
	path := cmd.CommandPath()
	for i, line := range synopsis(cmd) {
		if i > 0 {
			p.text(".br")
		}
		p.text(`\fB` + escape(path) + `\fR` + escape(strings.TrimPrefix(line, path)))
	}
}

// synopsis returns the command lines of a command: with its own arguments, and with a
// command below it.
func synopsis(cmd *cobra.Command) []string {
	path := cmd.CommandPath()
	var lines []string
	if cmd.UseLine() != path || !cmd.HasAvailableSubCommands() {
		lines = append(lines, cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		lines = append(lines, path+" COMMAND")
	}
	return lines
}

func (p *page) commands(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	p.section("COMMANDS")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			p.item(`\fB`+escape(c.Name())+`\fR`, c.Short)
		}
	}
}

func (p *page) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		argument, usage := pflag.UnquoteUsage(f)
		term := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + term
		}
		if argument != "" && f.NoOptDefVal == "" {
			term += ` \fI` + escape(argument) + `\fR`
		}
		p.item(term, usage)
	})
}

func (p *page) facts(title string, all []Fact) {
	if len(all) == 0 {
		return
	}
	p.section(title)
	for _, f := range all {
		p.item(`\fB`+escape(f.Name)+`\fR`, f.Meaning)
	}
}

func (p *page) seeAlso(cmd *cobra.Command) {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, Name(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			pages = append(pages, Name(c))
		}
	}
	if len(pages) == 0 {
		return
	}
	p.section("SEE ALSO")
	for i, name := range pages {
		end := ","
		if i == len(pages)-1 {
			end = ""
		}
		p.text(`.BR ` + escape(name) + ` (1)` + end)
	}
}

// escape escapes characters with a meaning in roff: backslashes, hyphens, and a dot or an
// apostrophe at the start of a line.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
