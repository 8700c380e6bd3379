package sensitive

import (
	"bytes"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization/document"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// site is where a secret has its own place in the bytes of a resource.
type site struct {
	// The whole value stands from start to end; what the secret is stands
	// from inner to innerEnd, which is less when the value is a Sensitive.
	start, end, inner, innerEnd int
	listed                      bool // in sensitive_parameters
	path                        pcore.Path
	text                        string // what it stands for once secretAt told

	of   *sites
	rich *document.Rich // that the value is, when it was found by an outline
}

// sites finds the places of secrets in the JSON of a resource without making
// values of the rest. The bytes are valid, and everything is told by them,
// unless it reports unclear: then the values have to be looked at.
type sites struct {
	data []byte
	// What the bytes are of: a resource, or a part of an outlined
	// document.
	res  *catalog.Resource
	doc  *outlined
	part int

	pos     int
	path    []pathStep
	steps   int // of the paths of all places
	found   []site
	spelled []byteRange // values whose text is spelled in another manner
	encoded []byteRange // the text of Binaries
	unclear bool

	// Of the resource: where its type, title and parameters stand, and the
	// names of those that are listed.
	typ, title, parameters byteRange
	names                  []string
	listed                 catalog.Names // made of names
}

type byteRange struct{ start, end int }

// shows reports whether the bytes show the text of a value, of which value is what
// stands under the only other key than that of the type: it is spelled there as the
// value spells it. The end of value is 0 when there are others.
func (p *sites) shows(typ []byte, value byteRange) bool {
	if value.end == 0 || p.data[value.start] != '"' {
		return false
	}
	text := p.data[value.start+1 : value.end-1]
	return jsonwire.IsPlain(text) && richdata.IsCanonical(typ, text)
}

// pathStep leads to a member of an object, or to an element of an array.
type pathStep struct {
	key   []byte
	index int
}

// sitesIn finds the places of the secrets of a resource by its bytes; ok is
// false when its values have to be looked at.
func sitesIn(res *catalog.Resource) (p *sites, ok bool) {
	if res.Wire() != "json" || !res.IsRich() {
		return nil, false
	}
	p = &sites{data: res.Bytes(), res: res}
	return p, p.resource()
}

// mayHaveSites reports whether there can be a `__ptype` or
// `sensitive_parameters` in JSON: as it is, or spelled with escapes.
func mayHaveSites(raw []byte) bool {
	return bytes.Contains(raw, []byte(typeKey)) || bytes.Contains(raw, []byte(listKey)) || bytes.Contains(raw, []byte(`\u`))
}

const (
	typeKey  = "__ptype"
	valueKey = "__pvalue"
	listKey  = "sensitive_parameters"
)

// from returns the resource that the bytes are of.
func (p *sites) from() *catalog.Resource {
	if p.res == nil {
		p.res = p.doc.Part(p.part).Resource
	}
	return p.res
}

// resource goes over the members of a resource. It reports false when the values
// have to be looked at. What is listed is known only behind the parameters.
func (p *sites) resource() bool {
	p.members(func(key []byte, _ bool) {
		start := p.pos
		switch string(key) {
		case typeKey: // no resource, but a value
			p.unclear = true
			p.skip()
		case "type":
			p.name(&p.typ)
		case "title":
			p.name(&p.title)
		case "parameters":
			p.unclear = p.unclear || p.parameters.end > 0 || p.data[p.pos] != '{'
			p.skip()
			p.parameters = byteRange{start, p.pos}
		case listKey:
			p.unclear = p.unclear || p.names != nil
			p.list()
		default:
			p.within(key, p.value)
		}
	})
	p.listed = catalog.NamesOf(p.names)
	if p.unclear || p.parameters.end == 0 {
		return !p.unclear
	}
	end := p.pos
	p.pos = p.parameters.start
	p.members(func(key []byte, _ bool) {
		if string(key) == typeKey {
			p.unclear = true
		}
		p.within(key, func() {
			if !p.listed.Has(string(key)) {
				p.value()
				return
			}
			start := p.pos
			p.skip()
			p.add(site{start: start, end: p.pos, inner: start, innerEnd: p.pos, listed: true})
		})
	})
	p.pos = end
	slices.SortFunc(p.found, func(a, b site) int { return a.start - b.start })
	return !p.unclear
}

// head notes the type and title of a resource that begins with them, as Puppet
// writes it, and reports whether it does.
func (p *sites) head() bool {
	return p.begins(`{"type":"`, &p.typ) && p.begins(`,"title":"`, &p.title)
}

// begins moves over what a string begins with, and over the string.
func (p *sites) begins(how string, at *byteRange) bool {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(how)) {
		return false
	}
	p.pos += len(how) - 1
	p.name(at)
	return true
}

