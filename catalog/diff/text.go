package diff

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// sameHidden reports whether two texts differ only in the numbers that Ruby gave to
// hidden secrets, which are others in each process.
func sameHidden(x, y string) bool {
	return strings.Contains(x, richtext.Sensitive) && strings.Contains(y, richtext.Sensitive) &&
		richtext.WithoutNumbers(x, richtext.Sensitive) == richtext.WithoutNumbers(y, richtext.Sensitive)
}

// isHidden reports whether a text is the one that Puppet writes for a Sensitive.
func isHidden(s string) bool {
	return strings.HasPrefix(s, richtext.Sensitive) || s == pcore.RedactedText || withoutParameters(s, "Sensitive") == richtext.Instance
}

// sameText reports whether one of two values is the text of the other.
func sameText(a, b pcore.Value) bool {
	x, okX := a.(pcore.String)
	y, okY := b.(pcore.String)
	switch {
	case okX && !okY:
		return isTextOf(string(x), b)
	case okY && !okX:
		return isTextOf(string(y), a)
	default:
		return !okX && !isPlain(a) && !isPlain(b) && plain(a) == plain(b)
	}
}

// isTextOf reports whether plain formats write text for v. The attributes of an object can
// have any order, because the order in its type may be unknown.
func isTextOf(text string, v pcore.Value) bool { return isTextOfValue(text, plain(v), v) }

func isTextOfValue(text, own string, v pcore.Value) bool {
	text, own = withoutFaults(text), withoutFaults(own)
	if own == text || !pcore.Is[*pcore.Object](v) || len(own) != len(text) {
		return own == text
	}
	parts := func(s string) []string {
		list := strings.Split(strings.Trim(strings.ReplaceAll(s, "({", ", "), "})"), ", ")
		slices.Sort(list)
		return list
	}
	return slices.Equal(parts(own), parts(text))
}

func isPlain(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.Float, *pcore.Array, *pcore.Hash:
		return true
	default:
		return false
	}
}

// plain returns the text of a rich value in plain formats, which is "" for a value
// that they can contain.
func plain(v pcore.Value) string {
	if isPlain(v) {
		return ""
	}
	s, _ := stringified(v).(pcore.String)
	return string(s)
}

// stringified returns what plain formats contain for v, or nil.
func stringified(v pcore.Value) pcore.Value {
	b, err := formats.StringifiedJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
	if err != nil {
		return nil
	}
	v, err = formats.JSON().Decode(b, serialization.DecodeOptions{Plain: true})
	if err != nil {
		return nil
	}
	return v
}

// keyText returns the text of a key in plain formats, with one text for all secrets.
func keyText(key pcore.Value) string {
	text := textOf(key)
	if h, ok := stringified(pcore.NewHash(pcore.Entry{Key: key, Value: pcore.Undef{}})).(*pcore.Hash); ok {
		for k := range h.All() {
			text = textOf(k)
		}
	}
	return withoutFaults(withoutHidden(strings.TrimPrefix(text, reserved)))
}

// reserved is what PuppetDB writes before a key with a meaning in rich data.
const reserved = "reserved key: "

// hidesSecret reports whether one of two values is the text of the other, apart from
// hidden secrets in it, which cannot be compared.
func hidesSecret(a, b pcore.Value) bool {
	hides := func(text, v pcore.Value) bool {
		s, ok := text.(pcore.String)
		if !ok || !pcore.Is[*pcore.Deferred](v) && !pcore.Is[*pcore.Object](v) {
			return false
		}
		hidden := withoutHidden(string(s))
		return strings.Contains(hidden, richtext.Instance) && isTextOfValue(hidden, withoutHidden(plain(v)), v)
	}
	return hides(a, b) || hides(b, a)
}

// withoutHidden replaces all texts for secrets by one.
func withoutHidden(s string) string {
	return strings.ReplaceAll(richtext.WithoutNumbers(s, richtext.Instance), pcore.RedactedText, richtext.Instance)
}

// withoutFaults removes from the text of a rich value the parts that rich data lack or
// repeat, because of faults of Puppet: the parameters of the types Sensitive and Boolean,
// and the flags of a regular expression that is not ASCII.
func withoutFaults(s string) string {
	return withoutParameters(withoutParameters(withoutFlags(s), "Sensitive"), "Boolean")
}

// withoutParameters removes the parameters of a type.
func withoutParameters(s, name string) string {
	if !strings.Contains(s, name+"[") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, name)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(name)
		s = rest[typeParameters(rest):]
	}
}

// typeParameters returns the length of the parameters of a type in brackets at the
// beginning of s.
func typeParameters(s string) int {
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '[':
			depth++
		case depth == 0:
			return 0
		case s[i] == ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// flagsOfAll matches a regular expression between slashes that is a group with flags.
var flagsOfAll = lazyregexp.New(`(?s)/\(\?([imx]*)(?:-[imx]*)?:((?:[^/\\]|\\.)*)\)/`)

// withoutFlags removes the groups around regular expressions that set no flag, and the
// flags that other groups around them do not set: `/(?-mix:é)/` is `/é/`.
func withoutFlags(s string) string {
	for before := ""; s != before; {
		before = s
		s = flagsOfAll.Get().ReplaceAllStringFunc(s, func(text string) string {
			parts := flagsOfAll.Get().FindStringSubmatch(text)
			flags, body := parts[1], parts[2]
			switch {
			case !isBalanced(body):
				return text
			case flags == "":
				return "/" + body + "/"
			default:
				return "/(?" + flags + ":" + body + ")/"
			}
		})
	}
	return s
}

// isBalanced reports whether each parenthesis in a part of a regular expression is closed
// in it.
func isBalanced(s string) bool {
	depth, class := 0, 0
	for i := 0; i < len(s) && depth >= 0; i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']' && class > 0:
			class--
		case class > 0:
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return depth == 0
}

// sameRegexps reports whether two regular expressions, or types with some, differ only in
// groups without meaning: Puppet adds one whenever it reads and writes an expression that
// is not ASCII.
func sameRegexps(a, b pcore.Value) bool {
	if pcore.KindOf(a) != pcore.KindOf(b) || !pcore.Is[*pcore.Regexp](a) && !pcore.Is[pcore.Type](a) {
		return false
	}
	x, y := plain(a), plain(b)
	return x != y && withoutFlags(x) == withoutFlags(y)
}
