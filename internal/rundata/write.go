package rundata

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/ruby/yamlwire"
	"github.com/pcatdev/pcat/serialization"
)

// Catalogs writes the document data as catalogs in rich JSON: one, or a list of them for a list. It returns their
// number.
func (d *Document) Catalogs(w io.Writer, data []byte) (int, error) {
	to := &writer{w: bufio.NewWriterSize(w, 64<<10), kind: d.kind}
	if err := d.present(data, to); err != nil {
		return 0, err
	}
	return to.catalogs, to.close()
}

// present presents the document to a sink.
func (d *Document) present(data []byte, to interface {
	sink
	listed()
}) error {
	p := &presenter{kind: d.kind, logLines: d.lines, isCommand: d.command, to: to}
	if !d.yaml {
		r := &jsonReader{data: data, at: bom(data)}
		if k, err := r.kind(); err == nil && k == list {
			to.listed()
		}
		p.reader = r
		if err := p.run(); err != nil {
			return err
		}
		if r.at = jsonwire.SkipBlanks(data, r.at); r.at < len(data) {
			return r.trailing()
		}
		return nil
	}
	return d.presentYAML(p, data, to.listed)
}

// presentYAML presents the documents of a stream of YAML. Several are a list.
func (d *Document) presentYAML(p *presenter, data []byte, listed func()) error {
	r, err := newYAMLReader(data)
	if err != nil {
		return err
	}
	p.reader = r
	if hasSeveral(data) {
		listed()
	}
	for {
		if err := p.run(); err != nil {
			return err
		}
		more, err := r.another()
		if err != nil || !more {
			return err
		}
		if other := Detect(r.rest[:min(len(r.rest), headLen)]); other == nil || other.kind != d.kind {
			return r.fail(errKinds)
		}
	}
}

// hasSeveral reports whether a stream of YAML has several documents that are not empty.
func hasSeveral(data []byte) bool {
	first := false // a document with a value was seen
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		marker := bytes.HasPrefix(line, []byte("---"))
		if marker {
			line = line[len("---"):]
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if data = rest; len(line) == 0 || line[0] == '#' || line[0] == '%' && !marker || bytes.Equal(line, []byte("...")) {
			continue
		}
		if first {
			return true
		}
		first = true
		if bytes.HasPrefix(rest, []byte("---")) {
			continue
		}
		next := bytes.Index(rest, []byte("\n---"))
		if next < 0 {
			return false
		}
		data = rest[next+1:]
	}
	return false
}

// errKinds reports a stream of YAML with documents of different kinds.
var errKinds = fmt.Errorf("%w: a stream of YAML with documents of several kinds; write them to files of their own", serialization.ErrUnsupported)

func bom(data []byte) int {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return len("\ufeff")
	}
	return 0
}

// writer is the sink that writes the presentation.
type writer struct {
	w         *bufio.Writer
	kind      Kind
	isList    bool
	catalogs  int
	resources int // of the catalog
	buffer    []byte
}

func (o *writer) listed() { o.isList = true }

func (o *writer) begin(node string) error {
	b := o.end(o.buffer[:0])
	b = append(b, `{"`+Key+`":"`+string(o.kind)+`",`...)
	name := `"name":`
	if o.kind == Resources { // a catalog as PuppetDB has it
		name = `"certname":`
	}
	b = jsonwire.AppendQuoted(append(b, name...), node)
	b = append(b, `,"resources":[`...)
	o.catalogs++
	o.resources, o.buffer = 0, b
	_, err := o.w.Write(b)
	return err
}

// end appends the end of the catalog before the next one.
func (o *writer) end(b []byte) []byte {
	switch {
	case o.catalogs > 0:
		return append(b, "]},"...)
	case o.isList:
		return append(b, '[')
	default:
		return b
	}
}

func (o *writer) resource(n *node) error {
	b := o.buffer[:0]
	if o.resources > 0 {
		b = append(b, ',')
	}
	o.resources++
	o.buffer = n.appendJSON(b)
	_, err := o.w.Write(o.buffer)
	return err
}

func (o *writer) close() error {
	end := ""
	if o.catalogs > 0 {
		end = "]}"
	} else if o.isList {
		end = "["
	}
	if o.isList {
		end += "]"
	}
	_, _ = o.w.WriteString(end + "\n") // Flush returns the error
	return o.w.Flush()
}

