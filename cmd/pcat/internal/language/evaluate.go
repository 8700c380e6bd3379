package language

import (
	"context"
	"errors"
	"strings"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// Leniency permits programs more than their reference does.
type Leniency struct {
	Language bool // what Puppet 7 permits: unknown variables, and texts as numbers
	Undef    bool // undef in operators, for conditions: see [eval.Mode]
}

// Evaluator returns an evaluator of programs in the world. They see the facts
// as the compiler of catalogs does: all of them in `$facts`, and each as a
// variable. The mode is the default of the reference, with the leniency.
func (w *World) Evaluator(l Leniency) *eval.Evaluator {
	mode := eval.Like(w.Reference)
	if l.Language {
		mode.LaxVariables, mode.LaxNumbers = true, true
	}
	mode.LaxUndef = l.Undef
	env := w.Env
	env.Functions = w.Finder
	env.Allow = deferred.Policy{Effects: w.Effects}.Allow
	env.Variables = facts{w.Facts}
	return eval.New(env, w.Types, mode)
}

// facts are the variables that facts become. Without any, reading `$facts` is an
// error, and the others are unknown.
type facts struct{ all *pcore.Hash }

// Variable implements [function.Variables].
func (f facts) Variable(name string) (v pcore.Value, ok bool, err error) {
	switch {
	case name == "facts" && f.all == nil:
		return nil, false, function.ErrNeedsFacts
	case name == "facts":
		return f.all, true, nil
	case f.all == nil:
		return nil, false, nil
	}
	v, ok = f.all.GetString(name)
	return v, ok, nil
}

// variableName matches names for --var.
var variableName = lazyregexp.New(`^(::)?[a-z_]\w*$`)

// SetVariables evaluates and sets the variables of --var in a scope, in order. Expressions can use
// earlier variables.
func SetVariables(e *eval.Evaluator, scope *eval.Scope, vars []string) (*pcore.Hash, error) {
	b := pcore.NewHashBuilder(len(vars))
	for _, v := range vars {
		name, text, ok := strings.Cut(v, "=")
		if !ok || !variableName.Get().MatchString(name) {
			return nil, cli.Usage("--var %s: use the format NAME=EXPR, without $ before the name", name)
		}
		value, err := e.Text(scope, "--var "+name, text)
		if err != nil {
			return nil, cli.Usage("%w\n  the value is an expression; put a string in quotes: --var %s='\"text\"'", Failure(err), name)
		}
		if err := scope.Set(name, value); err != nil {
			return nil, cli.Usage("--var %s: %w", name, err)
		}
		b.Set(pcore.String(strings.TrimPrefix(name, "::")), value)
	}
	return b.Hash(), nil
}

// Failure returns an evaluation error for display: with the line of the source, a caret
// below the location, and a remedy. A syntax error is a usage error.
func Failure(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, eval.ErrSyntax) && !errors.As(err, new(*eval.Error)) {
		return cli.Usage("%w", Explain(err)) // of the expression itself, and not of a text that it evaluates
	}
	return cli.BadInput("", "", Explain(err))
}

// Explain returns an evaluation error with the text of [Failure], to be wrapped by an error
// with a location.
func Explain(err error) error { return &explained{err} }

// explained is an error that shows the source that it is about.
type explained struct{ err error }

func (e *explained) Error() string {
	text := e.err.Error()
	var detailed interface {
		error
		Detail() string
	}
	if errors.As(e.err, &detailed) {
		text = detailed.Detail()
	}
	if todo := advice(e.err); todo != "" {
		text += "\n  " + todo
	}
	return text
}

func (e *explained) Unwrap() error { return e.err }
