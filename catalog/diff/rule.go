package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/catalog/diff/internal/linediff"
	"github.com/pcatdev/pcat/internal/glob"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// Rule selects the changes that meet all of its conditions. The zero value has none and
// selects all changes. A Rule is safe for concurrent use if its When is.
type Rule struct {
	// Name names the rule in reports.
	Name string
	// At selects changes by resource and path.
	At Selector
	// Tag selects the changes of resources with the tag, or with the tag followed by
	// "__" and their type, as octocatalog-diff does: TAG__my__type.
	Tag string
	// Ops and Kinds select changes of one of them.
	Ops   []Op
	Kinds []Kind
	// Lines selects changes of texts and of lists of texts if it matches all removed and
	// added lines or elements, and AnyLine if it matches one of them. No line of a
	// Sensitive value matches.
	Lines, AnyLine *pcore.Regexp
	// When is a condition on the whole change.
	When Condition
}

// RankRule sets the rank of the changes that its Rule selects, or with an Effect, of
// effects of the selected changes. The first rule that selects one decides.
type RankRule struct {
	Rule
	// Effect is the name of effects, such as "refresh". If it is set, At selects the
	// affected resource instead of the changed one.
	Effect string
	Rank   Rank
}

// Condition is a condition on a change. It must be safe for concurrent use. Errors must
// not contain values of the change.
type Condition interface {
	Holds(ctx context.Context, s *Subject) (bool, error)
}

// Subject describes a change to a [Condition]. It contains secrets: the values that a
// catalog declares Sensitive are, but not the copies of them.
type Subject struct {
	Op   Op
	Kind Kind
	Ref  catalog.Ref // zero for the catalog
	Path string      // a JSON pointer as in [Change]
	// Old and New are the values, or nil if absent.
	Old, New  pcore.Value
	Tags      []string
	Node      string
	Container catalog.Ref
	File      string
	Rank      Rank
}

// Lines returns the changed lines of a text, or elements of a list of texts, without line
// breaks, with "-" or "+" before each. There are none if a value is Sensitive or has another
// type.
func (s *Subject) Lines() []string {
	old, okOld := lines(s.Old)
	new, okNew := lines(s.New)
	if !okOld || !okNew {
		return nil
	}
	var changed []string
	all, _ := linediff.Compare(old, new)
	for _, l := range all {
		if l.Op != ' ' {
			changed = append(changed, string(l.Op)+l.Text)
		}
	}
	return changed
}

// lines returns the lines of a text or a scalar, or the elements of a list of scalars.
func lines(v pcore.Value) (all []string, ok bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case pcore.String:
		for line := range strings.Lines(string(v)) {
			all = append(all, strings.TrimRight(line, "\r\n"))
		}
		return all, true
	case *pcore.Array:
		for e := range v.Values() {
			if isContainer(e) {
				return nil, false
			}
			all = append(all, textOf(e))
		}
		return all, true
	default:
		return []string{textOf(v)}, !isContainer(v)
	}
}

// Selector selects changes by resource and path. The zero value selects all locations. Use
// [ParseSelector] to create one.
type Selector struct {
	typ, title string   // patterns; typ is in lower case, and empty in the zero value
	path       []string // empty for all changes of the resource
}

// ParseSelector parses a pattern Type[title]/path: `File[/etc/motd]/content`,
// `Exec[*]/environment`, `File[/var/lib/*]`. In the type, which ignores case, and in the
// title, `*` is any text, and `?` one character; in the path, `*` is a part of it, and `**`
// any parts. A path includes everything below it, and may begin with /parameters. Without a
// path, all changes of the resource are selected. A rename is at both of its references.
func ParseSelector(text string) (Selector, error) {
	bad := fmt.Errorf("%q is not a location; write it as Type[title] or Type[title]/path", text)
	end := strings.LastIndexByte(text, ']') // a title can contain brackets
	if end < 0 {
		return Selector{}, bad
	}
	ref, ok := catalog.ParseRef(text[:end+1])
	path := text[end+1:]
	if !ok || path != "" && (path[0] != '/' || path == "/") {
		return Selector{}, bad
	}
	p := Selector{typ: strings.ToLower(ref.Type), title: ref.Title}
	if path != "" {
		p.path = strings.Split(path[1:], "/")
	}
	return p, nil
}

