package gen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSON writes a tree as JSON. The manner selects white space and escapes: 0 is the style of
// Ruby's JSON.generate.
func JSON(v any, manner uint64) []byte {
	w := &jsonWriter{}
	if manner != 0 {
		w.rand = rand.New(rand.NewPCG(manner, 0x6a73_6f6e))
		w.escapes = w.rand.IntN(3) == 0
		w.indent = []string{"", "", "  ", "\t"}[w.rand.IntN(4)]
		w.blanks = w.rand.IntN(4) == 0
	}
	w.value(v, "\n")
	if w.indent != "" {
		w.WriteByte('\n')
	}
	return w.Bytes()
}

type jsonWriter struct {
	bytes.Buffer
	rand    *rand.Rand // nil for the usual manner
	escapes bool       // some characters are escaped that need not be
	blanks  bool       // behind colons and commas
	indent  string
}

func (w *jsonWriter) value(v any, line string) {
	switch v := v.(type) {
	case nil:
		w.WriteString("null")
	case bool:
		fmt.Fprint(&w.Buffer, v)
	case Number:
		w.WriteString(string(v))
	case string:
		w.text(v)
	case List:
		w.container('[', ']', len(v), line, func(i int, line string) { w.value(v[i], line) })
	case Object:
		w.container('{', '}', len(v), line, func(i int, line string) {
			w.text(v[i].Key)
			w.WriteByte(':')
			if w.blanks || w.indent != "" {
				w.WriteByte(' ')
			}
			w.value(v[i].Value, line)
		})
	}
}

func (w *jsonWriter) container(begin, end byte, n int, line string, element func(i int, line string)) {
	w.WriteByte(begin)
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
			if w.blanks && w.indent == "" {
				w.WriteByte(' ')
			}
		}
		if w.indent != "" {
			w.WriteString(line + w.indent)
		}
		element(i, line+w.indent)
	}
	if w.indent != "" && n > 0 {
		w.WriteString(line)
	}
	w.WriteByte(end)
}

func (w *jsonWriter) text(s string) {
	w.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			w.WriteByte('\\')
			w.WriteRune(c)
		case c == '\n':
			w.WriteString(`\n`)
		case c == '\t':
			w.WriteString(`\t`)
		case c == '\r':
			w.WriteString(`\r`)
		case c < ' ':
			fmt.Fprintf(&w.Buffer, `\u%04x`, c)
		case w.escapes && c == '/' && w.rand.IntN(2) == 0:
			w.WriteString(`\/`)
		case w.escapes && c < 0x10000 && w.rand.IntN(9) == 0:
			fmt.Fprintf(&w.Buffer, [...]string{`\u%04x`, `\u%04X`}[w.rand.IntN(2)], c)
		default:
			w.WriteRune(c)
		}
	}
	w.WriteByte('"')
}

// AgentYAML writes a catalog like the cache of an old agent, which Ruby's Psych dumps.
func AgentYAML(c Object) []byte {
	w := &yamlWriter{}
	w.WriteString("--- !ruby/object:Puppet::Resource::Catalog")
	w.value(c, "", false)
	return w.Bytes()
}

type yamlWriter struct{ bytes.Buffer }

// yamlNumber returns a number in a notation of Ruby: Psych reads 1e16 as a String.
func yamlNumber(n Number) string {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || !strings.ContainsAny(string(n), ".eE") {
		return string(n)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	return digits + "e" + exponent
}

// value writes a value after a colon or a dash, and ends its line. Members of a hash inside
// a list start on the line of the dash.
func (w *yamlWriter) value(v any, indent string, inList bool) {
	switch v := v.(type) {
	case nil:
		w.WriteString("\n")
	case bool:
		fmt.Fprintf(&w.Buffer, " %v\n", v)
	case Number:
		w.WriteString(" " + yamlNumber(v) + "\n")
	case string:
		w.WriteString(" " + yamlText(v, indent) + "\n")
	case List:
		if len(v) == 0 {
			w.WriteString(" []\n")
			return
		}
		for i, e := range v {
			switch {
			case !inList && i == 0:
				w.WriteString("\n" + indent)
			case i > 0:
				w.WriteString(indent)
			default:
				w.WriteString(" ")
			}
			w.WriteString("-")
			w.value(e, indent+"  ", true)
		}
	case Object:
		if len(v) == 0 {
			w.WriteString(" {}\n")
			return
		}
		for i, m := range v {
			switch {
			case inList && i == 0:
				w.WriteString(" ")
			case i == 0:
				w.WriteString("\n" + indent)
			default:
				w.WriteString(indent)
			}
			w.WriteString(yamlKey(m.Key) + ":")
			inner := indent + "  "
			if _, ok := m.Value.(List); ok {
				inner = indent
			}
			w.value(m.Value, inner, false)
		}
	}
}

var (
	yamlPlain   = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_/.\[\]-]*$`)
	yamlSpecial = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|y|n|null)$`)
	yamlBlock   = regexp.MustCompile(`^[\x21-\x7e][\x20-\x7e]*(\n[\x21-\x7e][\x20-\x7e]*)+\n?$`)
)

func yamlText(s, indent string) string {
	if yamlBlock.MatchString(s) {
		head := "|-"
		if strings.HasSuffix(s, "\n") {
			head, s = "|", strings.TrimSuffix(s, "\n")
		}
		if indent == "" {
			indent = "  "
		}
		return head + "\n" + indent + strings.ReplaceAll(s, "\n", "\n"+indent)
	}
	return yamlKey(s)
}

func yamlKey(s string) string {
	if yamlPlain.MatchString(s) && !yamlSpecial.MatchString(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c == 0x7f || c == 0xfeff || c >= 0x80 && c < 0xa0 || c == 0x2028 || c == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Break returns data with one to three faults: a missing end, or bytes that are changed,
// removed, duplicated or not UTF-8.
func Break(data []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0x6272_6561))
	out := bytes.Clone(data)
	for range 1 + r.IntN(3) {
		if len(out) == 0 {
			return out
		}
		i := r.IntN(len(out))
		n := min(1+r.IntN(12), len(out)-i)
		switch r.IntN(9) {
		case 0, 1:
			out = out[:i]
		case 2:
			out[i] ^= 1 << r.IntN(8)
		case 3:
			out[i] = byte(r.IntN(256))
		case 4:
			out = append(out[:i], out[i+n:]...)
		case 5:
			out = append(out[:i+n], append(bytes.Clone(out[i:i+n]), out[i+n:]...)...)
		case 6:
			out[i] = `{}[]",:\ 0-`[r.IntN(11)]
		case 7:
			out = append(out[:i], append([]byte{0xff, 0xfe, byte(r.IntN(256))}, out[i:]...)...)
		case 8: // inside a text, mostly
			if j := bytes.IndexAny(out[i:], "abcdefghijk"); j >= 0 && utf8.RuneStart(out[i+j]) {
				out[i+j] = 0xe9
			}
		}
	}
	return out
}
