// Package sarif contains the parts of SARIF 2.1.0 that reports share. Only the
// properties of results belong to the report.
//
//	Log           a document with one Run
//	Run           the tool, its invocation, and the results
//	Rule          a kind of results
//	Result        a finding or a change
//	Location      a line of a file, and a location in a catalog
//	Group         the findings or changes that are one Result
//	URI, Pascal   the spelling of paths and of the names of rules
//
// The parts of the format belong here; rules and messages belong to the reports.
package sarif

import (
	"net/url"
	"strings"
)

// The version of the format, and its schema.
const (
	Version = "2.1.0"
	Schema  = "https://json.schemastore.org/sarif-2.1.0.json"
)

type (
	// Log is a document; P is the type of the properties of results.
	Log[P any] struct {
		Schema  string   `json:"$schema"`
		Version string   `json:"version"`
		Runs    []Run[P] `json:"runs"`
	}
	// Run is one run of a tool.
	Run[P any] struct {
		Tool        Tool         `json:"tool"`
		Invocations []Invocation `json:"invocations"`
		Results     []Result[P]  `json:"results"`
		ColumnKind  string       `json:"columnKind"`
	}
	// Result is a finding or a change: of a rule, at a location in a manifest, which must
	// be changed. The catalog and the resource are logical locations.
	Result[P any] struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      Text              `json:"message"`
		Locations    []Location        `json:"locations"`
		Related      []Location        `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Baseline     string            `json:"baselineState,omitempty"`
		Viewer       string            `json:"hostedViewerUri,omitempty"` // the line on the web
		Properties   P                 `json:"properties,omitzero"`
	}
	// Tool is the program.
	Tool struct {
		Driver Driver `json:"driver"`
	}
	// Driver describes the program and its rules.
	Driver struct {
		Name    string `json:"name"`
		Version string `json:"semanticVersion,omitempty"`
		URI     string `json:"informationUri"`
		Rules   []Rule `json:"rules"`
	}
	// Text is a plain text.
	Text struct {
		Text string `json:"text"`
	}
	// Help is a text that may have a second form.
	Help struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	// Rule describes a kind of result.
	Rule struct {
		ID         string     `json:"id"`
		Name       string     `json:"name"`
		Short      Text       `json:"shortDescription"`
		Full       Text       `json:"fullDescription"`
		Help       Help       `json:"help"`
		Default    Level      `json:"defaultConfiguration"`
		Properties Properties `json:"properties"`
	}
	// Level is error, warning or note.
	Level struct {
		Level string `json:"level"`
	}
	// Properties are the tags of a rule, and its score if it is about security.
	Properties struct {
		Tags     []string `json:"tags"`
		Severity string   `json:"security-severity,omitempty"`
	}
	// Invocation reports whether everything was read.
	Invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
	}
	// Notification is a message about the run.
	Notification struct {
		Level     string     `json:"level"`
		Message   Text       `json:"message"`
		Locations []Location `json:"locations,omitempty"`
	}
	// Location is a location: physical, logical or both.
	Location struct {
		Physical *Physical `json:"physicalLocation,omitempty"`
		Logical  []Logical `json:"logicalLocations,omitempty"`
		Message  *Text     `json:"message,omitempty"`
	}
	// Physical is a location in a file.
	Physical struct {
		Artifact Artifact `json:"artifactLocation"`
		Region   *Region  `json:"region,omitempty"`
	}
	// Artifact is a file.
	Artifact struct {
		URI string `json:"uri"`
	}
	// Region is a line.
	Region struct {
		StartLine int64 `json:"startLine"`
	}
	// Logical is a location in a catalog.
	Logical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

// New returns a document of one run by pcat, without results.
func New[P any](version string, rules []Rule, i Invocation) Log[P] {
	return Log[P]{Schema, Version, []Run[P]{{
		Tool:        Tool{Driver{Name: "pcat", Version: version, URI: "https://github.com/pcatdev/pcat", Rules: rules}},
		Invocations: []Invocation{i},
		Results:     []Result[P]{},
		ColumnKind:  "unicodeCodePoints",
	}}}
}

// Line returns the location of a line of a file, or of the whole file if line is 0.
func Line(file string, line int64) Location {
	p := &Physical{Artifact: Artifact{URI: URI(file)}}
	if line > 0 {
		p.Region = &Region{StartLine: line}
	}
	return Location{Physical: p}
}

// Site is a rule and the line of a manifest that must be changed.
type Site struct {
	Rule, File string
	Line       int64
}

// Group returns findings or changes in groups, each of which is one result: all of one Site, in the
// order of the first ones. Without a line of a manifest, each is a group.
func Group[T any](all []T, at func(T) Site) [][]T {
	var groups [][]T
	index := map[Site]int{}
	for _, one := range all {
		site := at(one)
		i, known := index[site]
		if !known || site.File == "" || site.Line == 0 {
			index[site] = len(groups)
			groups = append(groups, []T{one})
			continue
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}

// MaxRelated is the number of related locations of a result.
const MaxRelated = 50

// URI returns a path as a reference of RFC 3986: a relative one, or that of a file if the
// path begins with a drive of Windows.
func URI(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if len(path) > 2 && path[1:3] == ":/" {
		return (&url.URL{Scheme: "file", Path: "/" + path}).String()
	}
	return (&url.URL{Path: path}).String()
}

// Pascal returns the identifier of a rule in Pascal case: SecretInContent.
func Pascal(id string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(id, func(r rune) bool { return r == '-' || r == '/' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}
