package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// SameJSON returns nil if two JSON documents are equivalent, and otherwise an
// error with the location of the first difference. The order of an object's
// members matters, because a Puppet hash is ordered; the escapes in a string do
// not. Integers of any size are compared exactly. A float equals the same float
// in any notation, but never an integer: 1 is not 1.0, and 0.0 is not -0.0.
func SameJSON(want, got []byte) error {
	w := tokens{dec: json.NewDecoder(bytes.NewReader(want))}
	g := tokens{dec: json.NewDecoder(bytes.NewReader(got))}
	w.dec.UseNumber()
	g.dec.UseNumber()
	for {
		where := w.path()
		wt, wErr := w.next()
		gt, gErr := g.next()
		switch {
		case wErr == io.EOF && gErr == io.EOF: //nolint:errorlint // Decoder.Token returns io.EOF itself
			return nil
		case wErr != nil && wErr != io.EOF: //nolint:errorlint // likewise
			return fmt.Errorf("what is expected is no JSON: %w", wErr)
		case gErr != nil:
			return fmt.Errorf("what came is no whole JSON: %w", gErr)
		case wErr != nil || !sameToken(wt, gt):
			return fmt.Errorf("at %s: want %s, got %s", where, show(wt), show(gt))
		}
	}
}

// SameText returns nil if two strings are equal, and otherwise an error with
// both.
func SameText(want, got string) error {
	if want == got {
		return nil
	}
	return fmt.Errorf("want %s, got %s", strconv.Quote(want), strconv.Quote(got))
}

func sameToken(a, b json.Token) bool {
	x, ok := a.(json.Number)
	if !ok {
		return a == b
	}
	y, ok := b.(json.Number)
	return ok && sameNumber(x.String(), y.String())
}

func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if isFloat(a) != isFloat(b) {
		return false
	}
	if !isFloat(a) {
		x, okX := new(big.Int).SetString(a, 10)
		y, okY := new(big.Int).SetString(b, 10)
		return okX && okY && x.Cmp(y) == 0
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Float64bits(x) == math.Float64bits(y)
}

func isFloat(number string) bool { return strings.ContainsAny(number, ".eE") }

func show(t json.Token) string {
	switch t := t.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(t)
	default:
		return fmt.Sprint(t)
	}
}

// tokens reads the tokens of a document and keeps track of the location.
type tokens struct {
	dec   *json.Decoder
	stack []level
}

// level is an open array or object.
type level struct {
	object bool
	key    string // of the current member
	inKey  bool   // the next token is a key, or the end of the object
	index  int    // of the next element
}

func (t *tokens) next() (json.Token, error) {
	tok, err := t.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim(']'), json.Delim('}'):
		t.stack = t.stack[:len(t.stack)-1]
		return tok, nil
	}
	t.step(tok)
	switch tok {
	case json.Delim('['):
		t.stack = append(t.stack, level{})
	case json.Delim('{'):
		t.stack = append(t.stack, level{object: true, inKey: true})
	}
	return tok, nil
}

// step advances the innermost array or object past tok.
func (t *tokens) step(tok json.Token) {
	if len(t.stack) == 0 {
		return
	}
	top := &t.stack[len(t.stack)-1]
	if !top.object {
		top.index++
		return
	}
	if top.inKey {
		top.key, _ = tok.(string)
	}
	top.inKey = !top.inKey
}

// path returns the location of the next token, such as $['a'][0].
func (t *tokens) path() string {
	var b strings.Builder
	b.WriteString("$")
	for i, l := range t.stack {
		last := i == len(t.stack)-1
		switch {
		case l.object && last && l.inKey: // at a key
		case l.object:
			fmt.Fprintf(&b, "['%s']", l.key)
		case last:
			fmt.Fprintf(&b, "[%d]", l.index)
		default:
			fmt.Fprintf(&b, "[%d]", l.index-1)
		}
	}
	return b.String()
}
