package leak

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	checkreport "github.com/pcatdev/pcat/cmd/pcat/internal/check/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/convert/losses"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/cmd/pcat/internal/inspect/summary"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/cmd/pcat/internal/query/presets"
	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// canary is the secret. It is a single word in every encoding.
const canary = "C4nary-in-the-m1ne"

// sampleCatalog is a catalog with the canary in each kind of declared secret.
const sampleCatalog = `{"name":"n.example.com","resources":[
 {"type":"File","title":"/listed","parameters":{"content":"` + canary + `"},"sensitive_parameters":["content"]},
 {"type":"My::Thing","title":"nested","parameters":{
   "hash":{"k":{"__ptype":"Sensitive","__pvalue":"` + canary + `"}},
   "key":{"__ptype":"Hash","__pvalue":[{"__ptype":"Sensitive","__pvalue":"` + canary + `"},1]},
   "list":[{"__ptype":"Sensitive","__pvalue":["` + canary + `",1]}],
   "object":{"__ptype":"My::Object","secret":{"__ptype":"Sensitive","__pvalue":"` + canary + `"}}}},
 {"type":"File","title":"/unknown","parameters":{"content":{"__ptype":"Deferred","name":"my::unknown","arguments":[{"__ptype":"Sensitive","__pvalue":"` + canary + `"}]}}},
 {"type":"File","title":"/refuses","parameters":{"content":{"__ptype":"Deferred","name":"upcase","arguments":[{"__ptype":"Sensitive","__pvalue":{"a":"` + canary + `"}}]}}},
 {"type":"File","title":"/fails","parameters":{"content":{"__ptype":"Deferred","name":"new","arguments":[{"__ptype":"Pcore::IntegerType"},{"__ptype":"Sensitive","__pvalue":"` + canary + `"}]}}},
 {"type":"File","title":"/template","parameters":{"content":{"__ptype":"Deferred","name":"inline_epp","arguments":["<%= $x + 1 %>",{"x":{"__ptype":"Sensitive","__pvalue":"` + canary + `"}}]}}},
 {"type":"File","title":"/done","parameters":{"content":{"__ptype":"Deferred","name":"join","arguments":[["a",{"__ptype":"Sensitive","__pvalue":"` + canary + `"}],"="]}}}
],"edges":[{"source":"File[/listed]","target":"My::Thing[nested]"}]}`

// spellings returns the encodings of the canary that must not appear.
func spellings() []string {
	return []string{
		canary, strings.ToLower(canary), strings.ToUpper(canary),
		base64.StdEncoding.EncodeToString([]byte(canary)),
		hex.EncodeToString([]byte(canary)), strings.ToUpper(hex.EncodeToString([]byte(canary))),
		strings.Trim(fmt.Sprintf("%d", []byte(canary)), "[]"),
		strings.Trim(fmt.Sprintf("%#v", []byte(canary)), "[]byte{}"),
		fmt.Sprintf("% x", canary),
	}
}

func noLeak(t *testing.T, where, text string) {
	t.Helper()
	for _, s := range spellings() {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s: the secret is told:\n%.300s", where, text[max(0, i-100):])
			return
		}
	}
}

// printed formats v with every verb.
func printed(t *testing.T, where string, v any) {
	t.Helper()
	printedBy(t, where, v, "%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X")
}

// machinery formats a value that works on secrets, like a debug log. It refers
// to secrets by pointer, which these verbs do not follow.
func machinery(t *testing.T, where string, v any) {
	t.Helper()
	printedBy(t, where, v, "%v", "%+v", "%#v")
}

