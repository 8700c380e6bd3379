package native

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/pcore"
)

// field is a field of a struct, possibly of an embedded one.
type field struct {
	name string
	key  pcore.Value // name as a String
	// index leads to the field through embedded structs, pointers when
	// indirect.
	index     []int
	indirect  bool
	tagged    bool
	omitEmpty bool
	goType    reflect.Type
	plan      plan
}

// of returns the field of a struct. ok is false in an embedded struct that is
// nil.
func (f *field) of(v reflect.Value) (value reflect.Value, ok bool) {
	if len(f.index) == 1 {
		return v.Field(f.index[0]), true
	}
	for i, n := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v, true
}

// settable returns the field of a struct, in which embedded structs are
// allocated.
func (f *field) settable(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	for i, n := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
}

func isEmpty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// structPlan converts a struct to a Hash and back.
type structPlan struct {
	goType reflect.Type
	fields []field
	byName map[string]int
	// whole is a Hash with the names of all fields. It is nil if a field may
	// have no entry.
	whole *pcore.Hash
}

func (b *builder) structPlan(t reflect.Type) (*structPlan, error) {
	c := collector{builder: b, outer: t}
	if err := c.collect(t, nil, false, nil); err != nil {
		return nil, err
	}
	p := &structPlan{goType: t, byName: map[string]int{}}
	for _, f := range c.fields {
		if counts, err := c.counts(&f); err != nil {
			return nil, err
		} else if !counts {
			continue
		}
		var err error
		if f.plan, err = b.plan(f.goType); err != nil {
			return nil, under(err, entryStep(f.key))
		}
		p.byName[f.name] = len(p.fields)
		p.fields = append(p.fields, f)
	}
	p.setWhole()
	return p, nil
}

func (p *structPlan) setWhole() {
	names := pcore.NewHashBuilder(len(p.fields))
	for _, f := range p.fields {
		if f.omitEmpty || f.indirect {
			return
		}
		names.Set(f.key, pcore.Undef{})
	}
	p.whole = names.Hash()
}

// collector collects the fields of a struct and of its embedded structs.
type collector struct {
	builder *builder
	outer   reflect.Type
	fields  []field
}

// collect adds the fields of t, which index leads to. above are the structs
// that embed t.
func (c *collector) collect(t reflect.Type, index []int, indirect bool, above []reflect.Type) error {
	if slices.Contains(above, t) {
		return nil // its fields are hidden by those of the outer one
	}
	above = append(slices.Clip(above), t)
	for i := range t.NumField() {
		sf := t.Field(i)
		if isOurs(sf.PkgPath) || sf.PkgPath == reflect.TypeFor[pcore.Undef]().PkgPath() {
			return unsupported(t, "use the type on which it is based")
		}
		tag, tagged := sf.Tag.Lookup("pcore")
		if tag == "-" {
			continue
		}
		f := field{index: append(slices.Clip(index), i), indirect: indirect, goType: sf.Type}
		if embedded, pointer, ok := c.embedded(sf, tag); ok {
			if pointer && !sf.IsExported() {
				return &Error{Err: fmt.Errorf("%s embeds a pointer to the unexported %s, which cannot be set", t, embedded)}
			}
			if err := c.collect(embedded, f.index, indirect || pointer, above); err != nil {
				return err
			}
			continue
		}
		if !sf.IsExported() {
			if tagged {
				return &Error{Err: fmt.Errorf("the field %s of %s has a tag, but is not exported", sf.Name, t)}
			}
			continue
		}
		if err := f.take(sf, tag); err != nil {
			return &Error{Err: fmt.Errorf("the field %s of %s: %w", sf.Name, t, err)}
		}
		c.fields = append(c.fields, f)
	}
	return nil
}

// embedded reports whether the fields of sf belong to the outer struct.
func (c *collector) embedded(sf reflect.StructField, tag string) (t reflect.Type, pointer, ok bool) {
	if name, _, _ := strings.Cut(tag, ","); !sf.Anonymous || name != "" {
		return nil, false, false
	}
	t = sf.Type
	if t.Kind() == reflect.Pointer {
		t, pointer = t.Elem(), true
	}
	if t.Kind() != reflect.Struct || isValue(sf.Type) {
		return nil, false, false
	}
	if _, rich := richPlan(t); rich {
		return nil, false, false
	}
	return t, pointer, true
}

// take sets the name and the options of a field from its tag.
func (f *field) take(sf reflect.StructField, tag string) error {
	name, options, _ := strings.Cut(tag, ",")
	f.name, f.tagged = name, name != ""
	if !f.tagged {
		f.name = snakeCase(sf.Name)
	}
	f.key = pcore.String(f.name)
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.omitEmpty = true
		default:
			return fmt.Errorf("unknown option %q in its tag", option)
		}
	}
	return nil
}

