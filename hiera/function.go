package hiera

import (
	"errors"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

const (
	nameType     = "Variant[String, Array[String]]"
	mergeType    = "Variant[String[1], Hash[String, Scalar]]"
	blockType    = "Callable[" + nameType + "]"
	optionFields = "value_type => Optional[Type], default_value => Optional[Any], override => Optional[Hash[String, Any]], " +
		"default_values_hash => Optional[Hash[String, Any]], merge => Optional[" + mergeType + "]"
)

// Functions returns the functions that look up values in h, for a registry.
func (h *Hierarchy) Functions() []function.Function {
	dispatch := func(text string, query func(c *function.Call, args []pcore.Value) Query) function.Dispatch {
		return function.Dispatch{Text: text, Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return h.called(c, query(c, args))
		}}
	}
	all := []function.Function{{
		Name:             "lookup",
		Doc:              "Returns the value of a key in the data of Hiera.",
		Source:           "puppet",
		Effects:          function.ReadsVariables,
		HandlesSensitive: true,
		Dispatches: []function.Dispatch{
			dispatch(nameType+" name, Type value_type?, "+mergeType+" merge?", positional),
			dispatch(nameType+" name, Optional[Type] value_type, Optional["+mergeType+"] merge, Any default_value", func(c *function.Call, args []pcore.Value) Query {
				q := positional(c, args)
				q.Default = args[3]
				return q
			}),
			dispatch(nameType+" name, Type value_type?, "+mergeType+" merge?, &"+blockType+" block", positional),
			dispatch("Struct[{name => "+nameType+", "+optionFields+"}] options_hash, &"+blockType+" block?", func(_ *function.Call, args []pcore.Value) Query {
				options := args[0].(*pcore.Hash)
				name, _ := options.GetString("name")
				return byOptions(name, options)
			}),
			dispatch(nameType+" name, Struct[{"+optionFields+"}] options_hash, &"+blockType+" block?", func(_ *function.Call, args []pcore.Value) Query {
				return byOptions(args[0], args[1].(*pcore.Hash))
			}),
		},
	}}
	for _, f := range []struct{ name, doc, merge string }{
		{"hiera", "Returns the first value of a key in the data of Hiera. It is deprecated: use lookup.", firstStrategy},
		{"hiera_array", "Returns all values of a key in the data of Hiera, without duplicates. It is deprecated: use lookup.", uniqueStrategy},
		{"hiera_hash", "Returns the merged hashes of a key in the data of Hiera. It is deprecated: use lookup.", hashStrategy},
	} {
		all = append(all, h.legacy(f.name, f.doc, f.merge))
	}
	return all
}

// legacy returns a function of Hiera 3.
func (h *Hierarchy) legacy(name, doc, merge string) function.Function {
	call := func(_ *function.Call, args []pcore.Value) Query {
		q := Query{Keys: []string{rubytext.Text(args[0])}, name: args[0], Merge: pcore.String(merge), globalUnlessEnvironment: true}
		if len(args) > 1 {
			q.Default = args[1]
		}
		return q
	}
	dispatch := func(text string, query func(*function.Call, []pcore.Value) Query) function.Dispatch {
		return function.Dispatch{Text: text, Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return h.called(c, query(c, args))
		}}
	}
	return function.Function{
		Name: name, Doc: doc, Source: "puppet", Effects: function.ReadsVariables, HandlesSensitive: true,
		Dispatches: []function.Dispatch{
			dispatch("Tuple[String, Any, Any, 1, 3] args", func(c *function.Call, args []pcore.Value) Query {
				var given []pcore.Value
				for _, v := range args[0].(*pcore.Array).All() {
					given = append(given, v)
				}
				return call(c, given)
			}),
			dispatch("String key", call),
			dispatch("String key, Any default, Any override?", call),
			dispatch("String key, &Callable[1, 1] default_block", call),
			dispatch("String key, Any override, &Callable[1, 1] default_block", func(c *function.Call, args []pcore.Value) Query {
				return call(c, args[:1])
			}),
		},
	}
}

// called makes a lookup for a call.
func (h *Hierarchy) called(c *function.Call, q Query) (pcore.Value, error) {
	if c.Block != nil {
		q.Otherwise = func() (pcore.Value, error) {
			return c.Yield(q.name)
		}
	}
	v, err := h.Lookup(c.Context(), c.Env, q)
	if e, ok := errors.AsType[*Error](err); ok {
		return nil, e
	}
	return v, err
}

// positional returns the query of the arguments name, value_type and merge.
func positional(_ *function.Call, args []pcore.Value) Query {
	q := Query{Keys: keysOf(args[0]), name: args[0]}
	if len(args) > 1 {
		q.Type, _ = args[1].(pcore.Type)
	}
	if len(args) > 2 && !pcore.Is[pcore.Undef](args[2]) {
		q.Merge = args[2]
	}
	return q
}

// byOptions returns the query of a hash of options.
func byOptions(name pcore.Value, options *pcore.Hash) Query {
	q := Query{Keys: keysOf(name), name: name}
	get := func(name string) pcore.Value {
		v, _ := options.GetString(name)
		return v
	}
	q.Type, _ = get("value_type").(pcore.Type)
	q.Override, _ = get("override").(*pcore.Hash)
	q.DefaultValues, _ = get("default_values_hash").(*pcore.Hash)
	q.Default = get("default_value")
	if m := get("merge"); m != nil && !pcore.Is[pcore.Undef](m) {
		q.Merge = m
	}
	return q
}

func keysOf(name pcore.Value) []string {
	list, ok := name.(*pcore.Array)
	if !ok {
		return []string{rubytext.Text(name)}
	}
	keys := make([]string, 0, list.Len())
	for _, k := range list.All() {
		keys = append(keys, rubytext.Text(k))
	}
	return keys
}
