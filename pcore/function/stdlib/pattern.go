package stdlib

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func patternFunctions(reference pcore.Reference) []function.Function {
	return []function.Function{
		{
			Name: "match",
			Doc:  "Returns the array of what a pattern and its groups match in a text, or undef when it does not match. The pattern may be a String, a Regexp, a type of these, a Variant, or an array of patterns, of which the first that matches counts.",
			Dispatches: []function.Dispatch{
				on("String string, Any pattern", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return match(c, str(args[0]), args[1])
				}),
				on("Array[String] string, Any pattern", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return match(c, str(v), args[1]) })
				}),
			},
		},
		{
			Name:       "regsubst",
			Doc:        "Returns a text, or each text of an array, with the match of a pattern replaced; all matches with the flag G. The replacement may refer to groups, or be a hash from matches to texts. A Sensitive text becomes a Sensitive one, but Puppet 7 refuses it.",
			Dispatches: regsubstDispatches(reference),
		},
	}
}

// compile returns the expression of a pattern: a text, a Regexp or a Regexp
// type.
func compile(pattern pcore.Value) (*rubyre.Regexp, error) {
	switch p := pattern.(type) {
	case pcore.String:
		return rubyre.Compile(string(p))
	case *pcore.Regexp:
		return rubyre.Compile(p.Source())
	case *pcore.RegexpType:
		if p.Regexp() == nil {
			return rubyre.Compile("")
		}
		return rubyre.Compile(p.Regexp().Source())
	case *pcore.TypeAliasType:
		return compile(p.Resolved())
	default:
		return nil, fmt.Errorf("%s is no pattern", pcore.KindOf(pattern))
	}
}

// match returns the groups of the first match of pattern in s, or undef.
func match(c *function.Call, s string, pattern pcore.Value) (pcore.Value, error) {
	switch p := pattern.(type) {
	case pcore.String, *pcore.Regexp:
		return matchRegexp(c, s, p)
	case *pcore.RegexpType:
		if p.Regexp() == nil {
			return nil, errors.New("the given Regexp type has no regular expression")
		}
		return matchRegexp(c, s, p)
	case *pcore.PatternType:
		for _, re := range p.Patterns() {
			if found, err := matchRegexp(c, s, re); err != nil || found != pcore.Value(pcore.Undef{}) {
				return found, err
			}
		}
		return pcore.Undef{}, nil
	case *pcore.VariantType:
		for _, t := range p.Types() {
			if found, err := match(c, s, t); err != nil || found != pcore.Value(pcore.Undef{}) {
				return found, err
			}
		}
		return pcore.Undef{}, nil
	case *pcore.TypeAliasType:
		return match(c, s, p.Resolved())
	case *pcore.Array:
		for e := range flattened([]pcore.Value{p}) {
			if found, err := match(c, s, e); err != nil || found != pcore.Value(pcore.Undef{}) {
				return found, err
			}
		}
		return pcore.Undef{}, nil
	default:
		return nil, fmt.Errorf("match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got %s", pcore.KindOf(p))
	}
}

func matchRegexp(c *function.Call, s string, pattern pcore.Value) (pcore.Value, error) {
	re, err := compile(pattern)
	if err != nil {
		return nil, err
	}
	at, err := re.FindSubmatchIndex(s, 0)
	if err != nil {
		return nil, err
	}
	if at == nil {
		return pcore.Undef{}, nil
	}
	if err := reserveElements(c, len(at)/2); err != nil { // a new pattern for each of many texts may have many groups
		return nil, err
	}
	groups := make([]pcore.Value, len(at)/2)
	for i := range groups {
		groups[i] = pcore.Undef{}
		if at[2*i] >= 0 {
			groups[i] = pcore.String(s[at[2*i]:at[2*i+1]])
		}
	}
	return pcore.NewArray(groups...), nil
}

func regsubstDispatches(reference pcore.Reference) []function.Dispatch {
	target := "Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], Variant[String, Sensitive[String]]] target, "
	if reference == pcore.Puppet7 {
		target = "Variant[Array[String], String] target, "
	}
	const replacement = "Variant[String, Hash[String, String]] replacement, "
	encoding := ", Enum['N', 'E', 'S', 'U'] encoding?"
	if reference == pcore.OpenVox9 {
		encoding = ""
	}
	return []function.Dispatch{
		on(target+"String pattern, "+replacement+"Optional[Pattern[/^[GEIM]*$/]] flags?"+encoding, func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			if len(args) > 4 && reference != pcore.Puppet7 {
				deprecated(c, "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a future release")
			}
			return regsubst(c, args)
		}),
		on(target+"Variant[Regexp, Type[Regexp]] pattern, "+replacement+"Pattern[/^G?$/] flags?", regsubst),
	}
}

func regsubst(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, n, err := substitution(args)
	if err != nil {
		return nil, err
	}
	replace := func(v pcore.Value) (pcore.Value, error) {
		text := newResult(c)
		var err error
		switch with := args[2].(type) {
		case *pcore.Hash:
			err = re.WriteReplacedFunc(text, str(v), n, func(match string) string {
				if to, ok := with.GetString(match); ok {
					return str(to)
				}
				return ""
			})
		default:
			err = re.WriteReplaced(text, str(v), str(with), n)
		}
		if err != nil {
			return nil, err
		}
		return text.Value()
	}
	element := func(v pcore.Value) (pcore.Value, error) {
		secret, ok := v.(*pcore.Sensitive)
		if !ok {
			return replace(v)
		}
		to, err := replace(secret.Reveal()) //nolint:forbidigo // put back into a Sensitive
		if err != nil {
			return nil, err
		}
		return pcore.NewSensitive(to), nil
	}
	target := args[0]
	if secret, ok := target.(*pcore.Sensitive); ok {
		if texts, ok := secret.Reveal().(*pcore.Array); ok { //nolint:forbidigo // Puppet returns its texts in a plain array
			target = texts
		}
	}
	if _, ok := target.(*pcore.Array); ok {
		return mapped(c, target, element)
	}
	return element(target)
}

// substitution returns the regular expression, compiled with its options, and
// the number of replacements; -1 means all.
func substitution(args []pcore.Value) (re *rubyre.Regexp, n int, err error) {
	flags, _ := optional(args, 3).(pcore.String)
	n = 1
	if strings.Contains(string(flags), "G") {
		n = -1
	}
	source, ok := args[1].(pcore.String)
	if !ok {
		re, err = compile(args[1])
		return re, n, err
	}
	options := rubyre.Options{
		IgnoreCase: strings.Contains(string(flags), "I"),
		MultiLine:  strings.Contains(string(flags), "M"),
		Extended:   strings.Contains(string(flags), "E"),
	}
	re, err = options.Compile(string(source))
	return re, n, err
}

// indexInText returns the index of the first match of a text or pattern in
// characters, or undef.
func indexInText(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	s := str(args[0])
	at := -1
	if text, ok := args[1].(pcore.String); ok {
		at = strings.Index(s, string(text))
	} else {
		re, err := compile(args[1])
		if err != nil {
			return nil, err
		}
		found, err := re.FindSubmatchIndex(s, 0)
		if err != nil {
			return nil, err
		}
		if found != nil {
			at = found[0]
		}
	}
	if at < 0 {
		return pcore.Undef{}, nil
	}
	return pcore.Integer(utf8.RuneCountInString(s[:at])), nil
}
