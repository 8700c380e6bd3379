package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
)

// Profile is a set of differences that do not count as changes, but are counted in
// [Report.Ignored]: one of [Profiles].
//
//	auto             selects puppetdb, stringified and agent-cache if the catalogs look as if they needed it
//	default          order where there is none, lines, versions, envelopes; always on
//	puppetdb         what PuppetDB changes
//	stringified      a rich value and its text
//	agent-cache      a Deferred and its result
//	upgrade          for types of Puppet, a number and its text, a value and an array of only this value
//	upgrade-defines  the same for all resources
//	content          the layout of JSON, YAML and INI files with the same data
//	eol              LF and CRLF in files
//	final-newline    line breaks at the end of files
//	compile-dir      the directory in which a catalog was compiled
//	effect           changes without an effect on the node
type Profile string

// The profiles.
const (
	// profileAuto selects profilePuppetDB, profileStringified and profileAgentCache
	// if the catalogs look as if they needed it.
	profileAuto Profile = "auto"
	// profileDefault ignores the order of everything without an order, files and
	// lines, versions and identifiers, a namevar that equals the title, parameters
	// that are undef, and envelopes.
	profileDefault Profile = "default"
	// profilePuppetDB ignores what PuppetDB changes: it adds aliases, writes rich
	// values as text, and drops Sensitive parameters, which therefore cannot be
	// compared. It also ignores exported resources and characters that it damaged.
	profilePuppetDB Profile = "puppetdb"
	// profileStringified ignores the difference between a rich value and its text.
	profileStringified Profile = "stringified"
	// profileAgentCache ignores the difference between a Deferred and its result,
	// as in the catalog that an agent keeps.
	profileAgentCache Profile = "agent-cache"
	// profileUpgrade ignores, for types of Puppet, the difference between a number or
	// a Boolean and its text, a value and an array of only this value, undef and the text
	// `:undef` that Puppet 3 wrote for it, and `644` and `0644` as a mode.
	profileUpgrade Profile = "upgrade"
	// profileUpgradeDefines is profileUpgrade for all resources: if such a difference matters
	// to the code of a class or a define, their resources differ.
	profileUpgradeDefines Profile = "upgrade-defines"
	// profileContent ignores differences in the content of JSON, YAML and INI files
	// with the same data.
	profileContent Profile = "content"
	// profileEOL ignores the difference between LF and CRLF in the content of files.
	profileEOL Profile = "eol"
	// profileFinalNewline ignores line breaks at the end of the content of files.
	profileFinalNewline Profile = "final-newline"
	// profileCompileDir ignores the folder in which a catalog was compiled.
	profileCompileDir Profile = "compile-dir"
	// profileEffect ignores changes without an effect on the node: parameters of
	// absent resources, of execs that nothing refreshes although they wait for it, of
	// classes and of instances of defines.
	profileEffect Profile = "effect"
)

// Profiles returns all profiles.
func Profiles() []Profile {
	return []Profile{
		profileAuto, profileDefault, profilePuppetDB, profileStringified, profileAgentCache, profileUpgrade, profileUpgradeDefines,
		profileContent, profileEOL, profileFinalNewline, profileCompileDir, profileEffect,
	}
}

// noise decides which differences do not count, and counts them.
type noise struct {
	on      map[Profile]bool
	ignored map[Ignored]int // without Count
	// The locations whose values one of the catalogs does not contain.
	incomparable []catalog.Location

	oldDB, newDB   bool   // comes from PuppetDB
	oldDir, newDir string // the folders of compilation
}

// newNoise selects the profiles for two catalogs.
func newNoise(profiles []Profile, old, new *side) *noise {
	n := &noise{on: map[Profile]bool{profileDefault: true}, ignored: make(map[Ignored]int)}
	n.oldDB, n.newDB = old.isPuppetDB(), new.isPuppetDB()
	for _, p := range profiles {
		n.on[p] = true
	}
	if len(profiles) == 0 || n.on[profileAuto] {
		delete(n.on, profileAuto)
		n.detect(old, new)
	}
	if n.on[profilePuppetDB] && !n.oldDB && !n.newDB {
		n.oldDB, n.newDB = true, true // whichever it is
	}
	if n.on[profileCompileDir] {
		n.oldDir, n.newDir = compileDirs(old, new)
	}
	return n
}

// detect selects the profiles that the formats of the catalogs require.
func (n *noise) detect(old, new *side) {
	if n.oldDB != n.newDB {
		other := old
		if n.oldDB {
			other = new
		}
		n.on[profilePuppetDB], n.on[profileAgentCache] = true, other.isAgentCache()
		return
	}
	if oneHas(old, new, (*item).isRich) || oneHas(old, new, (*item).hidesSecrets) {
		n.on[profileStringified] = true
	}
	if old.isAgentCache() != new.isAgentCache() {
		n.on[profileAgentCache] = true
	}
}

