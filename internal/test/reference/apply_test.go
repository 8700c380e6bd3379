package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/puppetdb"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// node is the name of the node for which the catalogs were compiled.
const node = "web01.example.com"

// event is one line of Puppet's log: a message about a resource.
type event struct{ Level, Source, Message string }

// apply runs puppet apply --noop in its own home, with a catalog and the facts
// that it was compiled with, and returns the log. It returns an error if Puppet
// reported a problem or did not complete.
func apply(t *testing.T, document, facts []byte) ([]event, error) {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, "catalog.json")
	write(t, file, document)
	writeFacts(t, home, facts)
	modules, err := filepath.Abs(filepath.Join(catalogs, "modules"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(home, "log.json")
	out, failure := run(t, home, append([]string{"apply", "--noop", "--catalog", file,
		"--modulepath", modules, "--logdest", log}, homeFlags(home)...)...)
	all := events(t, read(t, log))
	if failure != nil {
		return all, fmt.Errorf("puppet apply: %w\n%s%v", failure, out, all)
	}
	return all, accepted(all)
}

// homeFlags are the flags for the name of the node, its facts, and a home that no
// other run uses.
func homeFlags(home string) []string {
	flags := []string{"--certname", node, "--facts_terminus", "yaml"}
	for name, folder := range map[string]string{"conf": "conf", "var": "var", "run": "run", "log": "logs", "public": "public"} {
		flags = append(flags, "--"+name+"dir", filepath.Join(home, folder))
	}
	return flags
}

// writeFacts stores the facts of the node as an agent does: as YAML, which includes
// JSON.
func writeFacts(t *testing.T, home string, facts []byte) {
	t.Helper()
	write(t, filepath.Join(home, "var", "client_yaml", "facts", node+".yaml"),
		slices.Concat([]byte("--- !ruby/object:Puppet::Node::Facts\nname: "+node+"\nvalues:\n  "),
			bytes.ReplaceAll(facts, []byte("\n"), []byte("\n  ")), []byte("\n")))
}

// events parses Puppet's log in JSON: one object per line, in an array that
// need not be closed.
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

// accepted checks the log, because puppet apply --catalog exits with 0 even if
// resources fail.
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

// TestApply checks that Puppet applies a catalog converted to MessagePack and
// back, and the same catalog without its secrets, and that it logs the same
// number of events for both.
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

// kind is the member of a resource that PuppetDB does not keep.
var kind = regexp.MustCompile(`,?"kind":"[a-z_]+"`)

// TestApplyRestored checks that Puppet applies every resource of a catalog that PuppetDB
// stored, without the kinds of the resources, as it applies the catalog itself. A File
// without its secret content has no event.
func TestApplyRestored(t *testing.T) {
	requirePuppet(t)
	for name, secret := range map[string]string{
		"tiny": "", "empty": "", "relations": "File[/srv/app/app.conf]", "binary_crlf": "File[/etc/secret.bin]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts := read(t, filepath.Join(catalogs, name, "facts.json"))
			original, err := apply(t, read(t, filepath.Join(catalogs, name, "rich.json")), facts)
			if err != nil {
				t.Fatal(err)
			}
			log, err := apply(t, restored(t, kind.ReplaceAll(read(t, filepath.Join(catalogs, name, "puppetdb.json")), nil)), facts)
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(sources(original), func(source string) bool {
				return secret != "" && strings.Contains(source, secret)
			})
			if got := sources(log); !slices.Equal(got, want) {
				t.Errorf("events of\n%v, want\n%v", got, want)
			}
		})
	}
}

// restored returns the catalog of a payload in rich JSON.
func restored(t *testing.T, stored []byte) []byte {
	t.Helper()
	for c, err := range catalog.NewReaderBytes(stored, formats.RichJSON(), serialization.DecodeOptions{}).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := puppetdb.Restore(c)
		if err != nil {
			t.Fatal(err)
		}
		v, err := back.Value()
		if err != nil {
			t.Fatal(err)
		}
		text, err := formats.RichJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	t.Fatal("no catalog")
	return nil
}

// sources returns the resources that a log is about, sorted, each once.
func sources(log []event) []string {
	var all []string
	for _, e := range log {
		if strings.HasPrefix(e.Source, "/Stage[main]/") {
			all = append(all, e.Source)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestApplyModes checks that Puppet accepts a catalog with any replacement for
// secrets that it does not need. It does need the command of an Exec, which
// NewDrop drops.
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

// TestNotAccepted checks that the tests above detect a catalog that Puppet does
// not accept.
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
