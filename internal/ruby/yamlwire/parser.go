package yamlwire

import (
	"io"
	"sort"
)

// Kind is the kind of an [Event].
type Kind uint8

// Kinds of events. The events of a stream are documents and StreamEnd; a document is
// DocumentStart, one node, and DocumentEnd. A node is a Scalar, an Alias, or the events
// of a collection: its start, its nodes, and its end. The nodes of a mapping are keys
// and values in turn.
const (
	StreamEnd Kind = iota
	DocumentStart
	DocumentEnd
	SequenceStart
	SequenceEnd
	MappingStart
	MappingEnd
	Scalar
	Alias
)

// Event is an element of the structure of a stream.
type Event struct {
	Kind  Kind
	Style Style // of a Scalar
	// Explicit indicates that a DocumentEnd is written as `...`.
	Explicit bool
	// Value is the text of a Scalar, or the name of an Alias.
	Value string
	// Anchor is the name of the node for aliases, or "".
	Anchor string
	// Tag is the tag of the node, in full, or "".
	Tag string
	// At is the position of the event in the text of its document.
	At int
	// Start and End are the span of a Scalar in that text, without its properties. The End of
	// a block scalar includes the line breaks behind it.
	Start, End int
}

// Prefix is the beginning of the tags of YAML itself, which are written as !!.
const Prefix = "tag:yaml.org,2002:"

// Parser returns the events of a stream. Errors are *[Error], or the errors of the
// underlying reader. It is not safe for concurrent use.
type Parser struct {
	scanner
	event   Event // the last one
	state   state
	states  []state // of the collections around the current one
	tags    map[string]string
	anchors map[string][]anchor // by name, in the order of the text; nil in an alias
	outer   *Parser             // the parser of the document, in an alias
	begun   bool
}

// state parses the next event of a Parser.
type state func(*Parser) error

// anchor is a node that has a name.
type anchor struct {
	content token // the first token of the node behind its properties
	tag     string
	empty   bool // the node has properties only
}

// New returns a Parser of the documents in r. It reads one document at a time.
func New(r io.Reader) *Parser {
	return &Parser{scanner: newScanner(&input{r: r}), state: (*Parser).firstDocument}
}

// NewBytes returns a Parser of the documents in text, which must not be modified while
// the Parser is in use.
func NewBytes(text []byte) *Parser {
	return &Parser{scanner: newScanner(&input{text: text}), state: (*Parser).firstDocument}
}

// Next returns the next event. After StreamEnd or an error it must not be called.
func (p *Parser) Next() (Event, error) {
	if !p.begun && p.outer == nil {
		p.begun = true
		if err := p.load(0); err != nil {
			return Event{}, err
		}
		if p.at(0) == 0xef && p.at(1) == 0xbb && p.at(2) == 0xbf {
			p.pos += len("\ufeff")
			p.lineStart = p.pos
		}
	}
	if err := p.state(p); err != nil {
		return Event{}, err
	}
	return p.event, nil
}

// emit makes e the next event.
func (p *Parser) emit(e Event) error {
	p.event = e
	return nil
}

// Position returns the line and column, from 1, of an event of the current document.
func (p *Parser) Position(at int) (line, column int) { return p.position(at) }

// Anchored returns a Parser of the node that an alias refers to. The first event is
// that of the node, and StreamEnd follows the last one. It must not be used after the
// current document. ok is false if there is no such node.
func (p *Parser) Anchored(alias Event) (node *Parser, ok bool) {
	outer := p
	if p.outer != nil {
		outer = p.outer
	}
	known := outer.anchors[alias.Value]
	i := sort.Search(len(known), func(i int) bool { return known[i].content.location.offset > alias.At })
	if i == 0 {
		return nil, false
	}
	a := &known[i-1]
	node = &Parser{scanner: newScanner(p.input), tags: outer.tags, outer: outer}
	node.states = append(node.states, (*Parser).end)
	if a.empty {
		node.state = func(p *Parser) error {
			p.state = (*Parser).end
			return p.emit(Event{Kind: Scalar, Tag: a.tag, At: a.content.location.offset})
		}
		return node, true
	}
	at := a.content.location
	node.pos, node.lineStart, node.indent = at.offset, at.offset-at.column, at.indent
	node.keyAllowed = a.content.kind == blockMappingStart || a.content.kind == blockSequenceStart || a.content.kind == blockEntry
	if at.inFlow && a.content.kind == scalarText {
		node.keys = append(node.keys, simpleKey{})
	}
	node.state = func(p *Parser) error {
		err := p.node(true, true)
		p.event.Tag = a.tag
		return err
	}
	return node, true
}