func printedBy(t *testing.T, where string, v any, verbs ...string) {
	t.Helper()
	for _, verb := range verbs {
		noLeak(t, where+" by "+verb, fmt.Sprintf(verb, v))
		noLeak(t, where+" inside a struct by "+verb, fmt.Sprintf(verb, struct{ v any }{v}))
	}
	if text, err := json.Marshal(v); err == nil {
		noLeak(t, where+" by json", string(text))
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("v", "v", v)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("v", "v", v)
	noLeak(t, where+" by slog", log.String())
	if err, ok := v.(error); ok {
		noLeak(t, where+" wrapped", fmt.Errorf("outer: %w", err).Error())
	}
}

func rich(t *testing.T) serialization.Format {
	t.Helper()
	f := formats.RichJSON()
	return f
}

func reader(t *testing.T) *catalog.Reader {
	t.Helper()
	return catalog.NewReaderBytes([]byte(sampleCatalog), rich(t), serialization.DecodeOptions{})
}

func TestCatalogs(t *testing.T) {
	for c, err := range reader(t).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "a catalog", c)
		printed(t, "a header", c.Header)
		for _, r := range c.Resources() {
			printed(t, "a resource", r)
			members, err := r.RawParameters()
			if err != nil {
				t.Fatal(err)
			}
			for i := range members {
				printed(t, "a parameter", members[i])
				printed(t, "a parameter", &members[i])
			}
			changed := r.WithParameter("other", pcore.NewSensitive(pcore.String(canary)))
			printed(t, "a changed resource", changed)
		}
		for _, e := range c.Edges() {
			printed(t, "an edge", e)
		}
	}
	machinery(t, "a reader", reader(t))
	for p, err := range reader(t).Parts() {
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "a part", p)
	}
}

// TestErrorsOfReading checks that errors about invalid documents quote no
// secret.
func TestErrorsOfReading(t *testing.T) {
	for i := range len(sampleCatalog) {
		for name, broken := range map[string]string{
			"cut":     sampleCatalog[:i],
			"changed": sampleCatalog[:i] + "\x01" + sampleCatalog[i+1:],
			"quoted":  sampleCatalog[:i] + `"` + sampleCatalog[i+1:],
		} {
			r := catalog.NewReaderBytes([]byte(broken), rich(t), serialization.DecodeOptions{})
			for _, err := range r.Catalogs() {
				if err != nil && !cutsTheCanary(broken, i) {
					noLeak(t, fmt.Sprintf("%s at %d", name, i), fmt.Sprintf("%v %+v %q", err, err, err))
				}
			}
		}
	}
}

// cutsTheCanary reports whether a change destroyed the canary or is next to it.
func cutsTheCanary(broken string, at int) bool {
	return !strings.Contains(broken, canary) || strings.Contains(sampleCatalog[max(0, at-len(canary)):min(len(sampleCatalog), at+len(canary))], canary)
}

func resolver(t *testing.T) *deferred.Resolver {
	t.Helper()
	parse := func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) }
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	converter := &convert.Converter{}
	return &deferred.Resolver{Functions: functions, Language: eval.Mode{}, World: function.Env{
		New: func(_ *function.Call, typ pcore.Type, args []pcore.Value) (pcore.Value, error) {
			return converter.New(typ, args...)
		},
		ParseType: parse,
		Log:       func(_ function.Level, text string) { noLeak(t, "the log", text) },
	}}
}

func TestResolving(t *testing.T) {
	r := resolver(t)
	r.Trace = func(e deferred.Event) {
		printed(t, "an event", e)
		noLeak(t, "an event", e.String())
	}
	machinery(t, "a resolver", r)
	run := r.Run()
	for res, err := range reader(t).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Resource(context.Background(), res); err != nil {
			t.Fatal(err)
		}
	}
	if len(run.Failures()) < 3 {
		t.Fatalf("%d calls failed, which tests nothing: %v", len(run.Failures()), run.Failures())
	}
	machinery(t, "a run", run)
	printed(t, "failures", run.Failures())
	printed(t, "the error", run.Err())
	for _, f := range run.Failures() {
		printed(t, "a failure", f)
		printed(t, "its reason", f.Err)
	}
}

