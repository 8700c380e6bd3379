package draw_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/graph"
	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/internal/test/pagetest"
	"github.com/pcatdev/pcat/sensitive"
)

// resource is a resource of a catalog in a test.
type resource struct {
	Type       string              `json:"type"`
	Title      string              `json:"title"`
	Kind       string              `json:"kind"`
	File       string              `json:"file,omitempty"`
	Line       int                 `json:"line,omitempty"`
	Parameters map[string][]string `json:"parameters,omitempty"`

	number int
}

func (r *resource) ref() string { return r.Type + "[" + r.Title + "]" }

// generated is a catalog with classes, instances of a defined type, and arrows
// between resources, mostly of the same class.
type generated struct {
	Name      string              `json:"name"`
	Resources []*resource         `json:"resources"`
	Edges     []map[string]string `json:"edges"`
}

func (c *generated) add(parent *resource, typ, title, kind string) *resource {
	r := &resource{Type: typ, Title: title, Kind: kind, File: "/etc/puppetlabs/code/environments/production/modules/app/manifests/init.pp", Line: len(c.Resources)%400 + 1, Parameters: map[string][]string{}, number: len(c.Resources)}
	c.Resources = append(c.Resources, r)
	if parent != nil {
		c.Edges = append(c.Edges, map[string]string{"source": parent.ref(), "target": r.ref()})
	}
	return r
}

func generate(nodes, arrows int) *generated {
	r := rand.New(rand.NewPCG(1, 2))
	c := &generated{Name: "big.example.com"}
	var classes [][]*resource
	types := []string{"File", "File", "Package", "Service", "Exec"}
	for len(c.Resources) < nodes {
		n := len(classes)
		class := c.add(nil, "Class", fmt.Sprintf("Profile::App%d", n), "class")
		var own []*resource
		for i := range 3 + r.IntN(60) {
			if len(c.Resources) >= nodes {
				break
			}
			parent := class
			if i%9 == 8 {
				parent = c.add(class, "App::Instance", fmt.Sprintf("instance-%d-%d", n, i), "definition")
			}
			typ := types[r.IntN(len(types))]
			own = append(own, c.add(parent, typ, fmt.Sprintf("/srv/app%d/conf.d/%s-%d.conf", n, typ, i), "compilable_type"))
		}
		classes = append(classes, own)
	}
	for range arrows {
		own := classes[r.IntN(len(classes))]
		other := own
		if r.IntN(5) == 0 {
			other = classes[r.IntN(len(classes))]
		}
		if len(own) == 0 || len(other) == 0 {
			continue
		}
		from, to := own[r.IntN(len(own))], other[r.IntN(len(other))]
		if from.number == to.number {
			continue
		}
		if from.number > to.number { // no cycles
			from, to = to, from
		}
		kind := []string{"before", "before", "notify"}[r.IntN(3)]
		from.Parameters[kind] = append(from.Parameters[kind], to.ref())
	}
	return c
}

// view returns the view of a catalog, which is encoded as JSON.
func view(t testing.TB, c any) *draw.View {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return viewOf(t, catalogtest.JSON(string(text))())
}

