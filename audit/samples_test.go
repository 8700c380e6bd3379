package audit_test

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/test/sample"
)

// A sample is `Type[title]/path: text`. The text has the escapes \n, \t and \\,
// and secrets between « and ». Package sample expands `{alnum:20}` and similar
// templates. `json:` begins the value of
// the whole parameter, and `json+:` the value of all parameters. A `!` after
// the path makes the parameter Sensitive. More resources of the catalog follow
// after ` ;; `, and resources of another node after ` ;;; `. `report: ` or `facts: ` before
// them makes them the presentation of such a document.

// encode applies `{b64:…}`, `{hex:…}` and `{percent:…}` around a whole text.
func encode(s string) (string, bool) {
	clear := strings.NewReplacer("«", "", "»", "").Replace(s)
	switch {
	case strings.HasPrefix(s, "{b64:") && strings.HasSuffix(s, "}"):
		return "«" + base64.StdEncoding.EncodeToString([]byte(clear[5:len(clear)-1])) + "»", true
	case strings.HasPrefix(s, "{hex:") && strings.HasSuffix(s, "}"):
		return "«" + hex.EncodeToString([]byte(clear[5:len(clear)-1])) + "»", true
	case strings.HasSuffix(s, "}}") && (strings.Contains(s, "{{md5:") || strings.Contains(s, "{{sha256:")):
		before, name, _ := strings.Cut(strings.TrimSuffix(s, "}}"), "{{")
		kind, text, _ := strings.Cut(name, ":")
		if kind == "md5" {
			sum := md5.Sum([]byte(text))
			return before + hex.EncodeToString(sum[:]), true
		}
		sum := sha256.Sum256([]byte(text))
		return before + hex.EncodeToString(sum[:]), true
	case strings.HasPrefix(s, "{percent:") && strings.HasSuffix(s, "}"):
		return "«" + url.QueryEscape(clear[9:len(clear)-1]) + "»", true
	}
	return s, false
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`)

type resource struct {
	Type       string         `json:"type"`
	Title      string         `json:"title"`
	Tags       []string       `json:"tags,omitempty"`
	Exported   bool           `json:"exported,omitempty"`
	Parameters map[string]any `json:"parameters"`
	Sensitive  []string       `json:"sensitive_parameters,omitempty"`

	edge string // the target of an edge
}

// parse returns the resource of a sample, including the marks of secrets.
func parse(t *testing.T, text string) resource {
	t.Helper()
	location, text, ok := strings.Cut(text, "]/")
	if !ok {
		t.Fatalf("%q is no sample", text)
	}
	var r resource
	r.Type, r.Title, _ = strings.Cut(location, "[")
	r.Title = escapes.Replace(r.Title)
	path, text, ok := strings.Cut(text, ": ")
	if !ok {
		t.Fatalf("%q has no text", location)
	}
	r.Parameters = map[string]any{}
	if rest, sensitive := strings.CutSuffix(path, "!"); sensitive {
		path = rest
		r.Sensitive = []string{strings.Split(path, "/")[0]}
	}
	if rest, exported := strings.CutPrefix(r.Type, "@@"); exported {
		r.Type, r.Exported = rest, true
	}
	if all, ok := strings.CutPrefix(text, "json+:"); ok {
		decode(t, all, &r.Parameters)
		return r
	}
	names := strings.Split(path, "/")
	if one, ok := strings.CutPrefix(text, "json:"); ok {
		var v any
		decode(t, one, &v)
		r.Parameters[names[0]] = v
		return r
	}
	switch path {
	case "title":
		r.Title = text
		return r
	case "tags":
		r.Tags = []string{text}
		return r
	case "edge":
		r.edge = text
		return r
	}
	text, _ = encode(escapes.Replace(text))
	var v any = text
	for i := len(names) - 1; i > 0; i-- {
		if n, err := strconv.Atoi(names[i]); err == nil {
			list := make([]any, n+1)
			for k := range list {
				list[k] = "x"
			}
			list[n] = v
			v = list
		} else {
			v = map[string]any{names[i]: v}
		}
	}
	r.Parameters[names[0]] = v
	return r
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
}

// spans removes the marks from all strings in v and returns their positions by
// pointer.
func spans(v any, at string, into map[string][][2]int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			plain := strings.NewReplacer("«", "", "»", "").Replace(k)
			if plain != k {
				into[at+"/"+escapePointer(plain)] = [][2]int{{0, len(plain)}}
			}
			out[plain] = spans(e, at+"/"+escapePointer(plain), into)
		}
		return out
	case []any:
		for i, e := range v {
			v[i] = spans(e, fmt.Sprintf("%s/%d", at, i), into)
		}
		return v
	case string:
		if digits, ok := strings.CutPrefix(v, "«#"); ok { // a number
			digits = strings.TrimSuffix(digits, "»")
			into[at] = append(into[at], [2]int{0, len(digits)})
			return json.Number(digits)
		}
		plain, marked := sample.Marked(v)
		if len(marked) > 0 {
			into[at] = append(into[at], marked...)
		}
		return plain
	default:
		return v
	}
}

func escapePointer(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

// sampleCatalogs returns the catalogs of a sample.
func sampleCatalogs(t *testing.T, text string) (documents []string, secrets []map[string][][2]int) {
	t.Helper()
	for i, node := range strings.Split(sample.Expand(text), " ;;; ") {
		resources, edges := []any{}, []any{}
		kind, rest, isDocument := strings.Cut(node, ": ")
		if isDocument = isDocument && !strings.Contains(kind, "["); isDocument {
			node = rest
		}
		for one := range strings.SplitSeq(node, " ;; ") {
			r := parse(t, one)
			b, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			resources = append(resources, v)
			if r.edge != "" {
				edges = append(edges, map[string]any{"source": "Class[main]", "target": r.edge})
			}
		}
		into := map[string][][2]int{}
		members := map[string]any{"name": fmt.Sprintf("node%d", i), "resources": resources, "edges": edges}
		if isDocument {
			members["document"] = kind
		}
		v := spans(members, "", into)
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(b))
		secrets = append(secrets, into)
	}
	return documents, secrets
}

func TestSamples(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		if len(r.Catch) == 0 || len(r.Ignore) == 0 {
			t.Errorf("%s: %d samples to catch, %d to ignore; each rule has both", r.ID, len(r.Catch), len(r.Ignore))
		}
		for _, sample := range r.Catch {
			t.Run(r.ID, func(t *testing.T) { catches(t, r, sample) })
		}
		for _, sample := range r.Ignore {
			t.Run(r.ID, func(t *testing.T) { ignores(t, r, sample) })
		}
	}
}

// family returns the part of the ID of a rule before a slash.
func family(id string) string {
	family, _, _ := strings.Cut(id, "/")
	return family
}

func catches(t *testing.T, r *rule.Rule, sample string) {
	documents, secrets := sampleCatalogs(t, sample)
	report := run(t, documents...)
	if r.ID == "at-rest-sensitive" {
		report = runWith(t, audit.Options{Key: key, AtRest: true}, documents...)
	}
	for _, f := range report.Failures {
		t.Fatal(f)
	}
	found := false
	for _, f := range report.Findings {
		if family(f.Rule) == family(r.ID) {
			found = true
		}
		if f.Class == rule.Policy {
			continue
		}
		if !inside(secrets, f) {
			t.Errorf("%s\nfinds %s at %s [%d:%d], which is no secret", sample, f.Rule, f.Pointer, f.Start, f.End)
		}
	}
	if !found {
		t.Errorf("%s\nis not found; other rules find %s", sample, locations(report))
	}
	for i, s := range secrets {
		for pointer, list := range s {
			for _, span := range list {
				if !covered(report, i, pointer, span) {
					t.Errorf("%s\nmisses the secret at %s [%d:%d]", sample, pointer, span[0], span[1])
				}
			}
		}
	}
}

func ofCatalog(i int) string { return fmt.Sprintf("catalog%d", i) }

func covered(r *audit.Report, catalog int, pointer string, span [2]int) bool {
	for _, f := range r.Findings {
		if f.Catalog == ofCatalog(catalog) && (f.Pointer == pointer || f.Hidden) && (f.Class == rule.Policy || f.Start < span[1] && span[0] < f.End) {
			return true
		}
	}
	return false
}

func inside(secrets []map[string][][2]int, f audit.Finding) bool {
	for i, s := range secrets {
		for pointer, list := range s {
			if f.Catalog != ofCatalog(i) || f.Pointer != pointer && !f.Hidden {
				continue
			}
			for _, span := range list {
				if f.Start < span[1] && span[0] < f.End {
					return true
				}
			}
		}
	}
	return false
}

func ignores(t *testing.T, r *rule.Rule, sample string) {
	documents, _ := sampleCatalogs(t, sample)
	for _, f := range run(t, documents...).Findings {
		if f.Class == r.Class {
			t.Errorf("%s\nfinds %s at %s [%d:%d]", sample, f.Rule, f.Pointer, f.Start, f.End)
		}
	}
}
