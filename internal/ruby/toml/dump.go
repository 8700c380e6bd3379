package toml

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// Write writes a hash as a TOML document: the entries of each table sorted by
// key, plain values before tables. Undef, which TOML cannot represent, is an
// error; rich values are written as their text, a Sensitive as its redaction.
// The other errors are those of w.
func Write(w io.Writer, h *pcore.Hash) error {
	d := dumper{out: bufio.NewWriter(w)}
	if err := d.table(h, nil); err != nil {
		return err
	}
	return d.out.Flush()
}

type dumper struct{ out *bufio.Writer }

// print writes texts and returns the error of the writer.
func (d *dumper) print(texts ...string) error {
	for _, s := range texts {
		if _, err := d.out.WriteString(s); err != nil {
			return err
		}
	}
	return nil
}

type pair struct {
	key   string // unquoted
	value pcore.Value
}

// name returns the key in TOML syntax, quoted if necessary.
func (p pair) name() string {
	if bareKey.Get().MatchString(p.key) {
		return p.key
	}
	return quote(p.key)
}

// split returns the entries of a table as plain values, tables and arrays of
// tables, each sorted by key.
func split(h *pcore.Hash) (simple, tables, lists []pair) {
	for k, v := range h.All() {
		p := pair{rubytext.Text(k), v}
		a, isArray := v.(*pcore.Array)
		switch {
		case pcore.Is[*pcore.Hash](v):
			tables = append(tables, p)
		case isArray && a.Len() > 0 && pcore.Is[*pcore.Hash](a.At(0)):
			lists = append(lists, p)
		default:
			simple = append(simple, p)
		}
	}
	for _, group := range [][]pair{simple, tables, lists} {
		slices.SortFunc(group, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	}
	return simple, tables, lists
}

// table writes the table named path. It omits the header of a table that
// contains only tables.
func (d *dumper) table(h *pcore.Hash, path []string) error {
	simple, tables, lists := split(h)
	if len(path) > 0 && (len(simple) > 0 || h.Len() == 0) {
		if err := d.print("[", strings.Join(path, "."), "]\n"); err != nil {
			return err
		}
	}
	return d.entries(simple, tables, lists, path)
}

func (d *dumper) entries(simple, tables, lists []pair, path []string) error {
	for _, p := range simple {
		if err := d.print(p.name(), " = "); err != nil {
			return err
		}
		if err := d.value(p.value); err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
		if err := d.print("\n"); err != nil {
			return err
		}
	}
	for _, p := range tables {
		if err := d.table(p.value.(*pcore.Hash), append(slices.Clip(path), p.name())); err != nil {
			return err
		}
	}
	for _, p := range lists {
		if err := d.list(p.value.(*pcore.Array), append(slices.Clip(path), p.name())); err != nil {
			return err
		}
	}
	return nil
}

// list writes an array of tables.
func (d *dumper) list(a *pcore.Array, path []string) error {
	for e := range a.Values() {
		h, ok := e.(*pcore.Hash)
		if !ok {
			return fmt.Errorf("%s: an array of tables can hold nothing else", strings.Join(path, "."))
		}
		if err := d.print("[[", strings.Join(path, "."), "]]\n"); err != nil {
			return err
		}
		simple, tables, lists := split(h)
		if err := d.entries(simple, tables, lists, path); err != nil {
			return err
		}
	}
	return nil
}

var bareKey = lazyregexp.New(`^[a-zA-Z0-9_-]+$`)

// value writes a value after its key.
func (d *dumper) value(v pcore.Value) error {
	switch v := v.(type) {
	case pcore.Undef:
		return errors.New("TOML has no undef")
	case pcore.Boolean, pcore.Integer, pcore.BigInteger:
		return d.print(v.String())
	case pcore.Float:
		return d.print(floatText(v))
	case pcore.Timestamp:
		return d.print(v.Time().Format("2006-01-02T15:04:05Z"))
	case *pcore.Array:
		begin := "["
		for e := range v.Values() {
			if err := d.print(begin); err != nil {
				return err
			}
			if err := d.value(e); err != nil {
				return err
			}
			begin = ", "
		}
		if v.Len() == 0 {
			return d.print("[]")
		}
		return d.print("]")
	case *pcore.Hash:
		begin := "{ "
		for k, e := range v.All() {
			if err := d.print(begin, pair{key: rubytext.Text(k)}.name(), " = "); err != nil {
				return err
			}
			if err := d.value(e); err != nil {
				return err
			}
			begin = ", "
		}
		if v.Len() == 0 {
			return d.print("{  }")
		}
		return d.print(" }")
	case *pcore.Regexp:
		return d.print(quote(v.String()))
	default:
		return d.print(quote(rubytext.Text(v)))
	}
}

func floatText(f pcore.Float) string {
	switch s := f.String(); s {
	case "NaN":
		return "nan"
	case "Infinity":
		return "inf"
	case "-Infinity":
		return "-inf"
	default:
		return s
	}
}

// quote returns s as a basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\b\t\n\f\r", r):
			b.WriteByte('\\')
			b.WriteByte("btn\x00fr"[r-'\b'])
		case r < ' ' || r == 0x7F:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
