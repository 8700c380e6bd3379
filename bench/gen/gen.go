// Package gen generates catalogs and reports of any size in the wire format of real catalogs:
// rich JSON as written by Ruby, with classes, defined and core types, file
// contents full of escapes, non-ASCII text, nested hashes, secrets in both
// encodings, and an expected share of rich values of 3 in 100.
//
//	Catalog    writes a catalog
//	Report     writes the report of a run
//	Edits      the resources in which an edited catalog differs from another one
//	Options    size, seed, and whether to use types of modules
//
// Equal options produce equal bytes.
package gen

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// Options describe the catalog to generate.
type Options struct {
	Seed uint64
	// Size is the approximate size in bytes. Zero means the smallest
	// catalog.
	Size int
	// Resources is the number of resources, which replaces Size unless it is zero.
	Resources int
	// CoreTypes omits defined types and objects, which Puppet would search
	// in modules.
	CoreTypes bool
	// Name is the name of the node; web01.example.com if it is empty.
	Name string
	// Edited is a later catalog of the node: one File in 20 has another mode or
	// content, or is missing.
	Edited bool
}

// Catalog writes a catalog. The error is the error of w.
func Catalog(w io.Writer, o Options) error {
	// The tags of all classes come first, so the catalog is generated twice.
	plan := newGenerator(io.Discard, o)
	plan.catalog()
	g := newGenerator(w, o)
	g.tags = plan.classTags()
	g.catalog()
	g.flush()
	return g.err
}

// Edits returns the references of the resources that differ between the catalogs of o
// with and without Edited.
func Edits(o Options) []string {
	o.Edited = true
	g := newGenerator(io.Discard, o)
	g.catalog()
	return g.edits
}

func newGenerator(w io.Writer, o Options) *generator {
	return &generator{
		Options: o,
		out:     bufio.NewWriterSize(w, 1<<16),
		rand:    rand.New(rand.NewPCG(o.Seed, 0x7063_6174)),
		tags:    []string{"settings"},
	}
}

// generator writes parts of JSON. It keeps the first error until the end.
type generator struct {
	Options
	out     *bufio.Writer
	rand    *rand.Rand
	buf     []byte // not yet written to out
	written int
	count   int      // of the resources
	files   int      // of type File
	tags    []string // of the catalog
	classes []string
	edges   []edge
	edits   []string
	err     error
}

type edge struct{ source, target string }

func (g *generator) flush() {
	g.written += len(g.buf)
	if _, err := g.out.Write(g.buf); err != nil && g.err == nil {
		g.err = err
	}
	g.buf = g.buf[:0]
	if err := g.out.Flush(); err != nil && g.err == nil {
		g.err = err
	}
}

// edgesShare is the share of edges in a catalog, in percent.
const edgesShare = 12

// done reports whether the catalog has all of its resources.
func (g *generator) done() bool {
	if g.Resources > 0 {
		return g.count >= g.Resources
	}
	return g.written+len(g.buf) >= g.Size*(100-edgesShare)/100
}

func (g *generator) catalog() {
	version := "1700000000"
	if g.Edited {
		version = "1700086400"
	}
	g.raw(`{"tags":`).list(g.tags).raw(`,"name":`).text(g.node()).raw(`,"version":` + version + `,"code_id":null,` +
		`"catalog_uuid":"7b2d7f1e-7a53-4b3c-9d0e-3f1f0f8a2c11","catalog_format":2,"environment":"production","resources":[` +
		`{"type":"Stage","title":"main","tags":["stage"],"exported":false,"kind":"compilable_type"},` +
		`{"type":"Class","title":"Settings","tags":["class","settings"],"exported":false,"kind":"unknown"},` +
		`{"type":"Class","title":"Main","tags":["class"],"exported":false,"kind":"unknown"}`)
	g.edges = []edge{{"Stage[main]", "Class[Settings]"}, {"Stage[main]", "Class[Main]"}}
	g.classes = []string{"settings"}
	g.count = 3
	class := "Class[Main]"
	for i := 0; !g.done() && g.err == nil; i++ {
		if i%25 == 0 {
			g.classes = append(g.classes, fmt.Sprintf("profile::%s%d", g.pick(words), i/25))
			class = g.class()
		}
		if ref := g.resource(i); ref != "" {
			g.edges = append(g.edges, edge{class, ref})
		}
		if len(g.buf) > 1<<15 {
			g.flush()
		}
	}
	g.raw(`],"edges":[`)
	for i, e := range g.edges {
		g.comma(i)
		g.raw(`{"source":`).text(e.source).raw(`,"target":`).text(e.target).raw(`}`)
	}
	g.raw(`],"classes":`).list(g.classes).raw(`}`)
}

// node returns the name of the node.
func (g *generator) node() string { return cmp.Or(g.Name, "web01.example.com") }

// classTags returns the tags that classes add to the catalog: each name and its
// last segment.
func (g *generator) classTags() []string {
	tags := []string{"settings"}
	for i, c := range g.classes[1:] {
		tags = append(tags, c)
		if i == 0 {
			tags = append(tags, "profile")
		}
		tags = append(tags, strings.TrimPrefix(c, "profile::"))
	}
	return append(tags, "class")
}

// list writes an array of strings.
func (g *generator) list(all []string) *generator {
	g.raw("[")
	for i, s := range all {
		g.comma(i)
		g.text(s)
	}
	return g.raw("]")
}

func (g *generator) comma(i int) {
	if i > 0 {
		g.raw(",")
	}
}

func (g *generator) raw(s string) *generator {
	g.buf = append(g.buf, s...)
	return g
}

const hexDigits = "0123456789abcdef"

// text writes a string with the escapes that Ruby's JSON.generate uses.
func (g *generator) text(s string) *generator {
	b := append(g.buf, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	g.buf = append(b, '"')
	return g
}

func (g *generator) pick(from []string) string { return from[g.rand.IntN(len(from))] }

// oneIn returns true with a probability of 1/n.
func (g *generator) oneIn(n int) bool { return g.rand.IntN(n) == 0 }
