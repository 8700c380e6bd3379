package stdlib

import (
	"errors"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func textFunctions(reference pcore.Reference) []function.Function {
	return []function.Function{
		{
			Name:       "join",
			Doc:        "Returns the texts of the elements of an array with a delimiter between them. Arrays inside are joined too.",
			Dispatches: one("Array arg, String delimiter?", join),
		},
		{
			Name:       "split",
			Doc:        "Returns the parts of a text between the matches of a pattern. Empty parts at the end are dropped. The parts of a Sensitive text are one Sensitive, but Puppet 7 refuses it.",
			Dispatches: splitDispatches(reference),
		},
		{
			Name:       "sprintf",
			Doc:        "Returns values written by a format, as Ruby's Kernel#format does. Values are named in the format when they are given as one hash.",
			Dispatches: one("Any format, Any args*", sprintf),
		},
		{
			Name:       "scanf",
			Doc:        "Returns what a text holds at the directives of a format, as Ruby's String#scanf does.",
			Dispatches: one("String data, String format, &Callable block?", scanf),
		},
		{
			Name:       "shellquote",
			Doc:        "Returns the arguments as words for a Bourne shell, each quoted where it needs to be, separated by spaces.",
			Dispatches: one("Any words*", shellquote),
		},
	}
}

func join(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	delimiter := ""
	if len(args) > 1 {
		delimiter = str(args[1])
	}
	j := joiner{call: c, text: newResult(c), delimiter: delimiter, textOf: unchanged}
	if err := j.add(args[0].(*pcore.Array)); err != nil {
		return nil, err
	}
	return j.text.Value()
}

type joiner struct {
	call      *function.Call
	text      *result
	delimiter string
	textOf    func(pcore.Value) pcore.Value // applied to each element
	started   bool
}

func (j *joiner) add(a *pcore.Array) error {
	for v := range a.Values() {
		if inner, ok := v.(*pcore.Array); ok && inner.Len() > 0 {
			if err := j.add(inner); err != nil {
				return err
			}
			continue
		}
		if j.started {
			if _, err := j.text.WriteString(j.delimiter); err != nil {
				return err
			}
		}
		j.started = true
		if _, ok := v.(*pcore.Array); ok {
			continue
		}
		if err := write(j.call, j.text, j.textOf(v)); err != nil {
			return err
		}
	}
	return nil
}

// write appends the text of a value.
func write(c *function.Call, t *result, v pcore.Value) error {
	s, err := textOf(c, v, rubytext.Text)
	if err == nil {
		_, err = t.WriteString(s)
	}
	return err
}

func splitDispatches(reference pcore.Reference) []function.Dispatch {
	var texts, secrets []function.Dispatch
	for _, pattern := range []string{"String", "Regexp", "Type[Regexp]"} {
		texts = append(texts, on("String str, "+pattern+" pattern", split))
		secrets = append(secrets, on("Sensitive[String] sensitive, "+pattern+" pattern", splitSecret))
	}
	if reference == pcore.Puppet7 {
		return texts
	}
	return slices.Concat(texts, secrets)
}

func splitSecret(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	text := args[0].(*pcore.Sensitive).Reveal() //nolint:forbidigo // its parts become a Sensitive
	parts, err := split(c, []pcore.Value{text, args[1]})
	if err != nil {
		return nil, err
	}
	return pcore.NewSensitive(parts), nil
}

func split(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, err := compile(args[1])
	if err != nil {
		return nil, err
	}
	const part = 4 // each byte may become a text
	if err := c.Spend(part * len(str(args[0]))); err != nil {
		return nil, err
	}
	var parts []pcore.Value
	err = re.SplitFunc(str(args[0]), func(piece string) error {
		if len(parts) >= len(str(args[0])) { // groups of the pattern yield more
			if err := c.Spend(part); err != nil {
				return err
			}
		}
		if err := c.Hold(2 * elementSize); err != nil {
			return err
		}
		parts = append(parts, pcore.String(piece))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for len(parts) > 0 && parts[len(parts)-1] == pcore.Value(pcore.String("")) {
		parts = parts[:len(parts)-1]
	}
	return pcore.NewArray(parts...), nil
}

func sprintf(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	format, ok := args[0].(pcore.String)
	if !ok {
		return nil, errors.New("the format must be a String, not " + pcore.KindOf(args[0]).String())
	}
	for _, v := range args[1:] { // each may be formatted in full before a width or precision truncates it
		if _, ok := v.(pcore.String); !ok {
			if err := c.Hold(function.SizeOf(v)); err != nil {
				return nil, err
			}
		}
	}
	text := newResult(c)
	values := make([]pcore.Value, len(args)-1)
	for i, v := range args[1:] {
		values[i] = withReference(v)
	}
	if err := rubytext.WriteFormat(text, string(format), values...); err != nil {
		return nil, err
	}
	return text.Value()
}

func shellquote(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	line := newResult(c)
	first := true
	for v := range flattened(args) {
		s, ok := v.(pcore.String)
		if !ok {
			return nil, errors.New("a word must be a String, not " + pcore.KindOf(v).String())
		}
		if err := writeWord(c, line, first, string(s), shellWord); err != nil {
			return nil, err
		}
		first = false
	}
	return line.Value()
}

// writeWord appends a word quoted by quote, preceded by a blank unless it is the
// first.
func writeWord(c *function.Call, line *result, first bool, word string, quote func(string) string) error {
	const longer = 4 // growth factor, including a copy
	if err := c.Hold(longer * int64(len(word))); err != nil {
		return err
	}
	if !first {
		if _, err := line.WriteString(" "); err != nil {
			return err
		}
	}
	_, err := line.WriteString(quote(word))
	return err
}

func shellWord(s string) string {
	const dangerous = "!\"`$\\"
	switch {
	case s != "" && strings.IndexFunc(s, unsafeInShell) < 0:
		return s
	case !strings.ContainsAny(s, dangerous):
		return `"` + s + `"`
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if strings.IndexByte(dangerous, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	b.WriteByte('"')
	return b.String()
}

func unsafeInShell(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	default:
		return !strings.ContainsRune("@%_+=:,./-", r)
	}
}
