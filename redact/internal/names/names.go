// Package names replaces the names of hosts, users and groups, and addresses, in text.
//
//	Set    collects names, then replaces each by the same marker in every text
//	shape  names that are recognized by their form: addresses, mail addresses, host names
//
// It has no knowledge of catalogs: its caller says which values are names.
package names

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/secret"
)

// Role is the role of a name; see [secret.Role].
type Role = secret.Role

// The roles, for callers.
const (
	NoRole = secret.NoRole
	Node   = secret.Node
	Host   = secret.Host
	User   = secret.User
	Group  = secret.Group
)

// RoleOf returns the role of the value of a key.
func RoleOf(key string) Role { return secret.RoleOf(key) }

// Counts are the numbers of different names that were replaced.
type Counts struct{ Hosts, Domains, Users, Groups, Addresses, Mails int }

// Set collects names with Add, Scan and Keep. After the first Replace, names are only added
// if they are recognized by their form. Replace is safe for concurrent use.
type Set struct {
	kept    map[string]bool // words that are no names, in lower case
	types   map[string]bool // types of resources
	taken   map[string]bool // markers in the input
	hidden  bool            // names that are added now get the last numbers
	named   [2][]named      // in order of appearance; the second ones are hidden
	shapes  [2][]shape      // in order of appearance; the second ones are hidden
	known   [2]map[string]bool
	partial [2][]string // parts of texts that contain a host if they are in the domain of a node
	aliases map[string]string
	own     map[string]bool // domains of nodes
	depth   int             // the largest number of labels of these

	once    sync.Once
	words   map[string]marker // by text, in lower case; not changed after once
	lengths map[string][]int  // of the words with a first word, the longest first; not changed after once
	users   map[string]bool   // names of users; not changed after once
	count   [kinds]atomic.Int64

	mu      sync.Mutex
	names   map[string]*name // by text, in lower case; by @text for a mail address
	domains map[string]*name // by domain, in lower case
	next    map[string]int   // the last number of a marker, by its format
}

type named struct {
	role secret.Role
	text string
}

// The kinds of names that are counted.
const (
	hostName = iota
	domainName
	userName
	groupName
	addressName
	mailName
	kinds
)

// name is a name that has a marker of its own.
type name struct {
	mark string
	kind int
	used atomic.Bool // in the output
}

// marker replaces a text. It has the markers of one name, or of the parts of a host name or a mail
// address.
type marker struct {
	text  string
	names [3]*name
}

// New returns an empty set.
func New() *Set {
	return &Set{
		kept: map[string]bool{}, types: map[string]bool{}, taken: map[string]bool{}, known: [2]map[string]bool{{}, {}},
		aliases: map[string]string{}, own: map[string]bool{},
		words: map[string]marker{}, lengths: map[string][]int{}, users: map[string]bool{}, names: map[string]*name{}, domains: map[string]*name{}, next: map[string]int{},
	}
}

// Keep keeps a word, such as the name of a package: it is no name of a user or a host.
func (s *Set) Keep(word string) { s.kept[strings.ToLower(word)] = true }

// KeepType keeps the name of a type of resources: alone, and in references.
func (s *Set) KeepType(name string) { s.types[name] = true }

// Hide makes the names that are added from now on the last ones to get a number, unless they are
// added again after Hide(false). They are probably not in the output.
func (s *Set) Hide(hidden bool) { s.hidden = hidden }

// Hidden returns the argument of the last Hide.
func (s *Set) Hidden() bool { return s.hidden }

// list returns the index of the lists that names are added to.
func (s *Set) list() int {
	if s.hidden {
		return 1
	}
	return 0
}

// isNew notes a text, and reports whether it has to be added to a list.
func (s *Set) isNew(text string, list int) bool {
	if s.known[0][text] || s.known[list][text] {
		return false
	}
	s.known[list][text] = true
	return true
}

// Add adds the names in a value with a role. A value that has none is ignored.
func (s *Set) Add(role secret.Role, value string) {
	if role == secret.NoRole {
		return
	}
	for field := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		switch {
		case len(field) > longest:
		case role == secret.User || role == secret.Group:
			s.addUser(role, field)
		default:
			s.addHost(role, field)
		}
	}
}

// AddAlias adds another text for a user: the full name, which ends at a comma.
func (s *Set) AddAlias(user, text string) {
	text, _, _ = strings.Cut(text, ",")
	text = strings.TrimFunc(text, func(r rune) bool { return !isWord(r) })
	if strings.Contains(text, " ") && len(text) <= longest {
		s.aliases[strings.ToLower(text)] = strings.ToLower(user)
	}
}

// longest is the length of the longest text that is a name.
const longest = 255

