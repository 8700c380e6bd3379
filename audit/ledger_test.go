package audit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"iter"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// fleet is a Ledger with the contents of its inputs.
type fleet struct {
	auditor *audit.Auditor
	ledger  *audit.Ledger
	updater *audit.Updater
	texts   map[string]string
	// extracts are those of the inputs that were inspected, unless it is nil, and searches
	// counts the inputs that were searched in place of an update.
	extracts map[string]*audit.Extract
	searches int
}

func newFleet(t rapid.TB, o audit.Options) *fleet {
	t.Helper()
	a, err := audit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &fleet{auditor: a, ledger: a.NewLedger(nil), updater: a.Updater(), texts: map[string]string{}, extracts: map[string]*audit.Extract{}}
}

func (f *fleet) input(name string) audit.Input { return input(name, []byte(f.texts[name])) }

// put sets the content of an input.
func (f *fleet) put(t rapid.TB, name, text string) {
	t.Helper()
	f.texts[name] = text
	delete(f.extracts, name)
	f.ledger.Put(name, stored(t, f.updater.Collect(f.input(name))))
}

func (f *fleet) remove(name string) {
	delete(f.texts, name)
	f.ledger.Remove(name)
}

// stored returns a part as it is after it was stored.
func stored(t rapid.TB, p *audit.Part) *audit.Part {
	t.Helper()
	data, err := p.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	q := new(audit.Part)
	if err := q.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return q
}

// restart replaces the ledger by one that was restored from stored data.
func (f *fleet) restart(t rapid.TB) {
	t.Helper()
	var segments []*audit.Segment
	for _, s := range f.ledger.Knowledge().Segments() {
		data, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := audit.ParseSegment(data)
		if err != nil {
			t.Fatal(err)
		}
		segments = append(segments, again)
	}
	old := f.ledger
	f.ledger = f.auditor.NewLedger(audit.NewKnowledge(segments))
	for name := range f.texts {
		f.ledger.Put(name, stored(t, old.Part(name)))
	}
}

// step updates some of the stale parts and reports whether none was left. choose returns
// whether to update one.
func (f *fleet) step(t rapid.TB, choose func() bool) (settled bool) {
	t.Helper()
	knowledge, changed := f.ledger.Learn()
	stale := slices.Sorted(f.ledger.Stale())
	for _, name := range stale {
		if !choose() {
			continue
		}
		if f.search(t, name, knowledge) {
			continue
		}
		part, err := f.updater.Update(context.Background(), f.input(name), f.ledger.Part(name), knowledge)
		if err != nil {
			t.Fatal(err)
		}
		if x := part.Extract(); x != nil && f.extracts != nil {
			f.extracts[name] = storedExtract(t, x)
		}
		f.ledger.Put(name, stored(t, part))
	}
	return !changed && len(stale) == 0
}

// search searches the extract of an input, and reports whether it needs no update.
func (f *fleet) search(t rapid.TB, name string, k *audit.Knowledge) bool {
	t.Helper()
	seen, only := f.ledger.Unsearched(name)
	x := f.extracts[name]
	if !only || x == nil {
		return false
	}
	clean, err := f.updater.Search(x, seen, k)
	if err != nil {
		t.Fatal(err)
	}
	if clean {
		f.searches++
		f.ledger.Searched(name, seen, k.Version())
	}
	return clean
}

// storedExtract returns an extract as it is after it was stored.
func storedExtract(t rapid.TB, x *audit.Extract) *audit.Extract {
	t.Helper()
	data, err := x.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := new(audit.Extract)
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return again
}

func (f *fleet) settle(t rapid.TB) {
	t.Helper()
	for range 20 {
		if f.step(t, func() bool { return true }) {
			return
		}
	}
	t.Fatal("not settled after 20 rounds")
}

// checkMasked checks that a report shows no secret that an input declares, also if the
// ledger is not settled.
func (f *fleet) checkMasked(t rapid.TB, secrets []string) {
	t.Helper()
	findings := f.ledger.Report().Findings
	for _, s := range secrets {
		declares := func(text string) bool {
			return strings.Contains(text, `"parameters":{"note":"of nobody","secret":"`+s+`"}`)
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(f.texts)), func(text string) bool { return json.Valid([]byte(text)) && declares(text) }) {
			continue
		}
		for _, one := range findings {
			if text := fmt.Sprint(one.Pointer, one.Type, one.Title, one.Parameter, one.Name, one.Message, one.Shown); strings.Contains(text, s) {
				t.Fatalf("a report shows a secret: %s", text)
			}
		}
	}
}

