package pcore

import (
	"strconv"
	"strings"
)

// StepKind indicates how a [Step] leads from a value to one of its parts.
type StepKind uint8

// The kinds of steps.
const (
	StepIndex     StepKind = iota // an element of an Array
	StepEntry                     // the value at a key of a Hash
	StepKey                       // a key of a Hash itself
	StepSecret                    // the content of a Sensitive
	StepArgument                  // an argument of a Deferred
	StepAttribute                 // an attribute of an Object
)

// Step is one step of a [Path]. The zero value is the first element of an
// Array.
type Step struct {
	Kind StepKind
	// Index is the position of an element, argument or entry, from 0.
	Index int
	// Key is the key of an entry, or the name of an attribute as a String.
	Key Value
	// Listed indicates that the Hash has the wire form of a list, because it
	// has a key that is not a plain String.
	Listed bool
}

// Path is the location of a value inside another value. The empty path is the
// outer value itself.
type Path []Step

// Index returns p followed by the element at index i of an Array.
func (p Path) Index(i int) Path { return p.with(Step{Kind: StepIndex, Index: i}) }

// Key returns p followed by the value at a String key of a Hash.
func (p Path) Key(key string) Path { return p.with(Step{Kind: StepEntry, Key: String(key)}) }

func (p Path) with(s Step) Path { return append(p[:len(p):len(p)], s) }

// String returns the path in the notation of the reference implementation's
// local references: `$['a'][0]`. The content of a Sensitive has the path of the
// Sensitive.
func (p Path) String() string {
	b := []byte{'$'}
	for _, s := range p {
		switch s.Kind {
		case StepIndex:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.Index), 10)
			b = append(b, ']')
		case StepEntry, StepKey:
			b = append(b, '[')
			b = appendValue(b, s.Key)
			b = append(b, ']')
		case StepArgument:
			b = append(b, "['arguments']["...)
			b = strconv.AppendInt(b, int64(s.Index), 10)
			b = append(b, ']')
		case StepAttribute:
			b = append(b, '[')
			b = appendValue(b, s.Key)
			b = append(b, ']')
		case StepSecret:
		}
	}
	return string(b)
}

// Pointer returns the path as an RFC 6901 JSON pointer into the rich data form
// of the value. The keys `__pvalue` and `arguments` of that form are separate
// steps.
func (p Path) Pointer() string {
	var b strings.Builder
	for _, s := range p {
		switch s.Kind {
		case StepIndex:
			pointTo(&b, strconv.Itoa(s.Index))
		case StepEntry, StepKey:
			if s.Listed {
				pointTo(&b, "__pvalue")
				i := 2 * s.Index
				if s.Kind == StepEntry {
					i++
				}
				pointTo(&b, strconv.Itoa(i))
				continue
			}
			pointTo(&b, keyText(s.Key))
		case StepSecret:
			pointTo(&b, "__pvalue")
		case StepArgument:
			pointTo(&b, "arguments")
			pointTo(&b, strconv.Itoa(s.Index))
		case StepAttribute:
			pointTo(&b, keyText(s.Key))
		}
	}
	return b.String()
}

func pointTo(b *strings.Builder, token string) {
	b.WriteByte('/')
	b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
}

func keyText(key Value) string {
	if s, ok := key.(String); ok {
		return string(s)
	}
	return key.String()
}
