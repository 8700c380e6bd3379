package manual

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Markdown returns the manual page of a command in Markdown, with the words of [Page] and
// links to the pages of other commands in the same directory.
func Markdown(cmd *cobra.Command, statuses Statuses) string {
	var p markdown
	p.block("# " + plain(cmd.CommandPath()))
	p.block(plain(cmd.Short) + ".")
	p.code(strings.Join(synopsis(cmd), "\n"))
	for block := range strings.SplitSeq(strings.TrimSpace(cmd.Long), "\n\n") {
		if strings.HasPrefix(block, "  ") {
			p.code(block)
			continue
		}
		p.block(plain(block))
	}
	if cmd.Example != "" {
		p.block("## Examples")
		p.code(cmd.Example)
	}
	p.commands("Commands", cmd.Commands())
	p.flags("Options", cmd.NonInheritedFlags())
	p.flags("Global options", cmd.InheritedFlags())
	p.facts("Environment", facts(cmd, environmentKey))
	p.facts("Files", facts(cmd, filesKey))
	p.facts("Exit status", exits(cmd, statuses))
	if cmd.HasParent() {
		p.block("See also " + link(cmd.Parent()) + ".")
	}
	return strings.TrimRight(p.b.String(), "\n") + "\n"
}

// markdown writes Markdown, block by block.
type markdown struct{ b strings.Builder }

func (p *markdown) block(text string) {
	if text != "" {
		p.b.WriteString(text + "\n\n")
	}
}

// code keeps lines as they are, without the indentation that they have in help.
func (p *markdown) code(text string) {
	text = strings.ReplaceAll("\n"+strings.TrimRight(text, "\n"), "\n  ", "\n")
	p.block("```" + text + "\n```")
}

func (p *markdown) item(term, body string) { p.b.WriteString("- " + term + ": " + plain(body) + "\n") }

func (p *markdown) commands(title string, all []*cobra.Command) {
	var named bool
	for _, c := range all {
		if !c.IsAvailableCommand() {
			continue
		}
		if !named {
			p.block("## " + title)
			named = true
		}
		p.item(link(c), c.Short)
	}
	if named {
		p.b.WriteByte('\n')
	}
}

func (p *markdown) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.block("## " + title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		argument, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name
		if argument != "" && f.NoOptDefVal == "" {
			term += " " + argument
		}
		if f.Shorthand != "" {
			term = "-" + f.Shorthand + "`, `" + term
		}
		p.item("`"+term+"`", usage)
	})
	p.b.WriteByte('\n')
}

func (p *markdown) facts(title string, all []Fact) {
	if len(all) == 0 {
		return
	}
	p.block("## " + title)
	for _, f := range all {
		p.item("`"+f.Name+"`", f.Meaning)
	}
	p.b.WriteByte('\n')
}

// link returns a link to the page of a command.
func link(cmd *cobra.Command) string {
	return "[" + plain(cmd.CommandPath()) + "](" + Name(cmd) + ".md)"
}

// plain escapes the characters with a meaning in Markdown.
func plain(text string) string {
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune("\\`*_<>[]#|~&!", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
