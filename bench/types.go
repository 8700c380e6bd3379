package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// checks is the number of compared pairs of types, or of values and types.
const checks = 10_000

// typeJobs returns the jobs of the type system. They use the vectors that all
// available candidates support, with Puppet's recorded answers.
func typeJobs(vectors, folder string, p *pcat, peers []*peer) ([]*job, error) {
	parse, err := parseJob(vectors, folder, peers)
	if err != nil {
		return nil, err
	}
	assignable, err := assignableJob(vectors, folder, peers)
	if err != nil {
		return nil, err
	}
	instance, err := instanceJob(vectors, folder, p, peers)
	return []*job{parse, assignable, instance}, err
}

// vector is the used part of a test case.
type vector struct {
	Type, T1, T2, Expr string
	Expect             struct{ Value any }
}

// defined is the prefix of types defined in env/std.pp, which peers do not know.
const defined = "Oracle::"

// readVectors returns the cases of a family that have an answer and need no
// definitions.
func readVectors(folder, family string) ([]vector, error) {
	text, err := os.ReadFile(filepath.Join(folder, family+".jsonl"))
	if err != nil {
		return nil, err
	}
	var all []vector
	for line := range bytes.Lines(text) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, err
		}
		if v.Expect.Value != nil && !strings.Contains(v.Type+v.T1+v.T2+v.Expr, defined) {
			all = append(all, v)
		}
	}
	return all, nil
}

// questions is the input of a type job, as sent to peers.
type questions struct {
	Texts  []string          `json:"texts,omitempty"`
	Types  []string          `json:"types,omitempty"`
	Values []json.RawMessage `json:"values,omitempty"`
	Pairs  [][2]int          `json:"pairs,omitempty"`

	want []any // Puppet's answers
}

func (q *questions) write(path string) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// shuffle repeats and shuffles the pairs to n questions, with the same result
// each time.
func (q *questions) shuffle(n int) {
	if len(q.Pairs) == 0 {
		return
	}
	pairs, want := q.Pairs, q.want
	q.Pairs, q.want = make([][2]int, n), make([]any, n)
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(pairs))
	for i := range n {
		from := order[i%len(order)]
		q.Pairs[i], q.want[i] = pairs[from], want[from]
	}
}

// keep removes the questions for which some answers are null.
func (q *questions) keep(answers ...[]any) {
	known := func(i int) bool {
		for _, a := range answers {
			if i >= len(a) || a[i] == nil {
				return false
			}
		}
		return true
	}
	kept := questions{Types: q.Types, Values: q.Values}
	for i, want := range q.want {
		if !known(i) {
			continue
		}
		kept.want = append(kept.want, want)
		if q.Texts != nil {
			kept.Texts = append(kept.Texts, q.Texts[i])
		} else {
			kept.Pairs = append(kept.Pairs, q.Pairs[i])
		}
	}
	*q = kept
}

// understood asks all available peers and keeps the questions that all of them
// answer.
func (q *questions) understood(job, folder string, ours []any, peers []*peer) error {
	answers := [][]any{ours}
	path := filepath.Join(folder, job+"-all.json")
	if err := q.write(path); err != nil {
		return err
	}
	for _, p := range peers {
		a, err := p.answers(job, path)
		if errors.Is(err, errNotHere) || errors.Is(err, errUnsupported) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", job, p.name, err)
		}
		answers = append(answers, a)
	}
	q.keep(answers...)
	return nil
}

func (p *peer) answers(job, path string) ([]any, error) {
	data, err := p.once(job, path)
	if err != nil {
		return nil, err
	}
	var a []any
	return a, json.Unmarshal(data, &a)
}

// right returns the share of answers that equal Puppet's.
func (q *questions) right(answers []any) (exact, error) {
	if len(answers) != len(q.want) {
		return "", fmt.Errorf("%d answers to %d questions", len(answers), len(q.want))
	}
	n := 0
	for i, a := range answers {
		if a == q.want[i] {
			n++
		}
	}
	return exact(fmt.Sprintf("%.2f %% as Puppet", 100*float64(n)/float64(len(answers)))), nil
}

func (q *questions) candidates(job, path string, ours *candidate, peers []*peer) []*candidate {
	all := []*candidate{ours}
	for _, p := range peers {
		all = append(all, p.candidate(job, path, func() (exact, error) {
			a, err := p.answers(job, path)
			if err != nil {
				return "", err
			}
			return q.right(a)
		}))
	}
	return all
}

