package rubytext

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

// notation writes values in the notation inside the text of an Object: versions
// and times as quoted strings, values without a notation as "Instance of" their
// type, and hashes on several lines if indent is not negative.
type notation struct {
	b      []byte
	indent int
}

// Notation returns the notation of v. It has line breaks and begins at the given
// level of indentation unless that is negative.
func Notation(v pcore.Value, indent int) string {
	n := &notation{indent: indent}
	n.value(v)
	return string(n.b)
}

func (n *notation) value(v pcore.Value) {
	switch v := v.(type) {
	case *pcore.Object:
		n.call(v.TypeName(), v.InitHash())
	case *pcore.Deferred:
		init := []pcore.Entry{{Key: pcore.String("name"), Value: pcore.String(v.Name())}}
		if args := v.Arguments(); args != nil {
			init = append(init, pcore.Entry{Key: pcore.String("arguments"), Value: args})
		}
		n.call("Deferred", pcore.NewHash(init...))
	case *pcore.Hash:
		n.hash(v)
	case *pcore.Array:
		n.array(v)
	case pcore.Timestamp:
		n.quoted(v.Text())
	case pcore.Timespan:
		n.quoted(v.Text())
	case *pcore.SemVer:
		n.quoted(v.Text())
	case *pcore.SemVerRange:
		n.quoted(v.Text())
	case pcore.Symbol:
		n.b = append(n.b, v...)
	case pcore.Binary, *pcore.Sensitive, *pcore.Iterator:
		n.b = append(append(n.b, "Instance of "...), pcore.Infer(v).String()...)
	default:
		n.b = append(n.b, v.String()...)
	}
}

func (n *notation) quoted(s string) {
	n.b = append(append(append(n.b, '\''), s...), '\'')
}

func (n *notation) call(name string, init *pcore.Hash) {
	n.b = append(append(n.b, name...), '(')
	n.hash(init)
	n.b = append(n.b, ')')
}

func (n *notation) hash(v *pcore.Hash) {
	n.b = append(n.b, '{')
	n.deeper(1)
	first := true
	for k, e := range v.All() {
		n.member(&first, n.indent >= 0)
		n.value(k)
		n.b = append(n.b, " => "...)
		n.value(e)
	}
	n.deeper(-1)
	if n.indent >= 0 {
		n.newline()
	}
	n.b = append(n.b, '}')
}

func (n *notation) array(v *pcore.Array) {
	broken := n.indent >= 0 && !n.short(v)
	n.b = append(n.b, '[')
	if broken {
		n.deeper(1)
	}
	first := true
	for _, e := range v.All() {
		n.member(&first, broken)
		n.value(e)
	}
	if broken {
		n.deeper(-1)
		n.newline()
	}
	n.b = append(n.b, ']')
}

func (n *notation) deeper(by int) {
	if n.indent >= 0 {
		n.indent += by
	}
}

// member begins a member of a list, on a new line if broken.
func (n *notation) member(first *bool, broken bool) {
	if !*first {
		n.b = append(n.b, ',')
		if !broken {
			n.b = append(n.b, ' ')
		}
	}
	*first = false
	if broken {
		n.newline()
	}
}

func (n *notation) newline() {
	n.b = append(append(n.b, '\n'), strings.Repeat("  ", n.indent)...)
}

// short reports whether an array fits on a line of 100 characters. Non-empty
// containers and values without a short notation never fit. For the reference, a
// time or a version is a number, and so as long as Ruby's notation of the object.
func (n *notation) short(v *pcore.Array) bool {
	room := 100 - 2*n.indent
	for _, e := range v.All() {
		switch e := e.(type) {
		case pcore.Boolean, pcore.Integer, pcore.BigInteger, pcore.Float:
			room -= len(e.String())
		case pcore.Timestamp:
			room -= len("#<Puppet::Pops::Time::Timestamp:0x0000000000000000 @nsecs=>") + digits(e.Unix(), e.Nanosecond())
		case pcore.Timespan:
			room -= len("#<Puppet::Pops::Time::Timespan:0x0000000000000000 @nsecs=>") + digits(e.Seconds(), e.Nanosecond())
		case *pcore.SemVer:
			room -= len(e.Text())
		case pcore.Undef:
			room -= len("nil")
		case pcore.Default:
			room -= len(":default")
		case pcore.String:
			room -= 2 + utf8.RuneCountInString(string(e))
		case *pcore.Array:
			room -= emptyOr(e.Len())
		case *pcore.Hash:
			room -= emptyOr(e.Len())
		default:
			room -= 1000
		}
	}
	return v.Len() == 0 || room > 0
}

// digits returns the number of characters of a time in nanoseconds.
func digits(sec int64, nsec int) int {
	n := new(big.Int).Mul(big.NewInt(sec), big.NewInt(1e9))
	return len(n.Add(n, big.NewInt(int64(nsec))).String())
}

func emptyOr(members int) int {
	if members == 0 {
		return len("[]")
	}
	return 1000
}
