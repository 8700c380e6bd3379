package pcore

// object writes an Object type by name, or its declaration if types are
// expanded.
func (f *typeFormatter) object(t *ObjectType) {
	if !f.expand {
		f.text(f.nameOf(t))
		return
	}
	f.declaration(t.initHash(f.set == nil || !f.set.defines(t)))
}

// declaration writes Object[{...}], with nested types by name.
func (f *typeFormatter) declaration(init *Hash) {
	f.expand = false
	f.text("Object[")
	f.entries(init, f.word, func(k, v Value) {
		switch k {
		case String("attributes"), String("functions"):
			if h, ok := v.(*Hash); ok {
				f.entries(h, f.value, func(_, member Value) { f.member(member) })
				return
			}
		}
		f.value(v)
	})
	f.text("]")
	f.expand = true
}

func (f *typeFormatter) member(spec Value) {
	h, ok := spec.(*Hash)
	if !ok {
		f.value(spec)
		return
	}
	f.entries(h, f.word, func(k, v Value) {
		if k == Value(String("kind")) {
			f.word(v)
			return
		}
		f.value(v)
	})
}

// word writes a String without quotes.
func (f *typeFormatter) word(v Value) {
	if s, ok := v.(String); ok {
		f.text(string(s))
		return
	}
	f.value(v)
}

func (f *typeFormatter) extension(l *typeList, t *ObjectTypeExtension) {
	switch params := t.initParameters().(type) {
	case *Array:
		for v := range params.Values() {
			l.values(v)
		}
	default:
		l.values(params)
	}
}
