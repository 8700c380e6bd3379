package dataconv

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// localReference returns the value to which a LocalRef leads, among the values
// read so far. A path without a value gives undef, as in the reference. A path
// to a value that contains the LocalRef is an error, because values have no
// cycles.
func (b *Builder) localReference(path pcore.Value) (pcore.Value, error) {
	text, ok := path.(pcore.String)
	if !ok {
		return nil, fmt.Errorf("%w: its path is not a String", serialization.ErrReference)
	}
	keys, ok := parseLocalPath(string(text))
	if !ok {
		return nil, fmt.Errorf("%w: its path is invalid; use a path such as $['a'][0]", serialization.ErrReference)
	}
	v, err := b.follow(keys)
	if err != nil {
		return nil, err
	}
	return b.referred(v)
}

// follow descends the open arrays and maps along keys, and then into a finished
// value.
func (b *Builder) follow(keys []pcore.Value) (pcore.Value, error) {
	self := len(b.frames) - 1
	at := b.transparent(0)
	if at >= self {
		return pcore.Undef{}, nil
	}
	for i, key := range keys {
		v, open, err := b.member(at, key)
		if err != nil {
			return nil, err
		}
		if open {
			if at = b.within(at); at >= self {
				return pcore.Undef{}, nil
			}
			continue
		}
		return b.digAll(v, keys[i+1:])
	}
	return nil, fmt.Errorf("%w: it refers to a value that contains it", serialization.ErrReference)
}

// transparent returns the frame that represents frame i: the contents of a
// Sensitive for a Sensitive that is still being read.
func (b *Builder) transparent(i int) int {
	for i < len(b.frames) && b.frames[i].isMap && b.typeOf(&b.frames[i]) == "Sensitive" {
		i++
	}
	return i
}

// within returns the frame of the open member of frame at.
func (b *Builder) within(at int) int {
	if at+1 < len(b.frames) && b.role(at+1) == "Hash" {
		at++
	}
	return b.transparent(at + 1)
}

// member returns the value at key in frame at, or reports that it is still
// open. A missing key has the value undef.
func (b *Builder) member(at int, key pcore.Value) (v pcore.Value, open bool, err error) {
	if !b.frames[at].isMap {
		return b.element(at, key)
	}
	if at+1 < len(b.frames) && b.role(at+1) == "Hash" {
		at++
	}
	v, open = b.paired(at, key)
	return v, open, nil
}

func (b *Builder) element(at int, key pcore.Value) (v pcore.Value, open bool, err error) {
	i, ok := key.(pcore.Integer)
	if !ok {
		return nil, false, fmt.Errorf("%w: an array index is %s %s", serialization.ErrReference, article(key), pcore.KindOf(key))
	}
	elems := b.open(at)
	switch {
	case i >= 0 && int64(i) < int64(len(elems)):
		return elems[i], false, nil
	case int64(i) == int64(len(elems)):
		return nil, true, nil
	}
	return pcore.Undef{}, false, nil
}

// paired looks up key in frame at, a map or the list of a Hash.
func (b *Builder) paired(at int, key pcore.Value) (v pcore.Value, open bool) {
	members := b.open(at)
	i, ok := b.frames[at].find(key, (len(members)+1)/2, func(i int) pcore.Value { return members[2*i] })
	switch {
	case !ok:
		return pcore.Undef{}, false
	case 2*i+1 == len(members):
		return nil, true
	}
	return members[2*i+1], false
}

// keyIndex is an index of the first known keys of a map or of the list of a
// Hash.
type keyIndex struct {
	positions pcore.HashBuilder
	known     int
}

// find returns the last position of key among the n keys of a frame. It
// maintains an index, so that many references into a large map take no longer
// than reading the map.
func (f *frame) find(key pcore.Value, n int, at func(int) pcore.Value) (int, bool) {
	if f.index == nil {
		f.index = &keyIndex{}
	}
	x := f.index
	for ; x.known < n; x.known++ {
		x.positions.Set(at(x.known), pcore.Integer(x.known))
	}
	position, ok := x.positions.Get(key)
	i, _ := position.(pcore.Integer)
	return int(i), ok
}