func (p *Parser) end() error { return p.emit(Event{Kind: StreamEnd, At: p.pos}) }

// pop returns to the state of the collection around the current one.
func (p *Parser) pop() {
	last := len(p.states) - 1
	p.state, p.states = p.states[last], p.states[:last]
}

// then parses a node and continues with s.
func (p *Parser) then(s state, block, indentless bool) error {
	p.states = append(p.states, s)
	return p.node(block, indentless)
}

// nothing returns an empty scalar, and continues with s.
func (p *Parser) nothing(s state, at int) error {
	p.state = s
	return p.emit(Event{Kind: Scalar, At: at})
}

func (p *Parser) firstDocument() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	switch t.kind {
	case versionDirective, tagDirective, documentStart, streamEnd:
		return p.nextDocument()
	}
	if err := p.directives(); err != nil {
		return err
	}
	p.states = append(p.states, (*Parser).endDocument)
	p.state = (*Parser).root
	return p.emit(Event{Kind: DocumentStart, At: t.location.offset})
}

func (p *Parser) root() error { return p.node(true, false) }

func (p *Parser) nextDocument() error {
	t, err := p.peek()
	for err == nil && t.kind == documentEnd {
		if err = p.takeMarker(); err == nil {
			t, err = p.peek()
		}
	}
	if err != nil {
		return err
	}
	if t.kind == streamEnd {
		p.state = (*Parser).end
		return p.emit(Event{Kind: StreamEnd, At: t.location.offset})
	}
	if err := p.directives(); err != nil {
		return err
	}
	if t, err = p.peek(); err != nil {
		return err
	}
	if t.kind != documentStart {
		return p.fail(t.location.offset, "did not find the start of a document")
	}
	if err := p.takeMarker(); err != nil {
		return err
	}
	p.states = append(p.states, (*Parser).endDocument)
	p.state = (*Parser).content
	return p.emit(Event{Kind: DocumentStart, At: p.pos})
}

// takeMarker takes the marker of a document, and reads the next document.
func (p *Parser) takeMarker() error {
	p.take()
	at := p.pos
	if p.r == nil {
		at = 0
	}
	p.pos, p.lineStart = p.pos-at, p.lineStart-at
	return p.load(at)
}

func (p *Parser) content() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	switch t.kind {
	case versionDirective, tagDirective, documentStart, documentEnd, streamEnd:
		p.pop()
		return p.emit(Event{Kind: Scalar, At: t.location.offset})
	}
	return p.node(true, false)
}

func (p *Parser) endDocument() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	p.event = Event{Kind: DocumentEnd, Explicit: t.kind == documentEnd, At: t.location.offset}
	p.tags, p.anchors = nil, nil
	p.state = (*Parser).nextDocument
	if p.event.Explicit {
		err = p.takeMarker()
	}
	return err
}

// directives takes the directives before a document.
func (p *Parser) directives() error {
	p.tags, p.anchors = make(map[string]string), make(map[string][]anchor)
	versioned := false
	for {
		t, err := p.peek()
		if err != nil {
			return err
		}
		switch t.kind {
		case versionDirective:
			if versioned || t.text != "1.1" && t.text != "1.2" {
				return p.fail(t.location.offset, "the document has another version of YAML, or several")
			}
			versioned = true
		case tagDirective:
			if _, known := p.tags[t.text]; known {
				return p.fail(t.location.offset, "found a second directive for the same tag handle")
			}
			p.tags[t.text] = t.suffix
		default:
			for handle, prefix := range map[string]string{"!": "!", "!!": Prefix} {
				if _, known := p.tags[handle]; !known {
					p.tags[handle] = prefix
				}
			}
			return nil
		}
		p.take()
	}
}