// run audits the same inputs at once.
func (f *fleet) run(t rapid.TB) *audit.Report {
	t.Helper()
	var inputs []audit.Input
	for _, name := range slices.Sorted(maps.Keys(f.texts)) {
		inputs = append(inputs, f.input(name))
	}
	r, err := f.auditor.Run(context.Background(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reportDiff returns how two reports differ.
func reportDiff(got, want *audit.Report) string {
	same := cmp.Options{
		cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(audit.Report{}, audit.Finding{}), cmpopts.IgnoreFields(audit.Report{}, "Rules"),
		cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) }),
		cmp.Comparer(func(a, b *pcore.Sensitive) bool {
			return a == nil && b == nil || a != nil && b != nil && pcore.Identical(a.Reveal(), b.Reveal())
		}),
		cmp.Comparer(func(a, b pcore.Path) bool { return a.String() == b.String() }),
	}
	return cmp.Diff(want, got, same)
}

// The report of a settled ledger equals the report of a run over the same inputs, for all
// sequences of events.
func TestLedgerEqualsRun(t *testing.T) {
	files, err := filepath.Glob("../testdata/catalogs/*/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	real := realDocuments(t)
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.SampledFrom([]string{"", "a key for tests"}).Draw(r, "key")
		f := newFleet(r, audit.Options{Key: []byte(key), AtRest: rapid.Bool().Draw(r, "at rest")})
		if rapid.Bool().Draw(r, "without extracts") {
			f.extracts = nil
		}
		// All catalogs share the secrets, so that they are copies of each other.
		strong := append(rapid.SliceOfN(shaped(), 2, 2).Draw(r, "strong"), "walrus-trombone-cinnamon", "83920174650")
		weak := []string{"hunter7", "elastic7", "icingaweb2", "changeme"}
		steps := rapid.IntRange(1, 12).Draw(r, "steps")
		for range steps {
			name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(r, "name")
			switch rapid.SampledFrom([]string{"put", "put", "put", "real", "broken", "remove", "step", "step", "restart"}).Draw(r, "event") {
			case "put":
				d := drawn(r, strong, weak)
				d["name"] = rapid.SampledFrom([]string{"n1", "n2", "icingaweb2"}).Draw(r, "node")
				f.put(r, name, d.text(r))
			case "real":
				f.put(r, name, real[rapid.SampledFrom(files).Draw(r, "file")].text(r))
			case "broken":
				text := drawn(r, strong, weak).text(r)
				f.put(r, name, text[:rapid.IntRange(0, len(text)).Draw(r, "end")])
			case "remove":
				f.remove(name)
			case "step":
				f.step(r, func() bool { return rapid.Bool().Draw(r, "update") })
			case "restart":
				f.restart(r)
			}
			f.checkMasked(r, strong)
		}
		f.settle(r)
		if d := reportDiff(f.ledger.Report(), f.run(r)); d != "" {
			r.Fatal(d)
		}
	})
}

// drawn returns a catalog of some of the ways, and of resources whose names are words that
// may be secrets elsewhere.
func drawn(r *rapid.T, strong, weak []string) document {
	list := []string{
		`{"type":"Package","title":"elastic7","parameters":{}}`, `{"type":"Class","title":"Icingaweb2::Config","parameters":{}}`,
		`{"type":"File","title":"/opt/hunter7","parameters":{}}`, `{"type":"File","title":"/srv/hunter7/x","parameters":{}}`,
		`{"type":"File","title":"/etc/blob","parameters":{"content":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte("x <X> y")) + `"}}}`,
		`{"type":"Package","title":"pg","file":"/c/modules/profile/manifests/db.pp","line":3,"parameters":{}},
		 {"type":"Class","title":"Profile::Db","parameters":{"note":"<X>","token":"<Z>"},"sensitive_parameters":["token"]}`,
		`{"type":"Notify","title":"<X>","tags":["<X>"],"parameters":{"message":{"<X>":"<X>"}},"exported":true}`,
		`{"type":"Notify","title":"<Z>","parameters":{"message":"password=<X>"}}`,
		`{"type":"File","title":"/etc/shown","parameters":{"content":"password=<X>","show_diff":true},"exported":true}`,
	}
	list = rapid.Permutation(append(list, ways...)).Draw(r, "ways")[:rapid.IntRange(0, 8).Draw(r, "many")]
	for i, way := range list {
		one := rapid.SampledFrom(strong).Draw(r, "strong one")
		way = strings.ReplaceAll(way, base64.StdEncoding.EncodeToString([]byte("x <X> y")), base64.StdEncoding.EncodeToString([]byte("x "+one+" y")))
		way = strings.ReplaceAll(way, "<W>", rapid.SampledFrom(weak).Draw(r, "weak one"))
		way = strings.ReplaceAll(way, "<Z>", rapid.SampledFrom(strong).Draw(r, "another strong one"))
		list[i] = strings.ReplaceAll(way, "<X>", one)
	}
	return documentOf(r, node("n", list...))
}

