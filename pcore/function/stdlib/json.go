package stdlib

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// jsonWriter writes values like Ruby's JSON library: rich values as their text,
// and a Sensitive in redacted form.
type jsonWriter struct {
	call   *function.Call
	text   *result // receives the output in portions
	out    []byte
	layout jsonLayout
	level  int
}

// jsonLayout contains the options of Ruby's generator. The zero value is JSON on
// one line, without limits.
type jsonLayout struct {
	pretty              bool   // writes line ends and indentation
	indent              string // for each level
	space, spaceBefore  string // after and before the colon
	objectEnd, arrayEnd string // line ends
	allowNaN            bool
	deepest             int // levels of nesting; 0 for no limit
}

const jsonDeepest = 100 // Ruby's default

var (
	plainJSON  = jsonLayout{deepest: jsonDeepest}
	prettyJSON = jsonLayout{pretty: true, indent: "  ", space: " ", objectEnd: "\n", arrayEnd: "\n", deepest: jsonDeepest}
)

// with returns the layout with the options of to_json_pretty. As in Ruby, an
// undef max_nesting means no limit; other undef options keep their defaults.
func (l jsonLayout) with(options *pcore.Hash) jsonLayout {
	for name, text := range map[string]*string{
		"indent": &l.indent, "space": &l.space, "space_before": &l.spaceBefore,
		"object_nl": &l.objectEnd, "array_nl": &l.arrayEnd,
	} {
		if v, _ := options.GetString(name); v != nil && pcore.Is[pcore.String](v) {
			*text = str(v)
		}
	}
	if v, ok := options.GetString("allow_nan"); ok {
		l.allowNaN = isTruthy(v)
	}
	if v, ok := options.GetString("max_nesting"); ok {
		n, _ := v.(pcore.Integer)
		l.deepest = int(max(n, 0))
	}
	return l
}

// portion is the number of buffered bytes before they are passed on.
const portion = 4 << 10

// flush passes the buffered output on if there is enough of it or now is set.
func (w *jsonWriter) flush(now bool) error {
	if len(w.out) < portion && !now {
		return nil
	}
	_, err := w.text.Write(w.out)
	w.out = w.out[:0]
	return err
}

// newline writes a line end and the indentation of the next line.
func (w *jsonWriter) newline(end string) error {
	if !w.layout.pretty {
		return nil
	}
	w.out = append(w.out, end...)
	for range w.level {
		w.out = append(w.out, w.layout.indent...)
		if err := w.flush(false); err != nil {
			return err
		}
	}
	return nil
}

// deeper begins the members of a container.
func (w *jsonWriter) deeper() error {
	if w.level++; w.layout.deepest > 0 && w.level > w.layout.deepest {
		return fmt.Errorf("nesting of %d is too deep", w.layout.deepest)
	}
	return nil
}

func (w *jsonWriter) value(v pcore.Value) error {
	switch v := v.(type) {
	case pcore.Undef:
		w.out = append(w.out, "null"...)
	case pcore.Boolean, pcore.Integer, pcore.BigInteger:
		w.out = append(w.out, v.String()...)
	case pcore.Float:
		if !w.layout.allowNaN && (math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)) {
			return fmt.Errorf("%s cannot be written as JSON", v)
		}
		w.out = append(w.out, v.String()...)
	case *pcore.Array:
		return w.array(v)
	case *pcore.Hash:
		return w.hash(v)
	default:
		if err := w.textOf(v); err != nil {
			return err
		}
	}
	return w.flush(false)
}

func (w *jsonWriter) array(v *pcore.Array) error {
	w.out = append(w.out, '[')
	if err := w.deeper(); err != nil {
		return err
	}
	for i, e := range v.All() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.newline(w.layout.arrayEnd); err != nil {
			return err
		}
		if err := w.value(e); err != nil {
			return err
		}
	}
	if w.level--; v.Len() == 0 {
		w.out = append(w.out, w.layout.arrayEnd...) // Ruby writes a blank line in an empty array
	}
	if err := w.newline(w.layout.arrayEnd); err != nil {
		return err
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *jsonWriter) hash(v *pcore.Hash) error {
	w.out = append(w.out, '{')
	if err := w.deeper(); err != nil {
		return err
	}
	first := true
	for k, e := range v.All() {
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		if err := w.newline(w.layout.objectEnd); err != nil {
			return err
		}
		if err := w.textOf(k); err != nil {
			return err
		}
		w.out = append(append(append(w.out, w.layout.spaceBefore...), ':'), w.layout.space...)
		if err := w.value(e); err != nil {
			return err
		}
	}
	w.level--
	if err := w.newline(w.layout.objectEnd); err != nil {
		return err
	}
	w.out = append(w.out, '}')
	return nil
}

