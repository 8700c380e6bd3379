// Package hierarchies makes random data of Hiera, and questions about it.
//
// Cases for tests of package hiera belong here; the answers of Puppet are in package conformance.
package hierarchies

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// Case is an environment and questions about its data.
type Case struct {
	// Files maps paths to texts. global/hiera.yaml is the configuration of the global layer, env is
	// the environment.
	Files map[string]string `json:"files"`
	// Facts are the facts of the node.
	Facts map[string]any `json:"facts"`
	// Questions are asked one by one, each with nothing read before.
	Questions []Question `json:"questions"`
}

// Question is a lookup.
type Question struct {
	Keys     []string       `json:"keys"`
	Type     string         `json:"type,omitempty"`
	Merge    any            `json:"merge,omitempty"`
	Default  *string        `json:"default,omitempty"`
	Override map[string]any `json:"override,omitempty"`
	Defaults map[string]any `json:"defaults,omitempty"`
}

// Answer is the answer to a question.
type Answer struct {
	// Value is the value in rich JSON; empty if there is an error.
	Value string `json:"value,omitempty"`
	// Error is the message. $DIR is the folder of the case.
	Error string `json:"error,omitempty"`
	// Explanation is the text of --explain.
	Explanation string `json:"explanation,omitempty"`
}

// All returns the first n cases.
func All(n int) []Case {
	all := make([]Case, n)
	for i := range all {
		g := &generator{rand.New(rand.NewPCG(1, uint64(i)))} //nolint:gosec // no secret depends on it
		all[i] = g.one()
	}
	return all
}

type generator struct{ *rand.Rand }

