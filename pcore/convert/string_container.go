package convert

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// indentation is the nesting level of a container within containers whose
// format has the flag #, and whether it is the first member.
type indentation struct {
	level     int
	first     bool
	indenting bool
}

func (in indentation) breaks() bool { return in.indenting && in.level > 0 && !in.first }

func (in indentation) padding() string { return strings.Repeat("  ", in.level) }

func (in indentation) deeper(indenting bool) indentation {
	return indentation{level: in.level + 1, first: true, indenting: indenting}
}

// isContainer reports whether a member uses the formats of the whole value
// rather than the ones for members. Objects of parameterized types do not.
func isContainer(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Array, *pcore.Hash, *pcore.Deferred:
		return true
	case *pcore.Object:
		_, parameterized := pcore.Infer(v).(*pcore.ObjectTypeExtension)
		return !parameterized
	default:
		return false
	}
}

func isArrayOrHash(v pcore.Value) bool {
	switch v.(type) {
	case *pcore.Array, *pcore.Hash:
		return true
	default:
		return false
	}
}

func (p *printer) member(v pcore.Value, m, members formatMap, in indentation) (string, error) {
	if isContainer(v) {
		return p.text(v, m, in)
	}
	return p.text(v, members, in)
}

func (f *stringFormat) membersOr(def formatMap) formatMap {
	if f.members == nil {
		return def
	}
	return f.members
}

func or(s *string, def string) string {
	if s == nil {
		return def
	}
	return *s
}

func (p *printer) array(v *pcore.Array, m formatMap, in indentation) (string, error) {
	f := m.formatFor(v)
	if f.letter != 'a' && f.letter != 's' && f.letter != 'p' {
		return "", illegal("Array", f, "asp")
	}
	in.indenting = f.alt || in.indenting
	// Members are one level deeper, and none counts as the first.
	members := in.deeper(f.alt)
	members.first = false
	if err := p.converter.reserve(elementSize * int64(v.Len())); err != nil {
		return "", err
	}
	texts := make([]string, v.Len())
	length := 0
	for i, e := range v.All() {
		text, err := p.member(e, m, f.membersOr(memberFormats), members)
		if err == nil {
			err = p.spend(len(or(f.separator, ", ")) + 2*members.level)
		}
		if err != nil {
			return "", err
		}
		texts[i] = text
		length += len(text) + len(or(f.separator, ", ")) + 2*members.level
	}
	if err := p.join(length); err != nil {
		return "", err
	}
	var b []byte
	if in.breaks() {
		b = append(append(b, '\n'), in.padding()...)
	}
	open, end := f.delimiters("[", "]")
	b = append(b, open...)
	b = f.appendMembers(b, v, texts, members.padding())
	return string(append(b, end...)), nil
}

// appendMembers joins the members of an array. With the flag #, a scalar begins
// a new line after an array or hash. If a run of scalars is wider than the
// width of the format, every scalar begins a new line.
func (f *stringFormat) appendMembers(b []byte, v *pcore.Array, texts []string, padding string) []byte {
	separator := or(f.separator, ", ")
	breakEach := f.alt && f.width > 0 && widestRun(v, texts) > f.width
	for i, e := range v.All() {
		scalar := !isArrayOrHash(e)
		if i == 0 {
			if breakEach && scalar {
				b = append(b, ' ')
			}
		} else {
			b = append(b, separator...)
			if breakEach && scalar || f.alt && scalar && isArrayOrHash(v.At(i-1)) {
				if b[len(b)-1] != '\n' {
					b = trimRight(b)
				}
				b = append(append(b, '\n'), padding...)
			}
		}
		if strings.HasPrefix(texts[i], "\n") && len(b) > 0 && b[len(b)-1] == ' ' {
			b = trimRight(b)
		}
		b = append(b, texts[i]...)
	}
	return b
}

func trimRight(b []byte) []byte { return b[:len(rubytext.RightStrip(string(b)))] }

// widestRun returns the width in characters of the widest run of scalars
// between arrays and hashes.
func widestRun(v *pcore.Array, texts []string) int {
	widest, run := 0, 0
	for i, e := range v.All() {
		if isArrayOrHash(e) {
			run = 0
			continue
		}
		run += utf8.RuneCountInString(texts[i])
		widest = max(widest, run)
	}
	return widest
}

func (p *printer) hash(v *pcore.Hash, m formatMap, in indentation) (string, error) {
	f := m.formatFor(v)
	switch f.letter {
	case 'a':
		return p.text(pairs(v), m, in)
	case 'h', 's', 'p':
	default:
		return "", illegal("Hash", f, "hasp")
	}
	separator := or(f.separator, ", ")
	if f.alt {
		if !strings.HasSuffix(separator, "\n") {
			separator = rubytext.RightStrip(separator)
		}
		separator += "\n"
	}
	separator2 := or(f.separator2, " => ")
	in.indenting = f.alt || in.indenting
	members := in.deeper(false)
	var b []byte
	if in.breaks() {
		b = append(append(b, '\n'), in.padding()...)
	}
	open, end := f.delimiters("{", "}")
	b = append(b, open...)
	if f.alt {
		b = append(b, '\n')
	}
	first := true
	for k, e := range v.All() {
		if err := p.spend(len(separator) + len(separator2) + 2*members.level); err != nil {
			return "", err
		}
		if !first {
			b = append(b, separator...)
		}
		first = false
		if f.alt {
			b = append(b, members.padding()...)
		}
		key, err := p.member(k, m, f.membersOr(memberFormats), members)
		if err != nil {
			return "", err
		}
		text, err := p.member(e, m, f.membersOr(memberFormats), members)
		if err != nil {
			return "", err
		}
		if err := p.join(len(key) + len(text)); err != nil {
			return "", err
		}
		b = append(append(append(b, key...), separator2...), text...)
	}
	if f.alt {
		b = append(append(b, '\n'), in.padding()...)
	}
	return string(append(b, end...)), nil
}

// pairs returns a Hash as an Array of key-value pairs.
func pairs(v *pcore.Hash) *pcore.Array {
	elems := make([]pcore.Value, 0, v.Len())
	for k, e := range v.All() {
		elems = append(elems, pcore.NewArray(k, e))
	}
	return pcore.NewArray(elems...)
}
