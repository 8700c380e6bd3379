package show

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/lookup"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Resource is a resource for programs.
type Resource struct {
	File       string          `json:"file"`
	Node       string          `json:"node"`
	Resource   string          `json:"resource"`
	Type       string          `json:"type"`
	Title      string          `json:"title"`
	Manifest   string          `json:"manifest,omitempty"`
	Line       int64           `json:"line,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Exported   bool            `json:"exported"`
	Tags       []string        `json:"tags"`
	Sensitive  []string        `json:"sensitive"`  // names of parameters
	Containers []string        `json:"containers"` // the innermost first
	Parameters json.RawMessage `json:"parameters"` // rich JSON
	Relations  []Relation      `json:"relations"`
	Contains   []string        `json:"contains"`
}

// Relation is a relation for programs.
type Relation struct {
	Kind     string   `json:"kind"` // such as required_by
	Resource string   `json:"resource"`
	Absent   bool     `json:"absent,omitempty"` // from the catalog
	By       []string `json:"by"`               // parameters
}

// Parameter is one parameter, or a part of it, for programs.
type Parameter struct {
	File     string          `json:"file"`
	Node     string          `json:"node"`
	Resource string          `json:"resource"`
	Path     []string        `json:"path"`
	Value    json.RawMessage `json:"value"` // rich JSON
}

func (r *run) json(w io.Writer, file string, c *lookup.Catalog, f *lookup.Found, v pcore.Value) error {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	ref := f.Resource.Ref()
	if v != nil {
		value, err := r.richJSON(v)
		if err != nil {
			return err
		}
		return e.Encode(Parameter{file, c.Node, ref.String(), f.Path, value})
	}
	parameters, err := f.Resource.Parameters()
	if err != nil {
		return err
	}
	raw, err := r.richJSON(parameters)
	if err != nil {
		return err
	}
	res := Resource{
		File: file, Node: c.Node, Resource: ref.String(), Type: ref.Type, Title: ref.Title,
		Manifest: r.layout.locator.Path(f.Resource.File()), Line: f.Resource.Line(), Kind: f.Resource.Kind(), Exported: f.Resource.Exported(),
		Tags: append([]string{}, f.Resource.Tags()...), Sensitive: append([]string{}, f.Resource.SensitiveParameters()...),
		Containers: texts(f.Containers), Parameters: raw, Relations: []Relation{}, Contains: texts(f.Contents),
	}
	for _, rel := range f.Relations {
		by := []string{}
		for _, at := range rel.By {
			by = append(by, at.String())
		}
		res.Relations = append(res.Relations, Relation{strings.ReplaceAll(string(rel.Kind), " ", "_"), rel.Ref.String(), rel.Absent, by})
	}
	return e.Encode(res)
}

func (r *run) richJSON(v pcore.Value) (json.RawMessage, error) {
	o := serialization.EncodeOptions{Secrets: serialization.RedactSecrets}
	if r.opts.ShowSecrets {
		o.Secrets = serialization.PlainSecrets
	}
	return formats.RichJSON().Append(nil, v, o)
}

func texts(refs []catalog.Ref) []string {
	all := []string{}
	for _, ref := range refs {
		all = append(all, ref.String())
	}
	return all
}