// one in n.
func (g *generator) one1(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

func some[T any](g *generator, least, most int, of ...T) []T {
	g.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of[:min(len(of), least+g.IntN(most-least+1))]
}

func (g *generator) one() Case {
	c := Case{Files: map[string]string{}, Facts: map[string]any{
		"os":       map[string]any{"family": pick(g, "Debian", "RedHat"), "release": map[string]any{"major": "12", "full": "12.4"}},
		"role":     pick(g, "web", "db"),
		"tiers":    []any{"gold", "silver", "none"},
		"datasets": map[string]any{"one": 1, "a.b": "dotted"},
		"num":      7, "flag": g.one1(2), "empty": "", "which": pick(g, "text", "map"), "dc": "fra1",
	}}
	odd := g.one1(8)
	if g.one1(2) {
		g.layer(c.Files, "global", "", odd && g.one1(3))
	}
	g.layer(c.Files, "env", "", odd && g.one1(2))
	for _, m := range some(g, 0, 2, "m1", "m2") {
		dir := path.Join("env/modules", m)
		c.Files[dir+"/metadata.json"] = "{}"
		if !g.one1(5) {
			g.layer(c.Files, dir, m, odd && g.one1(2))
		}
	}
	for range 6 {
		c.Questions = append(c.Questions, g.question())
	}
	return c
}

// layer adds a configuration and its data.
func (g *generator) layer(files map[string]string, dir, module string, odd bool) {
	config := map[string]any{"version": 5}
	datadir := "data"
	json := false
	if g.one1(2) {
		defaults := map[string]any{}
		datadir = pick(g, "data", "hieradata", "./data", "deep/data", "data-%{facts.dc}")
		defaults["datadir"] = datadir
		json = g.one1(4)
		defaults["data_hash"] = "yaml_data"
		if json {
			defaults["data_hash"] = "json_data"
		}
		config["defaults"] = defaults
	}
	if !g.one1(12) {
		config["hierarchy"] = g.entries(files, dir, module, datadir, json, 1+g.IntN(4), odd)
	} else {
		g.file(files, path.Join(dir, g.real(datadir), "common.yaml"), module, json)
	}
	if module != "" && g.one1(2) {
		config["default_hierarchy"] = g.entries(files, dir, module, datadir, json, 1+g.IntN(2), false)
	}
	if odd {
		g.spoil(config)
	}
	files[dir+"/hiera.yaml"] = yamlOf(config)
}

// real returns a folder after interpolation.
func (g *generator) real(datadir string) string {
	return strings.ReplaceAll(datadir, "%{facts.dc}", "fra1")
}

func (g *generator) entries(files map[string]string, dir, module, datadir string, json bool, n int, odd bool) []any {
	var all []any
	for i := range n {
		name := fmt.Sprintf("level %d", i)
		e := map[string]any{"name": name}
		own, base := json, datadir
		if g.one1(4) {
			own = !json
			e["data_hash"] = "yaml_data"
			if own {
				e["data_hash"] = "json_data"
			}
		}
		if g.one1(6) {
			base = pick(g, "other", "data/../more", "%{facts.role}data")
			e["datadir"] = base
		}
		at := path.Join(dir, strings.NewReplacer("%{facts.dc}", "fra1", "%{facts.role}", "web").Replace(base))
		ext := ".yaml"
		if own {
			ext = ".json"
		}
		file := func(name string) {
			if !g.one1(5) {
				g.file(files, path.Join(at, name+ext), module, own)
			}
		}
		switch g.IntN(7) {
		case 0, 1:
			p := fmt.Sprintf("level%d", i)
			e["path"] = p + ext
			file(p)
		case 2:
			e["path"] = pick(g, "role/%{facts.role}", "role/%{::facts.role}", "role/%{role}", "os/%{facts.os.family}", "%{nope}", "%{facts.nope.deeper}", "num/%{facts.num}") + ext
			file("role/web")
			file("os/Debian")
			file("num/7")
		case 3:
			e["paths"] = []any{"a/first" + ext, "a/%{facts.os.release.major}" + ext, "a/none" + ext}
			file("a/first")
			file("a/12")
		case 4:
			e["glob"] = pick(g, "globbed/*", "globbed/%{facts.role}*", "**/*.g", "globbed/{b,a}") + ext
			file("globbed/b")
			file("globbed/a")
			file("globbed/web1")
			file("deeper/x.g")
		case 5:
			e["globs"] = []any{"many/c*" + ext, "many/[ab]" + ext}
			file("many/a")
			file("many/c1")
			file("many/c2")
		default:
			e["mapped_paths"] = []any{pick(g, "facts.tiers", "tiers", "facts.role", "facts.nope", "facts.empty"), "tier", "mapped/%{tier}" + ext}
			file("mapped/gold")
			file("mapped/silver")
			file("mapped/db")
		}
		all = append(all, e)
	}
	if odd && len(all) > 0 {
		e := all[0].(map[string]any)
		switch g.IntN(6) {
		case 0:
			e["lookup_key"], e["data_hash"] = "x::y", "yaml_data"
		case 1:
			delete(e, "glob")
			e["path"], e["paths"] = "a.yaml", []any{"b.yaml"}
		case 2:
			e["options"] = map[string]any{"path": "x"}
		case 3:
			all = append(all, map[string]any{"name": e["name"], "path": "again.yaml"})
		case 4:
			e["datadir"] = "%{unknown_variable}"
		default:
			e["path"] = "%{lookup('x')}.yaml"
			for _, k := range []string{"paths", "glob", "globs", "mapped_paths"} {
				delete(e, k)
			}
		}
	}
	return all
}

// spoil makes a configuration invalid.
func (g *generator) spoil(config map[string]any) {
	switch g.IntN(5) {
	case 0:
		config["hierarchy"] = []any{map[string]any{"path": "unnamed.yaml"}}
	case 1:
		config["surplus"] = true
	case 2:
		config["default_hierarchy"] = []any{map[string]any{"name": "d", "path": "d.yaml"}}
	case 3:
		config["defaults"] = map[string]any{"data_hash": "yaml_data", "lookup_key": "x::y"}
	}
}

func keys() []string {
	return []string{"text", "other", "list", "map", "deep", "num", "mixed", "m1::text", "m1::list", "m1::map", "m1::secret", "m2::text", "m2::map", "dotted.key", "never"}
}

// file adds a file of data.
func (g *generator) file(files map[string]string, name, module string, json bool) {
	if _, ok := files[name]; ok {
		return
	}
	data := map[string]any{}
	all := keys()
	for _, k := range some(g, 3, 9, all[:len(all)-1]...) {
		if module != "" && !strings.HasPrefix(k, module+"::") && !g.one1(12) {
			continue
		}
		data[k] = g.value(k, 0)
	}
	if g.one1(3) {
		data["lookup_options"] = g.options(module)
	}
	switch {
	case g.one1(40):
		files[name] = pick(g, "", "- not\n- a hash\n", "# nothing\n", "just text\n")
		if json {
			files[name] = "[1]"
		}
	case json:
		files[name] = jsonOf(data)
	default:
		files[name] = yamlOf(data)
	}
}

// options returns lookup_options.
func (g *generator) options(module string) any {
	if g.one1(25) {
		return "wrong"
	}
	o := map[string]any{}
	for _, k := range some(g, 1, 4, "list", "map", "deep", "text", "num", "mixed", "m1::list", "m1::map", "m1::text", "m1::secret", "m2::map", "^m1::.*", "^li", "^.*p$", "^m2::") {
		if module != "" && !strings.Contains(k, module+"::") {
			continue
		}
		one := map[string]any{}
		if !g.one1(4) {
			one["merge"] = g.merge()
		}
		if g.one1(4) {
			one["convert_to"] = pick[any](g, "Sensitive", "String", "Array", []any{"Array", true}, []any{"Integer"}, "Sensitive", []any{"String", "%p"}, "Nope::Type", "Boolean", "Array[String]")
		}
		o[k] = one
	}
	return o
}

// merge returns a merge option.
func (g *generator) merge() any {
	switch g.IntN(11) {
	case 0:
		return "first"
	case 1, 2:
		return "unique"
	case 3, 4:
		return "hash"
	case 5, 6:
		return "deep"
	case 7:
		return map[string]any{"strategy": "deep", "knockout_prefix": "--"}
	case 8:
		m := map[string]any{"strategy": "deep"}
		for _, k := range some(g, 1, 3, "sort_merged_arrays", "merge_hash_arrays", "knockout_prefix") {
			m[k] = true
			if k == "knockout_prefix" {
				m[k] = pick(g, "--", "x-")
			}
		}
		return m
	case 9:
		return pick[any](g, "reverse_deep", "unconstrained_deep", map[string]any{"strategy": "unconstrained_deep", "overwrite_arrays": true}, map[string]any{"strategy": "hash"})
	default:
		return pick[any](g, "nope", map[string]any{"strategy": "first", "more": true}, map[string]any{"knockout_prefix": "--"}, map[string]any{"strategy": "deep", "wrong": 1}, "unique")
	}
}

// text returns a text, often with an expression.
func (g *generator) text() string {
	return pick(g, "plain", "word", "--word", "x-plain", "two words", "", "5", "true",
		"role %{facts.role}", "%{facts.role}", "%{::facts.os.family}!", "%{os.release.full}", "%{facts.tiers.0}", "%{facts.datasets.'a.b'}",
		"%{lookup('other')}", "[%{hiera('num')}]", "%{alias('list')}", "%{alias('map')}", "%{alias(\"text\")}", "%{literal('%')}{x}", "%{scope('role')}",
		"%{lookup('never')}", "%{lookup('map.k1')}", "%{lookup(\"list.0\")}", "%{nope}", "%{facts.nope}", "%{::nope}", "%{}", "%{facts.flag}", "%{facts.num}",
		"%{facts.tiers}", "%{facts.datasets}", "pre %{alias('text')}", "%{wrong('x')}", "%{lookup('m1::text')}", "%{trusted.certname}", "%{facts.role.deeper}",
		"%{lookup('text')} twice %{lookup('text')}", "%%{role}", "%{ role }", "%{literal('%{')}role}", "%{facts.which}", "%{\"role\"}", "a%{environment}b")
}

// value returns the value of a key.
func (g *generator) value(key string, depth int) any {
	key = key[strings.LastIndex(key, ":")+1:]
	if g.one1(25) {
		return pick[any](g, nil, 3, true, "odd", []any{}, map[string]any{})
	}
	switch key {
	case "list":
		return g.list(depth)
	case "map", "deep":
		return g.hash(depth)
	case "num":
		return pick[any](g, 1, 42, -3, 2.5, "17", "0x1f", "no number")
	case "mixed":
		return pick[any](g, g.list(depth), g.hash(depth), g.text(), 12, true)
	default:
		return g.text()
	}
}

func (g *generator) list(depth int) any {
	list := []any{}
	for range g.IntN(5) {
		switch {
		case depth < 2 && g.one1(7):
			list = append(list, g.hash(depth+1))
		case depth < 2 && g.one1(9):
			list = append(list, g.list(depth+1))
		case g.one1(7):
			list = append(list, pick[any](g, 1, 2, 1.5, true, nil))
		default:
			list = append(list, pick(g, "a", "b", "c", "--a", "--b", "x-c", "--", g.text()))
		}
	}
	return list
}

func (g *generator) hash(depth int) any {
	h := map[string]any{}
	for _, k := range some(g, 0, 4, "k1", "k2", "k3", "--k1", "a.b", "%{facts.role}") {
		switch {
		case depth < 2 && g.one1(3):
			h[k] = g.hash(depth + 1)
		case depth < 2 && g.one1(3):
			h[k] = g.list(depth + 1)
		case g.one1(6):
			h[k] = pick[any](g, 1, true, nil, false)
		default:
			h[k] = g.text()
		}
	}
	return h
}

func (g *generator) question() Question {
	key := pick(g, keys()...)
	if g.one1(5) {
		key = pick(g, "map.k1", "list.0", "list.5", "map.k2.k1", `map."a.b"`, "map.'a.b'", "'dotted.key'", "dotted.key", "text.x", "a..b", "map.", "m1::map.k1", "deep.k3.0", "map. k1 ",
			"lookup_options", "lookup_options.x", "list.first", "num.0", "nomodule::x", "::text", "")
	}
	q := Question{Keys: []string{key}}
	if g.one1(8) {
		q.Keys = append(q.Keys, pick(g, keys()...))
	}
	if g.one1(3) {
		q.Merge = g.merge()
	}
	if g.one1(6) {
		q.Type = pick(g, "String", "Array", "Hash", "Integer", "Array[String]", "Variant[String, Array]", "Optional[Integer]", "Enum['a', 'b']", "Sensitive")
	}
	if g.one1(6) {
		d := pick(g, "fallback", "")
		q.Default = &d
	}
	if g.one1(12) {
		q.Override = map[string]any{pick(g, "text", "role", "list"): pick[any](g, "over", []any{1})}
	}
	if g.one1(12) {
		q.Defaults = map[string]any{pick(g, "never", "nope", "text"): pick[any](g, "default", 3)}
	}
	return q
}

// yamlOf returns a value as YAML: JSON, but for the first level.
func yamlOf(v map[string]any) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, k := range sorted(v) {
		list, ok := v[k].([]any)
		if !ok || len(list) == 0 || !strings.Contains(k, "hierarchy") {
			fmt.Fprintf(&b, "%s: %s\n", jsonOf(k), jsonOf(v[k]))
			continue
		}
		fmt.Fprintf(&b, "%s:\n", k)
		for _, e := range list {
			indent := "- "
			for _, name := range sorted(e.(map[string]any)) {
				fmt.Fprintf(&b, "  %s%s: %s\n", indent, name, jsonOf(e.(map[string]any)[name]))
				indent = "  "
			}
		}
	}
	return b.String()
}

func sorted(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, k)
	}
	for i := range names {
		for j := i; j > 0 && names[j] < names[j-1]; j-- {
			names[j], names[j-1] = names[j-1], names[j]
		}
	}
	return names
}

func jsonOf(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}
