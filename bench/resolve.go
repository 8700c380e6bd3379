package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// calls is the number of Deferred calls of inline_epp in the catalog.
const calls = 1_000

// template is the template of these calls: a small configuration file.
const template = `# <%= $name %>, written by puppet
<% $servers.each |$i, $server| { -%>
server.<%= $i %> = <%= $server['host'] %>:<%= $server['port'] + 1 %>
<% } -%>
<% if $tls { -%>
tls = <%= $facts['os']['family'] ? { 'Debian' => '/etc/ssl/certs', default => '/etc/pki/tls' } %>/<%= $name.downcase %>.pem
<% } -%>
`

// resolveJob returns the job of reading, resolving and writing a catalog. pcat
// and one Puppet candidate are whole commands; the other Puppet candidate is
// already running.
func (l *launcher) resolveJob(pcat, folder string, puppet *peer) (*job, error) {
	const name = "resolve"
	input := filepath.Join(folder, name+".json")
	facts := filepath.Join(folder, name+".facts.json")
	text, err := json.Marshal(deferring(calls))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(input, text, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(facts, []byte(`{"os":{"family":"Debian"}}`), 0o600); err != nil {
		return nil, err
	}
	resolved := filepath.Join(folder, name+".resolved.json")
	ours := l.command("pcat resolve", "the start included", pcat, "resolve", "--facts", facts, "-o", resolved, input)
	same := func(got []byte, err error) (exact, error) {
		if err != nil {
			return "", err
		}
		want, err := os.ReadFile(resolved)
		if err != nil {
			return "", err
		}
		return compare(want, got, readJSON)
	}
	output := filepath.Join(folder, name+".puppet.json")
	whole := l.command(puppet.name, "the start included", slices.Concat(puppet.command, []string{name, input, output})...)
	run := whole.check
	whole.check = func() (exact, error) {
		if _, err := run(); err != nil {
			return "", err
		}
		return same(os.ReadFile(output))
	}
	started := puppet.candidate(name, input, func() (exact, error) { return same(puppet.once(name, input)) })
	started.note = "without its start"
	return &job{
		name: "resolve", input: fmt.Sprintf("a catalog with %d inline_epp", calls),
		bytes: len(text), operations: calls, candidates: []*candidate{ours, whole, started},
	}, nil
}

// call is a Deferred. Puppet requires this order of members.
type call struct {
	Type      string `json:"__ptype"`
	Name      string `json:"name"`
	Arguments []any  `json:"arguments"`
}

// deferring returns a catalog of files whose contents are Deferred.
func deferring(n int) map[string]any {
	resources := make([]any, n)
	for i := range resources {
		parameters := map[string]any{
			"name":    fmt.Sprintf("App%d", i),
			"servers": []any{map[string]any{"host": "a.example.com", "port": 8000 + i}, map[string]any{"host": "b.example.com", "port": 9000 + i}},
			"tls":     i%2 == 0,
		}
		resources[i] = map[string]any{
			"type": "File", "title": fmt.Sprintf("/etc/app/%d.conf", i), "tags": []string{"file"}, "exported": false, "kind": "compilable_type",
			"parameters": map[string]any{"ensure": "file", "content": call{"Deferred", "inline_epp", []any{template, parameters}}},
		}
	}
	return map[string]any{
		"name": "web01.example.com", "version": 1, "environment": "production", "code_id": nil, "catalog_format": 2,
		"catalog_uuid": "7b1d3a52-9c1e-4f0a-8a57-0b9d2f1c6e11",
		"tags":         []string{}, "classes": []string{}, "resources": resources, "edges": []any{},
	}
}
