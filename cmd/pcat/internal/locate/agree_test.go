package locate_test

import (
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestAgreement checks that query, lookup and graph find the same containers and
// relations for all resources of the catalogs, with their edges in any order.
func TestAgreement(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	documents := map[string][]byte{"names": []byte(named)}
	for _, file := range append(files, "../../../../testdata/catalogs/relations/puppetdb.json", "../../../../testdata/graphs/namevars.json") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents[file] = data
	}
	for name, data := range documents {
		for order, data := range map[string][]byte{"": data, " reversed": reversed(t, data)} {
			t.Run(name+order, func(t *testing.T) { agree(t, data) })
		}
	}
}

// named has references by all kinds of names, and to nothing.
const named = `{"resources":[
{"type":"Stage","title":"main"},{"type":"Class","title":"A"},{"type":"A::B","title":"d"},
{"type":"K5login","title":"k5","parameters":{"path":"/root/.k5login","name":"kname"}},
{"type":"Tidy","title":"t","parameters":{"path":"/tmp","name":"tt"}},
{"type":"File","title":"root","parameters":{"path":"/root/","name":"rootname"}},
{"type":"File","title":"/srv/","parameters":{"alias":["srv","the srv"]}},
{"type":"Exec","title":"e","parameters":{"command":"/bin/e","name":"other"}},
{"type":"Package","title":"p","parameters":{"name":"pp"}},
{"type":"Zpool","title":"z","parameters":{"pool":"tank","name":"zname"}},
{"type":"Mine","title":"m","parameters":{"name":"mm"}},
{"type":"Notify","title":"n","parameters":{"alias":12,"require":
["K5login[/root/.k5login]","K5login[kname]","Tidy[tt]","Tidy[/tmp]","File[rootname]","File[/root]","File[/root/]","file[srv]","File[/srv]",
"Exec[other]","Exec[/bin/e]","Package[pp]","Zpool[tank]","Zpool[zname]","Mine[mm]","class[a]","a::b[d]","CLASS[a]","Class[::a]","Nothing[x]"]}},
{"type":"Notify","title":"o","parameters":{"require":["Notify[12]","Notify[n]"],"notify":"Class[a]"}},
{"type":"Notify","title":"p","parameters":{"before":[["File[the srv]"],"no reference"],"subscribe":"File[gone]"}}],
"edges":[{"source":"Stage[main]","target":"Class[A]"},{"source":"Class[A]","target":"A::B[d]"},{"source":"A::B[d]","target":"File[/srv]"},
{"source":"Class[Gone]","target":"Notify[n]"},{"source":"Stage[main]","target":"Class[Gone]"}]}`

func reversed(t *testing.T, data []byte) []byte {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	whole := map[string]json.RawMessage{}
	edges := all["edges"]
	in := json.Unmarshal(edges, &whole) == nil // PuppetDB has them in data
	if in {
		edges = whole["data"]
	}
	var list []json.RawMessage
	if err := json.Unmarshal(edges, &list); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	encode := func(v any) json.RawMessage {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	all["edges"] = encode(list)
	if in {
		whole["data"] = encode(list)
		all["edges"] = encode(whole)
	}
	return encode(all)
}

const expression = "[$containers, $requires, $required_by, $notifies, $notified_by]"

func agree(t *testing.T, data []byte) {
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{})
	}
	explicit := explicitOf(t, open())
	q, err := query.New(&eval.Evaluator{}, "-e", expression)
	if err != nil {
		t.Fatal(err)
	}
	src := query.Source{Open: open}
	for r, err := range src.Resources(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		v, err := q.Ask(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		ref := r.Ref().String()
		target, _ := locate.Parse(ref)
		all, err := locate.Find(func() iter.Seq2[catalog.Part, error] { return open().Parts() }, target)
		if err != nil || len(all) != 1 || len(all[0].Found) != 1 {
			t.Fatalf("%s: %d catalogs, %v", ref, len(all), err)
		}
		found := all[0].Found[0]
		var lists [5][]string
		seen := map[string]bool{}
		for _, c := range found.Containers {
			lists[0] = append(lists[0], c.String())
		}
		for _, relation := range found.Relations {
			text := relation.Ref.String()
			switch relation.Kind {
			case locate.NotifiedBy:
				lists[4] = append(lists[4], text)
				fallthrough
			case locate.Requires:
				lists[1] = append(lists[1], text)
			case locate.Notifies:
				lists[3] = append(lists[3], text)
				fallthrough
			case locate.RequiredBy:
				lists[2] = append(lists[2], text)
			}
			if relation.Absent != (explicit[ref][text] == 0) && len(relation.By) > 0 {
				t.Errorf("%s %s %s: absent %v in lookup, %d arrows in graph", ref, relation.Kind, text, relation.Absent, explicit[ref][text])
			}
			seen[text] = true
		}
		for other := range explicit[ref] {
			if !seen[other] {
				t.Errorf("%s: lookup lacks %s", ref, other)
			}
		}
		answer, _ := v.(*pcore.Array)
		for i, list := range lists {
			if i > 0 {
				slices.Sort(list)
				list = slices.Compact(list)
			}
			if got := puppet.Texts(nil, answer.At(i)); !slices.Equal(got, list) {
				t.Errorf("%s: %d of %s\nquery  %q\nlookup %q", ref, i, expression, got, list)
			}
		}
	}
}

// explicitOf returns the arrows of graph that metaparameters state, from both ends.
func explicitOf(t *testing.T, src *catalog.Reader) map[string]map[string]int {
	t.Helper()
	explicit := map[string]map[string]int{}
	for c, err := range src.Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.New(c)
		if err != nil {
			t.Fatal(err)
		}
		add := func(at, other int) {
			ref := g.Node(at).Ref.String()
			if explicit[ref] == nil {
				explicit[ref] = map[string]int{}
			}
			explicit[ref][g.Node(other).Ref.String()]++
		}
		for a := range g.Relations() {
			if a.Kind <= graph.Notify {
				add(a.From, a.To)
				add(a.To, a.From)
			}
		}
	}
	return explicit
}
