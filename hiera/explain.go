package hiera

import (
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Explanation records how a lookup was made: which files were searched, and what was found where.
// The zero value is ready for one lookup. A nil Explanation records nothing.
type Explanation struct {
	// OptionsOnly explains only the lookup_options. The lookup then finds no value.
	OptionsOnly bool
	// ShowSecrets shows the values that lookup_options convert to Sensitive.
	ShowSecrets bool

	root    node
	current *node
	hidden  int // the depth of values that are secrets
	memory  *function.Memory
	full    error // nothing is recorded after the limit of memory is reached
}

// start begins to record a lookup with a limit of memory.
func (e *Explanation) start(memory *function.Memory) {
	if e.memory = memory; e.current == nil {
		e.current = &e.root
	}
}

// nodeSize is about the memory of a node, in bytes.
const nodeSize = 512

// hold takes the memory of something to record. It reports whether there is enough.
func (e *Explanation) hold(n int) bool {
	if e.full == nil {
		e.full = e.memory.Hold(int64(n))
	}
	return e.full == nil
}

// sizeOf returns about the memory that a found value needs for itself. Its elements are parts of the data.
func sizeOf(v pcore.Value) int {
	const element = 32
	switch v := v.(type) {
	case pcore.String:
		return len(v)
	case *pcore.Array:
		return element * v.Len()
	case *pcore.Hash:
		return 2 * element * v.Len()
	default:
		return element
	}
}

// Text returns the explanation as puppet lookup --explain prints it.
func (e *Explanation) Text() string {
	var b strings.Builder
	for _, n := range e.root.branches {
		n.write(&b, "")
	}
	e.root.writeTexts(&b, "")
	return b.String()
}

// Files returns the files in which the value was found.
func (e *Explanation) Files() []string {
	var files []string
	var visit func(n *node)
	visit = func(n *node) {
		if n.kind == pathNode && n.event == eventFound {
			files = append(files, n.name)
		}
		if n.kind == interpolateNode {
			return // another key
		}
		for _, b := range n.branches {
			visit(b)
		}
	}
	if n := len(e.root.branches); n > 0 {
		visit(e.root.branches[n-1])
	}
	return files
}

// Value returns the explanation as puppet lookup --explain --render-as json writes it.
func (e *Explanation) Value() pcore.Value {
	if len(e.root.branches) == 1 {
		return e.root.branches[0].value()
	}
	b := pcore.NewHashBuilder(1)
	e.root.setBranches(b)
	return b.Hash()
}

// Add adds a line at the end, such as the message of the failure.
func (e *Explanation) Add(text string) { e.root.texts = append(e.root.texts, text) }

// nodeKind is what a node of an explanation describes.
type nodeKind uint8

const (
	rootNode nodeKind = iota
	topNode
	invalidKeyNode
	mergeSourceNode
	moduleNode
	interpolateNode
	mergeNode
	providerNode
	pathNode
	subKeyNode
	segmentNode
	scopeNode
)

// names are the types of nodes in JSON.
var nodeTypes = [...]string{
	rootNode: "root", topNode: "root", invalidKeyNode: "invalid_key", mergeSourceNode: "merge_source", moduleNode: "module",
	interpolateNode: "interpolate", mergeNode: "merge", providerNode: "data_provider", pathNode: "path",
	subKeyNode: "sub_key", segmentNode: "segment", scopeNode: "scope",
}

// The events of a node.
const (
	eventFound            = "found"
	eventInOverrides      = "found_in_overrides"
	eventInDefaults       = "found_in_defaults"
	eventResult           = "result"
	eventNotFound         = "not_found"
	eventLocationNotFound = "location_not_found"
	eventModuleNotFound   = "module_not_found"
	eventProviderNotFound = "module_provider_not_found"
)

// node is a step of a lookup.
type node struct {
	kind     nodeKind
	parent   *node
	branches []*node

	name     string      // of the provider, the scope, the module; the expression
	config   string      // the path of a configuration
	module   string      // of a provider of a module
	original string      // a path before its interpolation
	options  *pcore.Hash // of a merge
	provider func() string

	key    string
	hasKey bool
	event  string
	found  pcore.Value
	texts  []string
}

func (e *Explanation) push(n *node) {
	if e.current == nil {
		e.current = &e.root
	}
	if n.parent = e.current; e.hold(nodeSize + len(n.name) + len(n.original) + len(n.key)) {
		e.current.branches = append(e.current.branches, n)
	}
	e.current = n
}

func (e *Explanation) pop() {
	if e.current.parent != nil {
		e.current = e.current.parent
	}
}

func (e *Explanation) record(key, event string, v pcore.Value) {
	if e == nil {
		return
	}
	if e.current == nil {
		e.current = &e.root
	}
	n := e.current
	n.key, n.hasKey, n.event = key, true, event
	if v != nil && e.hold(len(key)+sizeOf(v)) {
		n.found = e.shown(v)
	}
}

// shown returns a value as it may be shown.
func (e *Explanation) shown(v pcore.Value) pcore.Value {
	if _, ok := v.(*pcore.Sensitive); !ok && e.hidden > 0 {
		return pcore.NewSensitive(v)
	}
	return v
}

func (e *Explanation) found(key string, v pcore.Value)       { e.record(key, eventFound, v) }
func (e *Explanation) inOverrides(key string, v pcore.Value) { e.record(key, eventInOverrides, v) }
func (e *Explanation) inDefaults(key string, v pcore.Value)  { e.record(key, eventInDefaults, v) }
func (e *Explanation) notFound(key string)                   { e.record(key, eventNotFound, nil) }

func (e *Explanation) result(v pcore.Value) {
	if e != nil && e.hold(sizeOf(v)) {
		e.current.event, e.current.found = eventResult, e.shown(v)
	}
}

func (e *Explanation) missingLocation() {
	if e != nil {
		e.current.event = eventLocationNotFound
	}
}

func (e *Explanation) text(text string) {
	if e == nil {
		return
	}
	if e.current == nil {
		e.current = &e.root
	}
	if e.hold(len(text)) {
		e.current.texts = append(e.current.texts, text)
	}
}

// leaf adds a node without branches.
func (e *Explanation) leaf(n *node) {
	if e != nil {
		e.push(n)
		e.pop()
	}
}

// hide makes the values of f secrets if secret is true.
func (e *Explanation) hide(secret bool, f func()) {
	if e == nil || !secret || e.ShowSecrets {
		f()
		return
	}
	e.hidden++
	defer func() { e.hidden-- }()
	f()
}

// write writes the node with its branches.
func (n *node) write(b *strings.Builder, indent string) {
	inner := indent + "  "
	switch n.kind {
	case topNode:
		line(b, indent, `Searching for "`, n.key, `"`)
		n.writeBranches(b, inner)
	case invalidKeyNode:
		line(b, indent, `Invalid key "`, n.key, `"`)
	case mergeSourceNode:
		line(b, indent, `Using merge options from "`, n.name, `" hash`)
	case moduleNode:
		if n.event == eventModuleNotFound {
			line(b, indent, `Module "`, n.name, `" not found`)
		} else {
			line(b, indent, `Module data provider for module "`, n.name, `" not found`)
		}
	case interpolateNode:
		line(b, indent, `Interpolation on "`, n.name, `"`)
		n.writeBranches(b, inner)
	case mergeNode:
		n.writeMerge(b, indent)
	case providerNode:
		line(b, indent, n.provider())
		if n.config != "" {
			line(b, inner, `Using configuration "`, n.config, `"`)
		}
		n.writeBranches(b, inner)
		n.writeOutcome(b, inner)
	case pathNode:
		line(b, indent, `Path "`, n.name, `"`)
		line(b, inner, `Original path: "`, n.original, `"`)
		n.writeBranches(b, inner)
		if n.event == eventLocationNotFound {
			line(b, inner, "Path not found")
		}
		n.writeOutcome(b, inner)
	case subKeyNode:
		line(b, indent, `Sub key: "`, n.name, `"`)
		n.writeBranches(b, inner)
		n.writeOutcome(b, inner)
	case segmentNode:
		n.writeOutcome(b, indent)
	case scopeNode:
		line(b, indent, n.name)
		n.writeBranches(b, inner)
		n.writeOutcome(b, inner)
	case rootNode:
	}
}

func (n *node) writeBranches(b *strings.Builder, indent string) {
	for _, branch := range n.branches {
		branch.write(b, indent)
	}
}

// writeMerge writes a merge. One with a single branch is not a merge.
func (n *node) writeMerge(b *strings.Builder, indent string) {
	switch len(n.branches) {
	case 0:
		return
	case 1:
		n.branches[0].write(b, indent)
		return
	}
	line(b, indent, "Merge strategy ", n.name)
	inner := indent + "  "
	if n.options != nil {
		b.WriteString(inner + "Options: ")
		writeValue(b, inner, n.options)
		b.WriteByte('\n')
	}
	n.writeBranches(b, inner)
	if n.event == eventResult {
		b.WriteString(inner + "Merged result: ")
		writeValue(b, inner, n.found)
		b.WriteByte('\n')
	}
}

func (n *node) writeOutcome(b *strings.Builder, indent string) {
	switch n.event {
	case eventNotFound:
		line(b, indent, `No such key: "`, n.key, `"`)
	case eventFound, eventInOverrides, eventInDefaults:
		b.WriteString(indent + `Found key: "` + n.key + `" value: `)
		writeValue(b, indent, n.found)
		switch n.event {
		case eventInOverrides:
			b.WriteString(" in overrides")
		case eventInDefaults:
			b.WriteString(" in defaults")
		}
		b.WriteByte('\n')
	}
	n.writeTexts(b, indent)
}

func (n *node) writeTexts(b *strings.Builder, indent string) {
	for _, text := range n.texts {
		line(b, indent, text)
	}
}

func line(b *strings.Builder, parts ...string) {
	for _, part := range parts {
		b.WriteString(part)
	}
	b.WriteByte('\n')
}

// writeValue writes a value with an entry per line.
func writeValue(b *strings.Builder, indent string, v pcore.Value) {
	inner := indent + "  "
	switch v := v.(type) {
	case *pcore.Hash:
		b.WriteByte('{')
		separator := "\n"
		for k, e := range v.All() {
			b.WriteString(separator + inner)
			writeValue(b, inner, k)
			b.WriteString(" => ")
			writeValue(b, inner, e)
			separator = ",\n"
		}
		if v.Len() > 0 {
			b.WriteString("\n" + indent)
		}
		b.WriteByte('}')
	case *pcore.Array:
		b.WriteByte('[')
		separator := "\n"
		for _, e := range v.All() {
			b.WriteString(separator + inner)
			writeValue(b, inner, e)
			separator = ",\n"
		}
		if v.Len() > 0 {
			b.WriteString("\n" + indent)
		}
		b.WriteByte(']')
	case *pcore.Sensitive:
		b.WriteString(pcore.RedactedText)
	default:
		b.WriteString(rubytext.Inspect(v))
	}
}

func (n *node) setBranches(b *pcore.HashBuilder) {
	if len(n.branches) == 0 {
		return
	}
	all := make([]pcore.Value, len(n.branches))
	for i, branch := range n.branches {
		all[i] = branch.value()
	}
	b.SetString("branches", pcore.NewArray(all...))
}

// value returns the node as data.
func (n *node) value() pcore.Value {
	b := pcore.NewHashBuilder(8)
	set := func(name, text string) { b.SetString(name, pcore.String(text)) }
	switch {
	case n.kind == mergeSourceNode:
		set("type", "merge_source")
		set("merge_source", n.name)
		return b.Hash()
	case n.kind == mergeNode && len(n.branches) == 1:
		return n.branches[0].value()
	}
	n.setBranches(b)
	if n.hasKey {
		set("key", n.key)
	}
	if n.found != nil {
		b.SetString("value", n.found)
	}
	if n.event != "" {
		set("event", n.event)
	}
	if len(n.texts) > 0 {
		texts := make([]pcore.Value, len(n.texts))
		for i, text := range n.texts {
			texts[i] = pcore.String(text)
		}
		b.SetString("texts", pcore.NewArray(texts...))
	}
	set("type", nodeTypes[n.kind])
	switch n.kind {
	case interpolateNode:
		set("expression", n.name)
	case mergeNode:
		set("merge", n.name)
		if n.options != nil {
			b.SetString("options", n.options)
		}
	case providerNode:
		set("name", n.provider())
		if n.config != "" {
			set("configuration_path", n.config)
		}
		if n.module != "" {
			set("module", n.module)
		}
	case pathNode:
		set("original_path", n.original)
		set("path", n.name)
	case scopeNode:
		set("name", n.name)
	default:
	}
	return b.Hash()
}
