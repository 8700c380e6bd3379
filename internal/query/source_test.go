package query_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
)

// answers returns the values of an expression other than false, undef and empty
// arrays, with their resources.
func answers(t testing.TB, data []byte, text string, mask query.Mask) (lines []string) {
	t.Helper()
	q, err := query.New(evaluator(t), "-e", text)
	if err != nil {
		t.Fatal(err)
	}
	src := query.Source{Open: func() *catalog.Reader { return reader(t, data) }, Mask: mask}
	for r, err := range src.Resources(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		v, err := q.Ask(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		picked, message := query.Selects(v)
		if list, ok := v.(*pcore.Array); ok && list.Len() == 0 {
			continue
		}
		if picked {
			lines = append(lines, r.Ref().String())
		} else if message {
			lines = append(lines, r.Ref().String()+" "+v.String())
		}
	}
	return lines
}

// TestRelations asks about a compiled catalog, and about the same one in PuppetDB.
func TestRelations(t *testing.T) {
	for _, format := range []string{"rich", "puppetdb"} {
		data, err := os.ReadFile("../../testdata/catalogs/relations/" + format + ".json")
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			text string
			want []string
		}{
			{"$type == exec and /^Service/ in $notifies", []string{"Exec[build cache]", "Exec[warm up]"}},
			{"$type == file and 'Package[app]' in $requires", []string{"File[/srv/app/app.conf]"}},
			{"$type == file and 'Class[Site::App]' in $containers", []string{"File[/srv/app/app.conf]", "File[/srv/app/conf.d/]", "File[app dir]"}},
			{"if $type == service { $notified_by }", []string{"Service[app] ['Exec[build cache]', 'Exec[warm up]', 'File[/srv/app/app.conf]', 'Package[app]']"}},
			{"if $title == 'www' { $containers }", []string{"Site::Vhost[www] ['Class[main]', 'Stage[main]']"}},
			{"if $title == 'build cache' { $required_by }", []string{"Exec[build cache] ['Exec[warm up]', 'Service[app]']"}},
			{"if $title == '/etc/vhosts/a' { $container }", []string{"File[/etc/vhosts/a] 'Site::Vhost[a]'"}},
			{`$title == 'build cache' and getvar("noti${'fies'}") =~ Array[String, 1]`, []string{"Exec[build cache]"}},
			{"$type == stage and $container == undef and $containers.empty", []string{"Stage[main]"}},
		} {
			got := answers(t, data, tt.text, nil)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %s\n got %q\nwant %q", format, tt.text, got, tt.want)
			}
		}
	}
}

// TestNames finds the name of a node before and after its resources, for each catalog
// of a list.
func TestNames(t *testing.T) {
	list := []byte(`[{"name":"a","environment":"test","resources":[{"type":"File","title":"/x"}],"edges":[]},
 {"resources":[{"type":"File","title":"/x"},{"type":"File","title":"/y","parameters":{"require":"File[/x]"}}],"environment":"prod","name":"b"}]`)
	want := []string{"File[/x] ['a', 'test', undef]", "File[/x] ['b', 'prod', undef]", "File[/y] ['b', 'prod', undef]"}
	if got := answers(t, list, "[$certname, $environment, undef]", nil); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	want = []string{"File[/y] ['b', 'File[/x]']"}
	if got := answers(t, list, "if !$requires.empty { [$certname, *$requires] }", nil); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestMaskedRelations checks that references and names are masked.
func TestMaskedRelations(t *testing.T) {
	const canary = "C4nary-in-the-m1ne"
	data := []byte(`{"name":"n","environment":"of ` + canary + `","resources":[
 {"type":"File","title":"/a","parameters":{"content":"` + canary + `","before":"Exec[login ` + canary + `]","notify":"Exec[no ` + canary + `]"},"sensitive_parameters":["content"]},
 {"type":"Exec","title":"login ` + canary + `"},{"type":"Exec","title":"in","parameters":{"subscribe":"Exec[login ` + canary + `]"}}],
"edges":[{"source":"Exec[login ` + canary + `]","target":"Exec[in]"}]}`)
	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(reader(t, data)); err != nil {
		t.Fatal(err)
	}
	got := answers(t, data, "[$certname, $environment, $container, $containers, $requires, $required_by, $notifies, $notified_by]", c.Secrets().Redactor(nil))
	text := strings.Join(got, "\n")
	if len(got) != 3 || strings.Contains(text, canary) || strings.Count(text, "redacted-1-by-pcat") < 11 {
		t.Errorf("got %s", text)
	}
}

func TestCycle(t *testing.T) {
	data := []byte(`{"resources":[{"type":"Class","title":"A"},{"type":"Class","title":"B"}],
"edges":[{"source":"Class[A]","target":"Class[B]"},{"source":"Class[B]","target":"Class[A]"}]}`)
	if got := answers(t, data, "$containers", nil); !slices.Equal(got, []string{"Class[A] ['Class[B]']", "Class[B] ['Class[A]']"}) {
		t.Errorf("got %q", got)
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		text, names, row string
	}{
		{"$title", "title", "'/a'"},
		{"$title, $parameters[mode], $parameters['content'] ,$line + 1", "title|mode|content|$line + 1", "'/a'|'0666'|Sensitive [value redacted]|8"},
		{"'a,b', [1, 2], {a => 1}, $tags.map |$t| { $t.upcase } # all", "'a,b'|[1, 2]|{a => 1}|$tags.map |$t| { $t.upcase }", "'a,b'|[1, 2]|{'a' => 1}|['FILE', 'BASE']"},
		{"*$tags, $parameters", "*$tags|parameters", "'file'|'base'"},
		{"undef,", "undef", "undef"},
	} {
		c, err := query.NewColumns(evaluator(t), "--csv", tt.text)
		if err != nil {
			t.Fatal(err)
		}
		src := query.Source{Open: func() *catalog.Reader { return reader(t, []byte(document)) }}
		for r, err := range src.Resources(t.Context(), c.Query) {
			if err != nil {
				t.Fatal(err)
			}
			row, err := c.Row(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, v := range row {
				texts = append(texts, v.String())
			}
			if names := strings.Join(c.Names(), "|"); names != tt.names || strings.Join(texts, "|") != tt.row {
				t.Errorf("%s\n got %s: %s\nwant %s: %s", tt.text, names, strings.Join(texts, "|"), tt.names, tt.row)
			}
			break
		}
	}
	for _, text := range []string{"", " ", "1]; [2", "1] + [2", "1 +"} {
		if c, err := query.NewColumns(evaluator(t), "--csv", text); err == nil {
			t.Errorf("%q: got %q", text, c.Names())
		}
	}
}

// A chain of containers, which Puppet does not compile, takes linear time, and its list is
// cut.
func TestDeepContainment(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	var resources, edges []string
	for i := range 20000 {
		resources = append(resources, fmt.Sprintf(`{"type":"A","title":"%d"}`, i))
		edges = append(edges, fmt.Sprintf(`{"source":"A[%d]","target":"A[%d]"}`, i, i+1))
	}
	data := []byte(`{"name":"n","resources":[` + strings.Join(resources, ",") + `],"edges":[` + strings.Join(edges[:len(edges)-1], ",") + `]}`)
	got := answers(t, data, "if $title == '19999' { [$container, $containers.length] }", nil)
	if want := []string{"A[19999] ['A[19998]', 100]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
