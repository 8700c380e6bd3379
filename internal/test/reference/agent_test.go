package reference

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/sensitive"
)

// agent is a Puppet process that reads catalogs.
type agent struct{ *server }

func newAgent(t *testing.T) agent {
	t.Helper()
	requirePuppet(t)
	return agent{serve(t, filepath.Join("testdata", "agent.rb"), t.TempDir(), catalogs)}
}

// read returns a catalog as read by Puppet, in rich JSON. format is Puppet's
// name of the format.
func (a agent) read(t *testing.T, format string, catalog []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "catalog")
	write(t, file, catalog)
	var answer struct{ JSON, Error string }
	err := a.ask(map[string]string{"format": format, "file": file}, &answer)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Error != "" {
		t.Fatalf("Puppet refuses it as %s: %s", format, answer.Error)
	}
	return []byte(answer.JSON)
}

// TestAgentReads checks that Puppet reads pcat's output like its own, in both
// formats that an agent requests.
func TestAgentReads(t *testing.T) {
	a := newAgent(t)
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			rich := read(t, filepath.Join(catalogs, name, "rich.json"))
			packed := convert(t, rich, "rich-json", "rich-msgpack")
			want := read(t, filepath.Join(catalogs, name, "roundtrip.json"))
			for format, data := range map[string][]byte{
				"rich_data_msgpack": packed,
				"rich_data_json":    convert(t, packed, "rich-msgpack", "rich-json"),
			} {
				if got := a.read(t, format, data); !bytes.Equal(got, want) {
					t.Errorf("%s: Puppet reads another catalog", format)
				}
			}
		})
	}
}

// TestAgentReadsRedacted checks that redacting a catalog before Puppet reads it
// gives the same result as redacting the catalog after.
func TestAgentReadsRedacted(t *testing.T) {
	a := newAgent(t)
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			rich := read(t, filepath.Join(catalogs, name, "rich.json"))
			for mode, masker := range map[string]func() sensitive.Masker{
				"mask": sensitive.NewMask, "drop": sensitive.NewDrop, "digest": digest(t),
			} {
				clean := redact(t, rich, masker())
				want := redact(t, a.read(t, "rich_data_json", rich), masker())
				want = a.read(t, "rich_data_json", want) // drops values that are empty now
				for format, data := range map[string][]byte{
					"rich_data_json":    clean,
					"rich_data_msgpack": convert(t, clean, "rich-json", "rich-msgpack"),
				} {
					if got := a.read(t, format, data); !bytes.Equal(got, want) {
						t.Errorf("%s, %s: Puppet reads\n%s, want\n%s", mode, format, got, want)
					}
				}
			}
		})
	}
}

func digest(t *testing.T) func() sensitive.Masker {
	t.Helper()
	m, err := sensitive.NewDigest([]byte("a key for this test"))
	if err != nil {
		t.Fatal(err)
	}
	return func() sensitive.Masker { return m }
}
