package rundata

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pieces returns the pieces of a text, each with its name.
func pieces(n *node) string {
	var s strings.Builder
	for k, v := range n.members() {
		s.WriteString(k.text() + ":\n" + v.text())
	}
	return s.String()
}

func TestDifferences(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{
			"of Puppet", "\n--- /etc/x\t2026\n+++ /tmp/y\t2026\n@@ -1,3 +1,3 @@\n a\n-b: 1\n+b: 2\n c\n\\ No newline at end of file\n",
			"head:\n\n--- /etc/x\t2026\n+++ /tmp/y\t2026\n@@ -1,3 +1,3 @@\n\\ No newline at end of file\nold:\na\nb: 1\nc\nnew:\na\nb: 2\nc\n",
		},
		{
			"of a new file, with text behind it", "@@ -0,0 +1,2 @@\n+a\n+-b\nexit 1\n+c\n",
			"head:\n@@ -0,0 +1,2 @@\nexit 1\n+c\nnew:\na\n-b\n",
		},
		{
			"of two files", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n--- c\n+++ d\n@@ -1 +1 @@\n---\n+z\n",
			"head:\n--- a\n+++ b\n@@ -1 +1 @@\nold:\nx\nnew:\ny\nhead 2:\n--- c\n+++ d\n@@ -1 +1 @@\nold 2:\n--\nnew 2:\nz\n",
		},
		{
			"without context", "2,3c2\n< a\n< b\n---\n> c\n9a9\n> d\n",
			"head:\n2,3c2\n---\n9a9\nold:\na\nb\nnew:\nc\nd\n",
		},
		{"no difference", "@@ - a\n- b\n", ""},
	} {
		n := new(tree).asDiff(new(tree).text(test.text))
		if diff := cmp.Diff(test.want, pieces(&n)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

const report = `{"host":"web01","report_format":12,"logs":[LOGS]}`

// logged returns a report with log lines of commands: the source and the message of each.
func logged(lines ...[2]string) string {
	var s strings.Builder
	for i, line := range lines {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteString(`{"level":"notice","message":` + string(new(tree).text(line[1]).raw) + `,"source":"/Stage[main]/Main/Exec[` + line[0] + `]/returns","tags":["exec"],"time":"` + strings.Repeat("1", i) + `"}`)
	}
	return strings.Replace(report, "LOGS", s.String(), 1)
}

func TestRestoreLines(t *testing.T) {
	for _, test := range []struct {
		name, document, old, new, want string
	}{
		{
			"a text of several log lines", logged([2]string{"a", "BEGIN"}, [2]string{"a", "abc"}, [2]string{"a", "END"}, [2]string{"b", "abc"}),
			`BEGIN\nabc\nEND`, "marker-1", logged([2]string{"a", "marker-1"}, [2]string{"a", "marker-1"}, [2]string{"a", "marker-1"}, [2]string{"b", "abc"}),
		},
		{
			"a part of it", logged([2]string{"a", "x: 'secret-word'"}, [2]string{"a", "other"}, [2]string{"a", "end"}),
			`secret-word`, "marker-1", logged([2]string{"a", "x: 'marker-1'"}, [2]string{"a", "other"}, [2]string{"a", "end"}),
		},
		{
			"a difference that a command prints", logged([2]string{"a", "@@ -1,2 +1,2 @@"}, [2]string{"a", " user"}, [2]string{"a", "-secret-word"}, [2]string{"a", "+b"}),
			`user\nsecret-word\n`, `user\nmarker-1`, logged([2]string{"a", "@@ -1,2 +1,2 @@"}, [2]string{"a", " user"}, [2]string{"a", "-marker-1"}, [2]string{"a", "+b"}),
		},
		{
			"lines of one file between those of the other", logged([2]string{"a", "@@ -1,3 +1,3 @@\n BEGIN\n-abc\n+def\n END\n"}),
			`BEGIN\nabc\nEND\n`, `marker-1`, logged([2]string{"a", "@@ -1,3 +1,3 @@\n marker-1\n-marker-1\n+def\n marker-1\n"}),
		},
		{
			"empty lines between two words", logged([2]string{"a", "WORD"}, [2]string{"a", "\nd"}, [2]string{"a", "+WORD c"}),
			`WORD`, `marker-1-of-word`, logged([2]string{"a", "marker-1-of-word"}, [2]string{"a", "\nd"}, [2]string{"a", "+marker-1-of-word c"}),
		},
		{
			"the same lines around", logged([2]string{"a", "@@ -1,2 +1,2 @@\n key secret-word\n-a\n+b\n"}),
			`secret-word`, `marker-1`, logged([2]string{"a", "@@ -1,2 +1,2 @@\n key marker-1\n-a\n+b\n"}),
		},
	} {
		d := Detect([]byte(test.document))
		before := presented(t, d, []byte(test.document))
		if !strings.Contains(before, test.old) {
			t.Errorf("%s: the presentation has no %s: %s", test.name, test.old, before)
		}
		var out bytes.Buffer
		if err := d.Restore(&out, []byte(test.document), strings.NewReader(strings.ReplaceAll(before, test.old, test.new))); err != nil {
			t.Fatal(test.name, err)
		}
		if diff := cmp.Diff(test.want, out.String()); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// TestAnyLines replaces a word in any text of log lines, with and without signs of differences.
func TestAnyLines(t *testing.T) {
	line := rapid.SampledFrom([]string{"@@ -1,2 +1,2 @@", " a", "-b WORD", "+WORD c", "< WORD", "> d", "1c1", "---", "", "WORD", "--- /etc/x", "\\ No newline", "x\n y WORD"})
	rapid.Check(t, func(t *rapid.T) {
		var lines, want [][2]string
		for i := range rapid.IntRange(1, 12).Draw(t, "n") {
			source := rapid.SampledFrom([]string{"a", "a", "a", "b"}).Draw(t, "source")
			text := strings.Repeat(line.Draw(t, "line")+"\n", rapid.IntRange(1, 2).Draw(t, "times")) + string(rune('a'+i))
			lines = append(lines, [2]string{source, text})
			want = append(want, [2]string{source, strings.ReplaceAll(text, "WORD", "marker-1-of-word")})
		}
		data := []byte(logged(lines...))
		d := Detect(data)
		var catalogs, out bytes.Buffer
		if _, err := d.Catalogs(&catalogs, data); err != nil {
			t.Fatal(err)
		}
		changed := strings.ReplaceAll(catalogs.String(), "WORD", "marker-1-of-word")
		if err := d.Restore(&out, data, strings.NewReader(changed)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(logged(want...), out.String()); diff != "" {
			t.Error(diff)
		}
	})
}