// properties takes the anchor and the tag of a node, in any order.
func (p *Parser) properties(e *Event) (t *token, err error) {
	if t, err = p.peek(); err != nil {
		return nil, err
	}
	anchored, tagged := false, false
	for {
		switch {
		case t.kind == anchorName && !anchored:
			anchored, e.Anchor = true, t.text
		case t.kind == tagName && !tagged:
			tagged, e.Tag = true, t.suffix
			if t.text != "" {
				prefix, ok := p.tags[t.text]
				if !ok {
					return nil, p.fail(t.location.offset, "found an undefined tag handle")
				}
				e.Tag = prefix + t.suffix
			}
		default:
			return t, nil
		}
		p.take()
		if t, err = p.peek(); err != nil {
			return nil, err
		}
	}
}

// node parses the beginning of a node. A block node can be a block collection, and an
// indentless one also a sequence that is not indented more than the mapping around it.
func (p *Parser) node(block, indentless bool) error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	e := &p.event
	*e = Event{At: t.location.offset}
	if t.kind == aliasName {
		e.Kind, e.Value = Alias, t.text
		p.pop()
		p.take()
		return nil
	}
	if t.kind == anchorName || t.kind == tagName {
		if t, err = p.properties(e); err != nil {
			return err
		}
	}
	if e.Anchor == "" || p.outer != nil {
		_, err = p.begin(e, t, block, indentless)
		return err
	}
	a := anchor{content: *t, tag: e.Tag}
	a.empty, err = p.begin(e, t, block, indentless)
	if a.empty {
		a.content.location.offset = e.At
	}
	a.content.text = ""
	p.anchors[e.Anchor] = append(p.anchors[e.Anchor], a)
	return err
}

// begin sets the kind of the node e from t, the first token behind its properties. It
// reports whether the node has properties only.
func (p *Parser) begin(e *Event, t *token, block, indentless bool) (empty bool, err error) {
	switch {
	case t.kind == blockEntry && indentless:
		e.Kind, p.state = SequenceStart, (*Parser).indentlessEntry
	case t.kind == scalarText:
		e.Kind, e.Style, e.Value = Scalar, t.style, t.text
		e.Start, e.End = t.location.offset, t.end
		p.pop()
		p.take()
	case t.kind == flowSequenceStart:
		e.Kind, p.state = SequenceStart, (*Parser).firstFlowEntry
	case t.kind == flowMappingStart:
		e.Kind, p.state = MappingStart, (*Parser).firstFlowKey
	case t.kind == blockSequenceStart && block:
		p.take()
		e.Kind, p.state = SequenceStart, (*Parser).blockEntry
	case t.kind == blockMappingStart && block:
		p.take()
		e.Kind, p.state = MappingStart, (*Parser).blockKey
	case e.Anchor != "" || e.Tag != "":
		e.Kind, empty = Scalar, true
		p.pop()
	default:
		return false, p.fail(t.location.offset, "did not find the content of a node")
	}
	return empty, nil
}

func (p *Parser) blockEntry() error {
	t, err := p.peek()
	switch {
	case err != nil:
		return err
	case t.kind == blockEnd:
		return p.close(SequenceEnd)
	case t.kind != blockEntry:
		return p.fail(t.location.offset, "did not find the '-' of a sequence")
	}
	at := t.location.offset
	p.take()
	switch t, err = p.peek(); {
	case err != nil:
		return err
	case t.kind == blockEntry, t.kind == blockEnd:
		return p.nothing((*Parser).blockEntry, at)
	}
	return p.then((*Parser).blockEntry, true, false)
}

func (p *Parser) indentlessEntry() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	if t.kind != blockEntry {
		p.pop()
		return p.emit(Event{Kind: SequenceEnd, At: t.location.offset})
	}
	at := t.location.offset
	p.take()
	switch t, err = p.peek(); {
	case err != nil:
		return err
	case t.kind == blockEntry, t.kind == keyMark, t.kind == valueMark, t.kind == blockEnd:
		return p.nothing((*Parser).indentlessEntry, at)
	}
	return p.then((*Parser).indentlessEntry, true, false)
}

// close takes the end of a collection.
func (p *Parser) close(kind Kind) error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	p.event = Event{Kind: kind, At: t.location.offset}
	p.take()
	p.pop()
	return nil
}

func (p *Parser) blockKey() error {
	t, err := p.peek()
	switch {
	case err != nil:
		return err
	case t.kind == blockEnd:
		return p.close(MappingEnd)
	case t.kind != keyMark:
		return p.fail(t.location.offset, "did not find a key")
	}
	return p.blockMember((*Parser).blockValue)
}

