package rundata

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// presenter presents a document as catalogs.
type presenter struct {
	reader
	kind  Kind
	to    sink
	node  string // the name of the node
	begun bool   // a catalog of rows has begun

	logLines  bool // the document is a list of log lines, without the report
	isCommand bool // the document is the payload of a command for PuppetDB

	logs int  // number of log lines of the report that were presented
	rest node // the members of the document that are no resources, since the last one
	item tree // the memory of one resource
	made tree // that of its presentation, as far as it is not in the document
	kept tree // that of rest

	lines  []node // log lines that were read and not presented
	length int    // of their messages
	spare  tree   // the memory of the first of them, or of nothing
}

// sink takes the catalogs of a presentation.
type sink interface {
	// begin begins a catalog of a node.
	begin(node string) error
	// resource adds a resource. It must not be changed afterwards.
	resource(n *node) error
}

// run presents the document.
func (p *presenter) run() error {
	k, err := p.reader.kind()
	if err != nil {
		return err
	}
	if p.isCommand && k == object {
		return p.command()
	}
	if k != list {
		return p.row()
	}
	if p.logLines {
		return p.logList()
	}
	return p.elements(p.row)
}

// command presents a command for PuppetDB: its payload, and then its other members as a resource.
func (p *presenter) command() error {
	others := node{kind: object}
	var memory tree
	presented := false
	err := p.members(func(key node) error {
		if key.is("payload") && !presented {
			presented = true
			return p.row()
		}
		v, err := p.value(&memory)
		if err == nil {
			others.add(key, v)
		}
		return err
	})
	if err != nil {
		return err
	}
	p.made.reset()
	r := p.resource("Command", p.title())
	p.made.set(&r, "parameters", others)
	return p.to.resource(&r)
}

// logList presents a list of log lines, without the report.
func (p *presenter) logList() error {
	if err := p.to.begin(p.node); err != nil {
		return err
	}
	if err := p.elements(p.log); err != nil {
		return err
	}
	return p.flushLogs()
}

// report presents a report, of an agent or of PuppetDB.
func (p *presenter) report() error {
	p.logs = 0
	if err := p.begin(); err != nil {
		return err
	}
	err := p.members(func(key node) error {
		switch key.text() {
		case "logs":
			return p.listed(key, p.log)
		case "resource_events":
			return p.listed(key, p.event)
		case "resources":
			return p.listed(key, p.status)
		case "resource_statuses":
			k, err := p.reader.kind()
			if err != nil || k != object {
				return p.other(key, err)
			}
			return p.members(func(key node) error {
				n, err := p.next()
				if err != nil {
					return err
				}
				return p.statusOf(&n, &key)
			})
		}
		return p.other(key, nil)
	})
	if err != nil {
		return err
	}
	return p.flush("Report")
}

// begin begins the catalog of the node that the next value is about.
func (p *presenter) begin() error {
	p.node = p.reader.node()
	return p.to.begin(p.node)
}

// other notes a member that is no resource.
func (p *presenter) other(key node, err error) error {
	if err != nil {
		return err
	}
	v, err := p.value(&p.kept)
	if err != nil {
		return err
	}
	p.rest.kind = object
	p.rest.add(key, v)
	return nil
}

// next reads the next value, which is valid until the next call.
func (p *presenter) next() (node, error) {
	p.item.reset()
	p.made.reset()
	return p.value(&p.item)
}

// flush presents the members that are no resources, as parameters of a resource of the node.
func (p *presenter) flush(typ string) error {
	if len(p.rest.kids) == 0 {
		return nil
	}
	r := p.resource(typ, p.title())
	p.made.set(&r, "parameters", p.rest)
	err := p.to.resource(&r)
	p.rest = node{}
	p.kept.reset()
	return err
}

// title returns the title of a resource of the node.
func (p *presenter) title() string {
	if p.node == "" {
		return "unknown"
	}
	return p.node
}

// listed presents the elements of a list, or of the list under `data` of a page of PuppetDB.
func (p *presenter) listed(key node, element func() error) error {
	k, err := p.reader.kind()
	switch {
	case err != nil:
		return err
	case k == list:
		if err := p.elements(element); err != nil {
			return err
		}
		return p.flushLogs()
	case k != object:
		return p.other(key, nil)
	}
	return p.members(func(key node) error {
		if key.text() == "data" {
			return p.listed(key, element)
		}
		_, err := p.next() // the address of the page
		return err
	})
}