// counts reports whether f is the field that its name refers to: the shallowest
// one, and among several of these the only one with a tag.
func (c *collector) counts(f *field) (bool, error) {
	for i := range c.fields {
		g := &c.fields[i]
		if g.name != f.name || slices.Equal(g.index, f.index) {
			continue
		}
		switch {
		case len(g.index) < len(f.index), len(g.index) == len(f.index) && g.tagged && !f.tagged:
			return false, nil
		case len(g.index) == len(f.index) && g.tagged == f.tagged && !c.hidden(f):
			return false, &Error{Err: fmt.Errorf("two fields of %s have the name %q: %s and %s", c.outer, f.name,
				c.outer.FieldByIndex(f.index).Name, c.outer.FieldByIndex(g.index).Name)}
		}
	}
	return true, nil
}

// hidden reports whether another field of the name of f counts instead.
func (c *collector) hidden(f *field) bool {
	return slices.ContainsFunc(c.fields, func(g field) bool {
		return g.name == f.name && (len(g.index) < len(f.index) || len(g.index) == len(f.index) && g.tagged && !f.tagged)
	})
}

// snakeCase returns a Go name as Puppet spells parameters: BackupURLs is
// backup_urls, and HTTPPort is http_port.
func snakeCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) {
			after := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			next := runes[i+1:]
			if after || len(next) > 0 && unicode.IsLower(next[0]) && unicode.IsUpper(runes[i-1]) && string(next) != "s" {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (p *structPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	if p.whole == nil {
		return p.marshalSome(e, v)
	}
	h, values := e.slab.HashLike(p.whole)
	for i := range p.fields {
		f := &p.fields[i]
		content, _ := f.of(v)
		value, err := f.plan.marshal(e, content)
		if err != nil {
			return nil, under(err, entryStep(f.key))
		}
		values[i] = value
	}
	return h, nil
}

// marshalSome is marshal for a struct whose fields may have no entry.
func (p *structPlan) marshalSome(e *encoder, v reflect.Value) (pcore.Value, error) {
	mark := len(e.stack)
	for i := range p.fields {
		f := &p.fields[i]
		content, ok := f.of(v)
		if !ok || f.omitEmpty && isEmpty(content) {
			continue
		}
		value, err := f.plan.marshal(e, content)
		if err != nil {
			return nil, under(err, entryStep(f.key))
		}
		e.stack = append(e.stack, f.key, value)
	}
	h := e.slab.Hash(e.stack[mark:])
	e.stack = e.stack[:mark]
	return h, nil
}

func (p *structPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	h, ok := v.(*pcore.Hash)
	if !ok {
		return misfit(v, p.goType)
	}
	return p.set(d, h, dst)
}

// set sets the fields of dst from the entries of h.
func (p *structPlan) set(d *decoder, h *pcore.Hash, dst reflect.Value) error {
	for i := range h.Len() {
		entry := h.At(i)
		f, ok := p.field(i, entry.Key)
		switch {
		case ok:
			if err := f.plan.unmarshal(d, entry.Value, f.settable(dst)); err != nil {
				return under(err, entryStep(entry.Key))
			}
		case d.codec.options.DisallowUnknownFields:
			return under(&Error{Err: fmt.Errorf("%s has no such field", p.goType)}, entryStep(entry.Key))
		}
	}
	return nil
}

// field returns the field for a key, probably the one at index i.
func (p *structPlan) field(i int, key pcore.Value) (*field, bool) {
	name, ok := key.(pcore.String)
	if !ok {
		return nil, false
	}
	if i < len(p.fields) && p.fields[i].name == string(name) {
		return &p.fields[i], true
	}
	at, ok := p.byName[string(name)]
	if !ok {
		return nil, false
	}
	return &p.fields[at], true
}

func (p *structPlan) describe(t *typer) (pcore.Type, error) {
	if len(p.fields) == 0 {
		return emptyHashType()
	}
	elems := make([]pcore.StructElement, len(p.fields))
	for i, f := range p.fields {
		content, err := t.of(f.goType, f.plan)
		if err != nil {
			return nil, under(err, entryStep(f.key))
		}
		elems[i] = pcore.NewStructElement(f.name, f.omitEmpty || f.indirect, content)
	}
	s, err := pcore.NewStructType(elems...)
	if err != nil {
		return nil, &Error{Err: fmt.Errorf("%s: %w", p.goType, err)}
	}
	return s, nil
}

// emptyHashType returns the type of an empty struct. A Struct without entries
// would accept every Hash.
func emptyHashType() (pcore.Type, error) {
	none, err := pcore.NewIntegerType(pcore.At[int64](0), pcore.At[int64](0))
	if err != nil {
		return nil, err
	}
	return pcore.NewHashType(nil, nil, none), nil
}
