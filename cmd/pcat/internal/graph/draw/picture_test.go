package draw_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/graph/draw"
)

// The list of a page has the refreshes from configuration to service.
func TestRefreshes(t *testing.T) {
	for name, want := range map[string]string{
		"graphs/refresh.json": `Class[Conf] -> Package[nginx],Service[nginx] -> Exec[/bin/third] -> Package[p] -> Service[s]
File[/etc/nginx.conf] -> Service[nginx]
Package[p],Group[g] -> Service[s]
Exec[/bin/first] -> Exec[/bin/second]
File[/etc/quiet.conf],Package[nginx] -> Exec[/bin/third] -> Package[p] -> Service[s]
`,
		"graphs/class-notify.json": "File[/tmp/f] -> Exec[/bin/true]\n",
		"catalogs/empty/rich.json": "",
	} {
		if got := draw.Chains(stack(t, name)); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

// An SVG file is well formed and has each node with its full name, and each arrow.
func TestSVG(t *testing.T) {
	for name, v := range map[string]*draw.View{"webstack": stack(t, "catalogs/webstack/rich.json"), "generated": view(t, generate(600, 300))} {
		var b strings.Builder
		if err := draw.Write(&b, "svg", v); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal([]byte(b.String()), new(any)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := strings.Count(b.String(), `<path class="arrow `); n != len(v.Arrows) {
			t.Errorf("%s: %d arrows, want %d", name, n, len(v.Arrows))
		}
		for i := range v.Nodes {
			if title := "<title>" + v.Nodes[i].Ref.String(); !strings.Contains(b.String(), title) {
				t.Errorf("%s: no %s", name, title)
			}
		}
		if crossed := draw.Crossed(v); crossed > len(v.Arrows)/50 {
			t.Errorf("%s: %d of %d arrows lead through nodes", name, crossed, len(v.Arrows))
		}
	}
}

// A name is whole in its node unless it is extremely long.
func TestNames(t *testing.T) {
	c := &generated{Name: "names"}
	for _, title := range []string{"x", "/etc/" + strings.Repeat("long/", 14), strings.Repeat("W", 30), strings.Repeat("世", 30)} {
		c.add(nil, "File", title, "compilable_type")
	}
	c.add(nil, "File", strings.Repeat("endless/", 200), "compilable_type")
	var b strings.Builder
	if err := draw.Write(&b, "svg", view(t, c)); err != nil {
		t.Fatal(err)
	}
	for i, r := range c.Resources {
		whole := strings.Contains(b.String(), fmt.Sprintf(">%s</text>", r.ref()))
		if whole != (i < len(c.Resources)-1) {
			t.Errorf("%.40s: whole is %v", r.ref(), whole)
		}
	}
}