// resource returns a resource with the beginning that all have.
func (p *presenter) resource(typ, title string) node {
	r := p.made.object(6)
	p.made.set(&r, "type", p.made.text(typ))
	p.made.set(&r, "title", p.made.text(title))
	return r
}

// labelled returns the beginning of the resource that n, a log line, a status or an event, is about:
// with the location that n names, and with its labels as tags. rest are the other members of n.
func (p *presenter) labelled(typ, title string, n *node) (r, rest node) {
	r, rest = p.resource(typ, title), p.made.object(len(n.kids)/2)
	tags := node{kind: list, kids: p.made.space(labels(n))}
	for k, v := range n.members() {
		switch {
		case (k.is("file") || k.is("line")) && v.kind <= text:
			if !v.isNull() {
				r.add(*k, *v)
			}
		case !isLabel(k):
			rest.add(*k, *v)
		case v.kind == list && allTexts(v.kids):
			tags.kids = append(tags.kids, v.kids...)
		case v.kind == text:
			tags.kids = append(tags.kids, *v)
		default:
			rest.add(*k, *v)
		}
	}
	p.made.set(&r, "tags", tags)
	return r, rest
}

// labels returns a number of nodes that is enough for the labels of n, and some more.
func labels(n *node) int {
	number := len(n.kids) / 2
	for _, v := range n.members() {
		number += len(v.kids)
	}
	return number
}

// isLabel reports whether a key is one of texts that many resources have in common. An audit looks
// at each of them once if they are tags.
func isLabel(key *node) bool {
	for _, label := range [...]string{"tags", "containment_path", "level", "source", "resource", "resource_type", "provider_used", "status", "name", "property"} {
		if key.is(label) {
			return true
		}
	}
	return false
}

// allTexts reports whether all nodes are texts.
func allTexts(nodes []node) bool {
	for i := range nodes {
		if nodes[i].kind != text {
			return false
		}
	}
	return true
}

// log reads a log line. Lines that a command prints are log lines of their own; they are presented
// when their last one was read.
func (p *presenter) log() error {
	if len(p.lines) == 0 {
		p.item.reset()
	}
	n, err := p.value(&p.item)
	if err != nil {
		return err
	}
	if len(p.lines) > 0 && !p.continues(&n) {
		if err := p.flushLogs(); err != nil {
			return err
		}
		p.item, p.spare = p.spare, p.item
		p.item.reset() // the memory of n is the other one
	}
	p.lines = append(p.lines, n)
	p.length += len(n.get("message").text()) + len("\n")
	return nil
}

// maxJoined is the length of a text of log lines at which another one begins.
const maxJoined = 256 << 10

// continues reports whether a log line continues the text of the lines before it: it has the same
// source, level and labels.
func (p *presenter) continues(n *node) bool {
	first := &p.lines[0]
	m := n.get("message")
	if p.length > maxJoined || m == nil || m.kind != text || m.isAboutCommand() || len(n.kids) != len(first.kids) {
		return false
	}
	if _, _, ok := sourceOf(n.get("source").text()); !ok {
		return false
	}
	last := p.lines[len(p.lines)-1].get("message")
	if last == nil || last.kind != text || last.isAboutCommand() {
		return false
	}
	for i := 0; i+1 < len(n.kids); i += 2 {
		key := &n.kids[i]
		if !bytes.Equal(key.raw, first.kids[i].raw) {
			return false
		}
		if !key.is("message") && !key.is("time") && !n.kids[i+1].same(&first.kids[i+1]) {
			return false
		}
	}
	return true
}

// flushLogs presents the log lines that were read. Their text is the message of the first one.
func (p *presenter) flushLogs() error {
	lines := p.lines
	p.lines, p.length = p.lines[:0], 0
	if len(lines) == 0 {
		return nil
	}
	number := strconv.Itoa(p.logs)
	if m := lines[0].get("message"); m != nil && len(lines) > 1 {
		messages := make([]node, len(lines))
		for i := range lines {
			messages[i] = *lines[i].get("message")
		}
		*m = p.made.joined(messages)
		number += "-" + strconv.Itoa(p.logs+len(lines)-1)
	}
	for i := range lines {
		n := &lines[i]
		if i > 0 {
			rest := p.made.without(n, "message")
			n, number = &rest, strconv.Itoa(p.logs)
		}
		if err := p.line(n, number); err != nil {
			return err
		}
		p.made.reset()
		p.logs++
	}
	return nil
}

