package main

// data returns a document of rich data, as decoded JSON: valid mostly, and with mistakes.
func (w words) data(depth int) any {
	inner := func() any { return w.data(depth - 1) }
	if depth > 0 && w.once(3) {
		switch w.IntN(2) {
		case 0:
			list := make([]any, w.IntN(4))
			for i := range list {
				list[i] = inner()
			}
			return list
		default:
			members := object{}
			for _, k := range []string{"a", "b", "name"}[:w.IntN(4)] {
				members = append(members, member{k, inner()})
			}
			return members
		}
	}
	switch w.IntN(12) {
	case 0, 1, 2:
		return pick[any](w, nil, true, 0, 1, -5, 1.5, 9007199254740993, "x", "é", "", "a\nb")
	case 3, 4, 5, 6:
		return rich(pick(w, "Timestamp", "Timespan", "Regexp", "SemVer", "SemVerRange", "URI", "Binary", "Symbol", "Integer", "Optional[Integer]", "Array[Integer]", "Boolean", "Type", "Oracle::Port", "Sensitive", "Default", "TIMESTAMP", "Nope", "LocalRef"),
			pick[any](w, "1", "2020-01-02T03:04:05.000000000 UTC", "0-00:00:01.0", "a(b)", "1.2.3", ">=1.0.0", "http://h/p", "aGk=", "default", "true", "Integer[1]", "$['a']", "$", "", 5, w.data(0)))
	case 7:
		return object{{"__ptype", "Hash"}, {"__pvalue", pick[any](w, []any{1, "a"}, []any{inner(), inner(), 2, 3}, []any{}, []any{nil, 1}, []any{1, 2, 3})}}
	case 8:
		return object{{"__ptype", "Sensitive"}, {"__pvalue", inner()}}
	case 9:
		return w.deferred(depth - 1)
	case 10:
		return pick(w, object{{"__ptype", "Oracle::Point"}, {"x", w.IntN(5)}}, object{{"__ptype", "Oracle::Point"}, {"x", 1}, {"y", inner()}}, object{{"__ptype", "Oracle::Named"}, {"name", "n"}},
			object{{"__ptype", "Oracle::Host"}, {"name", "n"}, {"labels", object{}}, {"port", 80}}, object{{"__ptype", "Error"}, {"msg", "m"}, {"kind", "k"}})
	default:
		return pick(w, object{{"__ptype", "Pcore::IntegerType"}, {"from", 1}}, object{{"__ptype", "Pcore::IntegerType"}, {"from", 1}, {"to", w.IntN(9)}}, object{{"__ptype", "Pcore::StringType"}},
			object{{"__ptype", "Pcore::ArrayType"}, {"element_type", object{{"__ptype", "Pcore::StringType"}}}}, object{{"__ptype", "Pcore::EnumType"}, {"values", []any{"a", "b"}}},
			object{{"__ptype", "Pcore::OptionalType"}, {"type", object{{"__ptype", "Pcore::AnyType"}}}})
	}
}

func rich(kind string, value any) object { return object{{"__ptype", kind}, {"__pvalue", value}} }

// deferred returns a call: of a function that an agent has, of a fact, or of an unknown one.
func (w words) deferred(depth int) object {
	name := pick(w, "upcase", "downcase", "join", "size", "sprintf", "new", "split", "merge", "abs", "$facts", "dig", "flatten", "unwrap", "Upcase", "nosuch", "sort", "regsubst", "inline_epp", "$x", "convert_to", "sha256")
	var args []any
	switch name {
	case "join":
		args = []any{[]any{w.data(0), "b"}, "-"}
	case "sprintf":
		args = []any{pick(w, "%s", "%d-%s", "%05d", "x"), w.data(depth)}
	case "new":
		args = []any{object{{"__ptype", pick(w, "Pcore::IntegerType", "Pcore::StringType", "Pcore::SensitiveType", "Pcore::TimespanType")}}, w.data(depth)}
	case "split":
		args = []any{"a,b", ","}
	case "inline_epp":
		args = []any{pick(w, "x<%= $p %>", "<%- |$p| -%>y<%= $p %>"), object{{"p", w.data(depth)}}}
	case "regsubst":
		args = []any{"abc", pick(w, "b", "[a-z]"), "x", "G"}
	case "$facts", "$x":
		args = pick(w, []any{}, []any{"a"}, []any{"os", "family"}, []any{"os.family"})
	case "merge":
		args = []any{object{{"a", 1}}, object{{"b", w.data(depth)}}}
	default:
		for range w.IntN(3) {
			args = append(args, w.data(depth))
		}
	}
	if w.once(8) {
		return object{{"__ptype", "Deferred"}, {"name", name}}
	}
	return object{{"__ptype", "Deferred"}, {"name", name}, {"arguments", args}}
}
