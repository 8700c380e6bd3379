package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
)

// restatements replace the part of a question to which Puppet has no answer, or a known wrong one. pcat has to
// answer the question itself as Puppet answers the restated one; only such a difference gets the name.
var restatements = map[string]restatement{
	"Init without a constructor": {
		unanswered: unansweredInit,
		find:       withoutInit,
	},
	"The guard against endless recursion": {
		step:       step{question: withSubtypes},
		difference: func(text string) string { return expanded.ReplaceAllString(withSubtypes(text), "$1") },
	},
	"Unknown types that are allowed": {
		step: step{
			question: func(text string) string {
				return replaceBracketed(text, unknownType, '}', func(object string) string {
					return listOfUnknown + object[len(unknownType):len(object)-1] + "]"
				})
			},
			revert: func(text string) string {
				return replaceBracketed(text, listOfUnknown, ']', func(list string) string {
					return unknownType + list[len(listOfUnknown):len(list)-1] + "}"
				})
			},
		},
		answer: "allow_unresolved",
	},
	// Ruby fails at the restated question, and has no answer that pcat could be compared with. Both are asked a question
	// without the part at which Ruby fails.
	"The stack of a recursive alias": {step: step{question: withoutAliases}, both: true},
	"The elements of an Object":      {step: step{question: withoutObjects}, both: true},
	"An Object without a name":       {step: step{question: withNames}, both: true},
}

// restatement is a way to restate a question.
type restatement struct {
	step
	// find returns the step if it depends on the question and Puppet's answer to it; number is the number of the step.
	find func(typeOf func(string) (pcore.Type, error), number int, answered []byte) (step, bool)
	// unanswered matches the answers that the answers to the restated question replace; nil matches all.
	unanswered *regexp.Regexp
	// answer is the member of the question to which the answer belongs, expect by default; all others stay.
	answer string
	// difference replaces the restated parts, and the original ones, in the text of a difference.
	difference func(text string) string
	// both means that pcat has to answer the restated question, too, and not the original one.
	both bool
}

// needsRestatement reports whether a difference has a name only if Puppet agrees to a restated question.
func needsRestatement(name string) bool {
	_, ok := restatements[name]
	return ok
}

// step replaces parts of a question.
type step struct {
	name     string // of the restatement
	question func(text string) string
	// revert replaces the parts of an answer that come from the restated question.
	revert func(text string) string
}

// doubt is a difference whose name depends on the restated question.
type doubt struct {
	question
	answered   []byte
	steps      []step // in their order
	difference string
	again      bool // the question itself is asked again
}

// further returns the doubt with one more step, for Puppet's answer to the question with the steps so far. There is none if it
// does not change the question.
func (d doubt) further(name string, typeOf func(string) (pcore.Type, error), answered []byte) (doubt, bool) {
	r, ok := restatements[name]
	if !ok {
		return doubt{}, false
	}
	next := r.step
	if r.find != nil {
		if next, ok = r.find(typeOf, len(d.steps), answered); !ok {
			return doubt{}, false
		}
	}
	next.name = name
	before, err := d.restated()
	if err != nil {
		return doubt{}, false
	}
	d.steps = append(slices.Clone(d.steps), next)
	after, err := d.restated()
	return d, err == nil && !bytes.Equal(before.line, after.line)
}

// members are the members of a question that are the question itself.
var members = []string{"type", "t1", "t2", "expr", "format", "code", "template", "params", "doc", "ruby"}

// restated returns the restated question.
func (d doubt) restated() (question, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(d.line, &fields); err != nil {
		return question{}, err
	}
	if d.again {
		fields["again"] = json.RawMessage("true")
		line, err := json.Marshal(fields)
		return question{d.kind, line}, err
	}
	restate := func(text string) string {
		for _, s := range d.steps {
			text = s.question(text)
		}
		return text
	}
	for _, name := range members {
		var text string
		switch raw, ok := fields[name]; {
		case !ok:
		case json.Unmarshal(raw, &text) != nil:
			fields[name] = json.RawMessage(restate(string(raw)))
		default:
			quoted, err := json.Marshal(restate(text))
			if err != nil {
				return question{}, err
			}
			fields[name] = quoted
		}
	}
	line, err := json.Marshal(fields)
	return question{d.kind, line}, err
}

// expected returns the original question with Puppet's answer to the restated one.
func (d doubt) expected(answered []byte) ([]byte, error) {
	var original, restated map[string]json.RawMessage
	if err := json.Unmarshal(d.answered, &original); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answered, &restated); err != nil {
		return nil, err
	}
	if answer := d.answer(); answer != "" {
		original[answer] = d.revert(restated["expect"])
		return json.Marshal(original)
	}
	for name, raw := range restated {
		if strings.HasPrefix(name, "expect") && d.replaces(original[name]) {
			original[name] = d.revert(raw)
		}
	}
	return json.Marshal(original)
}

// answer returns the member to which the answer to the restated question belongs, or "" for all answers.
func (d doubt) answer() string {
	answer := ""
	for _, s := range d.steps {
		answer = cmp.Or(answer, restatements[s.name].answer)
	}
	return answer
}