func (b *Builder) digAll(v pcore.Value, keys []pcore.Value) (pcore.Value, error) {
	for _, key := range keys {
		var err error
		if v, err = b.dig(v, key); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (b *Builder) dig(v, key pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Hash:
		e, _ := v.Get(key)
		return orUndef(e), nil
	case *pcore.Array:
		if i, ok := key.(pcore.Integer); ok {
			if i >= 0 && int64(i) < int64(v.Len()) {
				return v.At(int(i)), nil
			}
			return pcore.Undef{}, nil
		}
	case *pcore.Object:
		e, _ := v.Attributes().Get(key)
		return orUndef(e), nil
	case *pcore.Deferred:
		switch key {
		case pcore.String("name"):
			return pcore.String(v.Name()), nil
		case pcore.String("arguments"):
			if v.Arguments() == nil {
				return pcore.Undef{}, nil
			}
			return v.Arguments(), nil
		}
		return pcore.Undef{}, nil
	case pcore.Undef:
		return v, nil
	case pcore.Type:
		if attrs := b.attributes(v); attrs != nil {
			e, _ := attrs.Get(key)
			return orUndef(e), nil
		}
	default:
	}
	return nil, fmt.Errorf("%w: its path enters %s %s", serialization.ErrReference, article(v), pcore.KindOf(v))
}

// attributes returns the attributes by which a type is written, or nil if it
// cannot be written. It caches them, so that many references into a large type
// take no longer than writing it.
func (b *Builder) attributes(t pcore.Type) *pcore.Hash {
	attrs, ok := b.metas[t]
	if ok {
		return attrs
	}
	_, attrs, err := pcore.MetaOf(t)
	if err != nil {
		attrs = nil
	}
	if b.metas == nil {
		b.metas = make(map[pcore.Type]*pcore.Hash)
	}
	b.metas[t] = attrs
	return attrs
}

// parseLocalPath returns the keys of a path such as $['a'][0] or $.a. It
// accepts the notation that the reference writes and the variants that it
// reads.
func parseLocalPath(path string) (keys []pcore.Value, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(path), "$")
	for ok && rest != "" {
		var key pcore.Value
		switch rest[0] {
		case '[':
			key, rest, ok = bracketed(rest[1:])
		case '.':
			key, rest, ok = word(rest[1:])
		default:
			ok = false
		}
		keys = append(keys, key)
	}
	return keys, ok
}

func bracketed(s string) (key pcore.Value, rest string, ok bool) {
	s = strings.TrimLeft(s, " ")
	switch {
	case strings.HasPrefix(s, "'"), strings.HasPrefix(s, `"`):
		key, rest, ok = quoted(s)
	case s != "" && '0' <= s[0] && s[0] <= '9':
		key, rest, ok = number(s)
	default:
		key, rest, ok = word(s)
	}
	if !ok {
		return nil, "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "]")
	return key, rest, ok
}

func word(s string) (key pcore.Value, rest string, ok bool) {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] == ':' || '0' <= s[n] && s[n] <= '9' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	switch w := s[:n]; strings.ToLower(w) {
	case "":
		return nil, "", false
	case "null":
		return pcore.Undef{}, s[n:], true
	case "true", "false":
		return pcore.Boolean(w[0] == 't'), s[n:], true
	default:
		return pcore.String(w), s[n:], true
	}
}

func number(s string) (key pcore.Value, rest string, ok bool) {
	n := 0
	for n < len(s) && strings.IndexByte("+-.0123456789eE", s[n]) >= 0 {
		n++
	}
	if i, err := strconv.ParseInt(s[:n], 10, 64); err == nil {
		return pcore.Integer(i), s[n:], true
	}
	f, err := strconv.ParseFloat(s[:n], 64)
	return pcore.Float(f), s[n:], err == nil
}

// quoted parses a string literal of the Puppet language, as literal.Quote writes
// it.
func quoted(s string) (key pcore.Value, rest string, ok bool) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return pcore.String(b.String()), s[i+1:], true
		case c == '\\' && i+1 < len(s):
			i += unescape(&b, s[i+1:], quote)
		default:
			b.WriteByte(c)
		}
	}
	return nil, "", false
}

// unescape writes the character of the escape s, which follows a backslash, and
// returns the length of the escape in bytes.
func unescape(b *strings.Builder, s string, quote byte) int {
	c := s[0]
	if c == quote || c == '\\' {
		b.WriteByte(c)
		return 1
	}
	if quote == '"' {
		if i := strings.IndexByte("tnrs$", c); i >= 0 {
			b.WriteByte("\t\n\r $"[i])
			return 1
		}
		if hex, n := unicodeEscape(s); n > 0 {
			b.WriteRune(hex)
			return n
		}
	}
	b.WriteByte('\\')
	return 0
}

func unicodeEscape(s string) (r rune, n int) {
	var hex string
	switch {
	case strings.HasPrefix(s, "u{"):
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, 0
		}
		hex, n = s[2:end], end+1
	case len(s) >= 5 && s[0] == 'u':
		hex, n = s[1:5], 5
	default:
		return 0, 0
	}
	code, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		return 0, 0
	}
	return rune(code), n
}