// TestFunctions calls each function with the canary in several kinds of values,
// alone and with more arguments. Most calls fail with a reason.
func TestFunctions(t *testing.T) {
	r := resolver(t)
	functions := r.Functions.(*function.Registry)
	secret := pcore.NewSensitive(pcore.String(canary))
	dresses := []pcore.Value{
		secret, pcore.NewArray(secret), pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: secret}),
		pcore.NewSensitive(pcore.NewArray(pcore.String(canary))), pcore.NewSensitive(secret),
	}
	for _, f := range functions.All() {
		for _, d := range dresses {
			for n := 1; n <= 3; n++ {
				args := make([]pcore.Value, n)
				for i := range args {
					args[i] = d
				}
				v, err := r.Resolve(context.Background(), pcore.NewDeferred(f.Name, pcore.NewArray(args...)))
				printed(t, f.Name, v)
				if err != nil {
					printed(t, f.Name, err)
				}
			}
		}
	}
}

// TestWarnings calls each function with the canary as an agent does, which unwraps
// the result of an inner call, and searches the warnings about the agent.
func TestWarnings(t *testing.T) {
	made := pcore.NewDeferred("new", pcore.NewArray(pcore.NewSensitiveType(nil), pcore.String(canary)))
	warned := 0
	for _, like := range pcore.References() {
		r := resolver(t)
		r.Mode = deferred.Like(like)
		r.Agent = &deferred.Agent{Reference: like, Functions: r.Functions}
		r.Unlike = func(at catalog.Location, reason string) {
			warned++
			noLeak(t, "a warning", at.String()+reason)
		}
		r.Trace = func(e deferred.Event) { noLeak(t, "an event", e.String()) }
		run := r.Run()
		parameters := pcore.NewHashBuilder(0)
		for _, f := range r.Functions.(*function.Registry).All() {
			for n := range 3 {
				args := make([]pcore.Value, n+1)
				for i := range args {
					args[i] = made
				}
				parameters.Set(pcore.String(fmt.Sprint(f.Name, n)), pcore.NewDeferred(f.Name, pcore.NewArray(args...)))
			}
		}
		res, err := catalog.NewResource(pcore.NewHash(
			pcore.Entry{Key: pcore.String("type"), Value: pcore.String("File")},
			pcore.Entry{Key: pcore.String("title"), Value: pcore.String("/x")},
			pcore.Entry{Key: pcore.String("parameters"), Value: parameters.Hash()},
		))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Resource(context.Background(), res); err != nil {
			t.Fatal(err)
		}
		printed(t, "failures", run.Failures())
		machinery(t, "a run", run)
	}
	if warned < 100 {
		t.Errorf("%d warnings, which tests nothing", warned)
	}
}

func TestExpressions(t *testing.T) {
	r := resolver(t)
	env := r.World
	env.Functions = r.Functions
	e := eval.New(env, nil, eval.Mode{})
	for _, code := range []string{
		`$s`, `"${s}"`, `"${[$s]}"`, `$s + 1`, `1 + $s`, `-$s`, `$s[0]`, `$s =~ /x/`, `$s =~ String`, `$s in 'x'`, `'x' in $s`,
		`$s ? { 1 => 2 }`, `case $s { 1: {2} }`, `$s < 1`, `$s.each |$x| {1}`, `[$s] + 1`, `{$s => 1}`, `{$s => 1}[$s]`,
		`String($s)`, `String([$s], '%p')`, `Integer($s)`, `assert_type(Integer, $s)`, `fail($s)`, `notice($s)`, `warning([$s])`,
		`sprintf('%s %p', $s, $s)`, `$s.foo`, `new(Integer, $s)`, `function f(Integer $x) { 1 } f($s)`, `[1].each |Integer $i, String $s2| { $s + 1 }`,
		`type($s)`, `type($s, detailed)`, `inline_epp('<%= $x + 1 %>', {x => $s})`, `$s == 'x'`, `[$s].join(',')`, `Timestamp($s)`, `Struct[{a => $s}]`,
	} {
		s := e.Scope(context.Background())
		if err := s.Set("s", pcore.NewSensitive(pcore.String(canary))); err != nil {
			t.Fatal(err)
		}
		v, err := e.Text(s, "", code)
		if err != nil {
			printed(t, code, err)
			if detailed, ok := err.(interface{ Detail() string }); ok {
				noLeak(t, code, detailed.Detail())
			}
			continue
		}
		printed(t, code, v)
	}
}

