package leaf

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Visitor holds the functions called by [Walk]. Nil functions are not called.
type Visitor struct {
	// Want reports whether a resource is wanted, given its encoded bytes. If it is nil,
	// all are. Unwanted resources are skipped without being decoded.
	Want func(raw []byte) bool
	// Declared restricts the visit to parts that declare a secret. Want is not called for
	// parts that an Outline shows to declare none.
	Declared bool
	// Edge is like Want, for edges.
	Edge func(raw []byte) bool
	// Name is called with the type and the title of each resource, wanted or not.
	Name func(typ, title []byte)
	// Resource is called for each resource, before its leaves. The argument is valid
	// until the next resource.
	Resource func(*Resource)
	// Leaf is called for each leaf, in the order of the document.
	Leaf func(*Leaf)
	// End is called at the end of each catalog.
	End func(*Catalog)
}

// Walker visits documents one after another, reusing its memory. The zero value is ready
// to use. A Walker is not safe for concurrent use.
type Walker struct {
	// recycler decodes into reused memory; it is nil for formats without that feature.
	recycler serialization.Recycler
	form     string // format of the recycler
	path     pcore.Path
	above    []pcore.Value

	// Outline is the outline of the last document, or nil if it has none. A document in
	// memory that matches Outline is walked again without searching for its parts.
	Outline *catalog.Outline
}