// parseJob returns the job of parsing each type once.
func parseJob(vectors, folder string, peers []*peer) (*job, error) {
	const name = "parse-types"
	cases, err := readVectors(vectors, "types_parse")
	if err != nil {
		return nil, err
	}
	q := &questions{}
	for _, c := range cases {
		q.Texts = append(q.Texts, c.Type)
		q.want = append(q.want, c.Expect.Value)
	}
	path := filepath.Join(folder, name+".json")
	if err := q.understood(name, folder, parsed(q.Texts), peers); err != nil {
		return nil, err
	}
	if err := q.write(path); err != nil {
		return nil, err
	}
	ours := inProcess("pcat", "", func() (exact, error) { return q.right(parsed(q.Texts)) }, func() error {
		for _, text := range q.Texts {
			if _, err := typeexpr.Parse(text, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return &job{
		name: "parse types", input: fmt.Sprintf("%d of %d types of the vectors", len(q.Texts), len(cases)),
		operations: len(q.Texts), candidates: q.candidates(name, path, ours, peers),
	}, nil
}

func parsed(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		if t, err := typeexpr.Parse(text, nil); err == nil {
			all[i] = t.String()
		}
	}
	return all
}

// index numbers texts.
type index map[string]int

func (x index) of(text string, all *[]string) int {
	n, ok := x[text]
	if !ok {
		n = len(*all)
		x[text] = n
		*all = append(*all, text)
	}
	return n
}

func types(texts []string) []pcore.Type {
	all := make([]pcore.Type, len(texts))
	for i, text := range texts {
		if t, err := typeexpr.Parse(text, nil); err == nil {
			all[i] = t
		}
	}
	return all
}

// assignableJob returns the job of checking whether one type accepts another.
func assignableJob(vectors, folder string, peers []*peer) (*job, error) {
	const name = "assignable"
	cases, err := readVectors(vectors, "assignable")
	if err != nil {
		return nil, err
	}
	q, numbers := &questions{}, index{}
	for _, c := range cases {
		q.Pairs = append(q.Pairs, [2]int{numbers.of(c.T1, &q.Types), numbers.of(c.T2, &q.Types)})
		q.want = append(q.want, c.Expect.Value)
	}
	ts := types(q.Types)
	ask := func(answers []any) {
		for i, p := range q.Pairs {
			if t, u := ts[p[0]], ts[p[1]]; t != nil && u != nil {
				answers[i] = pcore.Accepts(t, u)
			}
		}
	}
	return pairsJob(q, name, "assignability", folder, ask, func() {
		for _, p := range q.Pairs {
			pcore.Accepts(ts[p[0]], ts[p[1]])
		}
	}, peers)
}

// instanceJob returns the job of checking whether a value is an instance of a
// type.
func instanceJob(vectors, folder string, p *pcat, peers []*peer) (*job, error) {
	const name = "instance"
	cases, err := readVectors(vectors, "instance")
	if err != nil {
		return nil, err
	}
	values, err := evaluated(cases)
	if err != nil {
		return nil, err
	}
	q, numbers, texts := &questions{}, index{}, index{}
	var rich []string
	var vs []pcore.Value
	for i, c := range cases {
		v := values[i]
		if v == nil {
			continue
		}
		data, err := p.json.Append(nil, v, inClear())
		if err != nil {
			continue // the value has no rich data form
		}
		n := texts.of(string(bytes.TrimSpace(data)), &rich)
		if n == len(q.Values) {
			q.Values = append(q.Values, json.RawMessage(rich[n]))
			vs = append(vs, v)
		}
		q.Pairs = append(q.Pairs, [2]int{n, numbers.of(c.Type, &q.Types)})
		q.want = append(q.want, c.Expect.Value)
	}
	ts := types(q.Types)
	ask := func(answers []any) {
		for i, p := range q.Pairs {
			if t := ts[p[1]]; t != nil {
				answers[i] = pcore.Contains(t, vs[p[0]])
			}
		}
	}
	return pairsJob(q, name, "instances", folder, ask, func() {
		for _, p := range q.Pairs {
			pcore.Contains(ts[p[1]], vs[p[0]])
		}
	}, peers)
}

// evaluated returns the values of the cases, nil for an expression without a
// value.
func evaluated(cases []vector) ([]pcore.Value, error) {
	parse := func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) }
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		return nil, err
	}
	e := eval.New(function.Env{Functions: functions, ParseType: parse, Budget: function.NewBudget(1 << 30)}, nil, eval.Mode{})
	known := make(map[string]pcore.Value)
	all := make([]pcore.Value, len(cases))
	for i, c := range cases {
		v, ok := known[c.Expr]
		if !ok {
			if v, err = e.Text(e.Scope(context.Background()), "", c.Expr); err != nil {
				v = nil
			}
			known[c.Expr] = v
		}
		all[i] = v
	}
	return all, nil
}

func pairsJob(q *questions, name, title, folder string, ask func(answers []any), once func(), peers []*peer) (*job, error) {
	path := filepath.Join(folder, name+".json")
	before := len(q.Pairs)
	ours := make([]any, len(q.Pairs))
	ask(ours)
	if err := q.understood(name, folder, ours, peers); err != nil {
		return nil, err
	}
	after := len(q.Pairs)
	q.shuffle(checks)
	if err := q.write(path); err != nil {
		return nil, err
	}
	candidate := inProcess("pcat", "", func() (exact, error) {
		answers := make([]any, len(q.Pairs))
		ask(answers)
		return q.right(answers)
	}, func() error {
		once()
		return nil
	})
	return &job{
		name: title, input: fmt.Sprintf("%d checks, of %d of the %d pairs of the vectors", len(q.Pairs), after, before),
		operations: len(q.Pairs), candidates: q.candidates(name, path, candidate, peers),
	}, nil
}