// name notes where a member stands that must be a string.
func (p *sites) name(at *byteRange) {
	p.unclear = p.unclear || at.end > 0 || p.data[p.pos] != '"'
	at.start = p.pos
	p.skip()
	at.end = p.pos
}

// list reads the names of the parameters that are listed.
func (p *sites) list() {
	if p.data[p.pos] != '[' {
		p.unclear = true
		p.skip()
		return
	}
	p.names = []string{}
	p.elements(func(int) {
		if p.data[p.pos] != '"' {
			p.unclear = true
			p.skip()
			return
		}
		name, plain := p.text()
		p.unclear = p.unclear || !plain
		p.names = append(p.names, string(name))
	})
}

func (p *sites) add(found site) {
	// Paths would take the square of the length where very many secrets stand very
	// deep.
	const bytesPerStep, fewSteps = 8, 1024
	if p.steps += len(p.path); p.steps > len(p.data)/bytesPerStep+fewSteps {
		p.unclear = true
		return
	}
	found.path = make(pcore.Path, len(p.path))
	for i, s := range p.path {
		found.path[i] = p.doc.step(s.key, s.index)
	}
	found.of = p
	p.found = append(p.found, found)
}

func (p *sites) within(key []byte, f func()) {
	p.path = append(p.path, pathStep{key: key})
	f()
	p.path = p.path[:len(p.path)-1]
}

// value looks for places in a value.
func (p *sites) value() {
	switch p.data[p.pos] {
	case '{':
		p.object()
	case '[':
		p.path = append(p.path, pathStep{})
		last := len(p.path) - 1
		p.elements(func(i int) {
			p.path[last].index = i
			p.value()
		})
		p.path = p.path[:last]
	default:
		p.skip()
	}
}

func (p *sites) object() {
	start := p.pos
	var typ []byte
	var inner byteRange
	others := 0
	p.members(func(key []byte, first bool) {
		switch {
		case string(key) == typeKey:
			// What stood before it was taken for something else.
			p.unclear = p.unclear || !first || p.data[p.pos] != '"'
			if p.unclear {
				p.skip()
				return
			}
			var plain bool
			typ, plain = p.text()
			p.unclear = !plain || !isClear(typ)
		case typ != nil && string(key) == valueKey:
			p.unclear = p.unclear || inner.end > 0
			inner.start = p.pos
			p.pvalue(typ)
			inner.end = p.pos
		default:
			others++
			p.within(key, p.value)
		}
	})
	switch string(typ) {
	case "Sensitive":
	case "Timestamp", "Timespan", "URI", "SemVerRange":
		if others > 0 || !p.shows(typ, inner) {
			p.spelled = append(p.spelled, byteRange{start, p.pos})
		}
		return
	default:
		return
	}
	if inner.end == 0 || others > 0 {
		p.unclear = true
		return
	}
	p.add(site{start: start, end: p.pos, inner: inner.start, innerEnd: inner.end})
}

// pvalue looks for places in what is the value of a rich value.
func (p *sites) pvalue(typ []byte) {
	switch string(typ) {
	case "Sensitive":
		p.skip() // a place as a whole
	case "Binary":
		if p.data[p.pos] != '"' {
			p.unclear = true
			p.skip()
			return
		}
		start := p.pos + 1
		_, plain := p.text()
		p.unclear = p.unclear || !plain
		p.encoded = append(p.encoded, byteRange{start, p.pos - 1})
	default:
		p.value()
	}
}

