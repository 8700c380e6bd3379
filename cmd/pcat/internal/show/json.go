package show

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Resource is a resource for programs.
type Resource struct {
	File       string          `json:"file"`
	Node       string          `json:"node"`
	Ref        catalog.Ref     `json:"ref"`
	Type       string          `json:"type"`
	Title      string          `json:"title"`
	Manifest   string          `json:"manifest,omitempty"`
	Line       int64           `json:"line,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Exported   bool            `json:"exported"`
	Tags       []string        `json:"tags"`
	Sensitive  []string        `json:"sensitive"`  // names of parameters
	Containers []catalog.Ref   `json:"containers"` // the innermost first
	Parameters json.RawMessage `json:"parameters"` // rich JSON
	Relations  []Relation      `json:"relations"`
	Contains   []catalog.Ref   `json:"contains"`
}

// Relation is a relation for programs.
type Relation struct {
	Kind   string      `json:"kind"` // such as required_by
	Ref    catalog.Ref `json:"ref"`
	Absent bool        `json:"absent,omitempty"` // from the catalog
	By     []string    `json:"by"`               // parameters
}

// Parameter is one parameter, or a part of it, for programs.
type Parameter struct {
	File  string          `json:"file"`
	Node  string          `json:"node"`
	Ref   catalog.Ref     `json:"ref"`
	Path  string          `json:"path"`  // JSON pointer in the resource
	Value json.RawMessage `json:"value"` // rich JSON
}

// json prints a resource, or the value v of a location in it.
func (r *run) json(w io.Writer, file string, c *locate.Catalog, f *locate.Found, v pcore.Value) error {
	res := f.Resource
	ref := res.Ref()
	if v != nil {
		value, err := formats.RichJSON().Append(nil, v, r.opts.Read.Encoding())
		if err != nil {
			return err
		}
		at := catalog.Location{Ref: ref}
		for _, step := range f.Path {
			at.Path = at.Path.Key(step)
		}
		return terminal.Encode(w, Parameter{file, c.Node, ref, at.Pointer(), value})
	}
	parameters, err := res.Parameters()
	if err != nil {
		return err
	}
	raw, err := formats.RichJSON().Append(nil, parameters, r.opts.Read.Encoding())
	if err != nil {
		return err
	}
	relations := []Relation{}
	for _, rel := range f.Relations {
		by := []string{}
		for _, at := range rel.By {
			by = append(by, at.String())
		}
		relations = append(relations, Relation{strings.ReplaceAll(string(rel.Kind), " ", "_"), rel.Ref, rel.Absent, by})
	}
	return terminal.Encode(w, Resource{
		File: file, Node: c.Node, Ref: ref, Type: ref.Type, Title: ref.Title,
		Manifest: r.layout.locator.Path(res.File()), Line: res.Line(), Kind: res.Kind(), Exported: res.Exported(),
		Tags: append([]string{}, res.Tags()...), Sensitive: append([]string{}, res.SensitiveParameters()...),
		Containers: append([]catalog.Ref{}, f.Containers...), Parameters: raw, Relations: relations,
		Contains: append([]catalog.Ref{}, f.Contents...),
	})
}