func TestRedacting(t *testing.T) {
	for name, masker := range map[string]sensitive.Masker{"mask": sensitive.NewMask(), "drop": sensitive.NewDrop()} {
		c := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := c.Collect(reader(t)); err != nil {
			t.Fatal(err)
		}
		r := c.Secrets().Redactor(masker)
		machinery(t, name+": a redactor", r)
		machinery(t, name+": a masker", masker)
		machinery(t, name+": a collector", c)
		machinery(t, name+": secrets", c.Secrets())
		machinery(t, name+": secrets in a struct", struct{ S sensitive.Secrets }{*c.Secrets()})
		machinery(t, name+": a masker in turn", sensitive.InTurn(masker, func() {}))
		for _, f := range formats.Default().Formats() {
			var out bytes.Buffer
			if err := r.Redact(context.Background(), &out, f, reader(t)); err != nil {
				t.Fatalf("%s: %s: %v", name, f.Name, err)
			}
			noLeak(t, name+": "+f.Name, out.String())
		}
		printed(t, name+": a report", r.Report())
	}
}

func TestAuditing(t *testing.T) {
	leaky := strings.Replace(sampleCatalog, `"edges":[`, `"classes":["x`+canary+`y"],"edges":[{"source":"File[`+canary+`]","target":"Exec[x]"},`, 1)
	leaky = strings.Replace(leaky, `"resources":[`, `"resources":[
 {"type":"Exec","title":"run `+canary+`","tags":["`+strings.ToLower(canary)+`"],"parameters":{"command":"x --password=`+canary+`","environment":["A=`+base64.StdEncoding.EncodeToString([]byte(canary))+`"]}},`, 1)
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(context.Background(), []audit.Input{{Name: "c.json", Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes([]byte(leaky), rich(t), serialization.DecodeOptions{}), nil, nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) < 4 || len(r.Failures) > 0 {
		t.Fatalf("%d findings, failures %v: that tests nothing", len(r.Findings), r.Failures)
	}
	for _, f := range report.Formats() {
		var out bytes.Buffer
		if err := report.Write(&out, f.Name, r, report.Options{Color: true}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		noLeak(t, "the report as "+f.Name, out.String())
	}
}

func TestInspecting(t *testing.T) {
	var totals summary.Totals
	for s, err := range summary.Summaries(reader(t), summary.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "a summary", s)
		totals.Add(s)
	}
	mask, named := masked(t, `"name":"of `+canary+`","version":"v `+canary+`","environment":"of `+canary+`","catalog_uuid":"0 `+canary+`","resources":[
 {"type":"My::X`+canary+`","title":"`+canary+`","parameters":{"a`+canary+`":{"__ptype":"Deferred","name":"my::`+canary+`"}}},`)
	for s, err := range summary.Summaries(named(), summary.Options{Display: mask.Location, Text: mask.Text}) {
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "a summary with secrets in names", s)
		totals.Add(s)
	}
	total := totals.Total(100)
	if len(total.Secrets) < 4 || len(total.Biggest) < 5 {
		t.Fatalf("%+v: that tests nothing", total)
	}
	printed(t, "a total", total)
}

// masked returns a redactor for the sample catalog with other members at its beginning,
// instead of its name, and a function that reads it.
func masked(t *testing.T, members string) (*sensitive.Redactor, func() *catalog.Reader) {
	t.Helper()
	text := strings.Replace(sampleCatalog, `"name":"n.example.com","resources":[`, members, 1)
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(text), rich(t), serialization.DecodeOptions{})
	}
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(open()); err != nil {
		t.Fatal(err)
	}
	return c.Secrets().Redactor(nil), open
}

