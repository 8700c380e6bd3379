package timefmt_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

// vector is a line of the project's test vectors: an expression and its value.
type vector struct {
	ID, Expr string
	Expect   struct {
		Value json.RawMessage
		Error string
		Bug   []string `json:"puppet_bug"`
	}
}

// call is an expression of the form f(argument, ...) whose arguments are
// strings, numbers, hashes of numbers, or calls.
type call struct {
	name string
	args []any
}

var token = regexp.MustCompile(`^(?:'((?:[^'\\]|\\.)*)'|(-?[0-9][0-9.e+]*)|(\w+)\(|\{([a-z0-9=>, ]*)\})`)

// parseCall parses a call; ok is false for other expressions.
func parseCall(expr string) (c call, rest string, ok bool) {
	m := token.FindStringSubmatch(expr)
	if m == nil || m[3] == "" {
		return c, expr, false
	}
	c.name, rest = m[3], expr[len(m[0]):]
	for !strings.HasPrefix(rest, ")") {
		var arg any
		m := token.FindStringSubmatch(rest)
		switch {
		case m == nil:
			return c, rest, false
		case m[3] != "":
			if arg, rest, ok = parseCall(rest); !ok {
				return c, rest, false
			}
		case m[2] != "":
			n, err := strconv.ParseFloat(m[2], 64)
			arg, rest, ok = n, rest[len(m[0]):], err == nil
		case m[0][0] == '{':
			arg, ok = fieldsOf(m[4])
			rest = rest[len(m[0]):]
		default:
			arg, rest, ok = strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(m[1]), rest[len(m[0]):], true
		}
		if !ok {
			return c, rest, false
		}
		c.args = append(c.args, arg)
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, ","), " ")
	}
	return c, rest[1:], true
}

// fieldsOf parses the contents of {days => 1, hours => 2}. ok is false for
// other keys.
func fieldsOf(text string) (f timefmt.Fields, ok bool) {
	by := map[string]*int64{"days": &f.Days, "hours": &f.Hours, "minutes": &f.Minutes, "seconds": &f.Seconds}
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, "=>")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if key == "negative" {
			f.Negative = value == "true"
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || by[key] == nil {
			return f, false
		}
		*by[key] = n
	}
	return f, true
}

// timeOf returns the Instant or the Span that a call of Timestamp or Timespan
// returns. ok is false for calls that this test does not support.
func timeOf(c call) (v fmt.Stringer, ok bool, err error) {
	if len(c.args) == 0 {
		return nil, false, nil
	}
	texts := make([]string, len(c.args))
	for i, arg := range c.args {
		texts[i], _ = arg.(string)
	}
	switch first := c.args[0].(type) {
	case float64:
		if len(c.args) > 1 {
			return nil, false, nil
		}
		if c.name == "Timestamp" {
			v, err = timefmt.InstantFromSeconds(first)
		} else {
			v, err = timefmt.SpanFromSeconds(first)
		}
	case timefmt.Fields:
		v, err = first.Span()
	case string:
		if c.name == "Timestamp" {
			v, err = instantOf(texts)
		} else {
			v, err = parseSpan(texts[0], texts[1:])
		}
	}
	return v, v != nil, err
}

func instantOf(texts []string) (timefmt.Instant, error) {
	var zone timefmt.Zone
	var err error
	if len(texts) > 2 {
		zone, err = timefmt.ParseZone(texts[2])
	}
	switch {
	case err != nil:
		return timefmt.Instant{}, err
	case len(texts) > 1:
		return timefmt.NewInstantFormat(texts[1]).Parse(texts[0], zone)
	default:
		return timefmt.ParseInstant(texts[0], zone)
	}
}

// strftime is Puppet's function.
func strftime(v fmt.Stringer, args []any) (string, error) {
	format, _ := args[0].(string)
	switch v := v.(type) {
	case timefmt.Span:
		f, err := timefmt.NewSpanFormat(format)
		if err != nil {
			return "", err
		}
		return f.Format(v), nil
	case timefmt.Instant:
		var zone timefmt.Zone
		if len(args) > 1 {
			var err error
			name, _ := args[1].(string)
			if zone, err = timefmt.ParseZone(name); err != nil {
				return "", err
			}
		}
		return timefmt.NewInstantFormat(format).Format(v, zone)
	default:
		return "", fmt.Errorf("%T is no time", v)
	}
}

// TestVectors runs the vectors whose expressions are calls of strftime, Timestamp and
// Timespan.
func TestVectors(t *testing.T) {
	for file, atLeast := range map[string]int{"strftime.jsonl": 330, "new.jsonl": 30} {
		count := 0
		for _, v := range lines[vector](t, "../../../../testdata/vectors/"+file) {
			c, rest, ok := parseCall(v.Expr)
			if !ok || rest != "" {
				continue
			}
			var got string
			var made fmt.Stringer
			var err error
			switch c.name {
			case "strftime":
				inner, isCall := c.args[0].(call)
				if !isCall || len(c.args) < 2 {
					continue
				}
				if made, ok, err = timeOf(inner); !ok {
					continue
				}
				if err == nil {
					got, err = strftime(made, c.args[1:])
				}
			case "Timestamp", "Timespan":
				if made, ok, err = timeOf(c); !ok {
					continue
				}
				got = made.String()
			default:
				continue
			}
			count++
			if want(t, err, v.Expect.Error != "", "%s: %s", v.ID, v.Expr) && got != valueText(t, v) && v.Expect.Bug == nil {
				t.Errorf("%s: %s = %q, want %q", v.ID, v.Expr, got, valueText(t, v))
			}
		}
		t.Logf("%s: %d vectors", file, count)
		if count < atLeast {
			t.Errorf("%s: only %d vectors were read, want %d", file, count, atLeast)
		}
	}
}

// valueText returns a string value, or the string that represents a value in
// rich data.
func valueText(t *testing.T, v vector) string {
	t.Helper()
	var text string
	if json.Unmarshal(v.Expect.Value, &text) == nil {
		return text
	}
	var rich struct {
		Text string `json:"__pvalue"`
	}
	if err := json.Unmarshal(v.Expect.Value, &rich); err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	return rich.Text
}
