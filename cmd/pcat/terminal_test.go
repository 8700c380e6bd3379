package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// screens are the arguments of runs of all commands, whose text fits a terminal of 80 columns.
func screens() []string {
	return []string{
		"", "affected --help", "audit new.json", "audit new", "check new.json", "check new", "compile", "deferred new.json", "deferred --total new", "diff old.json new.json", "diff old new", "diff --side-by-side old.json new.json",
		"eval -e 1", "explain new.json Class[Profile::Db]", "graph --help", "help sources", "inspect new.json", "inspect --total new",
		"list rules", "list rules sensitive-reuse-open", "list functions join", "list formats", "lookup --help", "ls new.json", "ls --long new.json", "ls --order new.json", "ls new",
		"query -e $type==file new.json", "query --by type new", "query --table $title,$parameters[mode] new.json", "query --list-presets", "redact --check new.json", "redact --check --explain new.json",
		"show new.json File[/etc/app0.ini]", "show new Class[Profile::Db]", "type Integer", "validate --modulepath modules new.json", "verify new.json", "version", "why new.json File[/etc/app0.ini]",
	}
}

// noScreen are the commands whose output is not for people, or data of a catalog, and those that need a server.
func noScreen() []string {
	return []string{"completion", "convert", "fetch", "get", "man", "resolve", "schema", "submit", "unseal"}
}

// sequences matches the sequences of colours and links.
var sequences = regexp.MustCompile(`\x1b(\[[0-9;]*[mK]|\]8;;[^\x1b]*\x1b\\)`)

// Each command fits a terminal of 80 columns.
func TestScreens(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("script of util-linux, which runs a command in a terminal, is not here")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeScreens(t)
	tested := map[string]bool{}
	for _, args := range screens() {
		command, _, _ := strings.Cut(args, " ")
		tested[command] = true
		words := strings.Fields(args)
		for i, word := range words {
			words[i] = "'" + word + "'"
		}
		cmd := exec.Command("script", "-q", "-e", "-c", "stty cols 80; pcat "+strings.Join(words, " "), os.DevNull)
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", raceEnv+"="+raceOptions)
		out, _ := cmd.Output() // the exit code may be 1
		if len(out) == 0 {
			t.Errorf("pcat %s prints nothing", args)
		}
		for line := range strings.Lines(sequences.ReplaceAllString(strings.ReplaceAll(string(out), "\r", ""), "")) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("pcat %s: %d columns: %s", args, n, line)
			}
		}
	}
	for _, command := range noScreen() {
		tested[command] = true
	}
	for _, command := range commands(t) {
		if !tested[command] {
			t.Errorf("%s: add a run to screens", command)
		}
	}
}

// writeScreens writes catalogs whose texts are as long as in practice.
func writeScreens(t *testing.T) {
	t.Helper()
	const manifest = "/etc/puppetlabs/code/environments/production/site/profile/manifests/db.pp"
	file := func(i, mode string) string {
		return `{"type":"File","title":"/etc/app` + i + `.ini","file":"` + manifest + `","line":1` + i + `,"parameters":{"ensure":"file","mode":"` + mode + `","content":"[db]\npassword = k9Xw-Tq4Zr-` + i + `\n"}}`
	}
	for name, mode := range map[string]string{"old": "0600", "new": "0644"} {
		var files, edges []string
		for _, i := range strings.Fields("0 1 2 3 4 5 6 7 8 9") {
			files = append(files, file(i, mode))
			edges = append(edges, `{"source":"Class[Profile::Db]","target":"File[/etc/app`+i+`.ini]"}`)
		}
		text := `{"name":"NODE","environment":"production","resources":[
			{"type":"Class","title":"Profile::Db","file":"` + manifest + `","line":3,"parameters":{"password":"k9Xw-Tq4Zr-7","host":"NODE"}},
			{"type":"Exec","title":"late","file":"` + manifest + `","line":34,"parameters":{"command":["x",{"__ptype":"Deferred","name":"upcase","arguments":["a"]}],"require":"File[/etc/app0.ini]"}},
			` + strings.Join(files, ",\n") + `],"edges":[` + strings.Join(edges, ",") + `]}`
		for path, node := range map[string]string{name + ".json": "web01", name + "/web01.json": "web01", name + "/web02.json": "web02"} {
			write(t, path, strings.ReplaceAll(text, "NODE", node+".example.com"))
		}
	}
	write(t, "modules/profile/manifests/db.pp", "class profile::db(Integer $password, String $host) {}")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
