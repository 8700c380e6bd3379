package rubyre

import (
	"fmt"
	"strings"
	"unicode"
)

// String returns the pattern in the form (?-mix:…), which keeps its options as
// part of another pattern, as Ruby's Regexp#to_s does.
func (re *Regexp) String() string {
	source, o := re.source, re.options
	if inner, opts, ok := wholeOptions(source, o); ok {
		source, o = inner, opts
	}
	var on, off []byte
	for _, f := range []struct {
		letter byte
		set    bool
	}{{'m', o.MultiLine}, {'i', o.IgnoreCase}, {'x', o.Extended}} {
		if f.set {
			on = append(on, f.letter)
		} else {
			off = append(off, f.letter)
		}
	}
	if len(off) > 0 {
		on = append(append(on, '-'), off...)
	}
	return "(?" + string(on) + ":" + delimited(source) + ")"
}

// wholeOptions removes a (?i) or (?i:…) that applies to a whole pattern.
func wholeOptions(source string, o Options) (string, Options, bool) {
	for strings.HasPrefix(source, "(?") {
		rest, on := source[2:], true
		n := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("mix-", r) })
		if n < 0 {
			return source, o, true
		}
		opts := o
		for _, r := range rest[:n] {
			switch r {
			case '-':
				on = false
			case 'm':
				opts.MultiLine = on
			case 'i':
				opts.IgnoreCase = on
			case 'x':
				opts.Extended = on
			}
		}
		switch rest[n] {
		case ')':
			source, o = rest[n+1:], opts
		case ':':
			inner := strings.TrimSuffix(rest[n+1:], ")")
			if len(inner) == len(rest[n+1:]) {
				return source, o, true
			}
			if _, err := parse(inner, flags{}); err != nil {
				return source, o, true
			}
			return inner, opts, true
		default:
			return source, o, true
		}
	}
	return source, o, true
}

// delimited returns source in the notation between slashes.
func delimited(source string) string {
	var b strings.Builder
	escaped := false
	for _, r := range source {
		switch {
		case r == '/' && !escaped:
			b.WriteString(`\/`)
		case unicode.IsPrint(r) || unicode.IsSpace(r) || r > unicode.MaxASCII:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\x%02X`, r)
		}
		escaped = r == '\\' && !escaped
	}
	return b.String()
}
