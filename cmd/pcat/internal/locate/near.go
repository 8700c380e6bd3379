package locate

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/nearest"
)

// Suggestions are the names in a catalog that are similar to a wrong one. The zero
// value has none.
type Suggestions struct {
	// Refs are similar references, the most similar first.
	Refs []catalog.Ref
	// HasType reports that the catalog has resources of the type.
	HasType bool
	// Types are similar types; none if the catalog has the type.
	Types []string

	scored []scored
	typed  map[string]int // edits by type
}

type scored struct {
	ref   catalog.Ref
	score int
}

// maxSuggestions is the maximum number of suggestions of each kind.
const maxSuggestions = 3

// Near searches a document for references that are similar to a target: with a similar
// title or name or, in another type, the same title. The error is that of parts.
func Near(parts Parts, t Target) (Suggestions, error) {
	s := Suggestions{typed: map[string]int{}}
	for p, err := range parts() {
		if err != nil {
			return Suggestions{}, err
		}
		if p.Kind == catalog.PartResource {
			s.offer(t, p.Resource)
		}
	}
	s.end()
	return s, nil
}

// Add adds the suggestions of another document.
func (s *Suggestions) Add(other Suggestions) {
	s.HasType = s.HasType || other.HasType
	for _, o := range other.scored {
		s.add(o)
	}
	for name, edits := range other.typed {
		if s.typed == nil {
			s.typed = map[string]int{}
		}
		s.typed[name] = edits
	}
	s.end()
}

func (s *Suggestions) offer(t Target, r *catalog.Resource) {
	ref := r.Ref()
	for i := range t.reads {
		wrong := t.reads[i].ref
		if wrong.Type == "" {
			for title := range titles(r) {
				if score, ok := titleEdits(wrong.Title, title); ok {
					s.add(scored{ref, score})
				}
			}
			continue
		}
		if strings.EqualFold(wrong.Type, ref.Type) {
			s.HasType = true
		} else if edits, ok := typeEdits(wrong.Type, ref.Type); ok {
			s.typed[ref.Type] = edits
		}
		for title := range titles(r) {
			if score, ok := similarity(wrong, catalog.Ref{Type: ref.Type, Title: title}); ok {
				s.add(scored{ref, score})
			}
		}
	}
}

// titles returns an iterator over the title and the other names of a resource.
func titles(r *catalog.Resource) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(r.Ref().Title) {
			return
		}
		for name := range names(r) {
			if !yield(name.Title) {
				return
			}
		}
	}
}

// add keeps the best suggestions, sorted.
func (s *Suggestions) add(o scored) {
	if i := slices.IndexFunc(s.scored, func(known scored) bool { return known.ref == o.ref }); i >= 0 {
		if s.scored[i].score <= o.score {
			return
		}
		s.scored = slices.Delete(s.scored, i, i+1)
	}
	i, _ := slices.BinarySearchFunc(s.scored, o, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), -1) // after equal ones
	})
	if i < maxSuggestions {
		s.scored = slices.Insert(s.scored, i, o)
		s.scored = s.scored[:min(len(s.scored), maxSuggestions)]
	}
}

func (s *Suggestions) end() {
	s.Refs, s.Types = nil, nil
	for _, o := range s.scored {
		if o.score == scoreTitle && s.scored[0].score < scoreTitle {
			break // the same title in another type is no better than a similar one
		}
		s.Refs = append(s.Refs, o.ref)
	}
	if s.HasType {
		return
	}
	for name := range s.typed {
		s.Types = append(s.Types, name)
	}
	slices.SortFunc(s.Types, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.typed[a], s.typed[b]), cmp.Compare(a, b))
	})
	s.Types = s.Types[:min(len(s.Types), maxSuggestions)]
}

// The scores of similarities other than edits.
const (
	scoreBase  = 1 // the same file name, or the same last segment of a type
	scoreBegin = 3 // one begins with the other
	scoreTitle = 6 // the same title in another type; more than any other score
	maxEdits   = 2
)

// similarity returns how far right is from a wrong reference; false if they are not
// similar.
func similarity(wrong, right catalog.Ref) (int, bool) {
	types, ok := 0, strings.EqualFold(wrong.Type, right.Type)
	if !ok {
		if types, ok = typeEdits(wrong.Type, right.Type); !ok {
			// Any other type, with exactly the title.
			return scoreTitle, strings.EqualFold(wrong.Title, right.Title)
		}
	}
	if wrong.Type == "Class" && right.Type == "Class" {
		wrong.Title = typeName(wrong.Title)
	}
	titles, ok := titleEdits(wrong.Title, right.Title)
	return types + titles, ok
}

// typeEdits returns how far two names of types are from each other.
func typeEdits(wrong, right string) (int, bool) {
	wrong, right = strings.ToLower(wrong), strings.ToLower(right)
	if strings.HasSuffix(right, "::"+wrong) {
		return scoreBase, true
	}
	return nearest.Within(wrong, right, edits(wrong))
}

func titleEdits(wrong, right string) (int, bool) {
	wrong, right = strings.ToLower(wrong), strings.ToLower(right)
	if strings.HasSuffix(right, "/"+wrong) || strings.HasSuffix(right, "::"+wrong) || strings.HasSuffix(wrong, "/"+right) {
		return scoreBase, true
	}
	if n, ok := nearest.Within(wrong, right, edits(wrong)); ok {
		return n, true
	}
	const enough = 3 // letters that say something
	begins := strings.HasPrefix(right, wrong) || len(right) > len(wrong)/2 && strings.HasPrefix(wrong, right)
	return scoreBegin, begins && min(len(wrong), len(right)) >= enough
}

// edits returns the number of edits at which a name of this length is still similar.
func edits(name string) int { return min(maxEdits, (len(name)+1)/3) }
