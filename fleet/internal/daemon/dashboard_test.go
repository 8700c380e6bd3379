package daemon

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/pcatdev/pcat/internal/auditconfig"
)

// query is a query of the dashboard.
type query struct{ panel, Expr, LegendFormat string }

// dashboard reads the queries of the dashboard, and of its variables.
func dashboard(t *testing.T) []query {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "packaging", "pcatd-dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Type, Title string
			Targets     []query
		}
		Templating struct {
			List []struct{ Name, Type, Query string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	var list []query
	for _, p := range board.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s has no query", p.Title)
		}
		for _, q := range p.Targets {
			q.panel = p.Title
			list = append(list, q)
		}
	}
	values := regexp.MustCompile(`^label_values\((\w+), (\w+)\)$`)
	for _, v := range board.Templating.List {
		if v.Type != "query" {
			continue
		}
		found := values.FindStringSubmatch(v.Query)
		if found == nil {
			t.Fatalf("the variable %s has the query %q", v.Name, v.Query)
		}
		list = append(list, query{"the variable " + v.Name, "count by (" + found[2] + ") (" + found[1] + ")", "{{" + found[2] + "}}"})
	}
	return list
}

// TestDashboard evaluates the queries of the dashboard over the metrics of a fleet: each metric
// and each label that they name exists there.
func TestDashboard(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, func(m *monitored) {
		m.o.Decisions.Config = filepath.Join(t.TempDir(), auditconfig.Name)
		if err := os.WriteFile(m.o.Decisions.Config, []byte("owners: {/site/: '@apps'}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	m.put("db", `{"name":"db","resources":[{"type":"File","title":"/etc/app.ini","file":"/code/environments/production/site/app.pp","line":3,`+
		`"parameters":{"content":"password = k9FzQ2mTx8Lw0vR4"}}],"edges":[]}`)
	m.until("the leak is not found", func(key string, one sample) bool { return strings.Contains(key, `owner="@apps"`) && one.value > 0 })
	m.compiler("web01", time.Now().Add(time.Second), `{"certname":"web01","version":"2","environment":"production","resources":[],"edges":[]}`)
	first := m.scrape()
	m.compiler("web01", time.Now().Add(2*time.Second), `{"certname":"web01","version":"3","environment":"production","resources":[],"edges":[]}`)
	s := m.scrape()
	s[0] = first[0]
	known := map[string]map[string]bool{} // labels, by metric
	for _, one := range s[1].metrics {
		name := one.labels.Get("__name__")
		if known[name] == nil {
			known[name] = map[string]bool{}
		}
		maps.Copy(known[name], labelsOf(&one))
	}
	start := s[0].at
	h := newTimeline(start, s, s)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10_000_000, Timeout: time.Minute, LookbackDelta: 5 * time.Minute})
	legend := regexp.MustCompile(`{{(\w+)}}`)
	for _, q := range dashboard(t) {
		expr := strings.NewReplacer("$__rate_interval", "5m", "$owner", ".*").Replace(q.Expr)
		tree, err := parser.NewParser(parser.Options{}).ParseExpr(expr)
		if err != nil {
			t.Errorf("%s: %v", q.panel, err)
			continue
		}
		named := labelsIn(t, q.panel, tree, known)
		question, err := engine.NewInstantQuery(t.Context(), h, nil, expr, start.Add(broke/2))
		if err != nil {
			t.Fatal(err)
		}
		result := question.Exec(t.Context())
		vector, err := result.Vector()
		if err := cmp.Or(result.Err, err); err != nil {
			t.Errorf("%s: %v", q.panel, err)
		}
		if len(vector) == 0 {
			t.Errorf("%s: %s has no result", q.panel, expr)
		}
		for _, found := range legend.FindAllStringSubmatch(q.LegendFormat, -1) {
			named = append(named, found[1])
		}
		for _, name := range named {
			if !slices.ContainsFunc(vector, func(one promql.Sample) bool { return one.Metric.Has(name) }) {
				t.Errorf("%s: no result has the label %s", q.panel, name)
			}
		}
		question.Close()
	}
}

// labelsIn checks the metrics and the labels of an expression, and returns the labels that its
// result has.
func labelsIn(t *testing.T, panel string, tree parser.Expr, known map[string]map[string]bool) (result []string) {
	t.Helper()
	parser.Inspect(tree, func(node parser.Node, path []parser.Node) error {
		switch node := node.(type) {
		case *parser.VectorSelector:
			if known[node.Name] == nil {
				t.Errorf("%s: there is no metric %s", panel, node.Name)
			}
			for _, l := range node.LabelMatchers {
				if l.Name != "__name__" && !known[node.Name][l.Name] {
					t.Errorf("%s: %s has no label %s", panel, node.Name, l.Name)
				}
			}
		case *parser.AggregateExpr:
			inner := slices.ContainsFunc(path, func(p parser.Node) bool { _, call := p.(*parser.Call); return call }) // histogram_quantile removes le
			for _, name := range node.Grouping {
				if !inner || name != "le" {
					result = append(result, name)
				}
			}
		}
		return nil
	})
	return result
}

// labelsOf returns the names of the labels of a sample.
func labelsOf(one *sample) map[string]bool {
	names := map[string]bool{}
	for name := range one.labels.Map() {
		names[name] = true
	}
	return names
}
