package draw

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/page"
)

// The numbers of entries in the lists of a page.
const (
	maxChains  = 300
	maxChanges = 8   // before a click
	maxSources = 3   // before a click
	maxEntries = 200 // after it
	maxContent = 20  // of a container
)

// list writes the part of a page that needs no script: cycles, differences, and the chains
// of refreshes.
type list struct {
	page.Markup

	view   *View
	chains *chains
}

func newList(m page.Markup, v *View) *list { return &list{m, v, newChains(v)} }

func (l *list) write() {
	l.cycles()
	l.changes()
	l.refreshes()
}

// node writes the state and the name of a node.
func (l *list) node(i int) {
	n := &l.view.Nodes[i]
	if n.State != Same {
		l.Own(`<span class="key box ` + n.State.String() + `" title="` + n.State.String() + `"></span>`)
	}
	l.link(i)
}

// link writes the name of a node as a link.
func (l *list) link(i int) {
	n := &l.view.Nodes[i]
	l.Own(`<a href="#` + strconv.Itoa(i) + `"><code>`)
	l.Text(n.Ref.String())
	l.Own("</code></a>")
}

// quiet writes a remark.
func (l *list) quiet(text string) {
	l.Own(` <span class="quiet">` + text + `</span>`)
}

// nodes writes the first nodes of a list, and the others in an element that opens.
func (l *list) nodes(nodes []int, first int, entry func(int)) {
	if len(nodes) == first+1 {
		first++
	}
	for _, i := range nodes[:min(len(nodes), first)] {
		l.Own("<li>")
		entry(i)
		l.Own("</li>\n")
	}
	if len(nodes) <= first {
		return
	}
	rest := nodes[first:]
	l.Own("<li><details><summary>" + strconv.Itoa(len(rest)) + " more</summary><ul>\n")
	for _, i := range rest[:min(len(rest), maxEntries)] {
		l.Own("<li>")
		entry(i)
		l.Own("</li>\n")
	}
	if over := len(rest) - maxEntries; over > 0 {
		l.Own("<li>")
		l.quiet("and " + strconv.Itoa(over) + " more")
		l.Own("</li>\n")
	}
	l.Own("</ul></details></li>\n")
}

func (l *list) cycles() {
	if len(l.view.Cycles) == 0 {
		return
	}
	l.Own(`<section><h2 class="cycle">` + counted(len(l.view.Cycles), "dependency cycle") + "</h2>\n<ul>\n")
	for _, c := range l.view.Cycles {
		l.Own("<li>")
		for _, i := range c {
			l.node(i)
			l.Own(" → ")
		}
		l.node(c[0])
		l.Own("</li>\n")
	}
	l.Own("</ul></section>\n")
}

func (l *list) changes() {
	if !l.view.Compared {
		return
	}
	var changed []int
	for i := range l.view.Nodes {
		if l.view.Nodes[i].State != Same {
			changed = append(changed, i)
		}
	}
	l.Own("<section><h2>" + counted(len(changed), "resource") + " with changes</h2>\n<ul class=\"changes\">\n")
	l.nodes(changed, maxChanges, func(i int) {
		state := l.view.Nodes[i].State.String()
		l.Own(`<span class="tag ` + state + `">` + state + `</span>`)
		l.link(i)
	})
	l.Own("</ul></section>\n")
}

func (l *list) refreshes() {
	all := l.chains.all()
	if len(all) == 0 {
		l.Own("<section><h2>No refreshes</h2>\n<p class=\"quiet\">No relationship of this graph refreshes a service, a command or a mount.</p></section>\n")
		return
	}
	l.Own("<section><h2>" + counted(len(all), "refresh chain") + "</h2>\n")
	l.Own("<p class=\"quiet\">From the resources that can change to the services and commands that the change refreshes.</p>\n<ol class=\"chains\">\n")
	for _, c := range all[:min(len(all), maxChains)] {
		l.Own("<li class=\"chain\"><ul>\n")
		l.nodes(c.sources, maxSources, l.source)
		l.Own("</ul>\n")
		l.then([]*chain{c})
		l.Own("</li>\n")
	}
	l.Own("</ol>\n")
	if over := len(all) - maxChains; over > 0 {
		l.Own("<p class=\"quiet\">" + counted(over, "more chain") + ": search for a resource to see its chain.</p>\n")
	}
	l.Own("</section>\n")
}

// source writes a resource that can change; of a container, also what it contains.
func (l *list) source(i int) {
	var content []int
	l.chains.walk(i, func(k int) {
		if k != i && !l.view.Nodes[k].Container {
			content = append(content, k)
		}
	})
	if len(content) == 0 {
		l.node(i)
		return
	}
	l.Own("<details><summary>")
	l.node(l.example(content))
	if others := len(content) - 1; others > 0 {
		l.Own(" and " + strconv.Itoa(others) + " more")
	}
	l.Own(" of ")
	l.node(i)
	l.Own("</summary><ul>\n")
	for _, k := range content[:min(len(content), maxContent)] {
		l.Own("<li>")
		l.node(k)
		l.Own("</li>\n")
	}
	if over := len(content) - maxContent; over > 0 {
		l.Own("<li>")
		l.quiet("and " + strconv.Itoa(over) + " more")
		l.Own("</li>\n")
	}
	l.Own("</ul></details>")
}

// example returns a resource with changes, or else the first one that is not the folder of another.
func (l *list) example(content []int) int {
	title := func(i int) string { return l.view.Nodes[i].Ref.Title }
	for _, i := range content {
		if l.view.Nodes[i].State != Same {
			return i
		}
	}
	for _, i := range content {
		if !slices.ContainsFunc(content, func(k int) bool { return strings.HasPrefix(title(k), title(i)+"/") }) {
			return i
		}
	}
	return content[0]
}

// then writes chains that follow.
func (l *list) then(next []*chain) {
	if len(next) == 0 {
		return
	}
	l.Own("<ul class=\"then\">\n")
	for _, c := range next {
		l.Own("<li>")
		for k, i := range c.refreshed[:min(len(c.refreshed), maxSources)] {
			if k > 0 {
				l.Own(", ")
			}
			l.node(i)
		}
		if over := len(c.refreshed) - maxSources; over > 0 {
			l.quiet("and " + strconv.Itoa(over) + " more")
		}
		if !slices.Equal(c.refreshed, []int{c.node}) {
			l.quiet("in")
			l.Own(" ")
			l.node(c.node)
		}
		l.then(c.next)
		l.Own("</li>\n")
	}
	l.Own("</ul>\n")
}

// counted returns a number with a noun in the singular or plural.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