// TestQuerying plants the canary in titles, tags, edges, relations and the name of the
// environment, and asks for all of them.
func TestQuerying(t *testing.T) {
	leaky := strings.Replace(sampleCatalog, `"resources":[`, `"environment":"of `+canary+`","resources":[
 {"type":"Exec","title":"run `+canary+`","file":"/m/`+canary+`.pp","line":1,"tags":["`+strings.ToLower(canary)+`"],
  "parameters":{"command":"x `+canary+`","require":"File[of `+canary+`]","notify":["My::Thing[nested]"]}},`, 1)
	leaky = strings.Replace(leaky, `"edges":[`, `"edges":[{"source":"Exec[run `+canary+`]","target":"File[/listed]"},`, 1)
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(leaky), rich(t), serialization.DecodeOptions{})
	}
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(open()); err != nil {
		t.Fatal(err)
	}
	e := eval.New(function.Env{Functions: resolver(t).Functions}, nil, eval.Mode{})
	search, err := query.NewSearch(e, "-e", "[$type, $title, $parameters, $container, $requires, $notified_by]", append(presets.All(), query.Preset{Name: "all", Expression: "true"}))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := query.NewColumns(e, "--csv", "$"+strings.Join(query.Variables(), ", $")+", $preset, \"${parameters}\"")
	if err != nil {
		t.Fatal(err)
	}
	src := query.Source{Open: open, Mask: c.Secrets().Redactor(nil), Named: true}
	rows := 0
	for r, err := range src.Resources(t.Context(), append(search.Queries(), columns.Query)...) {
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "a resource", r)
		matches, err := search.Matches(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range matches {
			printed(t, "a match", matches[i])
			printed(t, "a value", matches[i].Value)
			row, err := columns.Row(t.Context(), matches[i].Resource)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range row {
				printed(t, "a cell", v)
				rows++
			}
		}
	}
	if rows < 100 {
		t.Fatalf("%d cells: that tests nothing", rows)
	}
	machinery(t, "a source", src)
}

// TestLookingUp prints the resources of all references, values at locations, and suggestions.
func TestLookingUp(t *testing.T) {
	parts := func() iter.Seq2[catalog.Part, error] { return reader(t).Parts() }
	var targets []locate.Target
	for _, text := range []string{
		"File[/listed]", "File[/listed]/content/x", "My::Thing[nested]", "My::Thing[nested]/hash/k/inner", "My::Thing[nested]/hash/nothing",
		"My::Thing[nested]/key/nothing", "My::Thing[nested]/nothing", "File[/unknown]/content/arguments/0", "File[/unknwon]", "Thing[nested]",
	} {
		target, ok := locate.Parse(text)
		if !ok {
			t.Fatal(text)
		}
		targets = append(targets, target)
		near, err := locate.Near(parts, target)
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "suggestions", near)
	}
	all, err := locate.Find(parts, targets...)
	if err != nil {
		t.Fatal(err)
	}
	printed(t, "a catalog with results", all[0])
	if len(all[0].Found) != 8 {
		t.Errorf("%d resources, which tests little", len(all[0].Found))
	}
	for _, f := range all[0].Found {
		printed(t, "a result", f)
		if len(f.Path) == 0 {
			continue
		}
		v, err := f.Value()
		printed(t, "a value", v)
		printed(t, "an error", err)
	}
}

