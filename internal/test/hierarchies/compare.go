package hierarchies

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// Recorded is the number of cases whose answers are recorded.
const Recorded = 300

// Compare compares the answers of pcat with those of a reference.
func Compare(t *testing.T, cases []Case, answers [][]Answer, like pcore.Reference) {
	t.Helper()
	asked, unequal, hierarchies := 0, 0, 0
	for i, c := range cases {
		dir := filepath.Join(t.TempDir(), "case")
		if err := c.Write(dir); err != nil {
			t.Fatal(err)
		}
		before := unequal
		for j, q := range c.Questions {
			got, err := c.Ask(t.Context(), dir, q, like)
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if diff := Diff(got, answers[i][j]); diff != "" {
				unequal++
				t.Errorf("case %d, question %d %+v: %s", i, j, q, diff)
			}
		}
		if unequal > before {
			hierarchies++
		}
	}
	t.Logf("%d questions, %d unequal, in %d of %d hierarchies", asked, unequal, hierarchies, len(cases))
}

// WriteAnswers writes answers to a file, compressed.
func WriteAnswers(file string, answers [][]Answer) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if err := json.NewEncoder(z).Encode(a); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o600)
}

// ReadAnswers reads the file of WriteAnswers.
func ReadAnswers(file string) (all [][]Answer, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(z); ; {
		var a []Answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, a)
	}
}

// Diff returns how two answers differ; empty for not at all.
func Diff(got, want Answer) string {
	switch {
	case strings.HasPrefix(want.Error, "undefined method") && strings.Contains(got.Error, "type mismatch"): // Ruby's own error
		return ""
	case got.Error != want.Error:
		return fmt.Sprintf("error: %q, want %q (value %s, want %s)", got.Error, want.Error, got.Value, want.Value)
	case !sameJSON(got.Value, want.Value):
		return fmt.Sprintf("value: %s, want %s", got.Value, want.Value)
	case !sameText(got.Explanation, want.Explanation):
		return fmt.Sprintf("explanation:\n%s\nwant:\n%s", got.Explanation, want.Explanation)
	default:
		return ""
	}
}

// sameText compares two explanations, but for lines with the address of an object of Ruby: Puppet
// replaces the name of a type in its options by the type, and prints that.
func sameText(got, want string) bool {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return false
	}
	for i := range g {
		if g[i] != w[i] && !strings.Contains(w[i], "#<Puppet::Pops::Types::P") {
			return false
		}
	}
	return true
}

// sameJSON compares two texts, regardless of how JSON is spelled, but with the order of keys.
func sameJSON(a, b string) bool { return a == b || spelled(a) == spelled(b) }

func spelled(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var b strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			return b.String()
		}
		fmt.Fprintf(&b, "%T %v\n", token, token)
	}
}
