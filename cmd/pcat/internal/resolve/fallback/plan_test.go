package fallback

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
)

func catalogOf(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	f, err := catalog.OpenBytes("catalog.json", []byte(text))
	check(t, err)
	c, err := f.Catalog()
	check(t, err)
	return c
}

// failure is the failure of a call in a parameter, `Type[title]/parameter`; named by a rule if it begins with !.
func failure(location string) *deferred.Failure {
	rest, named := strings.CutPrefix(location, "!")
	end := strings.LastIndex(rest, "]/")
	ref, _ := catalog.ParseRef(rest[:end+1])
	return &deferred.Failure{At: ref.Parameter(rest[end+2:]), Err: &SkipError{Err: errors.New("down"), Named: named}}
}

func planOf(t *testing.T, c *catalog.Catalog, locations ...string) *Plan {
	t.Helper()
	var failures deferred.Failures
	for _, location := range locations {
		failures = append(failures, failure(location))
	}
	p, err := NewPlan(c, c.Resources(), failures)
	check(t, err)
	return p
}

func skippedOf(p *Plan) []string {
	refs := []string{}
	for _, s := range p.Skipped {
		refs = append(refs, s.Ref.String())
	}
	return refs
}

// The plan skips what an agent skips after a failed resource. testdata/skip.json is the catalog of skip.pp by
// Puppet 7.23, and skipped.txt has the resources that its puppet apply --catalog skips.
func TestPlanAsAgent(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "skip.json"))
	check(t, err)
	list, err := os.ReadFile(filepath.Join("testdata", "skipped.txt"))
	check(t, err)
	want := append(strings.Split(strings.TrimSpace(string(list)), "\n"), "Exec[fails]")
	var got, containers []string
	c := catalogOf(t, string(text))
	p := planOf(t, c, "Exec[fails]/command")
	for _, ref := range skippedOf(p) {
		if strings.HasPrefix(ref, "Class[") || strings.HasPrefix(ref, "Thing[") || strings.HasPrefix(ref, "Stage[") {
			containers = append(containers, ref)
		} else {
			got = append(got, ref)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	slices.Sort(containers)
	if diff := cmp.Diff([]string{"Class[B]", "Class[Late]", "Stage[post]", "Thing[in b]", "Thing[needy]"}, containers); diff != "" {
		t.Error(diff)
	}
	consistent(t, p)
}

// consistent checks that the rest of a catalog refers to nothing that is skipped.
func consistent(t *testing.T, p *Plan) {
	t.Helper()
	gone := map[string]bool{}
	for _, s := range p.Skipped {
		gone[s.Ref.String()] = true
	}
	for _, r := range p.Resources {
		if r == nil {
			continue
		}
		for _, name := range []string{"require", "before", "notify", "subscribe"} {
			v, ok, err := r.Parameter(name)
			check(t, err)
			if !ok {
				continue
			}
			list, isList := v.(*pcore.Array)
			if !isList {
				list = pcore.NewArray(v)
			}
			for e := range list.Values() {
				if s, _ := e.(pcore.String); gone[string(s)] || list.Len() == 0 {
					t.Errorf("%s has %s => %s", r.Ref(), name, v)
				}
			}
		}
	}
	for _, e := range p.Edges {
		if e != nil && (gone[e.Source().String()] || gone[e.Target().String()]) {
			t.Errorf("there is an edge from %s to %s", e.Source(), e.Target())
		}
	}
}

func TestPlan(t *testing.T) {
	for _, tt := range []struct {
		name      string
		resources string
		edges     string
		failures  []string
		skipped   []string
		unpurged  []string
		gone      string // a parameter that must be left out
	}{
		{
			name:      "nothing",
			resources: `{"type":"File","title":"/x","parameters":{}}`,
			skipped:   []string{},
		},
		{
			name:      "aliases and names",
			resources: `{"type":"File","title":"conf","parameters":{"path":"/x/conf","alias":"c"}},{"type":"Service","title":"s","parameters":{"require":"File[/x/conf]"}},{"type":"Service","title":"u","parameters":{"subscribe":["File[c]"]}},{"type":"Notify","title":"n","parameters":{"before":["File[/x/conf]"]}}`,
			failures:  []string{"File[conf]/content"},
			skipped:   []string{"File[conf]", "Service[s]", "Service[u]"},
			gone:      "Notify[n]/before",
		},
		{
			name:      "a parameter of a class",
			resources: `{"type":"Class","title":"A","parameters":{"password":1}},{"type":"File","title":"/x","parameters":{}}`,
			edges:     `{"source":"Class[A]","target":"File[/x]"}`,
			failures:  []string{"Class[A]/password"},
			skipped:   []string{},
			gone:      "Class[A]/password",
		},
		{
			name:      "a class that the rule names",
			resources: `{"type":"Class","title":"A","parameters":{"password":1}},{"type":"File","title":"/x","parameters":{}},{"type":"My::Thing","title":"t","kind":"definition","parameters":{"require":"File[/x]"}},{"type":"Notify","title":"n","parameters":{}}`,
			edges:     `{"source":"Class[A]","target":"File[/x]"},{"source":"My::Thing[t]","target":"Notify[n]"}`,
			failures:  []string{"!Class[A]/password"},
			skipped:   []string{"Class[A]", "File[/x]", "My::Thing[t]", "Notify[n]"},
		},
		{
			name:      "purged files",
			resources: `{"type":"File","title":"/etc/sudoers.d","parameters":{"ensure":"directory","recurse":true,"purge":true}},{"type":"File","title":"/etc/sudoers.d/x","parameters":{"content":1}},{"type":"File","title":"/other","parameters":{"ensure":"directory","recurse":true,"purge":true}}`,
			failures:  []string{"File[/etc/sudoers.d/x]/content"},
			skipped:   []string{"File[/etc/sudoers.d/x]"},
			unpurged:  []string{"File[/etc/sudoers.d]"},
			gone:      "File[/etc/sudoers.d]/purge",
		},
		{
			name:      "purged resources",
			resources: `{"type":"Resources","title":"user","parameters":{"purge":true}},{"type":"Resources","title":"host","parameters":{"purge":true}},{"type":"User","title":"app","parameters":{"password":1}}`,
			failures:  []string{"User[app]/password"},
			skipped:   []string{"User[app]"},
			unpurged:  []string{"Resources[user]"},
			gone:      "Resources[user]/purge",
		},
		{
			name:      "purged keys",
			resources: `{"type":"User","title":"app","parameters":{"purge_ssh_keys":true}},{"type":"User","title":"other","parameters":{"purge_ssh_keys":true}},{"type":"Ssh_authorized_key","title":"k","parameters":{"user":"app","key":1}}`,
			failures:  []string{"Ssh_authorized_key[k]/key"},
			skipped:   []string{"Ssh_authorized_key[k]"},
			unpurged:  []string{"User[app]"},
			gone:      "User[app]/purge_ssh_keys",
		},
		{
			name:      "a type of a module that purges",
			resources: `{"type":"Firewallchain","title":"INPUT:filter:IPv4","parameters":{"purge":true}},{"type":"Firewallchain","title":"OUTPUT:filter:IPv4","parameters":{"purge":false}},{"type":"Class","title":"Firewall","parameters":{"purge":true}},{"type":"Firewall","title":"100 app","parameters":{"source":1}}`,
			failures:  []string{"Firewall[100 app]/source"},
			skipped:   []string{"Firewall[100 app]"},
			unpurged:  []string{"Firewallchain[INPUT:filter:IPv4]"},
			gone:      "Firewallchain[INPUT:filter:IPv4]/purge",
		},
		{
			name:      "a type of a module that purges, and nothing is skipped",
			resources: `{"type":"Firewallchain","title":"INPUT:filter:IPv4","parameters":{"purge":true}},{"type":"Class","title":"A","parameters":{"password":1}}`,
			failures:  []string{"Class[A]/password"},
			skipped:   []string{},
		},
		{
			name:      "a fragment",
			resources: `{"type":"Concat_file","title":"/etc/x","parameters":{"tag":"x"}},{"type":"Concat_fragment","title":"one","parameters":{"target":"/etc/x","content":"a"}},{"type":"Concat_fragment","title":"two","parameters":{"target":"/etc/x","content":1}},{"type":"Service","title":"s","parameters":{"subscribe":"Concat_file[/etc/x]"}}`,
			failures:  []string{"Concat_fragment[two]/content"},
			skipped:   []string{"Concat_file[/etc/x]", "Concat_fragment[two]", "Service[s]"},
		},
		{
			name:      "a cycle",
			resources: `{"type":"Notify","title":"a","parameters":{"require":"Notify[b]"}},{"type":"Notify","title":"b","parameters":{"require":"Notify[a]","message":1}}`,
			failures:  []string{"Notify[b]/message"},
			skipped:   []string{"Notify[a]", "Notify[b]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := catalogOf(t, `{"name":"n","resources":[`+tt.resources+`],"edges":[`+tt.edges+`]}`)
			p := planOf(t, c, tt.failures...)
			if diff := cmp.Diff(tt.skipped, skippedOf(p)); diff != "" {
				t.Error(diff)
			}
			var unpurged []string
			for _, ref := range p.Unpurged {
				unpurged = append(unpurged, ref.String())
			}
			if diff := cmp.Diff(tt.unpurged, unpurged); diff != "" {
				t.Error(diff)
			}
			if at := strings.LastIndex(tt.gone, "/"); at > 0 {
				i := slices.IndexFunc(p.Resources, func(r *catalog.Resource) bool { return r != nil && r.Ref().String() == tt.gone[:at] })
				if _, ok, err := p.Resources[i].Parameter(tt.gone[at+1:]); ok || err != nil {
					t.Errorf("%s is there, %v", tt.gone, err)
				}
			}
			consistent(t, p)
		})
	}
}

// Other failures skip nothing.
func TestPlanOtherFailures(t *testing.T) {
	c := catalogOf(t, `{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"content":1}}],"edges":[]}`)
	f := failure("File[/x]/content")
	f.Err = errors.New("down")
	p, err := NewPlan(c, c.Resources(), deferred.Failures{f})
	check(t, err)
	if len(p.Skipped) > 0 || p.Resources[0] != c.Resources()[0] {
		t.Errorf("skipped %v", p.Skipped)
	}
}
