// Package gen generates catalogs of any size in the wire form of real catalogs:
// rich JSON as written by Ruby, with classes, defined and core types, file
// contents full of escapes, non-ASCII text, nested hashes, secrets in both
// encodings, and an expected share of rich values of 3 in 100.
//
//	Catalog    writes a catalog
//	Options    size, seed, and whether to use types of modules
//
// Equal options produce equal bytes.
package gen

import (
	"bufio"
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
	// CoreTypes omits defined types and objects, which Puppet would search
	// in modules.
	CoreTypes bool
}

// Catalog writes a catalog. The error is the error of w.
func Catalog(w io.Writer, o Options) error {
	// The tags of all classes come first, so the catalog is generated twice.
	plan := newGenerator(io.Discard, o)
	plan.catalog(o.Size)
	g := newGenerator(w, o)
	g.tags = plan.classTags()
	g.catalog(o.Size)
	g.flush()
	return g.err
}

func newGenerator(w io.Writer, o Options) *generator {
	return &generator{
		out:  bufio.NewWriterSize(w, 1<<16),
		rand: rand.New(rand.NewPCG(o.Seed, 0x7063_6174)),
		core: o.CoreTypes,
		tags: []string{"settings"},
	}
}

// generator writes parts of JSON. It keeps the first error until the end.
type generator struct {
	out     *bufio.Writer
	rand    *rand.Rand
	core    bool
	buf     []byte // not yet written to out
	written int
	tags    []string // of the catalog
	classes []string
	edges   []edge
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

func (g *generator) catalog(size int) {
	g.raw(`{"tags":`).list(g.tags).raw(`,"name":"web01.example.com","version":1700000000,"code_id":null,` +
		`"catalog_uuid":"7b2d7f1e-7a53-4b3c-9d0e-3f1f0f8a2c11","catalog_format":2,"environment":"production","resources":[` +
		`{"type":"Stage","title":"main","tags":["stage"],"exported":false,"kind":"compilable_type"},` +
		`{"type":"Class","title":"Settings","tags":["class","settings"],"exported":false,"kind":"unknown"},` +
		`{"type":"Class","title":"Main","tags":["class"],"exported":false,"kind":"unknown"}`)
	g.edges = []edge{{"Stage[main]", "Class[Settings]"}, {"Stage[main]", "Class[Main]"}}
	g.classes = []string{"settings"}
	class := "Class[Main]"
	for i := 0; g.written+len(g.buf) < size*(100-edgesShare)/100 && g.err == nil; i++ {
		if i%25 == 0 {
			g.classes = append(g.classes, fmt.Sprintf("profile::%s%d", g.pick(words), i/25))
			class = g.class()
		}
		g.edges = append(g.edges, edge{class, g.resource(i)})
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
