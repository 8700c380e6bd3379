package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// language evaluates the expressions of cases, like a reference.
type language struct {
	reference pcore.Reference
	functions *function.Registry
	std       func() (*typeexpr.Definitions, error)
}

func newLanguage(folder Folder, reference pcore.Reference) (*language, error) {
	functions, err := stdlib.New(reference)
	if err != nil {
		return nil, err
	}
	return &language{reference: reference, functions: functions, std: sync.OnceValues(func() (*typeexpr.Definitions, error) {
		text, err := folder.Definitions()
		if err != nil {
			return nil, err
		}
		return typeexpr.Define("std.pp", text, nil)
	})}, nil
}

// strict and lax return the modes of the answers.
func (l *language) strict() eval.Mode { return eval.Mode{Reference: l.reference} }

func (l *language) lax() eval.Mode {
	mode := eval.Lax()
	mode.Reference = l.reference
	return mode
}

// types returns the types of a case, other than the ones of the language.
func (l *language) types(c *Case) (typeexpr.Resolver, error) {
	if c.Env != "std" {
		return typeexpr.Like(l.reference, nil), nil
	}
	std, err := l.std()
	return typeexpr.Like(l.reference, std), err
}

// evaluator returns the evaluator for a case, which logs to log.
func (l *language) evaluator(c *Case, mode eval.Mode, log func(function.Level, string)) (*eval.Evaluator, error) {
	types, err := l.types(c)
	if err != nil {
		return nil, err
	}
	return eval.New(function.Env{
		Functions: l.functions,
		ParseType: func(text string) (pcore.Type, error) { return typeexpr.Parse(text, types) },
		Log:       log,
		Budget:    function.NewBudget(5_000_000),
	}, types, mode), nil
}

// evaluate returns the value of a text of the case, in the default mode.
func (l *language) evaluate(c *Case, text string) (pcore.Value, error) {
	e, err := l.evaluator(c, l.strict(), nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return e.Text(e.Scope(ctx), "", text)
}

// sameValue compares a value with the rich data of an answer.
func sameValue(a Answer, v pcore.Value) error {
	if a.SerializeError != "" {
		return nil
	}
	return sameRich(a.Value, v)
}

// sameRich compares a value with its rich data.
func sameRich(want json.RawMessage, v pcore.Value) error {
	rich := formats.RichJSON()
	got, err := rich.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
	if err != nil {
		return fmt.Errorf("the value cannot be written: %w", err)
	}
	return SameJSON(want, got)
}

// evaluated returns a runner that evaluates a member of a case and compares the
// value with the answer.
func (l *language) evaluated(member string) Runner {
	return func(c *Case) error {
		text, ok := c.Text(member)
		if !ok {
			return fmt.Errorf("the case has no %s", member)
		}
		v, err := l.evaluate(c, text)
		return c.Expect.Check(err, func() error { return sameValue(c.Expect, v) })
	}
}

// instance evaluates `expr =~ type`.
func (l *language) instance(c *Case) error {
	expr, _ := c.Text("expr")
	t, _ := c.Text("type")
	v, err := l.evaluate(c, "("+expr+") =~ "+t)
	return c.Expect.Check(err, func() error { return sameValue(c.Expect, v) })
}

// infer checks the inferred type of a value: detailed, reduced and generalized.
func (l *language) infer(c *Case) error {
	expr, _ := c.Text("expr")
	v, err := l.evaluate(c, expr)
	return c.Expect.Check(err, func() error {
		for name, t := range map[string]pcore.Type{
			"detailed":    pcore.InferDetailed(v),
			"reduced":     pcore.Infer(v),
			"generalized": pcore.Generalize(pcore.Infer(v)),
		} {
			var want string
			if err := json.Unmarshal(c.Expect.Member(name), &want); err != nil {
				return err
			}
			if got := pcore.TypeText(t); got != want {
				return fmt.Errorf("%s: %w", name, SameText(want, got))
			}
		}
		return nil
	})
}

// stringFormat evaluates `String(expr, format)`.
func (l *language) stringFormat(c *Case) error {
	expr, _ := c.Text("expr")
	args := expr
	if format, ok := c.Text("format"); ok {
		args += ", " + format
	}
	v, err := l.evaluate(c, "String("+args+")")
	return c.Expect.Check(err, func() error { return sameValue(c.Expect, v) })
}

// eval runs a program, and compares its value and its logs with the answer.
func (l *language) eval(c *Case) error {
	code, _ := c.Text("code")
	v, logs, err := l.run(c, code, l.strict())
	if err := c.Expect.Check(err, func() error { return sameValue(c.Expect, v) }); err != nil {
		return err
	}
	if err := sameLogs(c, logs); err != nil && !c.Expect.Failed() {
		return err
	}
	if lax, ok := c.Answer("expect_lax"); ok {
		v, _, err := l.run(c, code, l.lax())
		if err := lax.Check(err, func() error { return sameValue(lax, v) }); err != nil {
			return fmt.Errorf("lax: %w", err)
		}
	}
	return nil
}

// message is a log level and a message.
type message [2]string

func (l *language) run(c *Case, code string, mode eval.Mode) (v pcore.Value, logs []message, err error) {
	e, err := l.evaluator(c, mode, func(level function.Level, text string) {
		logs = append(logs, message{string(level), text})
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	v, err = e.Text(e.Scope(ctx), "", code)
	return v, logs, err
}

// sameLogs compares log messages with the case, which has neither debug nor err
// messages. Puppet logs each deprecation warning only once per process, so the
// case may lack it, and likewise the warning about the function of a Deferred.
func sameLogs(c *Case, logs []message) error {
	var want []message
	if raw := c.Raw("logs"); raw != nil {
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
	}
	got := slices.DeleteFunc(logs, func(m message) bool {
		once := m[0] == "warning" && (strings.Contains(m[1], "deprecated") || strings.Contains(m[1], "has no return_type"))
		return m[0] == "debug" || m[0] == "err" || once && !slices.Contains(want, m)
	})
	if !slices.Equal(got, want) {
		return fmt.Errorf("logs: want %q, got %q", want, got)
	}
	return nil
}

// epp evaluates a template.
func (l *language) epp(c *Case) error {
	if err := l.eppIn(c, c.Expect, l.strict()); err != nil {
		return err
	}
	if lax, ok := c.Answer("expect_lax"); ok {
		if err := l.eppIn(c, lax, l.lax()); err != nil {
			return fmt.Errorf("lax: %w", err)
		}
	}
	return nil
}

func (l *language) eppIn(c *Case, want Answer, mode eval.Mode) error {
	v, err := l.eppValue(c, mode)
	return want.Check(err, func() error { return sameValue(want, v) })
}

func (l *language) eppValue(c *Case, mode eval.Mode) (pcore.Value, error) {
	e, err := l.evaluator(c, mode, nil)
	if err != nil {
		return nil, err
	}
	s := e.Scope(context.Background())
	if code, ok := c.Text("code"); ok {
		if _, err := e.Text(s, "", code); err != nil {
			return nil, err
		}
	}
	template, ok := c.Text("template")
	if !ok {
		return nil, errors.New("the case has no template")
	}
	args := []pcore.Value{pcore.String(template)}
	if params, ok := c.Text("params"); ok {
		p, err := e.Text(s, "", params)
		if err != nil {
			return nil, err
		}
		args = append(args, p)
	}
	return e.Call(s, "inline_epp", args...)
}