// TestBilling checks that a bill lists the calls of a catalog without argument
// values.
func TestBilling(t *testing.T) {
	policy := bill.Policy{Allow: []string{}, MustBeSensitive: []string{"*"}, NoClearCredentials: true, NoLateBreakage: true}
	everywhere := func(catalog.Location) bool { return true }
	calls := 0
	var totals bill.Totals
	for e, err := range bill.Read(reader(t), bill.Options{Functions: resolver(t).Functions, Credential: everywhere}) {
		if err != nil {
			t.Fatal(err)
		}
		calls++
		printed(t, "an entry", e)
		noLeak(t, "an entry", e.String()+e.At.String())
		for _, breach := range policy.Violations(e) {
			noLeak(t, "a breach", breach)
		}
		totals.Add("n", e, e.At, policy.Violations(e))
	}
	mask, named := masked(t, `"name":"n","resources":[{"type":"File","title":"t","file":"/`+canary+`.pp","line":1,"parameters":{"content":{"__ptype":"Deferred",
 "name":"my::`+canary+`","arguments":[{"__ptype":"Deferred","name":"my::`+canary+`"}]}}},`)
	for e, err := range bill.Read(named(), bill.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		e = e.Masked(mask.Text)
		noLeak(t, "a masked entry", e.String()+e.File)
		totals.Add("n", e, mask.Location(e.At), policy.Violations(e))
	}
	for _, c := range totals.All() {
		printed(t, "a total", c)
		noLeak(t, "a total", c.String())
	}
	if calls < 5 {
		t.Fatalf("%d calls: that tests nothing", calls)
	}
}

// TestValidating declares a wrong type for every parameter with the canary.
func TestValidating(t *testing.T) {
	modules := t.TempDir()
	for name, text := range map[string]string{
		"manifests/thing.pp": "define my::thing(Hash[String, Integer] $hash, Array[Sensitive[Integer]] $list, Enum[a] $listed, Integer $object, Integer $call) {}",
		"types/object.pp":    "type My::Object = Object[{attributes => {secret => Sensitive[Enum[a]], more => Integer}}]",
	} {
		path := filepath.Join(modules, "my", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := faults.NewValidator(eval.NewLoader(function.Tree{ModulePath: []string{modules}}, nil, eval.Mode{}))
	listed := strings.ReplaceAll(sampleCatalog, `"key":{`, `"listed":"`+canary+`","call":{"__ptype":"My::Object","more":"`+canary+`"},"key":{`)
	listed = strings.ReplaceAll(listed, `}}}},`, `}}},"sensitive_parameters":["listed","call"]},`)
	found := 0
	for r, err := range catalog.NewReaderBytes([]byte(listed), rich(t), serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		findings, err := v.Resource(r)
		if err != nil {
			t.Fatal(err)
		}
		found += len(findings)
		printed(t, "findings", findings)
		for _, f := range findings {
			noLeak(t, "a finding", f.At.String()+" "+f.Message)
		}
		machinery(t, "a validator", v)
	}
	if found < 7 {
		t.Errorf("%d findings, which tests little", found)
	}
}

// TestChecking checks that a graph contains no secrets, and that findings about
// titles with copies of them are masked.
func TestChecking(t *testing.T) {
	const title = `{"type":"File","title":"/listed"`
	copies := strings.Replace(sampleCatalog, title, `{"type":"File","title":"/`+canary+`","parameters":{"require":["File[/`+canary+`]","File[/no `+canary+`]"]}},`+
		`{"type":"File","title":"/named","parameters":{"path":"/`+canary+`"},"sensitive_parameters":["path"]},`+title, 1)
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(copies), rich(t), serialization.DecodeOptions{})
	}
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := collector.Collect(open()); err != nil {
		t.Fatal(err)
	}
	findings := faultsOf(t, open(), collector.Secrets().Redactor(nil), faults.Options{})
	if len(findings) < 3 {
		t.Errorf("%d findings, which tests little", len(findings))
	}
	printed(t, "findings", findings)
	for _, format := range checkreport.Formats() {
		var out bytes.Buffer
		if err := checkreport.Write(&out, format, &checkreport.Report{Results: []checkreport.Result{{File: "c.json", Findings: findings}}}, checkreport.Options{}); err != nil {
			t.Fatal(err)
		}
		noLeak(t, "findings as "+format, out.String())
	}
	printed(t, "a graph", catalogtest.Graph(t, reader(t)))
}

