// Package gen generates random catalogs that are difficult for pcat: rich values at every
// depth, secrets that are declared in every way and copied in every encoding, Deferred
// calls, relationships, unusual keys, non-ASCII text, and numbers in all notations. The
// same options produce the same bytes.
//
//	Catalog    generates a catalog, as a tree
//	JSON       writes a tree as rich JSON, in one of several manners
//	AgentYAML  writes a tree as agents dump their catalogs
//	Break      damages the bytes of a document
//
// The catalogs of bench/gen are for measurements: they resemble real catalogs, and have an
// exact size.
//
// Whatever makes a catalog difficult belongs here.
package gen

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Number is a number as it is spelled in JSON.
type Number string

// List is an array.
type List []any

// Object is a hash with ordered members. Keys may be duplicated.
type Object []Member

// Member is a member of an [Object]. Value is nil, a bool, a string, a [Number], a [List]
// or an Object.
type Member struct {
	Key   string
	Value any
}

// Options select a catalog.
type Options struct {
	Seed uint64
	// Fleet selects the secrets that all catalogs with the same Fleet share.
	Fleet uint64
	// Valid omits everything that pcat refuses, such as duplicate keys and invalid rich
	// values. Without it, one catalog in six has such faults.
	Valid bool
	// Size is the approximate minimum size of the catalog as JSON, in bytes. Zero selects a
	// random number of resources, mostly 3 to 20.
	Size int
}

// Catalog makes a catalog.
func Catalog(o Options) Object {
	g := &generator{Rand: rand.New(rand.NewPCG(o.Seed, 0x7265_6772))}
	g.faulty = g.oneIn(6) && !o.Valid
	g.valid = o.Valid
	g.secrets(o.Fleet)
	return g.catalog(o.Size)
}

// generator makes the values of one catalog.
type generator struct {
	*rand.Rand
	faulty bool     // the catalog has faults
	valid  bool     // it has nothing that is hardly ever seen, either
	hidden []string // the secrets of this catalog
	refs   []string // of the resources so far
	size   int      // of the text so far, roughly
}

func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// fault reports true once in n times, in faulty catalogs.
func (g *generator) fault(n int) bool { return g.faulty && g.oneIn(n) }

