package audit

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/secret"
)

// Part is the part of an audit that belongs to one input: the result of
// [Updater.Collect] or [Updater.Update]. It is immutable and safe for concurrent use.
//
// A Part contains secrets. Printing it does not show them, but AppendBinary does. The zero
// value is the Part of an input without a catalog.
type Part struct {
	hold func() *part // hides the secrets from reflection
}

// part is the content of a Part.
type part struct {
	failure  string // why the input could not be read completely; empty if it could
	unread   bool   // the failure occurred while the declared secrets were collected
	nodes    []string
	kind     rundata.Kind // of the input
	declared []declaration
	// seen is the version of the knowledge that the rest is based on; 0 means that the input
	// was not inspected yet.
	seen    uint64
	present map[string]status     // the known secrets that occur in the input, with the status assumed
	words   map[string]secret.Use // the known secrets that are words of the input
	found   []raw
	copies  []raw // of secrets found by their location or form
	notes   []note
	extract *Extract // of an input that was just read; it is no part of the stored form
}

// declaration is a text that an input declares a secret.
type declaration struct {
	text             string
	order, locations int // position of the first location, and the number of locations
	followed         bool
	origin           *origin // the first location; nil unless followed
}

func newPart(p *part) *Part { return &Part{hold: func() *part { return p }} }

func (p *Part) content() *part {
	if p == nil || p.hold == nil {
		return &part{}
	}
	return p.hold()
}

// Version returns the version of the [Knowledge] that the input was inspected with, or 0
// if it was not inspected yet.
func (p *Part) Version() uint64 { return p.content().seen }

// Extract returns the extract of the input if the [Updater.Update] that made p read all its
// texts, and otherwise nil. It is not stored with the part.
func (p *Part) Extract() *Extract { return p.content().extract }

// status is the part that a secret plays in an audit. The zero value is a text that is
// not searched for.
type status uint8

const (
	isDeclared status = 1 << iota // declared, and not a word of the catalogs
	isFound                       // found by its location or form
)

// collected returns the part of an input for the texts that it declares secrets.
func collected(nodes []string, kind rundata.Kind, declared map[string]*declaration, err error) *part {
	p := &part{nodes: nodes, kind: kind}
	if err != nil {
		p.failure, p.unread = err.Error(), true
	}
	for _, d := range declared {
		p.declared = append(p.declared, *d)
	}
	slices.SortFunc(p.declared, func(a, b declaration) int { return cmp.Or(a.order-b.order, strings.Compare(a.text, b.text)) })
	return p
}

// declare adds a text that is declared a secret to a list by text.
func declare(list map[string]*declaration, text string, order int, place func() taint.Declaration, kept *interner) {
	if taint.IsRedacted(text) {
		return
	}
	d := list[text]
	if d == nil {
		d = &declaration{text: kept.text(text), order: order, followed: secret.Traceable(text)}
		list[d.text] = d
		if d.followed {
			d.origin = place().Origin.(*origin)
		}
	}
	d.locations++
}

// catalogs returns the catalogs of the hits, without duplicates.
func (p *part) catalogs() []*leaf.Catalog {
	seen := map[*leaf.Catalog]bool{}
	var list []*leaf.Catalog
	for at := range p.locations() {
		if at.catalog != nil && !seen[at.catalog] {
			seen[at.catalog] = true
			list = append(list, at.catalog)
		}
	}
	return list
}

// locations yields all locations of the part.
func (p *part) locations() iter.Seq[*location] {
	return func(yield func(*location) bool) {
		for _, list := range [][]raw{p.found, p.copies} {
			for i := range list {
				if !yield(&list[i].location) {
					return
				}
			}
		}
		for _, d := range p.declared {
			if d.origin != nil && !yield(&d.origin.location) {
				return
			}
		}
		for i := range p.notes {
			if !yield(&p.notes[i].at) {
				return
			}
		}
	}
}

// followed returns the secrets that the input shows by their location or form, and whose
// copies are searched for.
func (p *part) followed() map[string]bool {
	list := map[string]bool{}
	for i := range p.found {
		if h := &p.found[i]; isFollowed(h) {
			list[h.Secret] = true
		}
	}
	return list
}

// clone returns a copy that shares the lists, which are replaced and never modified.
func (p *part) clone() *part {
	c := *p
	c.present, c.words = maps.Clone(p.present), maps.Clone(p.words)
	return &c
}
