package stdlib

import (
	"errors"
	"path"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// modulePathFunctions returns functions that split paths without using the file
// system.
func modulePathFunctions() []function.Function {
	return []function.Function{
		{
			Name: "dirname",
			Doc:  "Returns the folder of a path.",
			Dispatches: one("String[1] path", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return pcore.String(dirname(str(args[0]))), nil
			}),
		},
		{
			Name: "basename",
			Doc:  "Returns the last part of a path, without a suffix; the suffix .* is any.",
			Dispatches: one("String path, String suffix?", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				suffix, _ := optional(args, 1).(pcore.String)
				return pcore.String(basename(str(args[0]), string(suffix))), nil
			}),
		},
		{
			Name: "extname",
			Doc:  "Returns the extension of a path with its point.",
			Dispatches: one("String filename >> String", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return pcore.String(extname(str(args[0]))), nil
			}),
		},
	}
}

func dirname(s string) string {
	trimmed := strings.TrimRight(s, "/")
	if trimmed == "" && s != "" {
		return "/"
	}
	i := strings.LastIndexByte(trimmed, '/')
	if i < 0 {
		return "."
	}
	dir := strings.TrimRight(trimmed[:i], "/")
	if s[0] == '/' {
		return "/" + strings.TrimLeft(dir, "/")
	}
	return dir
}

func basename(s, suffix string) string {
	if s == "" {
		return ""
	}
	base := path.Base(s)
	if suffix == ".*" {
		suffix = extname(base)
	}
	if trimmed := strings.TrimSuffix(base, suffix); trimmed != "" {
		return trimmed
	}
	return base
}

// extname implements Ruby's File.extname: leading points of a name do not begin
// an extension.
func extname(s string) string {
	base := strings.TrimLeft(path.Base(s), ".")
	i := strings.LastIndexByte(base, '.')
	if i <= 0 {
		return ""
	}
	return base[i:]
}

// moduleShellFunctions returns functions that quote and split command lines.
func moduleShellFunctions() []function.Function {
	return []function.Function{
		{
			Name: "shell_escape",
			Doc:  "Returns a text as one word for a Bourne shell, with backslashes where they are needed.",
			Dispatches: one("Any string", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return longer(c, args[0], 4, shellEscape) // quotes around each line break
			}),
		},
		{
			Name: "shell_join",
			Doc:  "Returns the texts of an array as words for a Bourne shell, separated by spaces.",
			Dispatches: one("Array words", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				line := newResult(c)
				for i, v := range args[0].(*pcore.Array).All() {
					word, err := textOf(c, withReference(v), rubytext.Text)
					if err != nil {
						return nil, err
					}
					if err := writeWord(c, line, i == 0, word, shellEscape); err != nil {
						return nil, err
					}
				}
				return line.Value()
			}),
		},
		{
			Name: "shell_split",
			Doc:  "Returns the words of a command line as a Bourne shell reads them.",
			Dispatches: one("Any line", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				line, err := textOf(c, args[0], rubytext.Text)
				if err != nil {
					return nil, err
				}
				if err := c.Hold(elementSize * int64(len(line))); err != nil { // a word for each second byte
					return nil, err
				}
				words, err := shellSplit(line)
				if err != nil {
					return nil, err
				}
				return stringArray(words), c.Spend(len(words))
			}),
		},
		{
			Name: "powershell_escape",
			Doc:  "Returns a text with backquotes before the special characters of a command line of PowerShell.",
			Dispatches: one("Any string", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				const escaped = 3 // bytes for each byte
				return longer(c, args[0], escaped, powershellEscape)
			}),
		},
		{
			Name: "batch_escape",
			Doc:  "Returns a text in quotes for the command line of Windows.",
			Dispatches: one("Any string", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return longer(c, args[0], 2, func(s string) string {
					return `"` + strings.NewReplacer(`"`, `""`, "$", `\$`, `\`, `\\`).Replace(s) + `"`
				})
			}),
		},
	}
}

// powershellEscape escapes the special characters of a command line of
// PowerShell.
func powershellEscape(s string) string {
	return strings.NewReplacer(" ", "` ", "'", "`'", "`", "``", "|", "`|", "\n", "`\n", "$", "`$", `"`, "\\`\"").Replace(s)
}

var shellSpecial = lazyregexp.New(`[^A-Za-z0-9_\-.,:+/@\n]`)

func shellEscape(s string) string {
	if s == "" {
		return "''"
	}
	return strings.ReplaceAll(shellSpecial.Get().ReplaceAllString(s, `\$0`), "\n", "'\n'")
}

// shellSplit splits a line into words at blanks. Single quotes make everything
// literal. In double quotes, a backslash escapes only $ ` " \ and line ends.
func shellSplit(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case isBlank(c):
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
			continue
		case c == '\'':
			n := strings.IndexByte(line[i+1:], '\'')
			if n < 0 {
				return nil, errUnmatched
			}
			word.WriteString(line[i+1 : i+1+n])
			i += n + 1
		case c == '"':
			n, err := doubleQuoted(&word, line[i+1:])
			if err != nil {
				return nil, err
			}
			i += n
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

var errUnmatched = errors.New("a quote is not matched")

// doubleQuoted writes the text up to the closing quote, and returns its length
// including the quote.
func doubleQuoted(word *strings.Builder, s string) (int, error) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return i + 1, nil
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0:
			i++
			word.WriteByte(s[i])
		default:
			word.WriteByte(s[i])
		}
	}
	return 0, errUnmatched
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
