package query

import (
	"context"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Preset is an expression with a name.
type Preset struct {
	Name       string
	Doc        string // the selected resources, in a few words
	Expression string
}

// Search selects resources by an expression, by presets, or by both. It is safe for
// concurrent use if its queries are.
type Search struct {
	filter  *Query // nil selects all
	presets []namedQuery
}

type namedQuery struct {
	name  string
	query *Query
}

// NewSearch returns a search for resources that match text, unless it is empty, and at
// least one of the presets, unless there is none. name is the name of text in errors,
// which are those of [New].
func NewSearch(e *eval.Evaluator, name, text string, presets []Preset) (*Search, error) {
	s := &Search{}
	if text != "" {
		q, err := New(e, name, text)
		if err != nil {
			return nil, err
		}
		s.filter = q
	}
	for _, p := range presets {
		q, err := New(e, "preset "+p.Name, p.Expression)
		if err != nil {
			return nil, err
		}
		s.presets = append(s.presets, namedQuery{p.Name, q})
	}
	return s, nil
}

// Queries returns the queries of the search, for [Source.Resources].
func (s *Search) Queries() []*Query {
	var all []*Query
	if s.filter != nil {
		all = append(all, s.filter)
	}
	for _, p := range s.presets {
		all = append(all, p.query)
	}
	return all
}

// Match is a resource that a [Search] selects.
type Match struct {
	// Resource has the variable `$preset` if Preset is not empty.
	*Resource
	Preset string // the name of the preset that selects it
	// Value is true, or the value of an expression that is neither true, false nor
	// undef.
	Value pcore.Value
}

// Matches returns the matches of a resource: at most one, or at most one for each
// preset. The errors are those of [Query.Ask].
func (s *Search) Matches(ctx context.Context, r *Resource) ([]Match, error) {
	var value pcore.Value = pcore.Boolean(true)
	if s.filter != nil {
		v, err := s.filter.Ask(ctx, r)
		if err != nil {
			return nil, err
		}
		if !isMatch(v) {
			return nil, nil
		}
		value = v
	}
	if len(s.presets) == 0 {
		return []Match{{Resource: r, Value: value}}, nil
	}
	var all []Match
	for _, p := range s.presets {
		v, err := p.query.Ask(ctx, r)
		if err != nil {
			return nil, err
		}
		if !isMatch(v) {
			continue
		}
		if selected, _ := Selects(v); selected {
			v = value
		}
		named := *r
		named.preset = p.name
		all = append(all, Match{&named, p.name, v})
	}
	return all, nil
}

func isMatch(v pcore.Value) bool {
	selected, message := Selects(v)
	return selected || message
}