// line presents a log line with its number.
func (p *presenter) line(n *node, number string) error {
	if n.kind != object { // not a log line, but a text all the same
		value := p.made.object(1)
		p.made.set(&value, "value", *n)
		n = &value
	}
	typ, title := "Report", p.title()
	if t, s, ok := sourceOf(n.get("source").text()); ok {
		typ, title = t, s
	}
	if m := n.get("message"); m != nil {
		*m = p.made.asCommand(p.made.asDiff(*m))
	}
	p.splitReferences(n)
	r, rest := p.labelled(typ, title, n)
	lines, parameters := p.made.object(1), p.made.object(1)
	p.made.set(&lines, number, rest)
	p.made.set(&parameters, "logs", lines)
	p.made.set(&r, "parameters", parameters)
	return p.to.resource(&r)
}

// status presents the status of a resource in a list, as PuppetDB stores it.
func (p *presenter) status() error {
	n, err := p.next()
	if err != nil {
		return err
	}
	return p.statusOf(&n, nil)
}

// statusOf presents the status of a resource, and its events by their properties. ref is the
// reference in the document, which may be nil.
func (p *presenter) statusOf(n, ref *node) error {
	typ, title := n.get("resource_type").text(), n.get("title").text()
	if title == "" {
		title = n.get("resource_title").text()
	}
	if ref != nil && (typ == "" || title == "") {
		typ, title, _ = sourceOf(ref.text())
	}
	p.splitReferences(n)
	if typ == "" {
		typ, title = "Report", p.title()
	}
	r, rest := p.labelled(typ, title, n)
	tags := r.get("tags")
	parameters, status := p.made.object(2), p.made.object(len(rest.kids)/2+1)
	for k, v := range rest.members() {
		if !k.is("events") || v.kind != list {
			status.add(*k, *v)
			continue
		}
		for i := range v.kids {
			event := v.kids[i]
			name := event.get("property")
			if name != nil && name.kind == text {
				tags.kids = append(tags.kids, *name)
				event = p.made.without(&event, "property")
			}
			p.addEvent(&parameters, name.text(), event)
		}
	}
	if n.kind != object {
		p.made.set(&status, "value", *n)
	}
	if ref != nil { // a text of the document, too
		p.made.set(&status, "reference", p.made.asReference(*ref))
	}
	p.made.set(&parameters, "status", status)
	p.made.set(&r, "parameters", parameters)
	return p.to.resource(&r)
}

// splitReferences splits the texts of a log line, a status or an event that name resources.
func (p *presenter) splitReferences(n *node) {
	for _, key := range [...]string{"source", "resource"} {
		if v := n.get(key); v != nil {
			*v = p.made.asReference(*v)
		}
	}
	if path := n.get("containment_path"); path != nil {
		for i := range path.kids {
			path.kids[i] = p.made.asReference(path.kids[i])
		}
	}
}

// addEvent adds an event as a parameter with the name of its property. Further events of the
// property have a number behind it. The name is a label: as a value under itself, that of a property
// called `secure_data` would be a password like its name.
func (p *presenter) addEvent(parameters *node, name string, event node) {
	if m := event.get("message"); m != nil {
		*m = p.made.asCommand(*m)
	}
	if name == "" {
		name = "event"
	}
	key := name
	for i := 2; parameters.get(key) != nil; i++ {
		key = name + " " + strconv.Itoa(i)
	}
	p.made.set(parameters, key, event)
}

// event presents an event of PuppetDB.
func (p *presenter) event() error {
	n, err := p.next()
	if err != nil {
		return err
	}
	return p.eventOf(n)
}

func (p *presenter) eventOf(n node) error {
	typ, title := n.get("resource_type").text(), n.get("resource_title").text()
	if typ == "" {
		typ, title = "Report", p.title()
	}
	p.splitReferences(&n)
	r, rest := p.labelled(typ, title, &n)
	parameters := p.made.object(1)
	p.addEvent(&parameters, n.get("property").text(), rest)
	p.made.set(&r, "parameters", parameters)
	return p.to.resource(&r)
}

// facts presents the facts of a node: plain ones, or those under a key.
func (p *presenter) facts(n *node) error {
	facts, rest := node{kind: object}, node{kind: object}
	switch n.kind {
	case object:
		addFacts(&facts, *n)
		for _, key := range [...]string{"values", "facts"} {
			if v := n.get(key); v != nil && v.kind == object {
				facts = node{kind: object}
				addFacts(&facts, *v)
				rest = p.made.without(n, key)
				break
			}
		}
	default:
		p.made.set(&facts, "facts", *n)
	}
	p.node = nodeOf(&rest)
	if p.node == "" {
		p.node = nodeOf(&facts)
	}
	if err := p.to.begin(p.node); err != nil {
		return err
	}
	r := p.resource("Facts", p.title())
	p.made.set(&r, "parameters", facts)
	if err := p.to.resource(&r); err != nil {
		return err
	}
	p.rest = rest
	return p.flush("Factset")
}

