package root

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
)

// runWith runs "pcat test" where that command does work.
func runWith(t *testing.T, work func(s *cli.IOStreams) error, flags ...string) (code cli.ExitCode, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	s := cli.Streams(strings.NewReader(""), &out, &errs)
	cmd := NewCmd(s)
	cmd.AddCommand(&cobra.Command{Use: "test", Long: "Test it.", RunE: func(*cobra.Command, []string) error { return work(s) }})
	code = execute(t.Context(), s, cmd, append(flags, "test"))
	return code, out.String(), errs.String()
}

func TestExecute(t *testing.T) {
	secret := "hunter2"
	for _, tt := range []struct {
		name   string
		work   func(*cli.IOStreams) error
		code   cli.ExitCode
		stderr string // a prefix
	}{
		{"done", func(*cli.IOStreams) error { return nil }, cli.ExitDone, ""},
		{"findings", func(*cli.IOStreams) error { return cli.Exit(cli.ExitFindings) }, cli.ExitFindings, ""},
		{"bad input", func(*cli.IOStreams) error { return cli.BadInput("a", "File[/x]", io.ErrUnexpectedEOF) }, cli.ExitBadInput, "pcat: a: File[/x]: unexpected EOF\n"},
		{"no input", func(*cli.IOStreams) error { return cli.ErrNoInput }, cli.ExitUsage, "Test it.\n\nUsage:\n  pcat test"},
		{"panic", func(*cli.IOStreams) error { panic(secret) }, cli.ExitInternal, "pcat: internal error"},
		{"runtime panic", func(*cli.IOStreams) error { return fmt.Errorf("%d", len(secret[len(os.Args)+99:])) }, cli.ExitInternal, "pcat: internal error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := runWith(t, tt.work)
			if code != tt.code || stdout != "" || !strings.HasPrefix(stderr, tt.stderr) || (tt.stderr == "") != (stderr == "") {
				t.Errorf("got %d, %q, %q, want %d and %q", code, stdout, stderr, tt.code, tt.stderr)
			}
			if strings.Contains(stderr, secret) {
				t.Errorf("the panic's text was printed: %s", stderr)
			}
		})
	}
}

// A terminal gets no binary data, unless it is asked for.
func TestBinaryOnTerminal(t *testing.T) {
	catalogs := filepath.Join("..", "..", "..", "..", "testdata", "catalogs", "tiny")
	text, binary := filepath.Join(catalogs, "rich.json"), filepath.Join(catalogs, "rich.msgpack")
	for _, tt := range []struct {
		args    []string
		refused bool
	}{
		{[]string{"convert", "-t", "rich-msgpack", text}, true},
		{[]string{"convert", "-t", "tabulated-msgpack", text}, true},
		{[]string{"convert", "-t", "rich-msgpack", "-o", "-", text}, false},
		{[]string{"convert", "-t", "rich-json", binary}, false},
		{[]string{"convert", "-t", "rich-json", "--compress", "zstd", binary}, true},
		{[]string{"convert", "-t", "puppetdb", binary}, false},
		{[]string{"redact", binary}, true},
		{[]string{"redact", text}, false},
		{[]string{"resolve", "-o", filepath.Join(t.TempDir(), "out"), binary}, false},
	} {
		for _, terminal := range []bool{true, false} {
			var out, errs bytes.Buffer
			s := cli.Streams(strings.NewReader(""), &out, &errs)
			s.OutTerminal = terminal
			code := execute(t.Context(), s, NewCmd(s), tt.args)
			if tt.refused && terminal {
				if code != cli.ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "use -o FILE") {
					t.Errorf("%q: got %d, %d bytes, %q", tt.args, code, out.Len(), &errs)
				}
			} else if code != cli.ExitDone {
				t.Errorf("%q, terminal %v: got %d, %q", tt.args, terminal, code, &errs)
			}
		}
	}
}

