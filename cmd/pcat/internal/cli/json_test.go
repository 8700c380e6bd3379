package cli

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/envelope"
)

func TestJSONDocument(t *testing.T) {
	for _, tt := range []struct {
		name   string
		writes []string
		err    error
		want   int // results; -1 for no output
	}{
		{"nothing", nil, nil, 0},
		{"one line", []string{"{\"a\":1}\n"}, nil, 1},
		{"lines of several writes", []string{"{\"a\":", "1}\n{\"b\"", ":2}\n", "{}\n"}, nil, 3},
		{"a finding", []string{"{}\n"}, Exit(ExitFindings), 1},
		{"no finding", nil, Exit(ExitFindings), 0},
		{"an input that cannot be read", []string{"{}\n"}, BadInput("a", "", io.ErrUnexpectedEOF), 1},
		{"a usage error", nil, Usage("no"), -1},
	} {
		var out strings.Builder
		s := &IOStreams{Out: &out}
		err := (&JSONFlags{JSON: true}).document(s, func() error {
			for _, text := range tt.writes {
				if _, err := io.WriteString(s.Out, text); err != nil {
					return err
				}
			}
			return tt.err
		})
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
		}
		if tt.want < 0 {
			if out.Len() > 0 {
				t.Errorf("%s: output %q", tt.name, out.String())
			}
			continue
		}
		var d struct {
			envelope.Envelope

			Results []any `json:"results"`
		}
		if err := json.Unmarshal([]byte(out.String()), &d); err != nil {
			t.Errorf("%s: %v: %s", tt.name, err, out.String())
		}
		if d.Tool != "pcat" || d.Version == "" || d.FormatVersion == "" || d.Results == nil || len(d.Results) != tt.want {
			t.Errorf("%s: %s", tt.name, out.String())
		}
	}
}