// textOf writes the text of any value as a JSON string.
func (w *jsonWriter) textOf(v pcore.Value) error {
	s, err := textOf(w.call, v, rubytext.Text)
	if err != nil {
		return err
	}
	w.out = append(w.out, '"')
	for _, r := range s {
		if len(w.out) >= portion {
			if err := w.flush(true); err != nil {
				return err
			}
		}
		switch r {
		case '"', '\\':
			w.out = append(w.out, '\\', byte(r))
		case '\b':
			w.out = append(w.out, `\b`...)
		case '\f':
			w.out = append(w.out, `\f`...)
		case '\n':
			w.out = append(w.out, `\n`...)
		case '\r':
			w.out = append(w.out, `\r`...)
		case '\t':
			w.out = append(w.out, `\t`...)
		default:
			if r < ' ' {
				w.out = fmt.Appendf(w.out, `\u%04x`, r)
			} else {
				w.out = append(w.out, string(r)...)
			}
		}
	}
	w.out = append(w.out, '"')
	return w.flush(false)
}

// readJSON parses one JSON value. Integers can have any size. Of duplicate keys,
// the last one wins.
func readJSON(s string) (pcore.Value, error) {
	const deepest = 100 // the limit of Ruby's parser
	d := json.NewDecoder(strings.NewReader(withoutComments(s)))
	d.UseNumber()
	v, err := jsonValue(d, deepest)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the end of the JSON value")
	}
	return v, nil
}

// withoutComments returns a JSON text with spaces for its comments, which Ruby's parser
// accepts between tokens: /* … */, and // up to a line feed.
func withoutComments(s string) string {
	if !strings.Contains(s, "/*") && !strings.Contains(s, "//") {
		return s
	}
	text := []byte(s)
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case quoted && text[i] == '\\':
			i++
		case !quoted:
			n, ends := comment(s[i:])
			if !ends {
				return string(text) // no JSON
			}
			for range n {
				text[i] = ' '
				i++
			}
			if n > 0 {
				i-- // the next may follow at once
			}
		}
	}
	return string(text)
}

// comment returns the length of the comment that s begins with, or 0. ends is false if the
// comment does not end.
func comment(s string) (length int, ends bool) {
	end := "\n"
	switch {
	case strings.HasPrefix(s, "/*"):
		end = "*/"
	case !strings.HasPrefix(s, "//"):
		return 0, true
	}
	const begin = len("/*")
	i := strings.Index(s[begin:], end)
	return begin + i + len(end), i >= 0
}

func jsonValue(d *json.Decoder, depth int) (pcore.Value, error) {
	token, err := d.Token()
	if err != nil {
		return nil, jsonError(err)
	}
	if depth == 0 {
		return nil, errors.New("the JSON value is nested too deeply")
	}
	switch token := token.(type) {
	case nil:
		return pcore.Undef{}, nil
	case bool:
		return pcore.Boolean(token), nil
	case string:
		return pcore.String(token), nil
	case json.Number:
		return jsonNumber(token)
	case json.Delim:
		if token == '[' {
			return jsonArray(d, depth)
		}
		return jsonHash(d, depth)
	default:
		return nil, errors.New("this is no JSON value")
	}
}

// jsonError removes quoted input from an error.
func jsonError(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("this is no JSON: the mistake is at byte %d", syntax.Offset)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("this is no JSON: it ends too early")
	}
	return err
}

func jsonNumber(n json.Number) (pcore.Value, error) {
	if !strings.ContainsAny(string(n), ".eE") {
		i, ok := new(big.Int).SetString(string(n), 10)
		if ok {
			return pcore.NewBigInteger(i), nil
		}
	}
	f, err := n.Float64()
	if err != nil {
		return nil, errors.New("a number is beyond what a Float holds")
	}
	return pcore.Float(f), nil
}

func jsonArray(d *json.Decoder, depth int) (pcore.Value, error) {
	var elems []pcore.Value
	for d.More() {
		v, err := jsonValue(d, depth-1)
		if err != nil {
			return nil, err
		}
		elems = append(elems, v)
	}
	_, err := d.Token()
	if err != nil {
		return nil, jsonError(err)
	}
	return pcore.NewArray(elems...), nil
}

func jsonHash(d *json.Decoder, depth int) (pcore.Value, error) {
	var b pcore.HashBuilder
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, jsonError(err)
		}
		name, ok := key.(string)
		if !ok {
			return nil, errors.New("a key of JSON must be a text")
		}
		v, err := jsonValue(d, depth-1)
		if err != nil {
			return nil, err
		}
		b.SetString(name, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, jsonError(err)
	}
	return b.Hash(), nil
}

// jsonOf returns v as JSON, followed by end.
func jsonOf(c *function.Call, v pcore.Value, layout jsonLayout, end string) (pcore.Value, error) {
	w := jsonWriter{call: c, text: newResult(c), layout: layout}
	if err := w.value(v); err != nil {
		return nil, err
	}
	w.out = append(w.out, end...)
	if err := w.flush(true); err != nil {
		return nil, err
	}
	return w.text.Value()
}