// isZero reports whether p selects all locations.
func (p *Selector) isZero() bool { return p.typ == "" }

// HasPath reports whether p selects parts of resources.
func (p *Selector) HasPath() bool { return len(p.path) > 0 }

func (p *Selector) matchesRef(ref catalog.Ref) bool {
	return p.isZero() || glob.Match(p.typ, strings.ToLower(ref.Type)) && glob.Match(p.title, ref.Title)
}

func (p *Selector) matches(c *change) bool {
	if !p.matchesRef(c.ref) && (c.from.IsZero() || !p.matchesRef(c.from)) {
		return false
	}
	if !p.HasPath() {
		return true
	}
	path := steps(c.path)
	if begin := p.path[0]; len(path) > 0 && !c.member && (begin == "parameters" || begin == "**") {
		path = append([]string{"parameters"}, path...)
	}
	return globPath(p.path, path)
}

// steps returns the names of the steps of a path.
func steps(p pcore.Path) []string {
	if len(p) == 0 {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(p.Pointer(), "/"), "/")
	for i, n := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(n, "~1", "/"), "~0", "~")
	}
	return names
}

// globPath reports whether a pattern matches the beginning of a path.
func globPath(pattern, path []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0] == "**" {
		for i := range len(path) + 1 {
			if globPath(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	}
	return len(path) > 0 && glob.Match(pattern[0], path[0]) && globPath(pattern[1:], path[1:])
}

// RuleUse counts the uses of a rule.
type RuleUse struct {
	// Rule is the Name of the rule.
	Rule string
	// Count is the number of changes that the rule decided. It is 0 if earlier rules
	// decided all of the changes that it selects.
	Count int
	// Failures is the number of changes for which the condition failed, and Failure is the
	// first error. No change is left out because of a failure.
	Failures int
	Failure  string
}

// uses returns an unused RuleUse for each rule: Only, Ranks and Ignore.
func (o *Options) uses() []RuleUse {
	var all []RuleUse
	for _, r := range o.Only {
		all = append(all, RuleUse{Rule: r.Name})
	}
	for _, r := range o.Ranks {
		all = append(all, RuleUse{Rule: r.Name})
	}
	for _, r := range o.Ignore {
		all = append(all, RuleUse{Rule: r.Name})
	}
	return all
}

func (u *RuleUse) add(v RuleUse) {
	u.Count += v.Count
	u.Failures += v.Failures
	u.Failure = cmp.Or(u.Failure, v.Failure)
}

// judge applies the rules of users to the changes of one pair: it sets ranks, and drops the
// changes that the rules leave out. It returns the uses of Only, Ranks and Ignore, and the
// number of changes that Only does not select.
func (c *comparison) judge(ctx context.Context, node string, o *Options) (uses []RuleUse, filtered int) {
	j := judge{ctx, node}
	uses = make([]RuleUse, len(o.Only)+len(o.Ranks)+len(o.Ignore))
	only, rest := uses[:len(o.Only)], uses[len(o.Only):]
	ranks, ignore := rest[:len(o.Ranks)], rest[len(o.Ranks):]
	for i := range c.changes {
		j.rank(o.Ranks, ranks, &c.changes[i])
	}
	c.changes = slices.DeleteFunc(c.changes, func(ch change) bool {
		if o.Baseline && ch.kind == kind.Catalog && ch.path.Pointer() == "/name" {
			return true
		}
		if len(o.Only) > 0 {
			if selected, failed := j.any(o.Only, only, &ch); !selected && !failed {
				filtered++
				return true
			}
		}
		selected, _ := j.any(o.Ignore, ignore, &ch)
		return selected
	})
	return uses, filtered
}

// judge decides which rules select the changes of a node.
type judge struct {
	ctx  context.Context //nolint:containedctx // a judge lives for one call of comparison.judge
	node string
}

// any reports whether a rule selects a change, or if none does, whether a condition failed.
func (j *judge) any(rules []Rule, uses []RuleUse, c *change) (selected, failed bool) {
	for i := range rules {
		ok, err := j.selects(&rules[i], &uses[i], c)
		if ok {
			uses[i].Count++
			return true, false
		}
		failed = failed || err != nil
	}
	return false, failed
}

// rank sets the ranks of a change and of its effects.
func (j *judge) rank(rules []RankRule, uses []RuleUse, c *change) {
	// first returns the rank of the first rule whose conditions, if it has any here, select
	// the change.
	first := func(conditions func(r *RankRule) *Rule) (Rank, bool) {
		for i := range rules {
			if r := conditions(&rules[i]); r != nil {
				if ok, _ := j.selects(r, &uses[i], c); ok {
					uses[i].Count++
					return rules[i].Rank, true
				}
			}
		}
		return 0, false
	}
	for i := range c.effects {
		e := &c.effects[i]
		rank, ok := first(func(r *RankRule) *Rule {
			if r.Effect != e.effect || !r.At.matchesRef(e.ref) {
				return nil
			}
			rest := r.Rule
			rest.At = Selector{}
			return &rest
		})
		if ok {
			e.rank = rank
		}
	}
	rank, ok := first(func(r *RankRule) *Rule {
		if r.Effect != "" {
			return nil
		}
		return &r.Rule
	})
	if ok {
		c.given = &rank
	}
}

// selects reports whether a rule selects a change. It counts conditions that fail.
func (j *judge) selects(r *Rule, u *RuleUse, c *change) (selected bool, err error) {
	if !r.At.matches(c) || r.Tag != "" && !c.hasTag(r.Tag) ||
		len(r.Ops) > 0 && !slices.Contains(r.Ops, c.op) || len(r.Kinds) > 0 && !slices.Contains(r.Kinds, c.kind) {
		return false, nil
	}
	if r.Lines == nil && r.AnyLine == nil && r.When == nil {
		return true, nil
	}
	s := c.subject(j.node)
	selected, err = r.selectsLines(s)
	if selected && r.When != nil {
		selected, err = r.When.Holds(j.ctx, s)
	}
	if err != nil {
		u.add(RuleUse{Failures: 1, Failure: err.Error()})
	}
	return selected && err == nil, err
}

// errLine reports that a line is too much for a regular expression.
var errLine = errors.New("the regular expression cannot be applied to a line")

func (r *Rule) selectsLines(s *Subject) (bool, error) {
	if r.Lines == nil && r.AnyLine == nil {
		return true, nil
	}
	changed := s.Lines()
	all, some := r.Lines == nil || len(changed) > 0, r.AnyLine == nil
	for _, line := range changed {
		if r.Lines != nil && all {
			ok, err := r.Lines.Match(line[1:])
			if err != nil {
				return false, errLine
			}
			all = ok
		}
		if !some {
			ok, err := r.AnyLine.Match(line[1:])
			if err != nil {
				return false, errLine
			}
			some = ok
		}
	}
	return all && some, nil
}

// subject describes c to a condition.
func (c *change) subject(node string) *Subject {
	s := &Subject{Op: c.op, Kind: c.kind, Ref: c.ref, Path: c.pointer(), Old: c.old, New: c.new, Node: node, Container: c.container, Rank: c.rank()}
	if s.Old != nil && c.oldSecret {
		s.Old = pcore.NewSensitive(s.Old)
	}
	if s.New != nil && c.newSecret {
		s.New = pcore.NewSensitive(s.New)
	}
	if c.at != nil {
		s.Tags, s.File = c.at.res.Tags(), c.at.res.File()
	}
	return s
}

// pointer returns the JSON pointer of a change, from its resource.
func (c *change) pointer() string {
	if c.member || len(c.path) == 0 {
		return c.path.Pointer()
	}
	return "/parameters" + c.path.Pointer()
}

// hasTag reports whether the resource has a tag, or one made of the tag and its type.
func (c *change) hasTag(tag string) bool {
	if c.at == nil {
		return false
	}
	ofType := tag + "__" + notWord.Get().ReplaceAllString(c.ref.Type, "_")
	return slices.ContainsFunc(c.at.res.Tags(), func(t string) bool { return strings.EqualFold(t, tag) || strings.EqualFold(t, ofType) })
}

var notWord = lazyregexp.New(`\W`)