func (p *Parser) blockValue() error {
	t, err := p.peek()
	switch {
	case err != nil:
		return err
	case t.kind != valueMark:
		return p.nothing((*Parser).blockKey, t.location.offset)
	}
	return p.blockMember((*Parser).blockKey)
}

// blockMember takes the indicator of a key or a value, and parses the node behind it.
func (p *Parser) blockMember(next state) error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	at := t.location.offset
	p.take()
	switch t, err = p.peek(); {
	case err != nil:
		return err
	case t.kind == keyMark, t.kind == valueMark, t.kind == blockEnd:
		return p.nothing(next, at)
	}
	return p.then(next, true, true)
}

// flowItem takes the comma before an item of a flow collection, and returns the first
// token of the item, or the end of the collection.
func (p *Parser) flowItem(end tokenKind) (*token, error) {
	t, err := p.peek()
	if err != nil || t.kind == end {
		return t, err
	}
	if t.kind != flowEntry {
		return nil, p.fail(t.location.offset, "did not find ',' or the end of a flow collection")
	}
	p.take()
	return p.peek()
}

func (p *Parser) firstFlowEntry() error {
	p.take()
	t, err := p.peek()
	if err != nil {
		return err
	}
	return p.flowEntry(t)
}

func (p *Parser) nextFlowEntry() error {
	t, err := p.flowItem(flowSequenceEnd)
	if err != nil {
		return err
	}
	return p.flowEntry(t)
}

func (p *Parser) flowEntry(t *token) error {
	switch t.kind {
	case flowSequenceEnd:
		return p.close(SequenceEnd)
	case keyMark: // a mapping of one pair
		p.event = Event{Kind: MappingStart, At: t.location.offset}
		p.take()
		p.state = (*Parser).pairKey
		return nil
	}
	return p.then((*Parser).nextFlowEntry, false, false)
}

func (p *Parser) pairKey() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	switch t.kind {
	case flowSequenceEnd:
		return p.nothing((*Parser).pairValue, t.location.offset)
	case valueMark, flowEntry:
		at := t.location.offset
		p.take()
		return p.nothing((*Parser).pairValue, at)
	}
	return p.then((*Parser).pairValue, false, false)
}

func (p *Parser) pairValue() error {
	return p.flowValue((*Parser).pairEnd, flowSequenceEnd)
}

func (p *Parser) pairEnd() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	p.state = (*Parser).nextFlowEntry
	return p.emit(Event{Kind: MappingEnd, At: t.location.offset})
}

func (p *Parser) firstFlowKey() error {
	p.take()
	t, err := p.peek()
	if err != nil {
		return err
	}
	return p.flowKey(t)
}

func (p *Parser) nextFlowKey() error {
	t, err := p.flowItem(flowMappingEnd)
	if err != nil {
		return err
	}
	return p.flowKey(t)
}

func (p *Parser) flowKey(t *token) error {
	switch t.kind {
	case flowMappingEnd:
		return p.close(MappingEnd)
	case keyMark:
		p.take()
		t, err := p.peek()
		if err != nil {
			return err
		}
		switch t.kind {
		case valueMark, flowEntry, flowMappingEnd:
			return p.nothing((*Parser).keyedValue, t.location.offset)
		}
		return p.then((*Parser).keyedValue, false, false)
	}
	return p.then((*Parser).noValue, false, false)
}

func (p *Parser) keyedValue() error {
	return p.flowValue((*Parser).nextFlowKey, flowMappingEnd)
}

// noValue returns the value of a key without a colon.
func (p *Parser) noValue() error {
	t, err := p.peek()
	if err != nil {
		return err
	}
	return p.nothing((*Parser).nextFlowKey, t.location.offset)
}

// flowValue takes a colon and parses the value behind it, if they are there.
func (p *Parser) flowValue(next state, end tokenKind) error {
	t, err := p.peek()
	if err == nil && t.kind == valueMark {
		p.take()
		if t, err = p.peek(); err == nil && t.kind != flowEntry && t.kind != end {
			return p.then(next, false, false)
		}
	}
	if err != nil {
		return err
	}
	return p.nothing(next, t.location.offset)
}
