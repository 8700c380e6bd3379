package sensitive

import (
	"bytes"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
)

// site is the own location of a secret in the bytes of a resource.
type site struct {
	// The value extends from start to end, and the secret from inner to innerEnd, which
	// is less if the value is a Sensitive.
	start, end, inner, innerEnd int
	listed                      bool // in sensitive_parameters
	path                        pcore.Path
	text                        string // decoded text, once secretAt has been called

	of   *sites
	rich *document.Rich // the value in the outline, if found by it
}

// sites finds the secrets in the JSON of a resource without decoding the rest. The bytes
// must be valid. If unclear is set, the bytes are not sufficient and the values must be
// decoded.
type sites struct {
	data []byte
	// The source of the bytes: a resource, or a part of an outlined document.
	res  *catalog.Resource
	doc  *outlined
	part int

	pos     int
	path    []pathStep
	steps   int // total length of the paths
	found   []site
	spelled []byteRange // values whose text has another spelling
	encoded []byteRange // texts of Binaries
	unclear bool

	// The type, title and parameters of the resource, and the names of the listed
	// parameters.
	typ, title, parameters byteRange
	names                  []string
	listed                 catalog.Names // names as a set
}

type byteRange struct{ start, end int }

// shows reports whether the bytes show the text of a rich value in its canonical
// spelling. value is the range of its `__pvalue`; its end is 0 if the value has other
// members.
func (p *sites) shows(typ []byte, value byteRange) bool {
	if value.end == 0 || p.data[value.start] != '"' {
		return false
	}
	text := p.data[value.start+1 : value.end-1]
	return jsonwire.IsPlain(text) && dataconv.IsCanonical(typ, text)
}

// mayRefer reports whether a value may be or contain a reference to another value.
func (p *sites) mayRefer(value byteRange) bool {
	if p.data[value.start] == '"' {
		return false
	}
	raw := p.data[value.start:value.end]
	return bytes.Contains(raw, []byte("LocalRef")) || bytes.Contains(raw, []byte(`\u`))
}

// pathStep leads to a member of an object, or to an element of an array.
type pathStep struct {
	key   []byte
	index int
}

// sitesIn finds the sites of a resource from its bytes. ok is false if the values must be
// decoded.
func sitesIn(res *catalog.Resource) (p *sites, ok bool) {
	if res.Wire() != "json" || !res.IsRich() {
		return nil, false
	}
	p = &sites{data: res.Bytes(), res: res}
	return p, p.resource()
}

// mayHaveSites reports whether JSON may contain `__ptype` or `sensitive_parameters`,
// possibly with escapes.
func mayHaveSites(raw []byte) bool {
	return bytes.Contains(raw, []byte(typeKey)) || bytes.Contains(raw, []byte(listKey)) || bytes.Contains(raw, []byte(`\u`))
}

const (
	typeKey  = "__ptype"
	valueKey = "__pvalue"
	listKey  = "sensitive_parameters"
)

// from returns the resource that contains the bytes.
func (p *sites) from() *catalog.Resource {
	if p.res == nil {
		p.res = p.doc.Part(p.part).Resource
	}
	return p.res
}

// resource scans the members of a resource. It returns false if the values must be
// decoded. Parameters are scanned last, because the list may come after them.
func (p *sites) resource() bool {
	p.members(func(key []byte, _ bool) {
		start := p.pos
		switch string(key) {
		case typeKey: // a rich value, not a resource
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

// head scans the type and title if the resource begins with them, as Puppet writes it,
// and reports whether it does.
func (p *sites) head() bool {
	return p.begins(`{"type":"`, &p.typ) && p.begins(`,"title":"`, &p.title)
}

// begins skips the prefix how and the string after it.
func (p *sites) begins(how string, at *byteRange) bool {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(how)) {
		return false
	}
	p.pos += len(how) - 1
	p.name(at)
	return true
}

// name sets the range of a member that must be a string.
func (p *sites) name(at *byteRange) {
	p.unclear = p.unclear || at.end > 0 || p.data[p.pos] != '"'
	at.start = p.pos
	p.skip()
	at.end = p.pos
}

// list reads the names of the listed parameters.
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
	if p.mayRefer(byteRange{found.inner, found.innerEnd}) {
		p.unclear = true
		return
	}
	// The paths of very many deeply nested secrets would take quadratic memory.
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

// value finds the sites in a value.
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
			// Members before it were scanned as entries of a plain map.
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

// pvalue finds the sites in the `__pvalue` of a rich value.
func (p *sites) pvalue(typ []byte) {
	switch string(typ) {
	case "Sensitive":
		p.skip() // one site
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

// isClear reports whether the bytes show which values of a type are, or contain, a
// Sensitive.
func isClear(typ []byte) bool {
	switch string(typ) {
	case "Sensitive", "Binary", "Timestamp", "Timespan", "URI", "SemVerRange":
		return true
	}
	return isText(string(typ)) || isObjectName(typ)
}

// isObjectName reports whether a type is defined by a module.
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

// members calls f for each member of the object at pos. pos is at the value, and f must
// move it past the value.
func (p *sites) members(f func(key []byte, first bool)) {
	for first := true; p.next(); first = false {
		key, plain, value := jsonwire.Key(p.data, p.pos)
		p.pos, p.unclear = value, p.unclear || !plain
		f(key, first)
	}
}

// elements is members for an array.
func (p *sites) elements(f func(i int)) {
	for i := 0; p.next(); i++ {
		f(i)
	}
}

// next moves to the next member or element, or past the last one.
func (p *sites) next() (more bool) {
	p.pos, more = jsonwire.Next(p.data, p.pos)
	return more
}

// skip moves past a value.
func (p *sites) skip() { p.pos = jsonwire.ValueEnd(p.data, p.pos) }

// text moves past a string and returns the bytes between its quotes. plain is set if
// there are no escapes.
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

// stringAt returns the text of a string. ok is false if the text must be decoded, and for
// other values.
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

// secretAt returns the text of the secret at a site, like stringAt.
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

// at returns the location of the site in a resource.
func (f *site) at(ref catalog.Ref) catalog.Location { return catalog.Location{Ref: ref, Path: f.path} }

// location implements seen for a site in an outlined document, which is immutable and has
// all the necessary data.
func (f *site) location() catalog.Location {
	ref, _ := f.of.ref() // an outline has all texts
	if f.rich != nil && f.path == nil {
		return catalog.Location{Ref: ref, Path: f.of.doc.pathOf(f.rich)}
	}
	return f.at(ref)
}

// has reports whether a listed parameter of that name exists.
func (p *sites) has(name string) bool {
	return slices.ContainsFunc(p.found, func(f site) bool { return f.listed && f.path[0].Key == pcore.String(name) })
}

// isEmpty reports whether the bytes show the whole content of the resource.
func (p *sites) isEmpty() bool {
	return len(p.found)+len(p.encoded)+len(p.spelled)+len(p.names) == 0
}

// hasPlaces reports whether there are secrets in their own locations.
func (p *sites) hasPlaces() bool { return p != nil && len(p.found) > 0 }
