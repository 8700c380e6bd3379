package rubyre_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
)

// answer is one line of testdata/ruby.jsonl; testdata/oracle.rb documents the
// keys.
type answer struct {
	Pattern  string          `json:"pattern"`
	Options  int             `json:"options"`
	Error    *string         `json:"error"`
	String   string          `json:"string"`
	From     int             `json:"from"`
	Match    json.RawMessage `json:"match"`
	Raised   string          `json:"raised"`
	Scan     [][]int         `json:"scan"`
	Split    []string        `json:"split"`
	Template *string         `json:"template"`
	Sub      json.RawMessage `json:"sub"`
	Gsub     json.RawMessage `json:"gsub"`
	ToS      *string         `json:"to_s"`
	Names    []string        `json:"names"`
}

func (a answer) options() rubyre.Options {
	return rubyre.Options{IgnoreCase: a.Options&1 != 0, Extended: a.Options&2 != 0, MultiLine: a.Options&4 != 0}
}

// TestRuby compares all answers with Ruby's. RUBY_JSONL names another file of
// answers, such as the output of a longer run of testdata/oracle.rb.
func TestRuby(t *testing.T) {
	path := "testdata/ruby.jsonl"
	other := os.Getenv("RUBY_JSONL")
	if other != "" {
		path = other
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var count, unsupported int
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		count++
		re, err := a.options().Compile(a.Pattern)
		var refused *rubyre.UnsupportedError
		if errors.As(err, &refused) && a.Error == nil {
			unsupported++
			t.Logf("%s", err)
			continue
		}
		if err := a.check(re, err); err != nil {
			if errors.As(err, &refused) {
				unsupported++
				t.Logf("%s", err)
				continue
			}
			t.Errorf("%s\n%v", lines.Text(), err)
		}
	}
	t.Logf("%d cases, %d of them unsupported", count, unsupported)
	if other == "" && (count < 600 || unsupported*20 > count) {
		t.Errorf("%d cases, %d of them unsupported", count, unsupported)
	}
}

// check compares the answer with the behavior of re, or with the error of
// Compile.
func (a answer) check(re *rubyre.Regexp, err error) error {
	if a.Error != nil {
		var wrong *rubyre.SyntaxError
		if !errors.As(err, &wrong) {
			return differ(*a.Error, err)
		}
		return equal(withoutName(*a.Error), withoutName(wrong.Message))
	}
	if err != nil {
		return err
	}
	switch {
	case a.ToS != nil:
		if err := equal(a.Names, re.GroupNames()); err != nil {
			return err
		}
		return equal(*a.ToS, re.String())
	case a.Raised != "":
		if _, err := re.FindSubmatchIndex(a.String, 0); err == nil {
			return differ(a.Raised, nil)
		}
		return nil
	case a.Match != nil:
		var want []int
		if err := json.Unmarshal(a.Match, &want); err != nil {
			return err
		}
		got, err := re.FindSubmatchIndex(a.String, a.From)
		if err != nil {
			return err
		}
		if found, err := re.MatchString(a.String); a.From == 0 && (err != nil || found != (want != nil)) {
			return differ(want != nil, found)
		}
		return equal(want, got)
	case a.Template != nil:
		return errors.Join(a.replaced(re, a.Sub, 1), a.replaced(re, a.Gsub, -1))
	case a.Scan != nil:
		var got [][]int
		for m, err := range re.All(a.String) {
			if err != nil {
				return err
			}
			got = append(got, m)
		}
		if len(a.Scan) == 0 {
			a.Scan = nil
		}
		return equal(a.Scan, got)
	default:
		got, err := re.Split(a.String)
		if err != nil {
			return err
		}
		return equal(slices.Concat(a.Split), slices.Concat(got))
	}
}

func (a answer) replaced(re *rubyre.Regexp, want json.RawMessage, n int) error {
	got, err := re.Replace(a.String, *a.Template, n)
	if err != nil {
		var raised struct{ Error string }
		if json.Unmarshal(want, &raised) != nil {
			return differ(string(want), err)
		}
		return equal(raised.Error, err.Error())
	}
	var text string
	if err := json.Unmarshal(want, &text); err != nil {
		return differ(string(want), got)
	}
	return equal(text, got)
}

// withoutName drops the group's name from a message: Ruby quotes the text it
// has read so far, which may extend beyond the name.
func withoutName(message string) string {
	name, _, found := strings.Cut(message, " <")
	if found && strings.HasPrefix(name, "invalid group name") {
		return name
	}
	return message
}

func equal(want, got any) error {
	if d := cmp.Diff(want, got); d != "" {
		return errors.New("-ruby +rubyre\n" + d)
	}
	return nil
}

func differ(want, got any) error {
	return fmt.Errorf("ruby: %v, rubyre: %v", want, got)
}