func (s *Set) addUser(role secret.Role, text string) {
	if name, host, ok := strings.Cut(text, "@"); ok {
		s.addHost(secret.Host, strings.Trim(host, `"'`+"`"))
		text = name
	}
	if i := strings.LastIndexByte(text, '\\'); i >= 0 { // DOMAIN\user
		s.addHost(secret.Host, text[:i])
		text = text[i+1:]
	}
	text = strings.TrimRight(strings.Trim(text, `"'`+"`"), ".-")
	if userPattern.Get().MatchString(text) {
		s.add(role, text)
	}
}

func (s *Set) addHost(role secret.Role, text string) {
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text, _, _ = strings.Cut(rest, "/")
		if i := strings.LastIndexByte(text, '@'); i >= 0 {
			text = text[i+1:]
		}
	}
	if host, port, ok := strings.Cut(text, ":"); ok && strings.Trim(port, "0123456789") == "" {
		text = host
	}
	text = strings.TrimRight(strings.TrimPrefix(text, "*."), ".-")
	if !hostPattern.Get().MatchString(text) || isAddress(text) || isFileName(text) && role != secret.Node {
		return
	}
	first, domain, dotted := strings.Cut(text, ".")
	if role == secret.Node && dotted {
		s.add(secret.Domain, domain)
		s.add(secret.Host, text)
		s.add(secret.Host, first)
		return
	}
	if _, isTop := topLevel()[strings.ToLower(text)]; isTop && role == secret.Domain { // a word such as dev
		return
	}
	if role == secret.Node || role == secret.Domain && !dotted {
		role = secret.Host
	}
	s.add(role, text)
}

func (s *Set) add(role secret.Role, text string) {
	key := strings.ToLower(text)
	list := s.list()
	if s.reserve(key) || isSpecial(key) || strings.IndexFunc(key, isWord) < 0 || !s.isNew(key, list) {
		return
	}
	if labels := strings.Count(key, ".") + 1; role == secret.Domain && labels >= 2 && labels <= deepest {
		s.own[key] = true
		s.depth = max(s.depth, labels)
	}
	s.named[list] = append(s.named[list], named{role, key})
}

// deepest is the largest number of labels of the domain of a node by which hosts are recognized.
const deepest = 16

// reserve notes a marker of an earlier run. It is kept.
func (s *Set) reserve(key string) bool {
	is := isMarker(key)
	if is {
		s.taken[key] = true
	}
	return is
}

// Scan adds the names in a text that are recognized by their form, and markers of earlier
// runs.
func (s *Set) Scan(text string) {
	list := s.list()
	for _, found := range s.find(text, true) {
		found.text, found.at = strings.Clone(found.text), strings.Clone(found.at) // without the rest of text
		if s.isNew(found.text, list) {
			s.shapes[list] = append(s.shapes[list], found)
		}
	}
	if strings.IndexByte(text, '-') >= 0 {
		for _, at := range markers.Get().FindAllString(strings.ToLower(text), -1) {
			s.taken[at] = true
		}
	}
	if strings.Contains(text, "://") {
		for _, m := range urls.Get().FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], ".") {
				s.addHost(secret.Host, m[1])
			}
		}
	}
	if strings.Contains(text, "/home/") || strings.Contains(text, "Users") {
		for _, m := range homes.Get().FindAllStringSubmatch(text, -1) {
			s.addUser(secret.User, m[1])
		}
	}
	if strings.Contains(text, "AAAA") {
		for _, m := range sshKeys.Get().FindAllStringSubmatch(text, -1) {
			s.addUser(secret.User, m[1])
		}
	}
	if strings.ContainsAny(text, "=:") {
		for _, m := range settings.Get().FindAllStringSubmatch(text, -1) {
			s.Add(secret.RoleOf(m[1]), m[2])
		}
	}
}

// Replace returns text with its names replaced by markers.
func (s *Set) Replace(text string) string {
	s.once.Do(s.compile)
	if s.types[text] {
		return text
	}
	r := replacer{set: s, text: text}
	end := 0
	for _, f := range s.find(text, false) {
		r.words(end, f.start)
		r.put(f.start, f.end, s.mark(f))
		end = f.end
	}
	r.words(end, len(text))
	return r.String()
}

// Counts returns the numbers of different names that were replaced.
func (s *Set) Counts() Counts {
	count := func(kind int) int { return int(s.count[kind].Load()) }
	return Counts{
		Hosts: count(hostName), Domains: count(domainName), Users: count(userName), Groups: count(groupName),
		Addresses: count(addressName), Mails: count(mailName),
	}
}

