package pcore

import (
	"fmt"
	"strconv"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

func format(v Value) string { return string(appendValue(nil, v)) }

// appendValue appends v in the notation of the language.
func appendValue(b []byte, v Value) []byte {
	switch v := v.(type) {
	case Undef:
		return append(b, "undef"...)
	case Default:
		return append(b, "default"...)
	case Boolean:
		return strconv.AppendBool(b, bool(v))
	case Integer:
		return strconv.AppendInt(b, int64(v), 10)
	case BigInteger:
		return append(b, v.Text()...)
	case Float:
		return literal.AppendFloat(b, float64(v))
	case String:
		return literal.AppendQuoted(b, string(v))
	case Symbol:
		return append(append(b, ':'), v...)
	case *Regexp:
		return appendRegexp(b, v.source)
	case Binary:
		return append(append(append(b, `Binary("`...), v.Base64()...), `")`...)
	case Timestamp:
		return append(append(append(b, "Timestamp('"...), v.Text()...), "')"...)
	case Timespan:
		return append(append(append(b, "Timespan('"...), v.Text()...), "')"...)
	case *SemVer:
		return append(append(append(b, "SemVer('"...), v.Text()...), "')"...)
	case *SemVerRange:
		return append(append(append(b, "SemVerRange('"...), v.Text()...), "')"...)
	case *URI:
		return append(literal.AppendQuoted(append(b, "URI("...), v.Text()), ')')
	case *Array:
		return appendArray(b, v)
	case *Hash:
		return appendHash(b, v)
	case *Sensitive:
		return append(b, RedactedText...)
	case *Deferred:
		return appendCall(b, "Deferred", deferredInit(v))
	case *Object:
		return appendCall(b, v.TypeName(), v.InitHash())
	case *Iterator:
		return append(b, v.String()...)
	case Type:
		return append(b, v.String()...)
	default:
		return fmt.Append(b, v)
	}
}

func deferredInit(v *Deferred) *Hash {
	init := []Entry{{String("name"), String(v.name)}}
	if v.args != nil {
		init = append(init, Entry{String("arguments"), v.args})
	}
	return NewHash(init...)
}

func appendCall(b []byte, name string, init *Hash) []byte {
	b = append(append(b, name...), '(')
	return append(appendHash(b, init), ')')
}

func appendArray(b []byte, v *Array) []byte {
	b = append(b, '[')
	for i, e := range v.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendValue(b, e)
	}
	return append(b, ']')
}

func appendHash(b []byte, v *Hash) []byte {
	b = append(b, '{')
	first := true
	for k, e := range v.All() {
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(appendValue(b, k), " => "...)
		b = appendValue(b, e)
	}
	return append(b, '}')
}

// appendRegexp escapes slashes that are not yet escaped.
func appendRegexp(b []byte, source string) []byte {
	b = append(b, '/')
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\' && i+1 < len(source):
			b = append(b, c, source[i+1])
			i++
		case c == '/':
			b = append(b, '\\', '/')
		default:
			b = append(b, c)
		}
	}
	return append(b, '/')
}
