package conformance

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// typesParse checks the text of a type both parsed and evaluated.
func (l *language) typesParse(c *Case) error {
	text, _ := c.Text("type")
	known, err := l.types(c)
	if err != nil {
		return err
	}
	parsed, err := typeexpr.Parse(text, known)
	if err := c.Expect.Check(err, func() error { return sameString(c.Expect.Value, parsed.String()) }); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	want, ok := c.Answer("expect_eval")
	if !ok || want.Member("not_a_type") != nil {
		return nil
	}
	t, err := l.typeOf(c, text)
	if err := want.Check(err, func() error { return sameString(want.Value, pcore.TypeText(t)) }); err != nil {
		return fmt.Errorf("evaluated: %w", err)
	}
	return nil
}

// typeOf evaluates a text to a type, with the evaluator if it is not a
// constant.
func (l *language) typeOf(c *Case, text string) (pcore.Type, error) {
	known, err := l.types(c)
	if err != nil {
		return nil, err
	}
	v, err := typeexpr.Evaluate(text, known)
	if err != nil {
		if v, err = l.evaluate(c, text); err != nil {
			return nil, err
		}
	}
	t, ok := v.(pcore.Type)
	if !ok {
		return nil, fmt.Errorf("%s is a value of kind %s, not a type", text, pcore.KindOf(v))
	}
	return t, nil
}

func sameString(want json.RawMessage, got string) error {
	text, err := json.Marshal(got)
	if err != nil {
		return err
	}
	return SameJSON(want, text)
}

// sameBoolean compares an answer by Ruby's truthiness: sometimes Puppet answers
// nil or a String instead of false or true.
func sameBoolean(want json.RawMessage, got bool) error {
	if text := string(want); (text != "null" && text != "false") != got {
		return fmt.Errorf("want %s, got %v", want, got)
	}
	return nil
}

// pairs returns a runner for cases of two types, each of which is evaluated
// once.
func (l *language) pairs(ask func(a Answer, t, u pcore.Type) error) Runner {
	var known sync.Map
	typeOf := func(c *Case, member string) (pcore.Type, error) {
		text, _ := c.Text(member)
		if t, ok := known.Load(text); ok {
			return t.(pcore.Type), nil
		}
		t, err := l.typeOf(c, text)
		if err == nil {
			known.Store(text, t)
		}
		return t, err
	}
	return func(c *Case) error {
		t, err := typeOf(c, "t1")
		if err != nil {
			return c.Expect.Check(err, nil)
		}
		u, err := typeOf(c, "t2")
		return c.Expect.Check(err, func() error { return ask(c.Expect, t, u) })
	}
}

// assignable checks whether the first type accepts the second, and whether they
// are equal.
func assignable(a Answer, t, u pcore.Type) error {
	if err := sameBoolean(a.Value, pcore.Accepts(t, u)); err != nil {
		return fmt.Errorf("accepts: %w", err)
	}
	if err := sameBoolean(a.Member("eq"), pcore.EqualTypes(t, u)); err != nil {
		return fmt.Errorf("equal: %w", err)
	}
	return nil
}

// common checks the common type.
func common(a Answer, t, u pcore.Type) error {
	return sameString(a.Value, pcore.TypeText(pcore.Common(t, u)))
}
