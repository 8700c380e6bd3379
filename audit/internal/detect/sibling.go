package detect

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// isDevice reports whether the surrounding Hash describes an SNMP device: it has an address
// or a version.
func (t parameters) isDevice() bool {
	h := t.leaf.Hash()
	if h == nil || strings.Trim(t.S, "0123456789:") == "" { // a BGP community
		return false
	}
	for _, key := range []string{"ip", "address", "host", "hostname", "version", "snmp_version", "ipaddress", "ip_address", "target", "device"} {
		if _, ok := h.GetString(key); ok {
			return true
		}
	}
	return false
}

// parent returns the key above the key of the text, or "".
func (t parameters) parent() string {
	depth := 0
	for name := range t.leaf.Names {
		if depth++; depth == 2 {
			return name
		}
	}
	return ""
}

// ofParent returns the class of a name together with its owner: the `pin` in the Hash `hsm`,
// the `key` of a `Radius_server`.
func (t parameters) ofParent(name string) verdict.NameClass {
	parent := t.parent()
	if as := t.classOf(verdict.LastWord(parent) + "_" + name); parent != "" && as.Secret() {
		return as
	}
	if t.leaf.Resource == nil {
		return verdict.Plain
	}
	what := t.leaf.Resource.Type
	switch {
	case what == "Class":
		what = t.leaf.Resource.Title
	case parent != "":
		return verdict.Plain
	}
	for w := range strings.FieldsFuncSeq(what, func(r rune) bool { return r == '_' || r == ':' }) {
		if as := t.classOf(strings.ToLower(w) + "_" + name); as.Secret() {
			return as
		}
	}
	return verdict.Plain
}

// designated returns the name that a sibling or the title of the resource gives to the
// value: `setting => 'db_password', value => …`.
func (t parameters) designated() (string, verdict.NameClass) {
	names := t.names()
	h := t.leaf.Hash()
	if h == nil {
		return "", verdict.Plain
	}
	ofRegistry := t.resourceType() == "Registry::Value"
	for k, v := range members(h) {
		key, _ := k.(pcore.String)
		text, _ := v.(pcore.String)
		if key == "type" && text == "password" {
			return string(text), verdict.Password // a question, a field of a form
		}
		if text == "" || len(text) > verdict.MaxName || !names.Designator(string(key)) && (key != "value" || !ofRegistry) {
			continue
		}
		name := verdict.LastPart(string(text))
		if s := names.ClassOf(name); s != verdict.Plain {
			return name, s
		}
	}
	if r := t.leaf.Resource; r != nil && (h == r.Parameters || t.parent() != "" && isMember(r.Parameters, h)) {
		name := verdict.LastPart(t.leaf.Resource.Title)
		as := names.ClassOf(name)
		if secret, _ := r.Parameters.GetString("secret"); secret == pcore.Boolean(true) && !as.Secret() {
			as = verdict.Password // a setting of OpenStack that its type masks in logs
		}
		return name, as
	}
	return "", verdict.Plain
}

// isMember reports whether a Hash is a value of another Hash.
func isMember(outer, h *pcore.Hash) bool {
	for _, v := range members(outer) {
		if v == h {
			return true
		}
	}
	return false
}

// contained returns the key of the surrounding Hash if all its members are secrets: `tokens
// => { agent => … }`.
func (t parameters) contained() (string, verdict.NameClass) {
	parent := t.parent()
	if parent == "" {
		return "", verdict.Plain
	}
	last := verdict.LastWord(parent)
	if last == "users" && t.isMapOfText() {
		return parent, verdict.Token
	}
	k := t.names().Key(parent)
	switch {
	case !k.Container && !(k.Class.Secret() && last == "keys"):
		return "", verdict.Plain
	case strings.HasPrefix(last, "passw"):
		return parent, verdict.Password
	}
	return parent, verdict.Token
}

// besideSecrets reports whether another member of the surrounding Hash has the name of a secret, and a
// text as its value.
func (t parameters) besideSecrets() bool {
	h := t.leaf.Hash()
	if h == nil || t.leaf.Resource == nil {
		return false
	}
	if last := &t.scanner.beside; last.hash != h || last.resource != t.leaf.Resource.Pointer {
		*last = neighbours{hash: h, resource: t.leaf.Resource.Pointer, secret: t.hasSecret(h)}
	}
	return t.scanner.beside.secret
}

// inResourceWithSecrets reports whether a value of the resource, at any depth, has the name of a secret.
func (t parameters) inResourceWithSecrets() bool {
	r := t.leaf.Resource
	if r == nil {
		return false
	}
	if last := &t.scanner.around; last.hash != r.Parameters || last.resource != r.Pointer {
		*last = neighbours{hash: r.Parameters, resource: r.Pointer, secret: t.hasSecretWithin(r.Parameters, 0)}
	}
	return t.scanner.around.secret
}

// hasSecretWithin reports whether a member of a value, at any depth, has the name of a secret, and a text
// as its value.
func (t parameters) hasSecretWithin(v pcore.Value, depth int) bool {
	const deepest = 8
	if depth > deepest {
		return false
	}
	if h, ok := v.(*pcore.Hash); ok {
		if t.hasSecret(h) {
			return true
		}
		for _, member := range members(h) {
			if t.hasSecretWithin(member, depth+1) {
				return true
			}
		}
	}
	if list, ok := v.(*pcore.Array); ok {
		for i := range min(list.Len(), maxSiblings) {
			if t.hasSecretWithin(list.At(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// occurrences returns the number of texts in a value, at any depth, that equal a text.
func occurrences(v pcore.Value, text string, depth int) int {
	const deepest = 8
	n := 0
	switch v := v.(type) { //nolint:gochecksumtype // other values have no texts
	case pcore.String:
		if string(v) == text {
			n++
		}
	case *pcore.Hash:
		for _, member := range members(v) {
			if depth < deepest {
				n += occurrences(member, text, depth+1)
			}
		}
	case *pcore.Array:
		for i := range min(v.Len(), maxSiblings) {
			if depth < deepest {
				n += occurrences(v.At(i), text, depth+1)
			}
		}
	}
	return n
}

// isRepeated reports whether another member of the surrounding Hash has the same value, so that it is a copy.
func (t parameters) isRepeated() bool {
	n := 0
	for _, v := range members(t.leaf.Hash()) {
		if v == pcore.String(t.leaf.Text) {
			n++
		}
	}
	return n > 1
}

// neighbours are the members of the Hash that was searched last for the names of secrets. The memory
// of a Hash is used again for the next resource, so it is identified together with that.
type neighbours struct {
	hash     *pcore.Hash
	resource string // pointer
	secret   bool
}

// hasSecret reports whether a member of a Hash has the name of a secret, and a text as its value.
func (t parameters) hasSecret(h *pcore.Hash) bool {
	for k, v := range members(h) {
		key, _ := k.(pcore.String)
		if _, declared := v.(*pcore.Sensitive); declared {
			return true
		}
		if text, _ := v.(pcore.String); text != "" && t.names().Key(string(key)).Class.Secret() {
			return true
		}
	}
	return false
}

// isMapOfText reports whether all values of the surrounding Hash are Strings.
func (t parameters) isMapOfText() bool {
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

// maxSiblings is the maximum number of members of a Hash that are inspected for one of
// them. It keeps the time for a large Hash linear.
const maxSiblings = 256

// members returns an iterator over the first members of a Hash.
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