// Walk is [Walk].
func (m *Walker) Walk(r *catalog.Reader, name string, v Visitor) error {
	w := &walker{visit: v, name: name, format: r.Format()}
	if m.form != w.format.Name {
		m.recycler, _ = w.format.NewDecoder(new(bytes.Buffer), options()).(serialization.Recycler)
		m.form = w.format.Name
	}
	w.recycler = m.recycler
	w.leaf.path, w.leaf.above = m.path, m.above
	defer func() { m.path, m.above = w.leaf.path[:0], w.leaf.above[:0] }()
	if m.Outline = r.Outline(m.Outline); m.Outline != nil {
		return w.outlined(m.Outline)
	}
	for p, err := range r.Parts() {
		if err != nil {
			return err
		}
		if p.Kind == catalog.PartResource && v.Name != nil {
			v.Name(p.Resource.TypeAndTitle())
		}
		switch {
		case p.Kind == catalog.PartEnd:
			w.end(p, func() string { return r.Header().Name() })
		case p.Kind == catalog.PartResource && !w.wants(true, p.Resource.Bytes()), p.Kind == catalog.PartEdge && !w.wants(false, p.Edge.Bytes()):
			w.pass()
		default:
			if err := w.part(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// outlined visits the parts of a document that is one catalog with the outline o.
func (w *walker) outlined(o *catalog.Outline) error {
	if err := w.part(catalog.Part{Kind: catalog.PartMap}); err != nil {
		return err
	}
	list := "" // the list whose frame is open
	for i := range o.Parts {
		p := &o.Parts[i]
		key := ""
		if p.In {
			key = o.Key(i)
		}
		if key != list {
			w.enter(list, key)
			list = key
		}
		if key == "resources" && w.visit.Name != nil {
			w.visit.Name(o.TypeAndTitle(i))
		}
		raw := o.Data[p.Start:p.End:p.End]
		switch needless := w.visit.Declared && key != "edges" && !o.Declares(i); {
		case p.In && (needless || !w.wants(key == "resources", raw)):
			w.pass()
			continue
		case needless && o.Key(i) != "certname" && o.Key(i) != rundata.Key: // they determine the form
			continue
		}
		if p.In {
			if v, ok := w.decoded(raw); ok {
				w.element(v, key == "resources", source{format: w.format, bytes: raw, offset: int64(p.Start)})
				continue
			}
		}
		if err := w.part(o.Part(i)); err != nil {
			return err
		}
	}
	w.enter(list, "")
	w.end(catalog.Part{Catalog: true}, o.Name)
	return nil
}

// enter leaves one list and enters another; "" means none.
func (w *walker) enter(from, to string) {
	if from != "" {
		w.end(catalog.Part{}, nil)
	}
	if to != "" {
		_ = w.part(catalog.Part{Kind: catalog.PartArray, Key: to}) // reads nothing
	}
}

// options are the decoding options for data of a Reader, the same as its own.
func options() serialization.DecodeOptions {
	return serialization.DecodeOptions{AllowUnknownTypes: true, ShareInput: true}
}

// frame is a map or an array of the document that has begun.
type frame struct {
	pointer string
	key     string
	next    int // the position of the next element; -1 in a map
	catalog *Catalog
}

type walker struct {
	visit    Visitor
	name     string
	format   serialization.Format
	frames   []frame
	recycler serialization.Recycler
	pointers strings.Builder // pointers built recently, one after another

	here Resource // the resource being visited
	leaf Leaf
}

func (w *walker) top() *frame {
	if len(w.frames) == 0 {
		return &frame{next: -1, catalog: &Catalog{Name: w.name}}
	}
	return &w.frames[len(w.frames)-1]
}

// at returns the pointer to the next part of the innermost frame.
func (w *walker) at(key string) string {
	f := w.top()
	switch {
	case len(w.frames) == 0:
		return ""
	case f.next >= 0:
		f.next++
		return w.elementAt(f.pointer, f.next-1)
	default:
		return f.pointer + escape(key)
	}
}

// elementAt returns the pointer to element i of the array at pointer. Pointers share the
// memory of larger strings.
func (w *walker) elementAt(pointer string, i int) string {
	const most = len("/18446744073709551615")
	p := &w.pointers
	if p.Cap()-p.Len() < len(pointer)+most {
		p.Reset()
		p.Grow(max(1024, len(pointer)+most))
	}
	start := p.Len()
	var digits [most]byte
	p.WriteString(pointer)
	p.WriteByte('/')
	p.Write(strconv.AppendInt(digits[:0], int64(i), 10))
	return p.String()[start:]
}

// pass skips the next part of the innermost frame.
func (w *walker) pass() {
	if f := w.top(); f.next >= 0 {
		f.next++
	}
}

// wants reports whether a resource, or an edge, is wanted.
func (w *walker) wants(isResource bool, raw []byte) bool {
	want := w.visit.Edge
	if isResource {
		want = w.visit.Want
	}
	return want == nil || want(raw)
}

func escape(key string) string { return pcore.Path{}.Key(key).Pointer() }

func (w *walker) part(p catalog.Part) error {
	outer := w.top().catalog
	if p.Kind == catalog.PartMember {
		return w.member(p.Member, w.top().pointer, outer)
	}
	pointer := w.at(p.Key)
	switch p.Kind {
	case catalog.PartMap:
		f := frame{pointer: pointer, key: p.Key, next: -1, catalog: outer}
		if p.Key == "resources" || p.Key == "edges" {
			outer.Form = PuppetDB // a page of a query result
		} else {
			f.catalog = &Catalog{Name: w.name}
			if p.Key != "" {
				f.catalog.Form = Enveloped
			}
		}
		w.frames = append(w.frames, f)
	case catalog.PartArray:
		w.frames = append(w.frames, frame{pointer: pointer, key: p.Key, catalog: outer})
	case catalog.PartResource:
		return w.resource(p.Resource, pointer, outer)
	case catalog.PartEdge:
		return w.edge(p.Edge, pointer, outer)
	case catalog.PartMember, catalog.PartEnd:
	}
	return nil
}

func (w *walker) end(p catalog.Part, name func() string) {
	f := w.top()
	if p.Catalog {
		f.catalog.Node = name()
		if w.visit.End != nil {
			w.visit.End(f.catalog)
		}
	}
	w.frames = w.frames[:len(w.frames)-1]
}

// member visits a member of the map at pointer.
func (w *walker) member(m *catalog.Member, pointer string, c *Catalog) error {
	v, err := m.Value()
	if err != nil {
		return err
	}
	kind := Header
	switch m.Key {
	case "tags":
		kind = Tag
	case "metadata", "recursive_metadata":
		kind = Metadata
	case "certname":
		c.Form = PuppetDB
	case rundata.Key:
		c.Document, c.Form = presented(v, c.Form)
	}
	if s, ok := v.(pcore.String); ok && (m.Key == "name" || m.Key == "certname") {
		c.Node = string(s)
	}
	w.begin(Leaf{
		Kind: kind, Catalog: c, base: pointer,
		source: source{format: w.format, bytes: m.Bytes(), offset: m.Offset(), above: 1},
	})
	w.under(pcore.Step{Kind: pcore.StepEntry, Key: pcore.String(m.Key)}, nil, v)
	return nil
}

// presented returns the kind and the form of a catalog that presents a document, or no kind and the form so far.
func presented(document pcore.Value, form Form) (rundata.Kind, Form) {
	name, _ := document.(pcore.String)
	switch kind := rundata.Kind(name); kind {
	case rundata.Report, rundata.Events:
		return kind, Report
	case rundata.Facts:
		return kind, Facts
	case rundata.Resources:
		return kind, form
	default:
		return "", form
	}
}

func (w *walker) edge(e *catalog.Edge, pointer string, c *Catalog) error {
	v, ok := w.decoded(e.Bytes())
	if !ok {
		var err error
		if v, err = e.Value(); err != nil {
			return err
		}
	}
	w.visitEdge(v, source{format: w.format, bytes: e.Bytes(), offset: e.Offset()}, pointer, c)
	return nil
}

// element visits an element, a resource or an edge, of the list that is the innermost
// frame.
func (w *walker) element(v *pcore.Hash, isResource bool, from source) {
	visit := w.visitEdge
	if isResource {
		visit = w.visitResource
	}
	visit(v, from, w.at(""), w.top().catalog)
}

func (w *walker) visitEdge(v *pcore.Hash, from source, pointer string, c *Catalog) {
	w.begin(Leaf{Kind: Edge, Catalog: c, base: pointer, source: from})
	w.value(v)
}

// begin makes l the first of several leaves, reusing the memory of the path.
func (w *walker) begin(l Leaf) {
	l.path, l.above = w.leaf.path[:0], w.leaf.above[:0]
	w.leaf = l
}

// decoded decodes the Hash in raw. It returns false if there is none or decoding fails,
// in which case the caller's slower path reports the error. Decoding a whole resource
// takes half the time of decoding its members.
func (w *walker) decoded(raw []byte) (*pcore.Hash, bool) {
	if raw == nil {
		return nil, false
	}
	decode := func(data []byte) (pcore.Value, error) { return w.format.Decode(data, options()) }
	if w.recycler != nil {
		decode = w.recycler.Recycle
	}
	v, err := decode(raw)
	if err != nil {
		return nil, false
	}
	h, ok := v.(*pcore.Hash)
	return h, ok
}

func (w *walker) resource(r *catalog.Resource, pointer string, c *Catalog) error {
	v, ok := w.decoded(r.Bytes())
	if !ok {
		var err error
		if v, err = r.Value(); err != nil {
			return err
		}
	}
	w.visitResource(v, source{format: w.format, bytes: r.Bytes(), offset: r.Offset()}, pointer, c)
	return nil
}

func (w *walker) visitResource(v *pcore.Hash, from source, pointer string, c *Catalog) {
	res := &w.here
	*res = Resource{Catalog: c, Pointer: pointer, Tags: res.Tags[:0], Sensitive: res.Sensitive[:0]}
	res.read(v)
	if w.visit.Resource != nil {
		w.visit.Resource(res)
	}
	if w.visit.Leaf == nil {
		return
	}
	w.begin(Leaf{Catalog: c, Resource: res, base: pointer, source: from})
	i := 0
	for k, e := range v.All() {
		key, _ := k.(pcore.String)
		step := pcore.Step{Kind: pcore.StepEntry, Index: i, Key: k}
		i++
		switch key {
		case "title":
			w.leaf.Kind = Title
		case "tags":
			w.leaf.Kind = Tag
		case "parameters":
			w.parameters(step, v, e)
			continue
		case "type", "file", "line", "exported", "kind", "sensitive_parameters", "content_file":
			continue // never contains a value of interest
		default:
			w.leaf.Kind = Value
		}
		w.under(step, v, e)
	}
}

// read sets the fields of the resource from its members.
func (r *Resource) read(members *pcore.Hash) {
	for k, v := range members.All() {
		key, _ := k.(pcore.String)
		switch key {
		case "type":
			r.Type = asText(v)
		case "title":
			r.Title = catalog.TitleText(v)
		case "file":
			r.File = asText(v)
		case "kind":
			r.Kind = asText(v)
		case "content_file":
			r.ContentFile = asText(v)
		case "tags":
			r.Tags = texts(r.Tags[:0], v)
		case "sensitive_parameters":
			r.Sensitive = texts(r.Sensitive[:0], v)
			r.listed = catalog.NamesOf(r.Sensitive)
		case "line":
			line, _ := v.(pcore.Integer)
			r.Line = int64(line)
		case "exported":
			exported, _ := v.(pcore.Boolean)
			r.Exported = bool(exported)
		case "parameters":
			r.Parameters, _ = v.(*pcore.Hash)
		}
	}
	if r.Parameters == nil {
		r.Parameters = pcore.NewHash()
	}
}

func asText(v pcore.Value) string {
	s, _ := v.(pcore.String)
	return string(s)
}

// texts appends the Strings of an Array to list.
func texts(list []string, v pcore.Value) []string {
	a, _ := v.(*pcore.Array)
	for e := range a.Values() {
		if s, ok := e.(pcore.String); ok {
			list = append(list, string(s))
		}
	}
	return list
}

func (w *walker) parameters(step pcore.Step, resource *pcore.Hash, v pcore.Value) {
	w.leaf.Kind = Value
	h, ok := v.(*pcore.Hash)
	if !ok {
		w.under(step, resource, v)
		return
	}
	w.leaf.skip = 1
	w.push(step, resource)
	i := 0
	for k, e := range h.All() {
		name, _ := k.(pcore.String)
		if w.leaf.Resource.IsSensitive(string(name)) {
			w.leaf.State = Param
		}
		w.under(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: k}, h, e)
		w.leaf.State = Open
		i++
	}
	w.pop()
	w.leaf.skip = 0
}

// Within calls visit for the leaves of v, a value that the text of l was written for. Their
// paths continue that of l.
func (l *Leaf) Within(v pcore.Value, visit func(*Leaf)) {
	w := walker{visit: Visitor{Leaf: visit}, leaf: *l}
	w.leaf.path, w.leaf.above = slices.Clone(l.path), slices.Clone(l.above)
	w.value(v)
}

// Clone returns a copy of l that stays valid after its visit.
func (l *Leaf) Clone() *Leaf {
	c := *l
	c.path, c.above = slices.Clone(l.path), slices.Clone(l.above)
	return &c
}

func (w *walker) push(s pcore.Step, in pcore.Value) {
	w.leaf.path = append(w.leaf.path, s)
	w.leaf.above = append(w.leaf.above, in)
}

func (w *walker) pop() {
	w.leaf.path = w.leaf.path[:len(w.leaf.path)-1]
	w.leaf.above = w.leaf.above[:len(w.leaf.above)-1]
}

// under visits v, reached from in by the step s.
func (w *walker) under(s pcore.Step, in, v pcore.Value) {
	w.push(s, in)
	w.value(v)
	w.pop()
}

// value visits the leaves of v.
func (w *walker) value(v pcore.Value) {
	switch v := v.(type) {
	case pcore.String:
		w.text(string(v))
	case pcore.Symbol:
		w.text(string(v))
	case *pcore.URI:
		w.text(v.String())
	case *pcore.Regexp:
		w.text(v.Source())
	case pcore.Binary:
		w.leaf.Binary = true
		w.text(v.Raw())
		w.leaf.Binary = false
	case pcore.Integer:
		w.number(strconv.FormatInt(int64(v), 10))
	case pcore.BigInteger:
		w.number(v.String())
	case *pcore.Sensitive:
		state := w.leaf.State
		if state == Open || state == Param {
			w.leaf.State = Nested
		}
		inner := v.Reveal() //nolint:forbidigo // the leaf tells that it is a secret
		w.under(pcore.Step{Kind: pcore.StepSecret}, v, inner)
		w.leaf.State = state
	default:
		w.container(v)
	}
}

func (w *walker) container(v pcore.Value) {
	state := w.leaf.State
	if state == Param {
		w.leaf.State = Inside
	}
	switch v := v.(type) {
	case *pcore.Array:
		for i, e := range v.All() {
			w.under(pcore.Step{Kind: pcore.StepIndex, Index: i}, v, e)
		}
	case *pcore.Hash:
		w.hash(v)
	case *pcore.Deferred:
		for i, e := range v.Arguments().All() {
			w.under(pcore.Step{Kind: pcore.StepArgument, Index: i}, v, e)
		}
	case *pcore.Object:
		i := 0
		for k, e := range v.Attributes().All() {
			w.under(pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: k}, v, e)
			i++
		}
	default: // contains no text, or is a type
	}
	w.leaf.State = state
}

func (w *walker) hash(h *pcore.Hash) {
	listed := !h.HasPlainKeys()
	i := 0
	for k, e := range h.All() {
		if kind := w.leaf.Kind; kind != Edge { // the keys of edges are always the same
			if kind == Value {
				w.leaf.Kind = Key
			}
			w.under(pcore.Step{Kind: pcore.StepKey, Index: i, Key: k, Listed: listed}, h, k)
			w.leaf.Kind = kind
		}
		w.under(pcore.Step{Kind: pcore.StepEntry, Index: i, Key: k, Listed: listed}, h, e)
		i++
	}
}

func (w *walker) number(digits string) {
	w.leaf.Number = true
	w.text(digits)
	w.leaf.Number = false
}

func (w *walker) text(s string) {
	if w.visit.Leaf == nil || s == "" {
		return
	}
	w.leaf.Text = s
	w.visit.Leaf(&w.leaf)
}
