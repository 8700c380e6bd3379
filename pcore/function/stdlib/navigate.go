package stdlib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func navigateFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "dig",
			Doc:        "Returns the value to which a series of keys and indexes leads inside arrays and hashes, or undef when one of them is not there.",
			Dispatches: one("Optional[Collection] data, Any arg*", dig),
		},
		{
			Name:       "get",
			Doc:        "Returns the value to which keys and indexes with points between them lead, such as 'os.family' or 'disks.0', or the default when it is undef. What is wrong with the way is given to the block.",
			Dispatches: one("Any value, String dotted_string, Any default_value?, &Callable[1, 1] block?", get),
		},
		{
			Name:    "getvar",
			Doc:     "Returns the value of a variable, or what is found in it as get does, or the default when that is undef.",
			Effects: function.ReadsVariables,
			Dispatches: []function.Dispatch{
				on(`Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] get_string, Any default_value?, &Callable[1, 1] block?`, getvar),
				{Text: "String get_string, Any default_value?, &Callable block?", Mismatch: func([]pcore.Value) string {
					return "The given string does not start with a valid variable name"
				}},
			},
		},
	}
}

func dig(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	return digInto(args[0], args[1:])
}

// digInto looks up the keys one after the other. An undef value or key ends the
// lookup.
func digInto(v pcore.Value, keys []pcore.Value) (pcore.Value, error) {
	for i, key := range keys {
		if v == pcore.Value(pcore.Undef{}) || key == pcore.Value(pcore.Undef{}) {
			return pcore.Undef{}, nil
		}
		var ok bool
		switch in := v.(type) {
		case *pcore.Hash:
			v, ok = in.Get(key)
		case *pcore.Array:
			index, isIndex := key.(pcore.Integer)
			if !isIndex {
				t := pcore.Infer(key)
				return nil, digError("The given data requires an Integer index at ", "EXPECTED_INTEGER_INDEX", "index_type", keys[:i+1], t)
			}
			v, ok = elementAt(in, index)
		default:
			return nil, digError("The given data does not contain a Collection at ", "EXPECTED_COLLECTION", "value_type", keys[:i], pcore.Infer(v))
		}
		if !ok {
			v = pcore.Undef{}
		}
	}
	return v, nil
}

func digError(what, issue, typeKey string, walked []pcore.Value, t pcore.Type) error {
	path := pcore.NewArray(walked...)
	return &function.DataError{
		Message:   what + rubytext.Inspect(path) + ", got '" + pcore.TypeText(t) + "'",
		Kind:      "SLICE_ERROR",
		IssueCode: issue,
		Details: pcore.NewHash(
			pcore.Entry{Key: pcore.String("walked_path"), Value: path},
			pcore.Entry{Key: pcore.String(typeKey), Value: t},
		),
	}
}

// elementAt returns the element at index i; a negative i counts from the end.
func elementAt(a *pcore.Array, i pcore.Integer) (pcore.Value, bool) {
	n := pcore.Integer(a.Len())
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return nil, false
	}
	return a.At(int(i)), true
}

func get(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	return getFrom(c, args[0], str(args[1]), optional(args, 2))
}

func getFrom(c *function.Call, v pcore.Value, way string, def pcore.Value) (pcore.Value, error) {
	if v == pcore.Value(pcore.Undef{}) {
		return def, nil
	}
	if way == "" {
		return v, nil
	}
	keys, err := segments(way)
	if err != nil {
		return nil, err
	}
	if !pcore.Is[*pcore.Array](v) && !pcore.Is[*pcore.Hash](v) {
		return nil, fmt.Errorf("the value must be an Array, a Hash or undef, not %s", pcore.KindOf(v))
	}
	found, err := digInto(v, keys)
	if data, ok := errors.AsType[*function.DataError](err); ok && c.Block != nil {
		return c.Yield(data.Value())
	}
	if err != nil {
		return nil, err
	}
	if found == pcore.Value(pcore.Undef{}) {
		return def, nil
	}
	return found, nil
}

var (
	segment = lazyregexp.New(`^(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)(\.|$)`)
	integer = lazyregexp.New(`^[+-]?[0-9]+$`)
)

// segments splits a path at its points. A quoted segment is literal, and an
// integer is an index. Surrounding blanks are ignored.
func segments(way string) ([]pcore.Value, error) {
	var keys []pcore.Value
	for end := "."; end == "."; {
		m := segment.Get().FindStringSubmatch(way)
		if m == nil {
			return nil, errors.New("Syntax error in dotted-navigation string") //nolint:staticcheck // the reference's words
		}
		way, end = way[len(m[0]):], m[2]
		keys = append(keys, segmentKey(strings.TrimSpace(m[1])))
	}
	return keys, nil
}

func segmentKey(s string) pcore.Value {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return pcore.String(s[1 : len(s)-1])
	}
	if integer.Get().MatchString(s) {
		n, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 10, 64)
		if err == nil {
			return pcore.Integer(n)
		}
	}
	return pcore.String(s)
}

var variablePart = lazyregexp.New(`^((?:::)?(?:\w+::)*\w+)(.*)$`)

func getvar(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	m := variablePart.Get().FindStringSubmatch(str(args[0]))
	if m == nil {
		return nil, errors.New("the given string does not start with a valid variable name")
	}
	way, found := strings.CutPrefix(m[2], ".")
	if !found && way != "" {
		return nil, errors.New("First character after var name in get string must be a '.' - got " + way[:1])
	}
	def := optional(args, 1)
	v, ok, err := c.Variable(strings.TrimPrefix(m[1], "::"))
	if errors.Is(err, function.ErrNeedsFacts) {
		return nil, err
	}
	if err != nil || !ok {
		return def, nil //nolint:nilerr // the default replaces a missing variable
	}
	return getFrom(c, v, way, def)
}
