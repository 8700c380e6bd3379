package stdlib

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

func textFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "join",
			Doc:        "Returns the texts of the elements of an array with a delimiter between them. Arrays inside are joined too.",
			Dispatches: one("Array arg, String delimiter?", join),
		},
		{
			Name: "split",
			Doc:  "Returns the parts of a text between the matches of a pattern. Empty parts at the end are dropped.",
			Dispatches: []function.Dispatch{
				on("String str, String pattern", split),
				on("String str, Regexp pattern", split),
				on("String str, Type[Regexp] pattern", split),
			},
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
	j := joiner{delimiter: delimiter}
	j.add(args[0].(*pcore.Array))
	return pcore.String(j.text.String()), c.Spend(j.text.Len())
}

type joiner struct {
	text      strings.Builder
	delimiter string
	started   bool
}

func (j *joiner) add(a *pcore.Array) {
	for v := range a.Values() {
		if inner, ok := v.(*pcore.Array); ok && inner.Len() > 0 {
			j.add(inner)
			continue
		}
		if j.started {
			j.text.WriteString(j.delimiter)
		}
		j.started = true
		if _, ok := v.(*pcore.Array); !ok {
			j.text.WriteString(rubytext.Text(v))
		}
	}
}

func split(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, err := compile(args[1])
	if err != nil {
		return nil, err
	}
	const part = 4 // each byte may become a text of its own
	if err := c.Spend(part * len(str(args[0]))); err != nil {
		return nil, err
	}
	parts, err := re.Split(str(args[0]))
	if err != nil {
		return nil, err
	}
	return stringArray(parts), nil
}

func sprintf(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	args = plainArguments(args)
	format, ok := args[0].(pcore.String)
	if !ok {
		return nil, errors.New("the format must be a String, not " + args[0].Kind().String())
	}
	s, err := rubytext.Format(string(format), args[1:]...)
	if err != nil {
		return nil, err
	}
	return pcore.String(s), c.Spend(len(s))
}

// plainArguments is how the reference prepares the arguments of its oldest
// functions, which know no rich data: undef becomes the empty text, and values
// with a text of their own become that text, at any depth.
func plainArguments(args []pcore.Value) []pcore.Value {
	plain := make([]pcore.Value, len(args))
	for i, v := range args {
		if v == pcore.Value(pcore.Undef{}) {
			plain[i] = pcore.String("")
			continue
		}
		plain[i] = plainArgument(v)
	}
	return plain
}

func plainArgument(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case *pcore.Regexp:
		return pcore.String(v.String())
	case pcore.Binary, pcore.Timestamp, pcore.Timespan, *pcore.SemVer, *pcore.SemVerRange:
		return pcore.String(rubytext.Text(v))
	case *pcore.Array:
		elems := make([]pcore.Value, v.Len())
		for i, e := range v.All() {
			elems[i] = plainArgument(e)
		}
		return pcore.NewArray(elems...)
	case *pcore.Hash:
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			b.Set(plainArgument(k), plainArgument(e))
		}
		return b.Hash()
	default:
		return v
	}
}

func shellquote(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	var words []string
	for v := range flattened(plainArguments(args)) {
		s, ok := v.(pcore.String)
		if !ok {
			return nil, errors.New("a word must be a String, not " + v.Kind().String())
		}
		words = append(words, shellWord(string(s)))
	}
	line := strings.Join(words, " ")
	return pcore.String(line), c.Spend(len(line))
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