// isPuppetDB reports whether a catalog has the members that only PuppetDB knows.
func (s *side) isPuppetDB() bool {
	_, name := s.catalog.Member("certname")
	_, stamp := s.catalog.Member("producer_timestamp")
	return name || stamp
}

// form returns the name of the format of a catalog whose document has a form.
func (s *side) form(document string) string {
	if s.isPuppetDB() {
		return string(profilePuppetDB)
	}
	return document
}

// oneHas reports whether only one of two catalogs has a resource of some kind. Resources
// with the same bytes in both are of the same kind, so most need not be searched.
func oneHas(old, new *side, kind func(*item) bool) bool {
	split := func(s, other *side) (own, common []*item) {
		for _, i := range s.items {
			if o := other.byID[i.id]; o != nil && sameRaw(i.res.Wire(), o.res.Wire(), i.res.Bytes(), o.res.Bytes()) {
				common = append(common, i)
			} else {
				own = append(own, i)
			}
		}
		return own, common
	}
	olds, common := split(old, new)
	news, _ := split(new, old)
	return slices.ContainsFunc(olds, kind) != slices.ContainsFunc(news, kind) && !slices.ContainsFunc(common, kind)
}

// isRich reports whether a resource has a rich value or a key that is no text. A Sensitive
// is none of them: plain formats keep it.
func (i *item) isRich() bool {
	if !i.res.MayBeRich() {
		return false
	}
	members, _ := i.res.RawParameters()
	return slices.ContainsFunc(members, func(m catalog.Member) bool {
		v, err := m.Value()
		return err == nil && m.MayBeRich() && pcore.Search(v, func(v pcore.Value) (found, inside bool) {
			h, isHash := v.(*pcore.Hash)
			return isHash && !h.HasPlainKeys() || !isPlain(v) && !pcore.Is[pcore.String](v) && !pcore.Is[*pcore.Sensitive](v), true
		})
	})
}

// hidesSecrets reports whether a resource has texts instead of nested secrets.
func (i *item) hidesSecrets() bool { return bytes.Contains(i.res.Bytes(), []byte(richtext.Sensitive)) }

// isAgentCache reports whether an agent wrote the catalog: it drops the names of
// the main stage and of the main class.
func (s *side) isAgentCache() bool {
	main := s.byID[identity(catalog.Ref{Type: "Stage", Title: "main"})]
	return main != nil && !slices.Contains(main.res.ParameterNames(), "name")
}

// ignore counts a difference that does not count as a change.
func (n *noise) ignore(p Profile, what string) bool {
	n.ignored[Ignored{Profile: p, What: what}]++
	return true
}

// texts reports whether rich values and their texts are equal.
func (n *noise) texts() bool { return n.on[profilePuppetDB] || n.on[profileStringified] }

func (n *noise) textProfile() Profile {
	if n.on[profilePuppetDB] {
		return profilePuppetDB
	}
	return profileStringified
}

// isCall reports whether a value is a call, or the text of one.
func isCall(v pcore.Value) bool {
	text, ok := v.(pcore.String)
	return pcore.Is[*pcore.Deferred](v) || ok && richtext.IsCall(string(text))
}

// equal reports whether the difference between two values does not count.
func (n *noise) equal(c *comparer, a, b pcore.Value) bool {
	switch {
	case n.on[profileAgentCache] && isCall(a) != isCall(b):
		return n.ignore(profileAgentCache, "resolved Deferred")
	case n.on[profileDefault] && sameRegexps(a, b):
		return n.ignore(profileDefault, "flags of a regular expression")
	case n.texts() && sameText(a, b):
		return n.ignore(n.textProfile(), "rich value as text")
	case n.texts() && hidesSecret(a, b):
		return n.ignore(n.textProfile(), "hidden secret")
	case n.on[profilePuppetDB] && damaged(a, b):
		return n.ignore(profilePuppetDB, "damaged characters")
	case n.upgrade(c.core) != "" && upgraded(c.param, a, b):
		return n.ignore(n.upgrade(c.core), "number, Boolean or undef as text, or list of one")
	}
	x, ok := a.(pcore.String)
	y, also := b.(pcore.String)
	if !ok || !also {
		return false
	}
	if n.on[profileDefault] && sameHidden(string(x), string(y)) {
		return n.ignore(profileDefault, "hidden secret")
	}
	return n.equalTexts(c, string(x), string(y))
}