// isClear reports whether bytes tell which values of a type are Sensitive, or
// hold a Sensitive.
func isClear(typ []byte) bool {
	switch string(typ) {
	case "Sensitive", "Binary", "Timestamp", "Timespan", "URI", "SemVerRange":
		return true
	}
	return isText(string(typ)) || isObjectName(typ)
}

// isObjectName reports whether a type is one of a module.
func isObjectName(typ []byte) bool {
	const own = "pcore::" // the types of the language itself
	if !bytes.Contains(typ, []byte("::")) || len(typ) >= len(own) && bytes.EqualFold(typ[:len(own)], []byte(own)) {
		return false
	}
	for _, c := range typ {
		if c != ':' && c != '_' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return false
		}
	}
	return true
}

// members calls f for each member of the object at pos, with pos at its value,
// behind which f moves it.
func (p *sites) members(f func(key []byte, first bool)) {
	for first := true; p.next(); first = false {
		key, plain, value := jsonwire.Key(p.data, p.pos)
		p.pos, p.unclear = value, p.unclear || !plain
		f(key, first)
	}
}

// elements does so for an array.
func (p *sites) elements(f func(i int)) {
	for i := 0; p.next(); i++ {
		f(i)
	}
}

// next moves to the next member or element, or behind the last one.
func (p *sites) next() (more bool) {
	p.pos, more = jsonwire.Next(p.data, p.pos)
	return more
}

// skip moves over a value.
func (p *sites) skip() { p.pos = jsonwire.ValueEnd(p.data, p.pos) }

// text moves over a string and returns the bytes between its quotes; it is plain
// when it has no escapes.
func (p *sites) text() (text []byte, plain bool) {
	start := p.pos + 1
	p.pos = jsonwire.StringEnd(p.data, p.pos)
	text = p.data[start : p.pos-1]
	return text, jsonwire.IsPlain(text)
}

// ref returns the type and title of the resource.
func (p *sites) ref() (ref catalog.Ref, err error) {
	if ref.Type, err = p.textAt(p.typ); err == nil {
		ref.Title, err = p.textAt(p.title)
	}
	return ref, err
}

func (p *sites) textAt(at byteRange) (string, error) {
	if at.end == 0 {
		return "", nil
	}
	if text, ok := p.stringAt(at.start, at.end); ok {
		return string(text), nil
	}
	v, err := p.from().ValueAt(at.start, at.end)
	text, _ := v.(pcore.String)
	return string(text), err
}

// stringAt returns what a string stands for; ok is false when that has to be
// made, and for other values.
func (p *sites) stringAt(start, end int) (text []byte, ok bool) {
	switch {
	case p.data[start] != '"':
		return nil, false
	case p.doc != nil:
		return p.doc.String(p.doc.Parts[p.part].Start + start), true
	}
	text = p.data[start+1 : end-1]
	return text, jsonwire.IsPlain(text)
}

// secretAt returns what the secret in a place stands for, as stringAt does.
func (p *sites) secretAt(f *site) (text string, ok bool) {
	if f.text == "" {
		text, ok := p.stringAt(f.inner, f.innerEnd)
		if !ok {
			return "", false
		}
		f.text = string(text)
	}
	return f.text, true
}

// at returns the location of a place in a resource.
func (f *site) at(ref catalog.Ref) catalog.Location { return catalog.Location{Ref: ref, Path: f.path} }

// location implements seen for a place in an outlined document: nothing else is
// needed than that, and it stays as it is.
func (f *site) location() catalog.Location {
	ref, _ := f.of.ref() // the outline has all texts
	if f.rich != nil && f.path == nil {
		return catalog.Location{Ref: ref, Path: f.of.doc.pathOf(f.rich)}
	}
	return f.at(ref)
}

// has reports whether there is a parameter that is listed.
func (p *sites) has(name string) bool {
	return slices.ContainsFunc(p.found, func(f site) bool { return f.listed && f.path[0].Key == pcore.String(name) })
}

// isEmpty reports whether there is nothing in a resource but what its bytes show.
func (p *sites) isEmpty() bool {
	return len(p.found)+len(p.encoded)+len(p.spelled)+len(p.names) == 0
}

// hasPlaces reports whether secrets have places of their own there.
func (p *sites) hasPlaces() bool { return p != nil && len(p.found) > 0 }