// TestDrawing checks that titles with copies of secrets are masked in all
// formats of a graph, also in a comparison.
func TestDrawing(t *testing.T) {
	const title = `{"type":"File","title":"/listed"`
	copies := strings.Replace(sampleCatalog, title, `{"type":"File","title":"/`+canary+`","file":"/m/`+canary+`.pp","parameters":{"require":["My::Thing[nested]"]}},`+
		`{"type":"Notify","title":"`+canary+`","parameters":{"notify":"File[/`+canary+`]"}},`+title, 1)
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := collector.Collect(catalogtest.JSON(copies)()); err != nil {
		t.Fatal(err)
	}
	old, new := catalogtest.Graph(t, reader(t)), catalogtest.Graph(t, catalogtest.JSON(copies)())
	mask := collector.Secrets().Redactor(nil)
	o := draw.Options{What: draw.Both}
	renamed := o
	renamed.Renamed = map[catalog.Ref]catalog.Ref{{Type: "File", Title: "/" + canary}: {Type: "File", Title: "/listed"}}
	for name, v := range map[string]*draw.View{
		"a view of a renamed resource": draw.Compare(new, old, -1, mask, renamed),
		"a view":                       draw.Select(new, mask, o), "a view of added resources": draw.Compare(old, new, -1, mask, o), "a view of removed resources": draw.Compare(new, old, -1, mask, o),
	} {
		if len(v.Nodes) < 8 {
			t.Errorf("%s has %d nodes, which tests little", name, len(v.Nodes))
		}
		printed(t, name, v)
		for _, format := range draw.Names() {
			var out bytes.Buffer
			if err := draw.Write(&out, format, v); err != nil {
				t.Fatal(err)
			}
			noLeak(t, name+" as "+format, out.String())
		}
	}
	for i := range new.Len() {
		var out bytes.Buffer
		if err := draw.Why(&out, new, i, mask, draw.WhyOptions{}); err != nil {
			t.Fatal(err)
		}
		noLeak(t, "the relations of a resource", out.String())
	}
}

// TestVerifying checks that differences contain only locations, kinds and sizes.
func TestVerifying(t *testing.T) {
	broken := rich(t)
	broken.Name, broken.Wire = "broken", "broken"
	broken.Decode = func([]byte, serialization.DecodeOptions) (pcore.Value, error) { return pcore.String(canary), nil }
	nested := rich(t)
	nested.Name, nested.Wire = "nested", "nested"
	decode := nested.Decode
	nested.Decode = func(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
		return decode(bytes.ReplaceAll(data, []byte(canary), []byte("another")), o)
	}
	format := rich(t)
	r, err := roundtrip.Document([]byte(sampleCatalog), format, append(formats.Default().Formats(), broken, nested), roundtrip.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Same() {
		t.Error("a broken format was not found")
	}
	printed(t, "a result", r)
	for _, format := range r.Formats {
		printed(t, "a format", format)
		if format.Difference != nil {
			noLeak(t, "a difference", format.Difference.String()+format.Difference.Text)
		}
	}
}

// TestLosing checks that a ledger reveals no secret values.
func TestLosing(t *testing.T) {
	lossy := strings.ReplaceAll(sampleCatalog, `"`+canary+`"`, `{"__ptype":"Regexp","__pvalue":"`+canary+`"}`)
	for _, f := range formats.Default().Formats() {
		var lines, out bytes.Buffer
		l := losses.New(&lines)
		l.Begin("catalog.json", f.Name)
		w := catalog.NewWriter(&out, f, catalog.WriteOptions{Secrets: serialization.PlainSecrets, OnLoss: l.Lost})
		r := catalog.NewReaderBytes([]byte(lossy), rich(t), serialization.DecodeOptions{})
		if err := catalog.Copy(context.Background(), w, r, l); err != nil {
			t.Fatal(err)
		}
		if !f.Rich && l.Count() < 7 {
			t.Errorf("%s: %d losses, which tests little", f.Name, l.Count())
		}
		noLeak(t, "a ledger of "+f.Name, lines.String())
		noLeak(t, "its summary", l.Summary())
	}
}