func (n *noise) equalTexts(c *comparer, x, y string) bool {
	if n.on[profileCompileDir] && (strings.ReplaceAll(x, n.oldDir, n.newDir) == y && n.oldDir != n.newDir || sameButBuildDirs(x, y)) {
		return n.ignore(profileCompileDir, "folder of compilation")
	}
	if c.param != "content" {
		return false
	}
	folded := func(p Profile, what string, fold func(string) string) bool {
		if !n.on[p] {
			return false
		}
		x, y = fold(x), fold(y)
		return x == y && n.ignore(p, what)
	}
	return folded(profileEOL, "line endings", func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }) ||
		folded(profileFinalNewline, "final line breaks", func(s string) string { return strings.TrimRight(s, "\r\n") }) ||
		n.on[profileContent] && sameData(x, y) && n.ignore(profileContent, "same data")
}

// sensitivity reports whether a difference between a secret and a value that is
// none does not count.
func (n *noise) sensitivity(a, b pcore.Value, in sensitivity) bool {
	secret, other := a, b
	if in.new {
		secret, other = b, a
	}
	text, isText := other.(pcore.String)
	switch {
	case n.on[profileAgentCache] && (isCall(secret) || isCall(other)):
		return n.ignore(profileAgentCache, "resolved Deferred")
	case n.texts() && isText && isHidden(string(text)):
		return n.ignore(n.textProfile(), "hidden secret")
	case n.on[profilePuppetDB] && (pcore.Identical(a, b) || sameText(a, b)):
		return n.ignore(profilePuppetDB, "nested Sensitive")
	default:
		return false
	}
}

// maxDamage is the largest number of bytes that one U+FFFD replaces.
const maxDamage = 8

// damaged reports whether one of two texts equals the other except for characters
// that were replaced by U+FFFD.
func damaged(a, b pcore.Value) bool {
	const lost = "\uFFFD"
	x, okX := a.(pcore.String)
	y, okY := b.(pcore.String)
	if !okX || !okY {
		return false
	}
	pattern, text := string(x), string(y)
	if strings.Count(text, lost) > strings.Count(pattern, lost) {
		pattern, text = text, pattern
	}
	parts := strings.Split(pattern, lost)
	last := len(parts) - 1
	rest, begins := strings.CutPrefix(text, parts[0])
	rest, ends := strings.CutSuffix(rest, parts[last])
	if last == 0 || !begins || !ends {
		return false
	}
	most := maxDamage // for several replaced characters in a row, several times as much
	for _, part := range parts[1:last] {
		if part == "" {
			most += maxDamage
			continue
		}
		i := strings.Index(rest[:min(len(rest), most+len(part))], part)
		if i < 0 {
			return false
		}
		rest, most = rest[i+len(part):], maxDamage
	}
	return len(rest) <= most
}

// upgrade returns the profile that ignores the effects of an upgrade of Puppet on the values of
// a resource, or "" if there is none. core means that its type is one of Puppet.
func (n *noise) upgrade(core bool) Profile {
	switch {
	case core && n.on[profileUpgrade]:
		return profileUpgrade
	case n.on[profileUpgradeDefines]:
		return profileUpgradeDefines
	default:
		return ""
	}
}

// threeOctal is a mode without its leading zero.
var threeOctal = lazyregexp.New(`^[0-7]{3}$`)

// undefText is the text of undef in catalogs of Puppet 3.
const undefText = ":undef"

// upgraded reports whether an upgrade of Puppet can turn one value of a parameter into the
// other.
func upgraded(param string, a, b pcore.Value) bool {
	one := func(v pcore.Value) pcore.Value {
		if list, ok := v.(*pcore.Array); ok && list.Len() == 1 {
			return list.At(0)
		}
		return v
	}
	text := func(v pcore.Value) (string, bool) {
		switch v.(type) {
		case pcore.Undef:
			return undefText, true
		case pcore.String, pcore.Integer, pcore.Float, pcore.Boolean:
			s := textOf(v)
			if param == "mode" && threeOctal.Get().MatchString(s) {
				s = "0" + s
			}
			return s, true
		default:
			return "", false
		}
	}
	x, okX := text(one(a))
	y, okY := text(one(b))
	switch {
	case okX && okY: // a text of undef that is new is a change
		return x == y && (!pcore.Is[pcore.Undef](one(a)) || !pcore.Is[pcore.String](one(b)))
	case pcore.Identical(one(a), one(b)):
		return true
	}
	list, ok := a.(*pcore.Array)
	other, also := b.(*pcore.Array)
	if !ok || !also || list.Len() != other.Len() {
		return false
	}
	for i := range list.Len() {
		if !pcore.Identical(list.At(i), other.At(i)) && !upgraded(param, list.At(i), other.At(i)) {
			return false
		}
	}
	return true
}

