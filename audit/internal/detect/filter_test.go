package detect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/test/sample"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// samplesOfAll returns the samples of all rules and tables.
func samplesOfAll(t testing.TB) []string {
	t.Helper()
	var list []string
	add := func(text string) {
		if text, _ = sample.Marked(escapes.Replace(sample.Expand(text))); text != "" {
			list = append(list, text)
		}
	}
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range rules.All() {
		for _, text := range slices.Concat(r.Catch, r.Ignore) {
			_, text, _ = strings.Cut(text, ": ")
			add(text)
		}
	}
	for table, columns := range map[knowledge.Table]int{knowledge.Tokens: 3, knowledge.Programs: 2, knowledge.Directives: 2, knowledge.Webhooks: 1, knowledge.Files: 4} {
		for row := range table.Rows(columns + 3) {
			add(row[columns])
			add(row[columns+1])
		}
	}
	slices.Sort(list)
	return list
}

// wordsOfAll returns words that grammars need.
func wordsOfAll() []string {
	list := slices.Concat(marks, procedures, deferredForms, []string{
		"assword", "assphrase", "asswort", "ennwort", "PASSWORD", "IDENTIFIED", "identified", "ALTER ", "SET ", "VALUES", "values (", "INSERT INTO ", "chpasswd:", "\nupdate ", "ftp ",
		"omniauth :", "provider :", "basic_auth, ", "['DBI:", "ConvertTo-SecureString", "Bearer", "Basic", "jdbc:oracle:", "@//", "AUTH", `"P:`, pemBegin, `"kty`, `kty\`, "://", grub,
		pcore.RedactedText, "PuTTY-User-Key-File-",
	})
	for _, f := range layouts {
		list = append(list, f.words...)
	}
	return list
}

// foundIn returns the hits in a text in several locations of a catalog, and the judgements about it.
func foundIn(t *rapid.T, d *Detector, text string, unfiltered bool) (hits []Hit, judged []Judgement) {
	resource := func(kind, title, parameter string) pcore.Value {
		return pcore.NewHash(
			pcore.Entry{Key: pcore.String("type"), Value: pcore.String(kind)},
			pcore.Entry{Key: pcore.String("title"), Value: pcore.String(title)},
			pcore.Entry{Key: pcore.String("parameters"), Value: pcore.NewHash(pcore.Entry{Key: pcore.String(parameter), Value: pcore.String(text)})},
		)
	}
	form := formats.RichJSON()
	data, err := form.Append(nil, pcore.NewHash(pcore.Entry{Key: pcore.String("resources"), Value: pcore.NewArray(
		resource("File", "/etc/app/x.conf", "content"), resource("File", "/srv/x.py", "content"), resource("File", "/srv/x.sh", "content"),
		resource("File", "/srv/README.md", "content"), resource("Exec", "x", "command"), resource("Class", "X", "options"), resource("Class", "Y", "db_password"),
	)}), serialization.EncodeOptions{})
	if err != nil {
		t.Skip(err)
	}
	in := d.Scanner()
	in.unfiltered = unfiltered
	in.Judged = func(j Judgement) { judged = append(judged, j) }
	err = new(leaf.Walker).Walk(catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Kind == leaf.Value {
			hits = append(hits, hitsIn(in, l)...)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return hits, judged
}

// TestFilter checks that a search which skips the grammars that a text has no features for finds
// the same as a search with all grammars. The texts are made of pieces of the samples.
func TestFilter(t *testing.T) {
	d, samples, words := New(verdict.Names{}), samplesOfAll(t), wordsOfAll()
	between := []string{"", " ", "\n", "\t", ": ", "=", "\"", "'", "\n  ", "{", "}", ", ", "\\"}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			piece := rapid.SampledFrom(samples).Draw(t, "sample")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				piece = rapid.SampledFrom(words).Draw(t, "word")
			case 1: // a part of the sample
				from := rapid.IntRange(0, len(piece)).Draw(t, "from")
				piece = strings.ToValidUTF8(piece[from:rapid.IntRange(from, len(piece)).Draw(t, "to")], "")
			}
			b.WriteString(piece + rapid.SampledFrom(between).Draw(t, "between"))
		}
		hits, judged := foundIn(t, d, b.String(), false)
		allHits, allJudged := foundIn(t, d, b.String(), true)
		if !slices.EqualFunc(hits, allHits, sameHit) {
			t.Errorf("%q: %v instead of %v", b.String(), hits, allHits)
		}
		if !slices.EqualFunc(judged, allJudged, func(a, b Judgement) bool {
			return sameHit(a.Hit, b.Hit) && a.Named == b.Named && a.Against == b.Against && slices.Equal(a.Terms, b.Terms)
		}) {
			t.Errorf("%q: the judgements differ", b.String())
		}
	})
}

func sameHit(a, b Hit) bool {
	same := slices.Equal(a.Encodings, b.Encodings)
	a.Encodings, b.Encodings = nil, nil
	return same && a.Rule == b.Rule && a.Start == b.Start && a.End == b.End && a.Secret == b.Secret && a.Name == b.Name &&
		a.Confidence == b.Confidence && a.Loose == b.Loose && a.Masked == b.Masked
}

// Each sample by itself has the same hits with and without the filter.
func TestFilterOfSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches all samples again")
	}
	d, samples := New(verdict.Names{}), samplesOfAll(t)
	if len(samples) < 1000 {
		t.Fatalf("there are only %d samples", len(samples))
	}
	next := 0
	rapid.Check(t, func(t *rapid.T) {
		for range len(samples)/100 + 1 {
			text := samples[next%len(samples)]
			next++
			hits, _ := foundIn(t, d, text, false)
			if all, _ := foundIn(t, d, text, true); !slices.EqualFunc(hits, all, sameHit) {
				t.Errorf("%q: %v instead of %v", text, hits, all)
			}
		}
	})
}
