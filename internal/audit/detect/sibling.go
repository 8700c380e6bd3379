package detect

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// isDevice reports whether the Hash around tells of something that is asked by
// SNMP: it has an address or a version.
func (t *Text) isDevice() bool {
	h := t.leaf.Hash()
	if h == nil || strings.Trim(t.S, "0123456789:") == "" { // of BGP
		return false
	}
	for _, key := range []string{"ip", "address", "host", "hostname", "version", "snmp_version", "ipaddress"} {
		if _, ok := h.GetString(key); ok {
			return true
		}
	}
	return false
}

// parent returns the key above the one that the text stands under, empty when
// there is none.
func (t *Text) parent() string {
	depth := 0
	for name := range t.leaf.Names {
		if depth++; depth == 2 {
			return name
		}
	}
	return ""
}

// ofParent returns what a name says together with what it belongs to: the `pin`
// in the Hash `hsm`, the `key` of a `Radius_server`.
func (t *Text) ofParent(name string) sort {
	parent := t.parent()
	if as := t.sortOf(lastWord(parent) + "_" + name); parent != "" && as.secret() {
		return as
	}
	if t.leaf.Resource == nil {
		return plain
	}
	what := t.leaf.Resource.Type
	switch {
	case what == "Class":
		what = t.leaf.Resource.Title
	case parent != "":
		return plain
	}
	for w := range strings.FieldsFuncSeq(what, func(r rune) bool { return r == '_' || r == ':' }) {
		if as := t.sortOf(strings.ToLower(w) + "_" + name); as.secret() {
			return as
		}
	}
	return plain
}

// designated returns what a sibling, or the title of the resource, says that
// the value is: `setting => 'db_password', value => …`.
func (t *Text) designated() (string, sort) {
	names := t.names()
	h := t.leaf.Hash()
	if h == nil {
		return "", plain
	}
	ofRegistry := t.resourceType() == "Registry::Value"
	for k, v := range members(h) {
		key, _ := k.(pcore.String)
		text, _ := v.(pcore.String)
		if key == "type" && text == "password" {
			return string(text), password // of a question, a field of a form
		}
		if text == "" || len(text) > maxName || !names.designator(string(key)) && (key != "value" || !ofRegistry) {
			continue
		}
		name := lastPart(string(text))
		if s := names.sortOf(name); s != plain {
			return name, s
		}
	}
	if r := t.leaf.Resource; r != nil && (h == r.Parameters || t.parent() != "" && isMember(r.Parameters, h)) {
		name := lastPart(t.leaf.Resource.Title)
		return name, names.sortOf(name)
	}
	return "", plain
}

// isMember reports whether a Hash is a value of another.
func isMember(outer, h *pcore.Hash) bool {
	for _, v := range members(outer) {
		if v == h {
			return true
		}
	}
	return false
}

// contained returns the key of the Hash around, when it says that all members
// are secrets: `tokens => { agent => … }`.
func (t *Text) contained() (string, sort) {
	parent := t.parent()
	if parent == "" {
		return "", plain
	}
	last := lastWord(parent)
	if last == "users" && t.isMapOfText() {
		return parent, token
	}
	k := t.names().key(parent)
	switch {
	case !k.container && !(k.sort.secret() && last == "keys"):
		return "", plain
	case strings.HasPrefix(last, "passw"):
		return parent, password
	}
	return parent, token
}

// isMapOfText reports whether the Hash around has nothing but Strings.
func (t *Text) isMapOfText() bool {
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	for _, v := range members(h) {
		if _, ok := v.(pcore.String); !ok {
			return false
		}
	}
	return true
}

// maxSiblings is how many members of a Hash are asked about one of them, so that
// a large Hash does not take the square of its size.
const maxSiblings = 256

// members yields the first members of a Hash.
func members(h *pcore.Hash) iter.Seq2[pcore.Value, pcore.Value] {
	return func(yield func(k, v pcore.Value) bool) {
		n := 0
		for k, v := range h.All() {
			if n++; n > maxSiblings || !yield(k, v) {
				return
			}
		}
	}
}
