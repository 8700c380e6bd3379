package root

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// locating are the commands that print manifest lines, with arguments: CATALOG and OLD are
// catalogs, MODULES is a module path. The value reports whether the output has links with
// --source-url: text, pages, Markdown and SARIF have them, data has not.
func locating() map[string]map[string]bool {
	return map[string]map[string]bool{
		"audit": {
			"CATALOG": true, "--format json CATALOG": false, "--format jsonl CATALOG": false, "--format csv CATALOG": false, "--format sarif CATALOG": true,
			"--format github CATALOG": false, "--format junit CATALOG": false, "--format html CATALOG": true,
		},
		"check":    {"CATALOG": true, "--json CATALOG": false, "--format sarif CATALOG": true},
		"deferred": {"--json CATALOG": false, "--total --policy policy.yaml CATALOG": true, "--total --json CATALOG": false},
		"diff": {
			"OLD CATALOG": true, "--format json OLD CATALOG": false, "--format jsonl OLD CATALOG": false, "--format html OLD CATALOG": true,
			"--format markdown OLD CATALOG": true, "--format sarif OLD CATALOG": true,
		},
		"graph":    {"--json CATALOG": false, "--format graphml CATALOG": false, "--format svg CATALOG": false, "--format html CATALOG": true},
		"ls":       {"--long CATALOG": true, "--json CATALOG": false},
		"show":     {"CATALOG File[/a]": true, "CATALOG File[/a]/mode": true, "--json CATALOG File[/a]": false},
		"validate": {"--modulepath MODULES CATALOG": true, "--modulepath MODULES --json CATALOG": false},
		"why":      {"CATALOG File[/a]": true},
	}
}

// The files that commands read beside catalogs.
const (
	policy = "allow: [none]"
	class  = "class profile::db(Integer $password) {}"
)

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Every command prints the path of a manifest below the working directory, the root of the
// checkout or an environment as a relative one, and links it with --source-url.
func TestLocations(t *testing.T) {
	const (
		path    = "site/profile/manifests/db.pp"
		address = "https://git.example.com/{environment}/blob/{path}#L{line}"
	)
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"policy.yaml": policy, "modules/profile/manifests/db.pp": class, ".git": "", "sub/x": ""})
	for _, tt := range []struct {
		name, in, root string // the working directory, the directory with site/
		flags          []string
		path, link     string
	}{
		{"an environment", dir, "/etc/puppetlabs/code/environments/production", nil, path, ""},
		{"the checkout", dir, dir, nil, path, ""},
		{"a checkout above the working directory", dir + "/sub", dir, nil, path, ""},
		{"a source root", dir, "/etc/puppetlabs/code/environments/production", []string{"--source-root", "/etc/puppetlabs"}, "code/environments/production/" + path, ""},
		{"a relative source root", dir, dir + "/sub/control", []string{"--source-root", "sub/control"}, path, ""},
		{"no root", dir, "/etc/puppetlabs/code/environments/production", []string{"--source-root", "/"}, "/etc/puppetlabs/code/environments/production/" + path, ""},
		{"a source URL", dir, "/etc/puppetlabs/code/environments/production", []string{"--source-url", address}, path, "https://git.example.com/production/blob/" + path + "#L"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(tt.in)
			catalogs(t, tt.root+"/"+path)
			for command, all := range locating() {
				for args, links := range all {
					out := located(t, append([]string{command}, append(strings.Fields(strings.NewReplacer(
						"policy.yaml", dir+"/policy.yaml", "MODULES", dir+"/modules", "CATALOG", "new.json", "OLD", "old.json").Replace(args)), tt.flags...)...))
					want := tt.path
					if tt.link != "" && links {
						want = tt.link
					}
					if !strings.Contains(out, want) {
						t.Errorf("pcat %s %s does not contain %s:\n%s", command, args, want, out)
					}
					whole := strings.ReplaceAll(strings.ReplaceAll(out, tt.link, ""), tt.path, "")
					if tt.path != tt.root+"/"+path && strings.Contains(whole, tt.root) {
						t.Errorf("pcat %s %s contains %s:\n%s", command, args, tt.root, out)
					}
				}
			}
		})
	}
}

