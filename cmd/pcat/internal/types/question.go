package types

import (
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/pcatdev/pcat/pcore"
)

// Question is one flag that asks about the type.
type Question struct {
	Name    string
	Operand string // an expression
}

// question describes a flag that asks about the type.
type question struct {
	usage string
	alone bool // it does not need the type
	// answer is given the type and the value of the operand.
	answer func(t pcore.Type, v pcore.Value) (*Answer, error)
}

// The questions, by the flags that ask them.
var questions = sync.OnceValue(func() map[string]question {
	return map[string]question{
		"accepts":  {usage: "does EXPR accept every instance of the type `TYPE`?", answer: accepts},
		"instance": {usage: "is the `VALUE` (an expression) an instance of EXPR?", answer: instance},
		"common":   {usage: "print the most specific type that accepts EXPR and `TYPE`", answer: common},
		"infer":    {usage: "print the type of `VALUE` (an expression); without EXPR", alone: true, answer: infer},
	}
})

// questionFlag is a flag value that appends to the questions, in the order of the flags.
type questionFlag struct {
	name string
	all  *[]Question
}

func addQuestions(flags *pflag.FlagSet, all *[]Question) {
	for name, q := range questions() {
		flags.Var(questionFlag{name, all}, name, q.usage)
	}
}

// Set implements [pflag.Value].
func (a questionFlag) Set(operand string) error {
	*a.all = append(*a.all, Question{a.name, operand})
	return nil
}

// String implements [pflag.Value].
func (questionFlag) String() string { return "" }

// Type implements [pflag.Value].
func (questionFlag) Type() string { return "EXPR" }

// Answer is the answer to one question.
type Answer struct {
	Type     string   `json:"type,omitempty"`
	Question string   `json:"question,omitempty"`
	Operand  string   `json:"operand,omitempty"`
	Yes      *bool    `json:"answer,omitempty"` // of questions that are answered so
	Mismatch []string `json:"mismatch,omitempty"`
	Common   string   `json:"common,omitempty"`

	Detailed    string `json:"detailed,omitempty"`
	Inferred    string `json:"inferred,omitempty"`
	Generalized string `json:"generalized,omitempty"`
}

func accepts(t pcore.Type, v pcore.Value) (*Answer, error) {
	u, err := typeOf(v)
	if err != nil {
		return nil, err
	}
	if pcore.Accepts(t, u) {
		return yesOrNo(true, ""), nil
	}
	return yesOrNo(false, pcore.DescribeMismatch("", t, u)), nil
}

func instance(t pcore.Type, v pcore.Value) (*Answer, error) {
	if err := pcore.Mismatch("", t, v); err != nil {
		return yesOrNo(false, err.Error()), nil
	}
	return yesOrNo(true, ""), nil
}

func yesOrNo(yes bool, mismatch string) *Answer {
	a := &Answer{Yes: &yes}
	for line := range strings.Lines(mismatch) {
		a.Mismatch = append(a.Mismatch, strings.TrimSpace(line))
	}
	return a
}

func common(t pcore.Type, v pcore.Value) (*Answer, error) {
	u, err := typeOf(v)
	if err != nil {
		return nil, err
	}
	return &Answer{Common: pcore.Common(t, u).String()}, nil
}

func infer(_ pcore.Type, v pcore.Value) (*Answer, error) {
	inferred := pcore.Infer(v)
	return &Answer{
		Detailed:    pcore.InferDetailed(v).String(),
		Inferred:    inferred.String(),
		Generalized: pcore.Generalize(inferred).String(),
	}, nil
}

// text is the answer for a person.
func (a *Answer) text() string {
	switch {
	case a.Yes != nil && *a.Yes:
		return "yes\n"
	case a.Yes != nil && len(a.Mismatch) == 1:
		return "no: " + a.Mismatch[0] + "\n"
	case a.Yes != nil:
		return "no:\n  " + strings.Join(a.Mismatch, "\n  ") + "\n"
	case a.Detailed != "":
		return "detailed     " + a.Detailed + "\ninferred     " + a.Inferred + "\ngeneralized  " + a.Generalized + "\n"
	case a.Common != "":
		return a.Common + "\n"
	default:
		return a.Type + "\n"
	}
}