// compile gives the names their markers, in order of appearance, the hidden ones last.
func (s *Set) compile() {
	for list, texts := range s.partial {
		for _, text := range texts {
			for _, f := range s.find(text, false) {
				if s.isNew(f.text, list) {
					s.shapes[list] = append(s.shapes[list], f)
				}
			}
		}
	}
	for _, list := range s.named {
		for _, n := range list {
			if n.role == secret.Domain {
				s.domain(n.text)
			}
			s.users[n.text] = s.users[n.text] || n.role == secret.User && !s.kept[n.text]
		}
	}
	for list := range s.named {
		for _, n := range s.named[list] {
			s.compileName(n)
		}
		for _, f := range s.shapes[list] {
			s.mark(f)
		}
	}
	for alias, user := range s.aliases {
		if n, ok := s.names[user]; ok && s.names[alias] == nil {
			s.index(alias, n.marker())
		}
	}
	for _, list := range s.lengths {
		slices.SortFunc(list, func(a, b int) int { return b - a })
	}
}

func (s *Set) compileName(n named) {
	dotted := strings.Contains(n.text, ".")
	switch {
	case n.role == secret.Domain && dotted:
		s.index(n.text, s.domain(n.text).marker())
	case n.role == secret.Domain: // a word such as dev is only replaced at the end of a host name
	case n.role == secret.Host && dotted:
		s.index(n.text, s.host(n.text))
	case !s.kept[n.text]:
		s.index(n.text, s.name(n.role, n.text).marker())
	}
}

// index makes Replace find a name wherever it is a word.
func (s *Set) index(text string, mark marker) {
	if _, ok := s.words[text]; ok {
		return
	}
	s.words[text] = mark
	if first := firstWord(strings.TrimLeft(text, "_")); !slices.Contains(s.lengths[first], len(text)) {
		s.lengths[first] = append(s.lengths[first], len(text))
	}
}

// name returns a name of one label.
func (s *Set) name(role secret.Role, text string) *name {
	switch role {
	case secret.User:
		return s.numbered(text, userName, "user-%d")
	case secret.Group:
		return s.numbered(text, groupName, "group-%d")
	default:
		return s.numbered(text, hostName, "host-%d")
	}
}

// numbered returns the name of a text, which is a new one if none has the text.
func (s *Set) numbered(text string, kind int, format string) *name {
	n, ok := s.names[text]
	if !ok {
		n = &name{mark: s.number(format), kind: kind}
		s.names[text] = n
	}
	return n
}

// domain returns the name of a domain.
func (s *Set) domain(text string) *name {
	n, ok := s.domains[text]
	if !ok {
		n = &name{mark: s.number("domain-%d.invalid"), kind: domainName}
		s.domains[text] = n
	}
	return n
}

// host returns the marker of a host name with a domain, which keeps both parts apart.
func (s *Set) host(text string) marker {
	if isMarker(text) {
		return marker{text: text}
	}
	if d, ok := s.domains[text]; ok {
		return d.marker()
	}
	for i := range len(text) {
		if text[i] != '.' {
			continue
		}
		if d, ok := s.domains[text[i+1:]]; ok {
			return s.name(secret.Host, text[:i]).with(".", d)
		}
	}
	if first, domain, _ := strings.Cut(text, "."); strings.Contains(domain, ".") {
		return s.name(secret.Host, first).with(".", s.domain(domain))
	}
	return s.domain(text).marker()
}

// marker returns the marker of a name alone.
func (n *name) marker() marker { return marker{text: n.mark, names: [3]*name{n}} }

// with returns the marker of a name, a separator, and another name.
func (n *name) with(separator string, other *name) marker {
	return marker{text: n.mark + separator + other.mark, names: [3]*name{n, other}}
}

// number returns the next marker of a format that is not in the input.
func (s *Set) number(format string) string {
	return s.unused(format, func(n int) string { return fmt.Sprintf(format, n) })
}

// unused returns the next marker of a series that is not in the input.
func (s *Set) unused(series string, marker func(n int) string) string {
	for {
		s.next[series]++
		if mark := marker(s.next[series]); !s.taken[mark] {
			return mark
		}
	}
}

// mark returns the marker of a shape.
func (s *Set) mark(f shape) marker {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch f.kind {
	case hostShape:
		return s.host(f.text)
	case mailShape:
		text, domain, _ := strings.Cut(f.text, "@")
		local, host := s.local(text), s.host(domain)
		return marker{text: local.text + f.at + host.text, names: [3]*name{local.names[0], host.names[0], host.names[1]}}
	case ipv4Shape, ipv6Shape, macShape:
		key := f.kind.String() + " " + f.text
		n, ok := s.names[key]
		if !ok {
			n = &name{mark: s.unused(f.kind.String(), f.kind.address), kind: addressName}
			s.names[key] = n
		}
		return n.marker()
	}
	return marker{text: f.text}
}

// local returns the marker of the part of a mail address before the @.
func (s *Set) local(text string) marker {
	switch {
	case isSpecial(text) || isMarker(text):
		return marker{text: text}
	case s.users[text]:
		if n := s.name(secret.User, text); n.kind == userName {
			return n.marker()
		}
	}
	return s.numbered("@"+text, mailName, "mail-%d").marker()
}