// compileDirs returns the folders in which two catalogs were compiled: the parts in
// which the files of the same resources differ most often.
func compileDirs(old, new *side) (oldDir, newDir string) {
	votes := make(map[[2]string]int)
	for _, o := range old.items {
		n := new.byID[o.id]
		if n == nil {
			continue
		}
		if x, y := distinctDirs(o.res.File(), n.res.File()); x != y {
			votes[[2]string{x, y}]++
		}
	}
	best := 0
	for dirs, count := range votes {
		if count > best || count == best && fmt.Sprint(dirs) < fmt.Sprint([2]string{oldDir, newDir}) {
			best, oldDir, newDir = count, dirs[0], dirs[1]
		}
	}
	return oldDir, newDir
}

var absolutePath = lazyregexp.New(`(?:/[A-Za-z0-9._+-]+)+`)

// sameButBuildDirs reports whether two texts differ only in the folders of paths below
// which catalogs are compiled.
func sameButBuildDirs(x, y string) bool {
	a, b := absolutePath.Get().FindAllStringIndex(x, -1), absolutePath.Get().FindAllStringIndex(y, -1)
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	i, j := 0, 0
	for k := range a {
		p, q := x[a[k][0]:a[k][1]], y[b[k][0]:b[k][1]]
		if x[i:a[k][0]] != y[j:b[k][0]] {
			return false
		}
		if dir, other := distinctDirs(p, q); p != q && !(isBuildDir(dir) && isBuildDir(other)) {
			return false
		}
		i, j = a[k][1], b[k][1]
	}
	return x[i:] == y[j:]
}

// isBuildDir reports whether catalogs are compiled in a folder: one for temporary files,
// or one with environments.
func isBuildDir(dir string) bool {
	for _, begin := range []string{"/tmp/", "/var/tmp/", "/private/", "/builds/", "/home/runner/"} {
		if strings.HasPrefix(dir, begin) {
			return true
		}
	}
	return strings.Contains(dir, "/environments/")
}

// distinctDirs removes the segments that two paths have in common at their ends.
func distinctDirs(a, b string) (x, y string) {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for len(as) > 0 && len(bs) > 0 && as[len(as)-1] == bs[len(bs)-1] {
		as, bs = as[:len(as)-1], bs[:len(bs)-1]
	}
	x, y = strings.Join(as, "/"), strings.Join(bs, "/")
	if x == "" || y == "" {
		return "", ""
	}
	return x, y
}

// isProvenance reports whether a member or a parameter is never compared as a value.
func isProvenance(member string) bool {
	switch member {
	case "type", "title", "file", "line", "kind", "parameters", "sensitive_parameters", "content_file", "virtual", "evaluated", "code_id",
		"resource", "certname", "environment": // of query results of PuppetDB
		return true
	default:
		return false
	}
}

// isSet reports whether the order of a metaparameter has no meaning, and a single
// value is a list of one.
func isSet(parameter string) bool {
	return parameter == "tag" || parameter == "alias" || parameter == "audit"
}

// ignoredParameter reports whether a parameter that only one of two catalogs has
// does not count. value is not undef.
func (n *noise) ignoredParameter(i *item, parameter string, value pcore.Value, listed, inOld bool) bool {
	ref := i.ref
	fromDB := inOld && n.oldDB || !inOld && n.newDB
	otherDB := inOld && n.newDB || !inOld && n.oldDB
	switch {
	case parameter == puppet.TitleParameter(ref.Type) && sameName(ref, value):
		return n.ignore(profileDefault, "namevar equal to the title")
	case inOld && value == pcore.String(undefText) && n.upgrade(!i.isDefined()) != "":
		return n.ignore(n.upgrade(!i.isDefined()), "undef as text")
	case !n.on[profilePuppetDB]:
		return false
	case parameter == "alias" && fromDB:
		return n.ignore(profilePuppetDB, "alias")
	case listed && otherDB:
		n.incomparable = append(n.incomparable, ref.Parameter(parameter))
		return n.ignore(profilePuppetDB, "dropped Sensitive parameter")
	default:
		return false
	}
}

// sameName reports whether the value of a namevar says no more than the title.
func sameName(ref catalog.Ref, v pcore.Value) bool {
	s, ok := v.(pcore.String)
	return ok && identity(catalog.Ref{Type: ref.Type, Title: string(s)}) == identity(ref)
}

// ignoredResource reports whether a resource that only one of two catalogs has does
// not count.
func (n *noise) ignoredResource(i *item, inOld bool) bool {
	if !n.on[profilePuppetDB] || !i.res.Exported() || !(inOld && n.oldDB || !inOld && n.newDB) {
		return false
	}
	return n.ignore(profilePuppetDB, "exported resource")
}