// Printing the state of a ledger does not show secrets, and damaged state is an error.
func TestLedgerState(t *testing.T) {
	const hidden = "n7Hq-vL2pX-83kd"
	f := newFleet(t, audit.Options{})
	f.put(t, "a", node("n", class("Db", `{"secret":"`+hidden+`"}`, "secret"), class("Open", `{"db_password":"`+hidden+`"}`)))
	f.settle(t)
	part, knowledge := f.ledger.Part("a"), f.ledger.Knowledge()
	for _, v := range []any{part, *part, knowledge, *knowledge, knowledge.Segments(), *knowledge.Segments()[0]} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if strings.Contains(fmt.Sprintf(verb, v), hidden) {
				t.Errorf("%T printed with %s contains the secret", v, verb)
			}
		}
	}
	stored, err := part.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	segment, err := knowledge.Segments()[0].AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for end := range stored {
		if err := new(audit.Part).UnmarshalBinary(stored[:end]); !errors.Is(err, audit.ErrStored) {
			t.Fatalf("the first %d bytes of a part: %v", end, err)
		}
	}
	for end := range segment {
		if _, err := audit.ParseSegment(segment[:end]); !errors.Is(err, audit.ErrStored) {
			t.Fatalf("the first %d bytes of a segment: %v", end, err)
		}
	}
}

// A segment is the same after it was stored.
func TestSegmentIsStored(t *testing.T) {
	for _, s := range storedFleet(t).ledger.Knowledge().Segments() {
		data, err := s.AppendBinary([]byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := audit.ParseSegment(bytes.TrimPrefix(data, []byte("before")))
		if err != nil {
			t.Fatal(err)
		}
		one, two := audit.NewKnowledge([]*audit.Segment{s}), audit.NewKnowledge([]*audit.Segment{again})
		if s.ID() != again.ID() || one.Version() != two.Version() || one.Len() != two.Len() || one.Len() == 0 {
			t.Errorf("got %q, version %d, %d secrets; want %q, %d, %d", again.ID(), two.Version(), two.Len(), s.ID(), one.Version(), one.Len())
		}
		if found := slices.Collect(two.Find([]byte("x n7Hq-vL2pX-83kd y"))); len(found) == 0 {
			t.Error("the secret is not found any more")
		}
	}
}

// storedFleet returns a settled fleet with secrets of several kinds.
func storedFleet(t rapid.TB) *fleet {
	t.Helper()
	f := newFleet(t, audit.Options{})
	f.put(t, "a", node("n", class("Db", `{"secret":"n7Hq-vL2pX-83kd"}`, "secret"), class("Open", `{"db_password":"n7Hq-vL2pX-83kd"}`),
		class("Other", `{"api_token":"zażółć\u0000\n 9fQ2mTx8Lw0v"}`)))
	f.settle(t)
	return f
}

// storedForms returns the stored forms of a part and of a segment.
func storedForms(t rapid.TB) (forms [][]byte) {
	t.Helper()
	f := storedFleet(t)
	part, err := f.ledger.Part("a").AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	segment, err := f.ledger.Knowledge().Segments()[0].AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{part, segment}
}

// Damaged state takes no more memory than its length justifies, even if it claims many
// elements.
func TestDamagedStateIsSmall(t *testing.T) {
	const padding = 64 << 10
	claim := binary.AppendUvarint(nil, padding-16)
	for _, form := range storedForms(t) {
		for at := range form {
			damaged := slices.Concat(form[:at], claim, bytes.Repeat([]byte{0xff}, padding))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := audit.ParseSegment(damaged)
			failed := new(audit.Part).UnmarshalBinary(damaged)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, audit.ErrStored) || !errors.Is(failed, audit.ErrStored) {
				t.Fatalf("a claim at byte %d: %v, %v", at, err, failed)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
				t.Errorf("a claim at byte %d takes %d bytes for %d", at, n, len(damaged))
			}
		}
	}
}

// Damaged state is an error, and neither ends the program nor takes much memory.
func FuzzStored(f *testing.F) {
	for _, form := range storedForms(f) {
		f.Add(form)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := new(audit.Part)
		if err := p.UnmarshalBinary(data); err == nil {
			again, err := p.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := new(audit.Part).UnmarshalBinary(again); err != nil {
				t.Fatalf("a part that was written cannot be read: %v", err)
			}
		} else if !errors.Is(err, audit.ErrStored) {
			t.Fatal(err)
		}
		s, err := audit.ParseSegment(data)
		if err != nil {
			if !errors.Is(err, audit.ErrStored) {
				t.Fatal(err)
			}
			return
		}
		again, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		same, err := audit.ParseSegment(again)
		if err != nil || same.ID() != s.ID() {
			t.Fatalf("a segment that was written cannot be read: %v", err)
		}
		one, two := audit.NewKnowledge([]*audit.Segment{s}), audit.NewKnowledge([]*audit.Segment{same})
		if one.Version() != two.Version() || one.Len() != two.Len() {
			t.Fatalf("a segment differs after it was stored: version %d, %d secrets; want %d, %d", two.Version(), two.Len(), one.Version(), one.Len())
		}
	})
}