// key returns a key for a hash that has others. Plain hashes without faults do not look
// like rich values.
func (g *generator) key(taken map[string]bool) string {
	for {
		key := pick(g, keys)
		switch {
		case g.oneIn(12):
			key = g.copyOf(pick(g, g.hidden))
		case g.oneIn(4):
			key = pick(g, secretKeys)
		}
		if !g.fault(20) && (taken[key] || strings.HasPrefix(key, "__p")) {
			continue
		}
		taken[key] = true
		return key
	}
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

func rich(typ string, value any) Object {
	return Object{{"__ptype", typ}, {"__pvalue", value}}
}

func (g *generator) catalog(size int) Object {
	class := "profile::" + pick(g, words)
	resources := List{
		Object{{"type", "Stage"}, {"title", "main"}, {"tags", List{"stage"}}, {"exported", false},
			{"kind", "compilable_type"}, {"parameters", Object{{"name", "main"}}}},
		Object{{"type", "Class"}, {"title", "Settings"}, {"tags", List{"class", "settings"}}, {"exported", false}, {"kind", "unknown"}},
		Object{{"type", "Class"}, {"title", "main"}, {"tags", List{"class"}}, {"exported", false}, {"kind", "unknown"},
			{"parameters", Object{{"name", "main"}}}},
	}
	g.refs = []string{"Stage[main]", "Class[Settings]", "Class[main]"}
	count := 3 + g.IntN(18)
	switch {
	case g.oneIn(20):
		count = g.IntN(3)
	case g.oneIn(40):
		count = 60
	}
	for i := 0; i < count || g.size < size; i++ {
		resources = append(resources, g.resource(i, class))
	}
	c := Object{
		{"tags", List{"settings", class, "class"}},
		{"name", g.node()},
		{"version", g.version()},
		{"code_id", nil},
		{"catalog_uuid", fmt.Sprintf("%08x-0000-4000-8000-%012x", g.Uint32(), g.Uint64()>>16)},
		{"catalog_format", Number("2")},
		{"environment", pick(g, []string{"production", "staging", "feature_x"})},
		{"resources", resources},
		{"edges", g.edges()},
		{"classes", List{"settings", class}},
	}
	return g.unusual(c)
}

func (g *generator) node() string {
	name := fmt.Sprintf("%s%02d.example.com", pick(g, words), g.IntN(100))
	if g.oneIn(50) {
		return name + "." + g.copyOf(pick(g, g.hidden))
	}
	return name
}

func (g *generator) version() any {
	if g.oneIn(4) {
		return fmt.Sprintf("%s-%d", pick(g, words), g.IntN(1e6))
	}
	return Number(strconv.Itoa(1700000000 + g.IntN(1e6)))
}

// edges contains every resource in some other, and adds a few between any.
func (g *generator) edges() List {
	var all List
	for i, target := range g.refs[1:] {
		source := "Stage[main]"
		if i > 1 {
			source = g.refs[2+g.IntN(i)]
		}
		all = append(all, Object{{"source", source}, {"target", target}})
	}
	if g.fault(3) {
		all = append(all, Object{{"source", "Missing[" + g.copyOf(pick(g, g.hidden)) + "]"}, {"target", pick(g, g.refs)}})
	}
	return all
}

// unusual gives one catalog in eight a rare shape.
func (g *generator) unusual(c Object) Object {
	if g.valid {
		return c
	}
	switch g.IntN(80) {
	case 0: // without edges
		return without(c, "edges")
	case 1:
		return without(c, "resources")
	case 2: // an envelope
		return Object{{"status", "ok"}, {"note", g.copyOf(pick(g, g.hidden))}, {"catalog", c}}
	case 3:
		return append(c, Member{"metadata", Object{{"/etc/x", Object{{"owner", "root"}, {"checksum", g.hash(2)}}}}})
	case 4:
		return append(Object{{"edges", g.edges()}}, without(c, "edges")...)
	case 5: // a key that is there twice
		return append(c, Member{"name", "twice.example.com"})
	case 6:
		return append(c, Member{pick(g, keys), g.value(3)})
	case 7: // a wrong kind
		return append(without(c, "tags"), Member{"tags", pick(g, []any{nil, "x", Number("7"), Object{}, List{nil}})})
	case 8:
		return append(without(c, "version"), Member{"version", pick(g, []any{nil, true, Number("1.5"), "1", List{}})})
	case 9: // no catalog at all
		return Object{{pick(g, keys), g.value(4)}, {"password", g.copyOf(pick(g, g.hidden))}}
	}
	return c
}

func without(o Object, key string) Object {
	var rest Object
	for _, m := range o {
		if m.Key != key {
			rest = append(rest, m)
		}
	}
	return rest
}

func (g *generator) resource(i int, class string) Object {
	typ := pick(g, types)
	title := g.title(typ, i)
	ref := typ + "[" + title + "]"
	r := Object{{"type", typ}, {"title", title}, {"tags", g.tags(typ, class)}}
	if !g.oneIn(6) {
		r = append(r, Member{"file", "/etc/puppetlabs/code/environments/production/manifests/" + pick(g, words) + ".pp"},
			Member{"line", Number(strconv.Itoa(1 + g.IntN(900)))})
	}
	kind := "compilable_type"
	if strings.Contains(typ, "::") {
		kind = "defined_type"
	}
	r = append(r, Member{"exported", g.oneIn(25)}, Member{"kind", kind})
	parameters, sensitive := g.parameters(typ)
	g.size += 400 + len(title)
	if len(parameters) > 0 || g.oneIn(2) {
		r = append(r, Member{"parameters", parameters})
	}
	if len(sensitive) > 0 {
		r = append(r, Member{"sensitive_parameters", sensitive})
	}
	if g.fault(9) {
		r = append(r, Member{pick(g, keys), g.value(2)})
	}
	if !g.valid && g.oneIn(90) { // the names of the secrets before the secrets
		r = append(Object{{"sensitive_parameters", List{"password", "content"}}}, without(r, "sensitive_parameters")...)
	}
	g.refs = append(g.refs, ref)
	return r
}

func (g *generator) title(typ string, i int) string {
	switch {
	case g.oneIn(30):
		return fmt.Sprintf("%s %s %d", pick(g, words), g.copyOf(pick(g, g.hidden)), i)
	case g.oneIn(20):
		return fmt.Sprintf("%s %d", pick(g, phrases), i)
	case typ == "File":
		return fmt.Sprintf("/etc/%s/%d.%s", pick(g, words), i, pick(g, []string{"conf", "yaml", "json", "ini", "pem", "env", "xml", "sh", "toml"}))
	}
	return fmt.Sprintf("%s-%d", pick(g, words), i)
}

func (g *generator) tags(typ, class string) List {
	tags := List{strings.ToLower(typ), "class", class}
	if g.oneIn(25) {
		tags = append(tags, strings.ToLower(g.copyOf(pick(g, g.hidden))))
	}
	return tags
}

// parameters generates the parameters of a resource, and the names of the secret ones.
func (g *generator) parameters(typ string) (Object, List) {
	var all Object
	var sensitive List
	taken := map[string]bool{}
	add := func(key string, value any) {
		if taken[key] && !g.fault(9) {
			return
		}
		taken[key] = true
		all = append(all, Member{key, value})
	}
	// secret adds a parameter with a secret, which is declared in some way or not at all.
	secret := func(key string, text string) {
		switch g.IntN(6) {
		case 0, 1:
			sensitive = append(sensitive, key)
			add(key, text)
		case 2, 3:
			add(key, rich("Sensitive", text))
		case 4:
			add(key, g.call(text))
		default:
			add(key, text)
		}
	}
	hidden := pick(g, g.hidden)
	switch typ {
	case "File":
		add("ensure", "file")
		add("mode", pick(g, []string{"0600", "0644", "u=rw"}))
		if g.oneIn(3) {
			add("show_diff", g.oneIn(2))
		}
		if g.oneIn(2) {
			secret("content", g.content())
		} else {
			add("content", g.content())
		}
	case "Exec":
		if g.oneIn(2) {
			secret("command", g.command(hidden))
		} else {
			add("command", g.command(g.word()))
		}
		add("path", List{"/usr/bin", "/bin"})
		add("timeout", g.number())
		if g.oneIn(2) {
			add("environment", List{"PASSWORD=" + g.copyOf(hidden), "HOME=/root"})
		}
	case "User":
		add("uid", Number(strconv.Itoa(g.IntN(60000))))
		secret("password", pick(g, []string{"$6$rounds=5000$abcdefgh$" + g.token(alnum, 86), "*", "!", hidden}))
	case "Service":
		add("ensure", "running")
		add("enable", g.oneIn(2))
	case "Package":
		add("ensure", fmt.Sprintf("%d.%d.%d", g.IntN(9), g.IntN(20), g.IntN(99)))
		add("install_options", List{"--" + g.word(), Object{{"--token", g.copyOf(hidden)}}})
	case "Notify":
		add("message", g.content())
	default:
		for range g.IntN(5) {
			switch g.IntN(5) {
			case 0:
				secret(pick(g, secretKeys), hidden)
			case 1:
				add(pick(g, secretKeys), g.copyOf(hidden))
			default:
				add(g.key(map[string]bool{}), g.value(4))
			}
		}
	}
	for _, name := range []string{"require", "before", "notify", "subscribe"} {
		if g.oneIn(8) {
			add(name, g.relation())
		}
	}
	if g.oneIn(15) {
		add("alias", g.word())
	}
	if g.oneIn(15) {
		add("tag", List{g.word(), g.copyOf(hidden)})
	}
	if g.oneIn(12) {
		add(g.key(map[string]bool{}), g.value(5))
	}
	if g.oneIn(25) { // listed, and not there
		sensitive = append(sensitive, pick(g, keys))
	}
	return all, sensitive
}

func (g *generator) relation() any {
	switch {
	case g.fault(5):
		return "File[/nowhere]"
	case g.fault(5):
		return pick(g, []any{nil, "", "no reference", Number("1"), List{nil, Object{}}})
	case g.oneIn(3):
		return List{pick(g, g.refs), pick(g, g.refs)}
	}
	return pick(g, g.refs)
}
