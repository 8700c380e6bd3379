package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/envelope"
	"github.com/pcatdev/pcat/internal/terminal"
)

// finding is a finding in JSON.
type finding struct {
	File string `json:"file"`
	Node string `json:"node,omitempty"`
	// Ref is the resource, and Path the JSON pointer in it; both are empty for a member of the
	// catalog itself. Path is empty for the resource as a whole, and if it would contain a secret.
	Ref  string `json:"ref,omitempty"`
	Path string `json:"path,omitempty"`
	// Pointer is null if it would contain a secret; Hidden and Offset give the
	// location then.
	Pointer     *string  `json:"pointer"`
	Hidden      string   `json:"pointer_masked,omitempty"`
	Offset      *int64   `json:"offset,omitempty"`
	Rule        string   `json:"rule"`
	Class       string   `json:"class"`
	Severity    string   `json:"severity"`
	Confidence  string   `json:"confidence"`
	Type        string   `json:"type,omitempty"`
	Title       string   `json:"title,omitempty"`
	Parameter   string   `json:"parameter,omitempty"`
	Manifest    string   `json:"manifest,omitempty"`
	Line        int64    `json:"line,omitempty"`
	Fingerprint string   `json:"fingerprint"`
	Repair      string   `json:"repair"`
	Owner       string   `json:"owner,omitempty"`
	Tag         string   `json:"tag,omitempty"`
	Encodings   []string `json:"encodings,omitempty"`
	Masked      string   `json:"masked"`
	Message     string   `json:"message"`
	Source      *source  `json:"source,omitempty"`
	State       string   `json:"state,omitempty"`
}

// source is the location of the secret that a finding copies, in JSON. Its members have the names of a finding.
type source struct {
	Declared bool   `json:"declared"`
	Ref      string `json:"ref,omitempty"`
	Path     string `json:"path,omitempty"`
	Pointer  string `json:"pointer,omitempty"` // without a Ref
	Manifest string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
	Others   int    `json:"others,omitempty"`
}

func sourceOf(s *audit.Source, o *Options) *source {
	if s == nil {
		return nil
	}
	j := &source{Declared: s.Declared, Ref: s.Ref, Manifest: o.Locator.Path(s.File), Line: s.Line, Others: s.Others}
	if s.Ref != "" {
		j.Path = inResource(s.Pointer)
	} else {
		j.Pointer = s.Pointer
	}
	return j
}

func jsonOf(f *audit.Finding, o *Options) finding {
	j := finding{
		File: f.Catalog, Node: f.Node, Pointer: &f.Pointer, Rule: f.Rule, Class: f.Class.String(),
		Severity: f.Severity.String(), Confidence: f.Confidence.String(), Type: f.Type, Title: f.Title,
		Parameter: f.Parameter, Manifest: o.Locator.Path(f.File), Line: f.Line, Fingerprint: f.Fingerprint, Repair: f.Repair, Owner: f.Owner, Tag: f.Tag,
		Encodings: f.Encodings, Masked: f.Masked(), Message: f.Message, Source: sourceOf(f.Source, o), State: f.State.String(),
	}
	if f.Type != "" {
		j.Ref = catalog.Ref{Type: f.Type, Title: f.Title}.String()
	}
	if j.Ref != "" && !f.Hidden {
		j.Path = inResource(f.Pointer)
	}
	if f.Hidden {
		j.Pointer, j.Hidden = nil, f.Pointer
		if f.Offset >= 0 {
			j.Offset = &f.Offset
		}
	}
	return j
}

// inResource returns the part of a pointer into a document that follows the resource.
func inResource(pointer string) string {
	_, rest, _ := strings.Cut(pointer, "/resources/")
	rest = strings.TrimPrefix(rest, "data/") // of PuppetDB
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return ""
}

type failure struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

type document struct {
	envelope.Envelope

	Catalogs   int            `json:"catalogs"`
	Documents  map[string]int `json:"documents,omitempty"`
	Unfollowed int            `json:"unfollowed"`
	Omitted    int            `json:"omitted"`
	Accepted   int            `json:"accepted"`
	Filtered   int            `json:"filtered,omitempty"`
	Gone       *int           `json:"gone,omitempty"`
	Failures   []failure      `json:"failures"`
	Notes      []note         `json:"notes"`
	Findings   []finding      `json:"findings"`
}

type note struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(terminal.JSONWriter(w))
	e.SetEscapeHTML(false)
	return e
}

func writeJSON(b output, r *audit.Report, o Options) error {
	return writeList(b, documentOf(r, o), "findings", len(r.Findings), func(i int) any { return jsonOf(&r.Findings[i], &o) })
}

// documentOf returns the document without its findings.
func documentOf(r *audit.Report, o Options) document {
	d := document{Envelope: envelope.New(o.Version, "1.2"), Catalogs: r.Catalogs, Documents: r.Documents, Unfollowed: r.Unfollowed, Omitted: r.Omitted, Accepted: r.Accepted, Filtered: r.Filtered, Failures: []failure{}, Notes: []note{}, Findings: []finding{}}
	if r.Compared {
		d.Gone = &r.Gone
	}
	for _, f := range r.Failures {
		d.Failures = append(d.Failures, failure{f.Name, f.Err.Error()})
	}
	for _, n := range r.Notes {
		d.Notes = append(d.Notes, note{n.Catalog, n.Pointer, n.Message})
	}
	return d
}

// writeList writes a document in which the list under key is empty, and inserts
// the elements, so that a long list is never completely in memory.
func writeList(b output, document any, key string, n int, element func(int) any) error {
	const indent = "  "
	var frame bytes.Buffer
	e := encoder(&frame)
	e.SetIndent("", indent)
	if err := e.Encode(document); err != nil {
		return err
	}
	// As a string, its quotes would be escaped.
	before, after, _ := bytes.Cut(frame.Bytes(), []byte(`"`+key+`": []`))
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	b.printf("%s%q: [", before, key)
	var one bytes.Buffer
	e = encoder(&one)
	e.SetIndent(string(line)+indent, indent)
	for i := range n {
		if i > 0 {
			b.print(",")
		}
		one.Reset()
		if err := e.Encode(element(i)); err != nil {
			return err
		}
		b.printf("\n%s%s%s", line, indent, bytes.TrimSuffix(one.Bytes(), []byte("\n")))
	}
	if n > 0 {
		b.printf("\n%s", line)
	}
	b.printf("]%s", after)
	return nil
}

func writeLines(b output, r *audit.Report, o Options) error {
	e := encoder(b)
	for i := range r.Findings {
		if err := e.Encode(jsonOf(&r.Findings[i], &o)); err != nil {
			return err
		}
	}
	return nil
}

// AppendFinding appends a finding to b as an object of JSON in one line, with the members
// that it has in the form json with the zero [Options]. Search the result with [audit.Report.Check] before it is
// shown: adjacent texts can form a secret.
func AppendFinding(b []byte, f *audit.Finding) ([]byte, error) {
	var line bytes.Buffer
	if err := encoder(&line).Encode(jsonOf(f, &Options{})); err != nil {
		return b, err
	}
	return append(b, bytes.TrimSpace(line.Bytes())...), nil
}