// replaces reports whether the answer to the restated question replaces an answer.
func (d doubt) replaces(answer []byte) bool {
	return slices.ContainsFunc(d.steps, func(s step) bool {
		r := restatements[s.name]
		return r.unanswered == nil || r.unanswered.Match(answer)
	})
}

// revert reverts the restatements in an answer, the last one first.
func (d doubt) revert(answer []byte) []byte {
	for _, s := range slices.Backward(d.steps) {
		if s.revert != nil {
			answer = []byte(s.revert(string(answer)))
		}
	}
	return answer
}

// both reports whether pcat has to answer the restated question, too.
func (d doubt) both() bool {
	return slices.ContainsFunc(d.steps, func(s step) bool { return restatements[s.name].both })
}

var wanted = regexp.MustCompile(`(?s)want (".*"), got (".*")$`)

// same reports whether a difference is only one of the restated parts.
func (d doubt) same(difference string) bool {
	parts := wanted.FindStringSubmatch(difference)
	if parts == nil {
		return false
	}
	want, got := parts[1], parts[2]
	for _, s := range d.steps {
		if replace := restatements[s.name].difference; replace != nil {
			want, got = replace(want), replace(got)
		}
	}
	return want == got
}

// settle asks Puppet the restated questions of the differences in doubt, and adds them.
func (c *comparison) settle(p *puppet) error {
	doubts := c.doubts
	c.doubts = nil
	if len(doubts) == 0 {
		return nil
	}
	qs := make([]question, len(doubts))
	for i, d := range doubts {
		var err error
		if qs[i], err = d.restated(); err != nil {
			return err
		}
	}
	if err := p.ask(qs, func(_ question, line []byte) error {
		d := doubts[0]
		doubts = doubts[1:]
		return c.decide(d, line)
	}); err != nil {
		return err
	}
	return c.settle(p) // until no step is left
}

// decide adds a difference in doubt after Puppet's answer to the restated question: with its name if pcat agrees. A difference
// that is left can have another name, which is one more doubt.
func (c *comparison) decide(d doubt, line []byte) error {
	err := c.unlike(d, line)
	if err == nil {
		return c.different(d.question, d.answered, d.steps[0].name, d.difference)
	}
	restated := fmt.Sprintf("%s; restated: %v", d.difference, err)
	names := c.clusters.names(d.kind.name, asked(d.answered), err.Error())
	if !errors.Is(err, errCrashed) && len(names) > 0 {
		names = names[:1] // only a crash can have several causes
	}
	for _, name := range names {
		if d.again {
			break
		}
		if next, ok := d.further(name, c.typeOf, line); ok {
			c.doubts = append(c.doubts, next)
			return nil
		}
	}
	if !d.again && d.betweenInits() && !errors.Is(err, errCrashed) {
		d.again = true
		c.doubts = append(c.doubts, d)
		return nil
	}
	name := ""
	if len(names) > 0 && !needsRestatement(names[0]) {
		name = names[0]
	}
	return c.different(d.question, d.answered, name, restated)
}

// betweenInits reports whether a question is about two types with an Init each, of which only Inits were replaced. An Init compares
// the type of another Init with its own, so a replacement can have another answer. Puppet compares the types when it is asked again.
func (d doubt) betweenInits() bool {
	var q struct{ T1, T2 string }
	if err := json.Unmarshal(d.line, &q); err != nil {
		return false
	}
	return strings.Contains(q.T1, "Init[") && strings.Contains(q.T2, "Init[") &&
		!slices.ContainsFunc(d.steps, func(s step) bool { return restatements[s.name].find == nil })
}

// errCrashed is the difference if Puppet has no answer to the restated question: the difference in doubt can have
// any cause.
var errCrashed = errors.New("crashed")

// unlike returns the difference between pcat's answer to a question and Puppet's answer to the restated one.
func (c *comparison) unlike(d doubt, answered []byte) error {
	line := answered
	if !d.both() {
		var err error
		if line, err = d.expected(answered); err != nil {
			return err
		}
	}
	err := c.compare(d, line)
	switch {
	case bytes.Contains(answered, []byte(`"class":"Timeout"`)):
		return errCrashed // it says nothing
	case err == nil && crashed(answered):
		err = c.compare(d, answered) // pcat refuses the restated question, too
	case err != nil && !crashed(answered) && d.same(err.Error()):
		err = nil
	}
	if err != nil && crashed(answered) {
		return errCrashed
	}
	return err
}

// compare compares pcat's answer with a line of Puppet. After a crash of Ruby, they agree if pcat has an error.
func (c *comparison) compare(d doubt, line []byte) error {
	var expected conformance.Case
	if err := json.Unmarshal(line, &expected); err != nil {
		return fmt.Errorf("%w: %s", err, line)
	}
	if err := attempt(&expected, c.runners[d.kind.runner]); err != nil && !expected.AnythingGoes() {
		return err
	}
	return nil
}
