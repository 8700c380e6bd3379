package detect

import (
	"iter"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/puppet"
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

// owner returns the nearest key above the key of the text that says more than that options follow:
// `voicemail => { options => { pin => … } }`. It returns "" if there is none.
func (t parameters) owner() string {
	depth := 0
	for name := range t.leaf.Names {
		if depth++; depth > 1 && name != "options" && name != "settings" && name != "config" {
			return name
		}
	}
	return ""
}

// ofParent returns the class of a name together with its owner: the `pin` in the Hash `hsm`,
// the `key` of a `Radius_server`.
func (t parameters) ofParent(name string) verdict.NameClass {
	parent := t.parent()
	if as := t.classOf(verdict.LastWord(t.owner()) + "_" + name); parent != "" && as.Secret() {
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
// value: `setting => 'db_password', value => …`. It does not name the mode of
// `File[/etc/ipsec.secrets]` in an event.
func (t parameters) designated() (string, verdict.NameClass) {
	names := t.names()
	h := t.leaf.HashAround()
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
	if r := t.leaf.Resource; r != nil && (h == r.Parameters || t.isNamedByTitle(r, h)) {
		name := verdict.LastPart(t.leaf.Resource.Title)
		as := names.ClassOf(name)
		if secret, _ := r.Parameters.GetString("secret"); secret == pcore.Boolean(true) && !as.Secret() {
			as = verdict.Password // a setting of OpenStack that its type masks in logs
		}
		return name, as
	}
	return "", verdict.Plain
}

// isNamedByTitle reports whether the title of a resource can name a value in a Hash: in one that is the
// value of a parameter, unless this is a property of Puppet's own types.
func (t parameters) isNamedByTitle(r *leaf.Resource, h *pcore.Hash) bool {
	parent := t.parent()
	return parent != "" && isMember(r.Parameters, h) && (t.names().Carrier(parent) || !puppet.IsProperty(r.Type, parent))
}

// isInStore reports whether the resource is a secret, or a store of them, by its type: `Docker_secret`,
// `Profile::Secret_store`.
func (t parameters) isInStore() bool {
	typ := t.resourceType()
	for _, w := range verdict.Words(typ[strings.LastIndexByte(typ, ':')+1:]) {
		switch w {
		case "secret", "secrets", "credential", "credentials", "vault":
			return true
		}
	}
	return false
}

// isBesideUser reports whether the Hash around the text has a user with a short name: `{ u => 'app', p => 'X' }`.
func (t parameters) isBesideUser() bool {
	h := t.leaf.Hash()
	if h == nil {
		return false
	}
	for _, key := range []string{"u", "usr"} {
		if _, ok := h.GetString(key); ok {
			return true
		}
	}
	return false
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
	if t.names().HasAccounts(parent) && t.isMapOfText() && t.isAmongPasswords() {
		return parent, verdict.ClassOfArgument(t.S)
	}
	k := t.names().Key(parent)
	switch {
	case !k.Container:
		return "", verdict.Plain
	case strings.HasPrefix(last, "passw"):
		return parent, verdict.Password
	}
	return parent, verdict.Token
}

// besideSecrets reports whether another member of the surrounding Hash has the name of a secret, and a
// text as its value.
func (t parameters) besideSecrets() bool {
	h, r := t.leaf.Hash(), t.leaf.Resource
	if h == nil || r == nil {
		return false
	}
	if last := &t.scanner.beside; !last.are(h, r) {
		*last = neighbours{hash: h, catalog: r.Catalog.Name, resource: r.Pointer, secret: t.hasSecret(h)}
	}
	return t.scanner.beside.secret
}

// inResourceWithSecrets reports whether a value of the resource, at any depth, has the name of a secret.
func (t parameters) inResourceWithSecrets() bool {
	r := t.leaf.Resource
	if r == nil {
		return false
	}
	if last := &t.scanner.around; !last.are(r.Parameters, r) {
		found := false
		within(r.Parameters, new(int), func(v pcore.Value) {
			if h, ok := v.(*pcore.Hash); ok && !found {
				found = t.hasSecret(h)
			}
		})
		*last = neighbours{hash: r.Parameters, catalog: r.Catalog.Name, resource: r.Pointer, secret: found}
	}
	return t.scanner.around.secret
}

// isCopied reports whether another text of the resource equals the leaf.
func (t parameters) isCopied() bool {
	n := 0
	within(t.leaf.Resource.Parameters, new(int), func(v pcore.Value) {
		if v == pcore.String(t.leaf.Text) {
			n++
		}
	})
	return n > 1
}

// maxWithin is the maximum number of values of a resource that are inspected for one of them.
const maxWithin = 4096

// within calls visit for a value and its members at any depth, up to maxWithin. It counts them in n.
func within(v pcore.Value, n *int, visit func(pcore.Value)) {
	if *n++; *n > maxWithin {
		return
	}
	visit(v)
	if h, ok := v.(*pcore.Hash); ok {
		for _, member := range members(h) {
			within(member, n, visit)
		}
	}
	if list, ok := v.(*pcore.Array); ok {
		for i := range min(list.Len(), maxSiblings) {
			within(list.At(i), n, visit)
		}
	}
}

// neighbours are the members of the Hash that was searched last for the names of secrets. The memory
// of a Hash is used again for the next resource, so it is identified together with that.
type neighbours struct {
	hash              *pcore.Hash
	list              *pcore.Array // instead of a Hash
	catalog, resource string       // the name of the one, and the pointer to the other
	secret            bool
}

// are reports whether the neighbours are the members of a Hash of a resource.
func (n *neighbours) are(h *pcore.Hash, r *leaf.Resource) bool {
	return n.hash == h && n.resource == r.Pointer && n.catalog == r.Catalog.Name
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

// isAmongPasswords reports whether a text and the others of its Hash or list look like passwords. They are all of them if they
// are of different kinds, a passphrase and a word with digits, because identifiers and names are of one.
func (t parameters) isAmongPasswords() bool {
	last := &t.scanner.among
	list, _ := t.leaf.Element()
	h, r := t.leaf.Hash(), t.leaf.Resource
	if list != nil {
		h = nil
	}
	if r == nil || last.hash == h && last.list == list && last.resource == r.Pointer && last.catalog == r.Catalog.Name {
		return r != nil && last.secret
	}
	*last = neighbours{hash: h, list: list, catalog: r.Catalog.Name, resource: r.Pointer}
	switch {
	case list != nil:
		last.secret = arePasswords(list.Len(), func(yield func(pcore.Value) bool) {
			for i := range list.Len() {
				if !yield(list.At(i)) {
					return
				}
			}
		})
	case h != nil:
		last.secret = arePasswords(h.Len(), func(yield func(pcore.Value) bool) {
			for _, v := range h.All() {
				if !yield(v) {
					return
				}
			}
		})
	}
	return last.secret
}

// arePasswords reports whether n values are passwords of different kinds.
func arePasswords(n int, all iter.Seq[pcore.Value]) bool {
	const fewest, most = 2, 32
	if n < fewest || n > most {
		return false
	}
	hasDigit := false
	for v := range all {
		s, ok := v.(pcore.String)
		if !ok || len(s) < shortestOfList || strings.ContainsAny(string(s), "/:@=<>(){}[]$") {
			return false
		}
		hasDigit = hasDigit || strings.ContainsAny(string(s), "0123456789")
	}
	if !hasDigit {
		return false
	}
	phrases, words, isSure := 0, 0, false
	for v := range all {
		s, _ := v.(pcore.String)
		text := string(s)
		switch {
		case verdict.IsTitled(text):
			return false
		case verdict.IsPhrase(text), verdict.IsDottedPhrase(text), verdict.IsCamelPhrase(text), verdict.IsSpokenPhrase(text) && text[0] >= 'a':
			phrases++
		case verdict.FollowsRules(text), verdict.IsRandom(text):
			words++
			isSure = isSure || verdict.IsDrawnOrMarked(text)
		default:
			return false
		}
	}
	return isSure && phrases > 0 && phrases+words >= fewest
}

// shortestOfList is the minimum length of a password among others.
const shortestOfList = 8

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
