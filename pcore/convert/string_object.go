package convert

import (
	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// objectString formats an *Object or a *Deferred.
func objectString(v pcore.Value, m formatMap, in indentation) (string, error) {
	switch f := m.formatFor(v); f.letter {
	case 'p':
		in.indenting = f.alt || in.indenting
		return notationOf(v, in), nil
	case 's':
		return rubytext.Notation(v, -1), nil
	case 'q':
		return rubytext.Inspect(v), nil
	default:
		return "", illegal("Object", f, "spq")
	}
}

func uriString(v *pcore.URI, f *stringFormat, in indentation) (string, error) {
	switch f.letter {
	case 'p':
		in.indenting = f.alt || in.indenting
		return notationOf(v, in), nil
	case 's':
		text := v.Text()
		if f.alt {
			text = literal.Quote(text)
		}
		return rubytext.Format(f.text, pcore.String(text))
	}
	return "", illegal("URI", f, "sp")
}

func notationOf(v pcore.Value, in indentation) string {
	if !in.indenting {
		return rubytext.Notation(v, -1)
	}
	return rubytext.Notation(v, in.level)
}