// stack returns the view of a catalog of testdata.
func stack(t testing.TB, path string) *draw.View {
	t.Helper()
	file, err := catalog.Open("../../../../../testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return viewOf(t, file.Reader)
}

// graphOf returns the graph of a catalog of testdata.
func graphOf(t testing.TB, path string) *graph.Graph {
	t.Helper()
	file, err := catalog.Open("../../../../../testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	g, err := graph.New(catalogtest.Only(t, file.Reader))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// viewOf returns the view of a catalog.
func viewOf(t testing.TB, r *catalog.Reader) *draw.View {
	t.Helper()
	c := catalogtest.Only(t, r)
	g, err := graph.New(c)
	if err != nil {
		t.Fatal(err)
	}
	v := draw.Select(g, new(sensitive.Redactor), draw.Options{What: draw.Both})
	v.Name = c.Name()
	return v
}

// compared returns the view of the differences of two catalogs.
func compared(t testing.TB, before, after any) *draw.View {
	t.Helper()
	graphOf := func(c any) *graph.Graph { // of the JSON of a catalog
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.New(catalogtest.Only(t, catalogtest.JSON(string(text))()))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	a, b := graphOf(before), graphOf(after)
	states := make(map[catalog.Ref]draw.State)
	for i := range b.Len() {
		if v, ok, err := b.Node(i).Resource.Parameter("mode"); err != nil {
			t.Fatal(err)
		} else if ok && v != nil {
			states[b.Node(i).Ref] = draw.Changed
		}
	}
	return draw.Compare(a, b, -1, new(sensitive.Redactor), draw.Options{What: draw.Both, States: states})
}

func page(t testing.TB, v *draw.View) string {
	t.Helper()
	var b strings.Builder
	if err := draw.Write(&b, "html", v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const nodes, arrows = 4000, 15000

func TestPageSize(t *testing.T) {
	v := view(t, generate(nodes, arrows))
	if len(v.Nodes) != nodes || len(v.Arrows) < arrows*9/10 {
		t.Fatalf("%d nodes, %d arrows", len(v.Nodes), len(v.Arrows))
	}
	if n := len(page(t, v)); n > 1_500_000 {
		t.Errorf("the page has %d bytes", n)
	}
}

// The page needs nothing but itself, and no text of a catalog becomes markup.
func TestPageMarkup(t *testing.T) {
	hostile := "</script><script>alert(1)</script><!--\u2028\u202e\x00"
	v := view(t, map[string]any{"name": hostile, "resources": []map[string]any{
		{"type": "File", "title": hostile, "file": hostile, "kind": "compilable_type"},
		{"type": "Notify", "title": "${data}", "kind": "compilable_type"},
	}})
	text := page(t, v)
	if n := strings.Count(text, "</script>"); n != 2 {
		t.Errorf("%d elements of scripts end", n)
	}
	for _, bad := range []string{"<!--", "alert(1)</", "\u2028", "\u202e", "\x00", "http://", "https://", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, ""), bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
}

// Any title makes a valid document of XML.
func TestGraphML(t *testing.T) {
	v := view(t, map[string]any{"name": "n", "resources": []map[string]any{
		{"type": "File", "title": "<a b='c'>&\"\x00\x1b\ufffe\u202e]]>", "kind": "compilable_type", "parameters": map[string]any{"before": "Notify[n]"}},
		{"type": "Notify", "title": "n", "kind": "compilable_type"},
	}})
	var b strings.Builder
	if err := draw.Write(&b, "graphml", v); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if want := "File[&lt;a b=&#39;c&#39;&gt;&amp;&#34;····]]&gt;]"; !strings.Contains(b.String(), want) {
		t.Errorf("%s is not in\n%s", want, b.String())
	}
}

// Nodes do not overlap, and lie inside their containers.
func TestPagePositions(t *testing.T) {
	for name, v := range map[string]*draw.View{
		"webstack": stack(t, "catalogs/webstack/rich.json"), "cycles": stack(t, "graphs/long-chord.json"), "generated": view(t, generate(600, 1500)),
	} {
		rects := draw.Positions(v)
		for i, a := range rects {
			if p := v.Nodes[i].Parent; p >= 0 && (a[0] < 0 || a[1] < 0 || a[0]+a[2] > rects[p][2] || a[1]+a[3] > rects[p][3]) {
				t.Errorf("%s: %s is outside of its container: %v in %v", name, v.Nodes[i].Ref, a, rects[p])
			}
			for k, b := range rects[:i] {
				if v.Nodes[i].Parent == v.Nodes[k].Parent && a[0] < b[0]+b[2] && b[0] < a[0]+a[2] && a[1] < b[1]+b[3] && b[1] < a[1]+a[3] {
					t.Errorf("%s: %s %v and %s %v overlap", name, v.Nodes[i].Ref, a, v.Nodes[k].Ref, b)
				}
			}
		}
	}
}

func TestPageInBrowser(t *testing.T) {
	pagetest.Run(t, map[string]func(*testing.T, *pagetest.Browser){
		"refreshes": testRefreshes, "changes": testChanges, "routes": testRoutes, "refreshed": testRefreshed, "select": testSelect, "search": testSearch, "cycles": testCycles, "table": testTable, "export": testExport, "hostile": testHostile, "narrow": testNarrow, "speed": testSpeed,
	})
}

// tried returns a page to open, with short names for expressions about its graph, and the
// picture instead of its first view.
func tried(t *testing.T, v *draw.View) pagetest.Page {
	t.Helper()
	return pagetest.Page{Text: page(t, v), Helpers: helpers + "changeView('picture');"}
}

const helpers = `
const rest = async () => { for (let i = 0, last = ''; i < 200; i++) { await frame(); const now = JSON.stringify(camera); if (now === last && i > 2) return; last = now; } };
const point = (ref) => { const i = g.ref.indexOf(ref); const box = canvas.getBoundingClientRect(); return { clientX: box.left + (g.x[i] + g.w[i] / 2 - camera.x) * camera.scale, clientY: box.top + (g.y[i] + 8 - camera.y) * camera.scale, pointerId: 1, bubbles: true, buttons: 1 }; };
canvas.setPointerCapture = () => {};
const click = (ref, more) => { canvas.dispatchEvent(new PointerEvent('pointerdown', { ...point(ref), ...more })); canvas.dispatchEvent(new PointerEvent('pointerup', { ...point(ref), ...more })); };
`

// The page begins with the refreshes. A click or a search shows the relations of a resource.
func testRefreshes(t *testing.T, b *pagetest.Browser) {
	p := tried(t, stack(t, "graphs/refresh.json"))
	p.Helpers = helpers
	b.Try(t, p, []pagetest.Step{
		{"", "view + texts('#list h2')", "list5 refresh chains"},
		{"", "texts('.chain')[1]", "File[/etc/nginx.conf] Service[nginx]"},
		{"", "$('#picture').hidden && $('#side').hidden", "true"},
		{"$$('.chain a').find((e) => e.textContent === 'Service[nginx]').click()", "view + texts('#side h2')", "listService[nginx]"},
		{"", "texts('#side h3')", "Applied after (2),Refreshed by a change of (3)"},
		{"press('/'); $('#search').value = 'exec third'; $('#search').dispatchEvent(new Event('input'))", "texts('#results code')", "Exec[/bin/third]"},
		{"press('Enter')", "texts('#side h2') + texts('#side h3')", "Exec[/bin/third]Applied after (3),Applied before (1),Refreshed by a change of (3),A change would refresh (2)"},
		{"$('#side .actions button').click(); await rest()", "view + scene.nodes.includes(chosen.node) + g.ref[chosen.node]", "picturetrueExec[/bin/third]"},
		{"press('r')", "view + document.activeElement.id", "listlist"},
		{"press('Escape')", "$('#side').hidden", "true"},
	})
	b.Try(t, pagetest.Page{Text: page(t, stack(t, "catalogs/empty/rich.json")), Helpers: helpers}, []pagetest.Step{
		{"", "view + texts('#list h2')", "pictureNo refreshes"},
	})
}

// The page finds the same refreshes of each resource as pcat why.
func testRefreshed(t *testing.T, b *pagetest.Browser) {
	for _, name := range []string{"graphs/refresh.json", "graphs/class-notify.json", "graphs/nested-defines.json", "graphs/two-cycles.json", "catalogs/webstack/rich.json"} {
		g := graphOf(t, name)
		b.Open(t, tried(t, stack(t, name)))
		for i := range g.Len() {
			ref := g.Node(i).Ref.String()
			for script, list := range map[string][]graph.Refresh{"refreshing": g.RefreshedBy(i), "refreshedBy": g.Refreshes(i)} {
				var want []string
				for _, r := range list {
					want = append(want, g.Node(r.Node).Ref.String())
				}
				slices.Sort(want)
				got := pagetest.Eval[[]string](t, b, fmt.Sprintf("(() => { const i = g.ref.indexOf(%q); return i < 0 ? ['none'] : %s(g, i).map((r) => g.ref[r.node]).sort(); })()", ref, script))
				if !slices.Equal(got, []string{"none"}) && !slices.Equal(got, want) {
					t.Errorf("%s: %s of %s: got %v, want %v", name, script, ref, got, want)
				}
			}
		}
	}
}

// A closed container has the colour of changes and the number of its changed resources.
func testChanges(t *testing.T, b *pagetest.Browser) {
	before, after := generate(300, 0), generate(300, 0)
	for i, r := range after.Resources {
		if r.Type == "File" && i%40 == 1 {
			r.Line++
			r.Parameters["mode"] = []string{"0600"}
		}
	}
	b.Try(t, tried(t, compared(t, before, after)), []pagetest.Step{
		{"for (const i of g.roots) choice.open.set(i, false); draw.now()", "[...g.roots].reduce((sum, i) => sum + g.changed[i], 0)", "2"},
		{"const svg = new SVG(size.width, size.height); paint(svg, g, sceneOf(), color)", "svg.text('').split('changed<').length - 1 === g.roots.filter((i) => g.changed[i]).length", "true"},
		{"changeView('list')", "texts('#list h2')[0]", "2 resources with changes"},
	})
}

// Arrows lead round the containers and nodes that are in the way.
func testRoutes(t *testing.T, b *pagetest.Browser) {
	for _, v := range []*draw.View{stack(t, "catalogs/webstack/rich.json"), stack(t, "graphs/refresh.json"), view(t, generate(300, 200))} {
		b.Open(t, tried(t, v))
		b.Steps(t, []pagetest.Step{
			{`openAll(); const { arrows } = sceneOf();
			const own = (i) => [i, ...containersOf(g, i)];
			const crossed = arrows.filter((a) => {
				const points = routeOf(g, a, false);
				const near = new Set([...own(a.from), ...own(a.to)]);
				return points.slice(1).some((q, k) => g.order.some((i) => !near.has(i) && !own(i).some((p) => p === a.from || p === a.to) && enters(boxOf(g, i, 0), points[k], q) < 1));
			})`, "crossed.length <= arrows.length / 50 || crossed.length + ' of ' + arrows.length", "true"},
		})
		b.Quiet(t)
	}
}

// A click selects, a click with Shift shows a path, and keys do the same.
func testSelect(t *testing.T, b *pagetest.Browser) {
	b.Try(t, tried(t, stack(t, "graphs/refresh.json")), []pagetest.Step{
		{"", "texts('#side h2')", "15 resources"},
		{"click('Package[nginx]')", "texts('#side h2')", "Package[nginx]"},
		{"", "texts('#side h3')", "Applied after (1),Applied before (2),Refreshed by a change of (2),A change would refresh (3)"},
		{"", "$('#status').textContent", "Package[nginx], 0 arrows to it, 2 arrows from it"},
		{"click('Service[nginx]', { shiftKey: true }); await rest()", "texts('#side h2') + texts('#side li')", "Path of 2 stepsPackage[nginx],↓ beforeFile[/etc/nginx.conf],↓ notifyService[nginx]"},
		{"press('Escape')", "texts('#side h2')", "15 resources"},
		{"press('j'); press('j'); press('k'); await rest()", "g.order.indexOf(chosen.node)", "0"},
		{"show(g.ref.indexOf('Package[nginx]')); press(']'); await rest()", "g.ref[chosen.node]", "File[/etc/nginx.conf]"},
		{"press('['); await rest()", "g.ref[chosen.node]", "Package[nginx]"},
		{"show(g.ref.indexOf('Class[Web]')); await rest()", "scene.open[chosen.node] + texts('#side .actions button')", "1Close"},
		{"press('o'); await rest()", "scene.open[chosen.node] + texts('#side .actions button')", "0Open"},
		{"press('o'); await rest()", "scene.open[chosen.node] + texts('#side .actions button')", "1Close"},
		{"const was = camera.scale; press('+'); await rest(); press('0'); await rest()", "was > 0 && camera.x <= 0", "true"},
		{"const was = camera.x; press('ArrowRight'); await rest()", "camera.x > was", "true"},
		{"canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, clientX: 500, clientY: 400 })); await rest()", "camera.scale > 1", "true"},
		{"press('0'); press('Escape'); await rest(); $('#side input').click(); await rest()", "scene.arrows.some((a) => a.refresh)", "false"},
	})
}

func testSearch(t *testing.T, b *pagetest.Browser) {
	b.Try(t, tried(t, stack(t, "catalogs/webstack/rich.json")), []pagetest.Step{
		{"press('/')", "document.activeElement.id", "search"},
		{"$('#search').value = 'APACHE service'; $('#search').dispatchEvent(new Event('input'))", "texts('#results code')", "Service[apache2]"},
		{"press('Enter'); await rest()", "texts('#side h2') + $('#results').hidden", "Service[apache2]true"},
		{"", "scene.nodes.includes(chosen.node)", "true"},
		{"press('/'); $('#search').value = 'nothing like it'; $('#search').dispatchEvent(new Event('input'))", "texts('#results li')", "No resource has these words."},
		{"press('Escape')", "document.activeElement.id", "canvas"},
	})
}

func testCycles(t *testing.T, b *pagetest.Browser) {
	b.Try(t, tried(t, stack(t, "graphs/two-cycles.json")), []pagetest.Step{
		{"", "texts('#side h3').at(-1)", "2 dependency cycles"},
		{"$$('#side ol button')[0].click(); await rest()", "texts('#side h2')", "Path of 2 steps"},
	})
}

func testTable(t *testing.T, b *pagetest.Browser) {
	b.Try(t, tried(t, view(t, generate(500, 900))), []pagetest.Step{
		{"press('t')", "$$('tbody tr').length + texts('#table > button') + document.activeElement.id", "200Show 200 more of 500table"},
		{"$('#table > button').click(); $('#table > button').click()", "$$('tbody tr').length + ' ' + $('#table > button').hidden", "500 true"},
		{"", "texts('thead th')", "Resource,In,Applied after,Applied before,Manifest,Remarks"},
		{"$('tbody button').click(); await rest()", "$('#table').hidden + texts('#side h2')", "trueClass[Profile::App0]"},
	})
}

// The visible part can be saved as SVG.
func testExport(t *testing.T, b *pagetest.Browser) {
	b.Open(t, tried(t, stack(t, "graphs/refresh.json")))
	pagetest.Eval[any](t, b, "$$('#buttons button').find((e) => e.textContent === 'SVG').click()")
	svg := b.Downloaded(t, "graph.svg")
	for _, want := range []string{`<svg xmlns="http://www.w3.org/2000/svg"`, "Service[nginx]", "</svg>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the file does not contain %s", want)
		}
	}
	if err := xml.Unmarshal([]byte(svg), new(any)); err != nil {
		t.Error(err)
	}
	b.Quiet(t)
}

func testHostile(t *testing.T, b *pagetest.Browser) {
	hostile := "</script><img src=x onerror=alert(1)>\u202e"
	b.Open(t, tried(t, view(t, map[string]any{"name": hostile, "resources": []map[string]any{
		{"type": "File", "title": hostile, "file": hostile, "kind": "compilable_type"}, {"type": "Notify", "title": "n", "kind": "compilable_type", "parameters": map[string]any{"require": "File[" + hostile + "]"}},
	}})))
	b.Steps(t, []pagetest.Step{
		{"show(0); await rest(); changeView('table'); press('/'); $('#search').value = 'img'; $('#search').dispatchEvent(new Event('input'))", "$$('img').length + ' ' + document.scripts.length + texts('#results code')", "0 2File[</script><img src=x onerror=alert(1)>·]"},
		{"", "document.title", "</script><img src=x onerror=alert(1)>·: graph"},
	})
	svg := pagetest.Eval[string](t, b, "(() => { const svg = new SVG(size.width, size.height); paint(svg, g, sceneOf(), color); return svg.text(g.name); })()")
	if strings.Contains(svg, "<img") {
		t.Error("the title is markup in the SVG file")
	}
	b.Quiet(t)
}

// Nothing is wider than a telephone.
func testNarrow(t *testing.T, b *pagetest.Browser) {
	for _, v := range []*draw.View{stack(t, "catalogs/webstack/rich.json"), stack(t, "catalogs/empty/rich.json"), view(t, generate(600, 1500))} {
		b.Try(t, pagetest.Page{Text: page(t, v), Helpers: helpers, Width: 400}, []pagetest.Step{
			{"", "view !== 'picture' && document.documentElement.scrollWidth <= 400", "true"},
			{"if (g.n) show(0)", "document.documentElement.scrollWidth <= 400", "true"},
			{"clear(); changeView('picture'); await rest()", "document.documentElement.scrollWidth <= 400", "true"},
			{"if (g.n) show(g.n - 1); await rest()", "document.documentElement.scrollWidth <= 400 && $('#side').getBoundingClientRect().right <= 400", "true"},
			{"press('t')", "document.documentElement.scrollWidth <= 400", "true"},
		})
	}
}

// The page of a large catalog is there in less than a second, and each frame of a
// movement takes less than 20 ms.
func testSpeed(t *testing.T, b *pagetest.Browser) {
	stopwatch := b.Stopwatch(t)
	large := tried(t, view(t, generate(nodes, arrows)))
	took := stopwatch(func() {
		b.Open(t, large)
		pagetest.Eval[any](t, b, "frame()")
	})
	paint := pagetest.Eval[float64](t, b, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
	t.Logf("the page: %.0f ms of work, first paint after %.0f ms", took, paint)
	if took >= 1000 {
		t.Errorf("the page takes %.0f ms", took)
	}
	for _, act := range []string{
		"pan(6 * Math.sign(Math.sin(i / 20)), 3)",
		"zoomAt(600, 400, i % 30 < 15 ? 1.04 : 1 / 1.04)",
		"if (i === 0) { Object.assign(camera, { x: 2000, y: 1500, scale: 0.7 }); } pan(8, 3)",
		"if (i === 0) { openAll(); Object.assign(camera, whole()); } pan(2, 1)",
		"zoomAt(600, 400, i % 30 < 15 ? 1.03 : 1 / 1.03)",
		"if (i === 0) select(1500); pan(-2, 1)",
	} {
		const frames = 30
		var r struct{ Time, Slowest float64 }
		each := stopwatch(func() {
			r = pagetest.Eval[struct{ Time, Slowest float64 }](t, b, fmt.Sprintf(`(async () => {
				let last = performance.now();
				const start = last;
				let slowest = 0;
				for (let i = 0; i < %d; i++) {
					%s;
					await new Promise((done) => requestAnimationFrame(done));
					const now = performance.now();
					slowest = Math.max(slowest, now - last);
					last = now;
				}
				return { Time: last - start, Slowest: slowest };
			})()`, frames, act))
		}) / frames
		t.Logf("%.0f frames a second, the slowest after %.0f ms; %.1f ms of work a frame: %s", frames*1000/r.Time, r.Slowest, each, act)
		if each >= 20 {
			t.Errorf("%s: %.1f ms a frame", act, each)
		}
	}
	search := pagetest.Eval[float64](t, b, "(() => { const start = performance.now(); for (const text of ['file', 'app1 conf', 'service app99', 'x y z']) search(g, text); return (performance.now() - start) / 4; })()")
	t.Logf("a search takes %.1f ms", search)
	if search >= 16 {
		t.Errorf("a search takes %.1f ms", search)
	}
	b.Quiet(t)
}