// nodeOf returns the name of the node that facts, or the members around them, are about.
func nodeOf(n *node) string {
	for _, key := range [...]string{"certname", "name", "clientcert", "fqdn"} {
		if name := n.get(key).text(); name != "" {
			return name
		}
	}
	if network := n.get("networking"); network != nil {
		return network.get("fqdn").text()
	}
	return n.get("hostname").text()
}

// addFacts adds the facts of a map, or of a page of PuppetDB.
func addFacts(facts *node, v node) {
	data := v.get("data")
	if v.kind != object || data == nil || data.kind != list {
		if v.kind == object {
			facts.kids = append(facts.kids, v.kids...)
		}
		return
	}
	for i := range data.kids {
		name, value := data.kids[i].get("name"), data.kids[i].get("value")
		if name != nil && value != nil && name.kind == text {
			facts.add(*name, *value)
		}
	}
}

// row presents a row of PuppetDB. Rows of one node that follow each other are one catalog.
func (p *presenter) row() error {
	if p.kind == Report {
		return p.report()
	}
	n, err := p.next()
	if err != nil {
		return err
	}
	if p.kind == Facts && !isFact(&n) {
		return p.facts(&n)
	}
	if name := n.get("certname").text(); !p.begun || name != p.node {
		p.begun, p.node = true, name
		if err := p.to.begin(name); err != nil {
			return err
		}
	}
	switch p.kind {
	case Resources:
		return p.stored(&n)
	case Events:
		return p.eventOf(n)
	default:
		return p.fact(&n)
	}
}

// isFact reports whether n is a row of a fact, or of a part of one.
func isFact(n *node) bool {
	if n.get("value") == nil {
		return false
	}
	if n.get("name") != nil {
		return true
	}
	for key := range n.members() {
		if !slices.Contains(factFields[:], key.text()) {
			return false
		}
	}
	return true
}

// fact presents a fact of a row. Of a row with a path in the fact, it presents the members on the path.
func (p *presenter) fact(n *node) error {
	r := p.resource("Facts", p.title())
	facts, rest := p.made.object(1), p.made.without(n, "value")
	value := *n.get("value")
	steps := pathOf(n)
	for i := len(steps) - 1; i > 0; i-- {
		outer := p.made.object(1)
		p.made.set(&outer, steps[i], value)
		value = outer
	}
	switch name := n.get("name"); {
	case name != nil && name.kind == text:
		facts.add(*name, value)
		rest = p.made.without(&rest, "name")
	case len(steps) > 0:
		p.made.set(&facts, steps[0], value)
	default:
		p.made.set(&facts, "value", value)
	}
	p.made.set(&r, "parameters", facts)
	p.made.set(&r, "row", rest)
	return p.to.resource(&r)
}

// pathOf returns the steps of the path in a fact that a row names: its name, and the keys and numbers in it. A path that
// is longer than that of any fact has none; it stays in the row.
func pathOf(n *node) []string {
	const longest = 100
	path := n.get("path")
	if path == nil || path.kind != list || len(path.kids) > longest {
		return nil
	}
	steps := make([]string, len(path.kids))
	for i := range path.kids {
		if steps[i] = path.kids[i].text(); path.kids[i].kind == scalar {
			steps[i] = string(path.kids[i].raw)
		}
	}
	return steps
}

// stored presents a row of a resource. A projection can lack its type and its title; a part of the parameters, such as
// `parameters.ensure`, is a parameter.
func (p *presenter) stored(n *node) error {
	if n.get("type") != nil && n.get("title") != nil && n.get("parameters") != nil {
		return p.to.resource(n)
	}
	r := p.made.object(len(n.kids)/2 + 3)
	if n.get("type") == nil {
		p.made.set(&r, "type", p.made.text("Resource"))
	}
	if n.get("title") == nil {
		p.made.set(&r, "title", p.made.text(p.title()))
	}
	parts, whole := p.made.object(len(n.kids)/2), n.get("parameters") != nil
	for k, v := range n.members() {
		if !whole && strings.HasPrefix(k.text(), "parameters.") {
			parts.add(*k, *v)
		} else {
			r.add(*k, *v)
		}
	}
	if !whole {
		p.made.set(&r, "parameters", parts)
	}
	return p.to.resource(&r)
}