// catalogs writes old.json and new.json, in which a manifest declares all resources.
func catalogs(t *testing.T, manifest string) {
	t.Helper()
	const text = `{"name":"web01","environment":"production","resources":[
		{"type":"Class","title":"Profile::Db","file":"MANIFEST","line":3,"parameters":{"password":"k9Xw-Tq4Zr-7"}},
		{"type":"File","title":"/a","file":"MANIFEST","line":5,"parameters":{"mode":"MODE","require":"File[/b]"}},
		{"type":"File","title":"/b","file":"MANIFEST","line":6,"parameters":{"require":"File[/a]"}},
		{"type":"Profile::One","title":"c","file":"MANIFEST","line":8,"parameters":{"x":{"__ptype":"Deferred","name":"nothing","arguments":[]}}},
		{"type":"Profile::One","title":"d","file":"MANIFEST","line":8,"parameters":{"x":{"__ptype":"Deferred","name":"nothing","arguments":[]}}}],
		"edges":[{"source":"Class[Profile::Db]","target":"File[/a]"},{"source":"Class[Profile::Db]","target":"File[/b]"}]}`
	for name, mode := range map[string]string{"old.json": "0600", "new.json": "0644"} {
		writeFiles(t, ".", map[string]string{name: strings.NewReplacer("MANIFEST", manifest, "MODE", mode).Replace(text)})
	}
}

// located returns the output of a command.
func located(t *testing.T, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	s := cli.Streams(strings.NewReader(""), &out, &errs)
	if code := execute(t.Context(), s, NewCmd(s, args...), args); code > cli.ExitFindings {
		t.Errorf("pcat %s: exit code %d: %s", strings.Join(args, " "), code, &errs)
	}
	return out.String()
}

// Commands that print manifest lines have --source-root and --source-url, and no others.
func TestLocationFlags(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	s := cli.Streams(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
	all := locating()
	for _, c := range allCommands(NewCmd(s)) {
		_, known := all[strings.TrimPrefix(c.CommandPath(), "pcat ")]
		for _, flag := range []string{"source-root", "source-url"} {
			if (c.Flags().Lookup(flag) != nil) != known {
				t.Errorf("%s: has --%s: %t; a command that prints manifest lines has it, and no other", c.CommandPath(), flag, !known)
			}
		}
	}
	_, section, _ := strings.Cut(string(page), "\n## Locations\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for name := range all {
		if !strings.Contains(section, "`"+name+"`") {
			t.Errorf("docs/command.md: the section on locations does not name %s", name)
		}
	}
}

// A terminal with colours gets hyperlinks, a pipe never.
func TestHyperlinks(t *testing.T) {
	const (
		file    = "/etc/puppetlabs/code/environments/production/site/profile/manifests/db.pp"
		address = "https://git.example.com/{path}"
		link    = "\x1b]8;;https://git.example.com/site/profile/manifests/db.pp\x1b\\site/profile/manifests/db.pp:"
	)
	dir := t.TempDir()
	t.Chdir(dir)
	catalogs(t, file)
	writeFiles(t, dir, map[string]string{"policy.yaml": policy, "modules/profile/manifests/db.pp": class})
	for _, line := range []string{
		"audit new.json", "check new.json", "deferred --total --policy policy.yaml new.json", "diff old.json new.json", "ls --long new.json", "show new.json File[/a]",
		"validate --modulepath modules new.json", "why new.json File[/a]",
	} {
		for _, terminal := range []bool{true, false} {
			args := append(strings.Fields(line), "--color", "always", "--source-url", address)
			var out, errs bytes.Buffer
			s := cli.Streams(strings.NewReader(""), &out, &errs)
			s.OutTerminal = terminal
			_ = execute(t.Context(), s, NewCmd(s, args...), args)
			if got := strings.Contains(out.String(), link); got != terminal || strings.Contains(out.String(), "\x1b]8") != terminal {
				t.Errorf("%s: on a terminal %t: %q %s", line, terminal, &out, &errs)
			}
		}
	}
}