// Content on a terminal is accompanied by one warning if it contains secrets; other outputs are not.
func TestSecretsOnTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"listed.json":  `{"resources":[{"type":"A","title":"a","parameters":{"p":"Kestrel-4417"},"sensitive_parameters":["p"]},{"type":"B","title":"b","parameters":{"p":"Kestrel-4418"},"sensitive_parameters":["p"]}],"edges":[]}`,
		"nested.json":  `{"resources":[{"type":"A","title":"a","parameters":{"p":[{"__ptype":"Sensitive","__pvalue":"Kestrel-4417"}]}}],"edges":[]}`,
		"called.json":  `{"resources":[{"type":"A","title":"a","parameters":{"p":{"__ptype":"Deferred","name":"join","arguments":[["a",{"__ptype":"Sensitive","__pvalue":"Kestrel-4417"}],"="]}}}],"edges":[]}`,
		"nothing.json": `{"resources":[{"type":"A","title":"a","parameters":{"p":"x"}}],"edges":[]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args  string
		warns bool
	}{
		{"convert -t rich-json listed.json", true},
		{"convert -t yaml listed.json", true},
		{"convert -t rich-json --strict nested.json", true},
		{"convert -t rich-msgpack -o - listed.json", true},
		{"convert -t rich-json nothing.json", false},
		{"convert -t rich-json -o out listed.json", false},
		{"convert -t rich-json -i listed.json", false},
		{"convert -t puppetdb listed.json", false},
		{"-q convert -t rich-json listed.json", false},
		{"resolve nested.json", true},
		{"resolve called.json", true},
		{"resolve nothing.json", false},
		{"redact listed.json", false},
		{"get listed.json resources", false},
		{"query -e true listed.json", false},
	} {
		for _, terminal := range []bool{true, false} {
			var out, errs bytes.Buffer
			s := cli.Streams(strings.NewReader(""), &out, &errs)
			s.OutTerminal = terminal
			code := execute(t.Context(), s, NewCmd(s), strings.Fields(tt.args))
			want := 0
			if tt.warns && terminal {
				want = 1
			}
			if got := strings.Count(errs.String(), "the output contains secrets in plain text"); code != cli.ExitDone || got != want {
				t.Errorf("%s, terminal %v: got %d, %q, want %d warnings", tt.args, terminal, code, &errs, want)
			}
		}
	}
}

func TestPanicStack(t *testing.T) {
	_, _, stderr := runWith(t, func(*cli.IOStreams) error { panic("x") }, "-v")
	if !strings.Contains(stderr, "TestPanicStack") {
		t.Errorf("-v does not show the stack: %s", stderr)
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range allCommands(NewCmd(cli.Streams(nil, io.Discard, io.Discard))) {
		switch {
		case c.Short == "" || strings.HasSuffix(c.Short, "."):
			t.Errorf("%s: one line without a full stop, not %q", c.CommandPath(), c.Short)
		case c.Name() != "help" && (c.Long == "" || c.Example == ""):
			t.Errorf("%s: help needs a description and examples", c.CommandPath())
		}
	}
}

// A command that is created alone equals the one in the complete tree.
func TestNeededCommands(t *testing.T) {
	s := cli.Streams(nil, io.Discard, io.Discard)
	whole := NewCmd(s)
	for _, e := range commands() {
		within, _, err := whole.Find([]string{e.name})
		if err != nil || within.Name() != e.name {
			t.Fatalf("%s: found %q, %v", e.name, within.Name(), err)
		}
		tree := NewCmd(s, e.name, "--help")
		alone, _, err := tree.Find([]string{e.name})
		if err != nil || alone.GroupID != within.GroupID || manual.Help(alone, 0, nil) != manual.Help(within, 0, nil) {
			t.Errorf("%s: its help is not that of the complete tree: %v\n%s", e.name, err, manual.Help(alone, 0, nil))
		}
		if got, all := len(tree.Commands()), len(whole.Commands()); (got == all) != (e.kind == onCommands) {
			t.Errorf("%s: %d of %d commands were made", e.name, got, all)
		}
	}
	for _, args := range [][]string{{"help"}, {"nothing"}, {"--color", "never", "version"}, {cobra.ShellCompRequestCmd, ""}} {
		if got := NewCmd(s, args...); manual.Help(got, 0, nil) != manual.Help(whole, 0, nil) {
			t.Errorf("%q: not every command was made", args)
		}
	}
}

// Help fits into a terminal of 80 columns, with all examples, flags and tables.
func TestHelpFits(t *testing.T) {
	for _, c := range allCommands(NewCmd(cli.Streams(nil, io.Discard, io.Discard))) {
		for line := range strings.Lines(manual.Help(c, 80, cli.Statuses())) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: %q", c.CommandPath(), line)
			}
		}
		words := strings.Join(strings.Fields(manual.Help(c, 40, nil)), " ")
		if !strings.Contains(words, strings.Join(strings.Fields(c.Long), " ")) {
			t.Errorf("%s: other words: %q", c.CommandPath(), words)
		}
	}
}
