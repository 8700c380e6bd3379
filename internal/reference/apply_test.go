package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/sensitive"
)

// node is the name under which the catalogs were compiled.
const node = "web01.example.com"

// event is one line of Puppet's log: what was found out about which resource.
type event struct{ Level, Source, Message string }

// apply runs puppet apply --noop with a catalog and the facts that it was compiled with, in a home of
// its own, and returns what it logged. It is an error when Puppet found anything wrong with the
// catalog, or did not come to its end.
func apply(t *testing.T, catalog, facts []byte) ([]event, error) {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, "catalog.json")
	write(t, file, catalog)
	// JSON is YAML, which is how Puppet keeps facts.
	write(t, filepath.Join(home, "var", "client_yaml", "facts", node+".yaml"),
		slices.Concat([]byte("--- !ruby/object:Puppet::Node::Facts\nname: "+node+"\nvalues:\n  "),
			bytes.ReplaceAll(facts, []byte("\n"), []byte("\n  ")), []byte("\n")))
	modules, err := filepath.Abs(filepath.Join(catalogs, "modules"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(home, "log.json")
	cmd := exec.CommandContext(t.Context(), "puppet", "apply", "--noop", "--catalog", file,
		"--confdir", filepath.Join(home, "conf"), "--vardir", filepath.Join(home, "var"),
		"--rundir", filepath.Join(home, "run"), "--modulepath", modules,
		"--certname", node, "--facts_terminus", "yaml", "--logdest", log)
	cmd.Dir = home
	out, failure := cmd.CombinedOutput()
	all := events(t, read(t, log))
	if failure != nil {
		return all, fmt.Errorf("puppet apply: %w\n%s%v", failure, out, all)
	}
	return all, accepted(all)
}

// events reads Puppet's log in JSON: an object a line, in an array that need not be closed.
func events(t *testing.T, log []byte) []event {
	t.Helper()
	var all []event
	for line := range bytes.Lines(log) {
		if !bytes.HasPrefix(line, []byte("{")) {
			continue
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// accepted looks into the log: the exit code of puppet apply --catalog is 0 even when resources fail.
func accepted(log []event) error {
	var applied bool
	for _, e := range log {
		if slices.Contains([]string{"warning", "err", "alert", "emerg", "crit"}, e.Level) {
			return fmt.Errorf("%s: %s: %s", e.Level, e.Source, e.Message)
		}
		applied = applied || e.Source == "Puppet" && strings.HasPrefix(e.Message, "Applied catalog in ")
	}
	if !applied {
		return fmt.Errorf("the catalog was not applied to its end: %v", log)
	}
	return nil
}

// A catalog that went through MessagePack and back, and the same catalog without its secrets, are
// applied by Puppet; and without its secrets there is as much to do.
func TestApply(t *testing.T) {
	requirePuppet(t)
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rich := read(t, filepath.Join(catalogs, name, "rich.json"))
			facts := read(t, filepath.Join(catalogs, name, "facts.json"))
			converted := convert(t, convert(t, rich, "rich-json", "rich-msgpack"), "rich-msgpack", "rich-json")
			log, err := apply(t, converted, facts)
			if err != nil {
				t.Fatalf("converted: %v", err)
			}
			clean := redact(t, converted, sensitive.NewMask())
			if bytes.Equal(clean, converted) {
				return
			}
			redacted, err := apply(t, clean, facts)
			if err != nil {
				t.Fatalf("redacted: %v", err)
			}
			if len(log) != len(redacted) {
				t.Errorf("redacted: %d events, before %d", len(redacted), len(log))
			}
			open := findings(t, clean)
			if len(open) == 0 {
				return
			}
			if _, err := apply(t, redact(t, converted, sensitive.NewMask(), open...), facts); err != nil {
				t.Errorf("redacted with %d findings: %v", len(open), err)
			}
		})
	}
}

// Whatever stands for the secrets, Puppet takes the catalog where it does not need them. It does need the
// command of an Exec, which NewDrop leaves out.
func TestApplyModes(t *testing.T) {
	requirePuppet(t)
	rich := read(t, filepath.Join(catalogs, "secrets", "rich.json"))
	facts := read(t, filepath.Join(catalogs, "secrets", "facts.json"))
	digest, err := sensitive.NewDigest(sensitive.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	pseudonym, err := sensitive.NewPseudonym(sensitive.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	for name, masker := range map[string]sensitive.Masker{"digest": digest, "pseudonym": pseudonym} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := apply(t, redact(t, rich, masker, findings(t, rich)...), facts); err != nil {
				t.Error(err)
			}
		})
	}
}

// The tests above would see it when Puppet does not accept a catalog.
func TestNotAccepted(t *testing.T) {
	requirePuppet(t)
	tiny := read(t, filepath.Join(catalogs, "tiny", "rich.json"))
	facts := read(t, filepath.Join(catalogs, "tiny", "facts.json"))
	for name, replace := range map[string][2]string{
		"impossible value":    {`"ensure":"file"`, `"ensure":"a plan"`},
		"reference to nobody": {`"require":"File[/etc/hello]"`, `"require":"File[/etc/nobody]"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := bytes.Replace(tiny, []byte(replace[0]), []byte(replace[1]), 1)
			if log, err := apply(t, broken, facts); err == nil {
				t.Errorf("accepted: %v", log)
			}
		})
	}
}