// Restore writes the document data with the texts of catalogs, a presentation of it that was
// changed, in JSON. All other texts keep their bytes.
func (d *Document) Restore(w io.Writer, data []byte, catalogs io.Reader) error {
	out := bufio.NewWriterSize(w, 64<<10)
	to := &restorer{w: out, document: d, data: data, changed: elements{r: catalogs}}
	if err := d.present(data, to); err != nil {
		return err
	}
	if err := to.finish(); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, catalogs) // its end
	return err
}

// restorer is the sink that writes the document.
type restorer struct {
	w        *bufio.Writer
	document *Document
	data     []byte
	changed  elements
	changes  []change
	patches  []patch
	buffer   []byte
}

func (o *restorer) listed() {}

func (o *restorer) begin(string) error { return nil }

func (o *restorer) resource(n *node) error {
	to, err := o.changed.next()
	if err != nil {
		return err
	}
	o.buffer = n.appendJSON(o.buffer[:0])
	if bytes.Equal(to, o.buffer) {
		return nil
	}
	r := &jsonReader{data: to}
	changed, err := r.value(&tree{})
	if err != nil {
		return err
	}
	if o.changes, err = n.changes(o.changes[:0], &changed); err != nil {
		return err
	}
	for _, c := range o.changes {
		text, end, err := o.document.replacement(nil, o.data, &c)
		if err != nil {
			return err
		}
		o.patches = append(o.patches, patch{c.start, end, text})
	}
	return nil
}

// patch is a change of the bytes of the document.
type patch struct {
	start, end int
	text       []byte
}

// finish writes the document with all patches. The resources are not in the order of the
// document: a member before the facts is part of the last one.
func (o *restorer) finish() error {
	slices.SortFunc(o.patches, func(a, b patch) int { return a.start - b.start })
	written := 0
	for _, p := range o.patches {
		if p.start < written { // inside of another one
			return errShape
		}
		_, _ = o.w.Write(o.data[written:p.start]) // Flush returns the error
		_, _ = o.w.Write(p.text)
		written = p.end
	}
	_, _ = o.w.Write(o.data[written:])
	return o.w.Flush()
}

// replacement appends the bytes for a change, and returns the end of the part that they replace.
func (d *Document) replacement(b, data []byte, c *change) ([]byte, int, error) {
	if !d.yaml {
		return append(b, c.raw...), c.end, nil
	}
	end := c.end
	if c.style == yamlwire.Literal || c.style == yamlwire.Folded {
		end = blockEnd(data, c.start, end)
	}
	return c.appendScalar(b, data[c.start:end], c.raw), end, nil
}

// blockEnd returns the end of the last line with text of a block.
func blockEnd(data []byte, start, end int) int {
	last := start + len(bytes.TrimRight(data[start:end], " \r\n"))
	if i := bytes.IndexByte(data[last:end], '\n'); i >= 0 {
		return last + i
	}
	return end
}

// elements reads the resources of catalogs in JSON, one after another.
type elements struct {
	r      io.Reader
	data   []byte
	at     int
	inside bool // of the list of resources
	ended  bool // the input
}

// errEnded reports a presentation with fewer resources than the document.
var errEnded = fmt.Errorf("%w: a resource is missing", errShape)

// next returns the next resource. It is valid until the next call.
func (e *elements) next() ([]byte, error) {
	for {
		if raw, ok := e.scan(); ok {
			return raw, nil
		}
		if e.ended {
			return nil, errEnded
		}
		if err := e.fill(); err != nil {
			return nil, err
		}
	}
}

// scan returns the next resource if it is in data.
func (e *elements) scan() ([]byte, bool) {
	const begin = `"resources":`
	if !e.inside {
		i := bytes.Index(e.data[e.at:], []byte(begin))
		if i < 0 {
			return nil, false
		}
		start := jsonwire.SkipBlanks(e.data, e.at+i+len(begin))
		if start >= len(e.data) {
			return nil, false
		}
		e.at, e.inside = start, true
	}
	at, more := jsonwire.Next(e.data, e.at)
	switch {
	case at < 0:
		return nil, false
	case !more:
		e.at, e.inside = at, false
		return e.scan()
	}
	end := jsonwire.ValueEnd(e.data, at)
	if end < 0 || end >= len(e.data) {
		return nil, false
	}
	e.at = end
	return e.data[at:end], true
}

// fill reads more of the input.
func (e *elements) fill() error {
	const size = 64 << 10
	rest := copy(e.data, e.data[e.at:])
	e.data, e.at = e.data[:rest], 0
	e.data = slices.Grow(e.data, max(size, rest))
	n, err := e.r.Read(e.data[rest:cap(e.data)])
	e.data = e.data[:rest+n]
	if errors.Is(err, io.EOF) {
		e.ended, err = true, nil
	}
	return err
}