// replacer replaces the names in a text.
type replacer struct {
	set  *Set
	text string
	out  strings.Builder
	done int // the part of the text that is in out
}

// String returns the new text, which is the old one if nothing was replaced.
func (r *replacer) String() string {
	if r.done == 0 {
		return r.text
	}
	r.out.WriteString(r.text[r.done:])
	return r.out.String()
}

// put replaces a part of the text, and counts the names in it.
func (r *replacer) put(start, end int, m marker) {
	if m.text == r.text[start:end] {
		return
	}
	r.out.WriteString(r.text[r.done:start])
	r.out.WriteString(m.text)
	r.done = end
	for _, n := range m.names {
		if n != nil && !n.used.Swap(true) {
			r.set.count[n.kind].Add(1)
		}
	}
}

// words replaces the known names in a part of the text.
func (r *replacer) words(from, to int) {
	text := r.text[:to]
	for i := from; i < to; {
		if starts(text, i) {
			if end := r.typeEnd(i); end > i && end <= to {
				i = end
				continue
			}
			if end, mark := r.set.wordAt(text, i); end > i {
				mark.text = cased(mark.text, text[i:end])
				r.put(i, end, mark)
				i = end
				continue
			}
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
}

// typeEnd returns the end of the type of a reference that begins at a position, or 0: types stay.
func (r *replacer) typeEnd(at int) int {
	if at > 0 && r.text[at-1] == ':' {
		return 0
	}
	end := at + typeLen(r.text[at:])
	if end == at || end == len(r.text) || r.text[end] != '[' {
		return 0
	}
	if !r.set.types[r.text[at:end]] && !isReference(r.text) {
		return 0
	}
	return end
}

// isReference reports whether a text begins as a reference or a path of references:
// `/Stage[main]/Shop::Site[a]/File[/b]`.
func isReference(text string) bool {
	text = strings.TrimPrefix(text, "/")
	end := typeLen(text)
	return end > 0 && end < len(text) && text[end] == '['
}

// typeLen returns the length of the name of a type at the beginning of a text: `Shop::Site`.
func typeLen(text string) int {
	for at := 0; ; {
		if at == len(text) || text[at] < 'A' || text[at] > 'Z' {
			return max(0, at-len("::"))
		}
		for at < len(text) && (text[at] == '_' || text[at] < utf8.RuneSelf && isWord(rune(text[at]))) {
			at++
		}
		if !strings.HasPrefix(text[at:], "::") {
			return at
		}
		at += len("::")
	}
}

// wordAt returns the end of the longest known name at a position in a text, and its marker, or 0.
func (s *Set) wordAt(text string, at int) (end int, mark marker) {
	first := at
	for first < len(text) && first-at < longest && text[first] == '_' {
		first++
	}
	for _, n := range s.lengths[strings.ToLower(firstWord(text[first:]))] {
		end := at + n
		if end > len(text) || !isEnd(text, end) || n <= 2 && !isAlone(text, at, end) {
			continue
		}
		if mark, ok := s.words[strings.ToLower(text[at:end])]; ok {
			return end, mark
		}
	}
	return 0, marker{}
}

// firstWord returns the letters and digits at the beginning of a text.
func firstWord(text string) string {
	if i := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }); i >= 0 {
		return text[:i]
	}
	return text
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// starts reports whether a word may begin at a position: after other characters, or after an
// escape such as `\n` in a nested text.
func starts(text string, at int) bool {
	if r, _ := utf8.DecodeRuneInString(text[at:]); !isWord(r) && r != '_' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return at == 0 || !isWord(before) || isEscape(text, at)
}

// isEscape reports whether an escape such as `\n` ends at a position.
func isEscape(text string, at int) bool {
	return at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0
}

func isEnd(text string, at int) bool {
	after, _ := utf8.DecodeRuneInString(text[at:])
	return at == len(text) || !isWord(after)
}

// isAlone reports whether a part of a text is all of it, or of a title or an element of a path.
func isAlone(text string, start, end int) bool {
	const around = `[]/@:="'`
	return (start == 0 || strings.IndexByte(around, text[start-1]) >= 0) && (end == len(text) || strings.IndexByte(around, text[end]) >= 0)
}

// cased returns a marker in the case of the text that it replaces: references have types and
// classes with capital letters, and titles that differ in case stay different.
func cased(mark, text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case !unicode.IsUpper(first) || strings.Contains(text, " "):
		return mark
	case len(text) > 1 && text == strings.ToUpper(text):
		return strings.ToUpper(mark)
	}
	return strings.ToUpper(mark[:1]) + mark[1:]
}