// spelled yields ways to write a secret that a search for copies knows, and others.
func spelled(s string) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		each := func(format string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				fmt.Fprintf(&b, format, c)
			}
			return b.String()
		}
		lines := func(text string, width int, end string) string {
			return strings.Join(slices.Collect(func(yield func(string) bool) {
				for part := range slices.Chunk([]byte(text), width) {
					if !yield(string(part)) {
						return
					}
				}
			}), end)
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, _ = z.Write([]byte("x " + s + " y\n"))
		_ = z.Close()
		in64 := base64.StdEncoding.EncodeToString([]byte("x " + s + " y"))
		ways := [][2]string{
			{"JSON", each(`\u%04x`)}, {"C", each(`\x%02x`)}, {"octal", each(`\%03o`)}, {"percent", each("%%%02X")}, {"entities", each("&#%d;")},
			{"quoted-printable", each("=%02X")}, {"numbers", each("0x%02x, ")}, {"query", url.QueryEscape(s)}, {"HTML", html.EscapeString(s)},
			{"shell", strings.ReplaceAll(s, s[:3], s[:3]+`\`+"\n")}, {"quoted", strconv.Quote(s)}, {"quoted twice", strconv.Quote(strconv.Quote(s))},
			{"base64", in64}, {"base64 twice", base64.StdEncoding.EncodeToString([]byte(in64))}, {"base64 in lines", lines(in64, 10, "\n")},
			{"base64 in C", lines(in64, 12, `\n`)}, {"gzip", base64.StdEncoding.EncodeToString(zipped.Bytes())}, {"digest", fmt.Sprintf("%x", sha256.Sum256([]byte(s)))},
			{"upper case", strings.ToUpper(s)}, {"words", strings.Join(strings.Split(s, ""), " ")},
		}
		for form, text := range secret.Forms([]byte(s)) {
			if utf8.Valid(text) {
				ways = append(ways, [2]string{form.String(), string(text)})
			}
		}
		for _, way := range ways {
			if !yield(way[0], way[1]) {
				return
			}
		}
	}
}

// A search of extracts misses no spelling of a new secret that an audit finds.
func TestExtractsHaveAllSpellings(t *testing.T) {
	if testing.Short() {
		t.Skip("it audits each spelling")
	}
	found := map[string]bool{}
	for _, s := range []string{"n7Hq2vL2pX83kdTw", "k#V7q-x(Tz9!3L_m&p", "a\"b\\c/Zq7%Yx$2", "zażółć-gęślą-9fQ2mTx8", "3f9a1c77e0b24d5586aa01c9", "83920174650"} {
		f := newFleet(t, audit.Options{Key: []byte("a key for tests")})
		names := map[string]string{}
		for name, text := range spelled(s) {
			for _, way := range []string{
				`{"type":"Notify","title":"x","parameters":{"message":<T>}}`,
				`{"type":"Notify","title":"x","parameters":{"<K>":{"a":["b",{"c":<T>}]}}}`,
				`{"type":"Notify","title":<T>,"parameters":{}}`,
				`{"type":"Notify","title":"x","tags":[<T>],"parameters":{}}`,
				`{"type":"Notify","title":"x","parameters":{"message":{"__ptype":"Binary","__pvalue":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"}}}`,
			} {
				quoted, err := json.Marshal("a " + text + " z")
				if err != nil {
					t.Fatal(err)
				}
				id := fmt.Sprint("n", len(f.texts))
				names[id] = name
				f.put(t, id, node(id, strings.ReplaceAll(way, "<T>", string(quoted))))
			}
		}
		f.settle(t)
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		f.put(t, "z", node("z", class("Db", `{"secret":`+string(quoted)+`}`, "secret")))
		f.settle(t)
		want := f.run(t)
		if d := reportDiff(f.ledger.Report(), want); d != "" {
			t.Errorf("%s: %s", s, d)
		}
		if f.searches == 0 {
			t.Errorf("%s: no input was searched in place of an update", s)
		}
		for _, one := range want.Findings {
			found[names[one.Catalog]] = true
		}
	}
	for _, name := range []string{"JSON", "percent", "entities", "base64", "base64 in lines", "gzip", "digest", "hexadecimal", "UTF-16", "lower case", "raw"} {
		if !found[name] {
			t.Errorf("no audit finds %s", name)
		}
	}
}
