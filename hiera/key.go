package hiera

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// lookupOptions is the reserved key of options for other keys.
const lookupOptions = "lookup_options"

// key is a lookup key: a root key, and the segments of the path below it.
type key struct {
	text     string
	module   string // empty for none
	root     string
	segments []pcore.Value // String and Integer
}

// parseKey splits a key at its dots. Quoted segments can contain dots.
func parseKey(text string) (key, error) {
	segments, problem := splitKey(text)
	if problem != "" {
		return key{}, lookupErrorf("%s in key: '%s'", problem, text)
	}
	k := key{text: text, root: rubytext.Text(segments[0]), segments: segments[1:]}
	if i := strings.Index(k.root, "::"); i >= 0 {
		if k.module = k.root[:i]; i == 0 {
			k.module = k.root // Ruby's range to -1
		}
	}
	return k, nil
}

var (
	segmentPattern = lazyregexp.New(`\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+`)
	integerSegment = regexp.MustCompile(`(?m)^:?[+-]?[0-9]+$`)
)

const syntaxError = "Syntax error"

// splitKey returns the segments of a key. Text between the segments must be exactly one dot.
func splitKey(text string) (segments []pcore.Value, problem string) {
	if !strings.ContainsAny(text, `'".`) {
		return []pcore.Value{pcore.String(text)}, ""
	}
	end := 0
	for i, m := range segmentPattern.Get().FindAllStringIndex(text, -1) {
		if between := text[end:m[0]]; i == 0 && between != "" || i > 0 && between != "." {
			return nil, syntaxError
		}
		end = m[1]
		segments = append(segments, segment(text[m[0]:m[1]]))
	}
	if len(segments) == 0 || strings.Trim(text[end:], ".") != "" {
		return nil, syntaxError
	}
	if text[end:] == "." { // Ruby counts the dot as a separator without a segment
		return nil, syntaxError
	}
	return segments, ""
}

func segment(text string) pcore.Value {
	text = strings.Trim(text, " \t\n\v\f\r\x00")
	if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") {
		return pcore.String(text[1 : len(text)-1])
	}
	if integerSegment.MatchString(text) {
		n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64)
		if err == nil {
			return pcore.Integer(n)
		}
		return pcore.Integer(0) // Ruby's to_i of ":1"
	}
	return pcore.String(text)
}

// dig returns the part of a value that the segments of the key name.
func (k key) dig(inv *invocation, v pcore.Value) (pcore.Value, error) {
	if len(k.segments) == 0 {
		return v, nil
	}
	return inv.sub(k.text, k.segments, v)
}

// sub returns the part of a value at a path.
func (inv *invocation) sub(keyText string, segments []pcore.Value, v pcore.Value) (pcore.Value, error) {
	texts := make([]string, len(segments))
	for i, s := range segments {
		texts[i] = rubytext.Text(s)
	}
	var err error
	inv.with(&node{kind: subKeyNode, name: strings.Join(texts, ".")}, func() {
		for i, s := range segments {
			inv.with(&node{kind: segmentNode}, func() { v, err = inv.step(keyText, texts[i], s, v) })
			if err != nil {
				return
			}
		}
	})
	return v, err
}

// step returns the part of a value for one segment.
func (inv *invocation) step(keyText, text string, s, v pcore.Value) (pcore.Value, error) {
	var secret bool
	if own, ok := v.(*pcore.Sensitive); ok {
		if v, secret = inv.h.bare(own), true; v == pcore.Value(own) {
			secret = false
		}
	}
	missing := func() (pcore.Value, error) {
		inv.explain.notFound(text)
		return nil, errNoKey
	}
	var part pcore.Value
	switch v := v.(type) {
	case pcore.Undef:
		return missing()
	case *pcore.Hash:
		var ok bool
		if part, ok = v.Get(s); !ok {
			return missing()
		}
	case *pcore.Array:
		i, ok := s.(pcore.Integer)
		if !ok {
			return nil, mismatched(v, text, keyText)
		}
		if i < 0 || int(i) >= v.Len() {
			return missing()
		}
		part = v.At(int(i))
	default:
		return nil, mismatched(v, text, keyText)
	}
	if secret {
		part = inv.h.secret(part)
	}
	inv.explain.found(text, part)
	return part, nil
}

func mismatched(v pcore.Value, segment, keyText string) error {
	return lookupErrorf("Data Provider type mismatch: Got %s when a hash-like object was expected to access value using '%s' from key '%s'",
		rubytext.Class(v), segment, keyText)
}
