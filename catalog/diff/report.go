package diff

import (
	"io"
	"slices"
	"strconv"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff/internal/kind"
	"github.com/pcatdev/pcat/pcore"
)

// Report is the result of a comparison. It contains no secrets: they are replaced by
// Sensitive values, and copies of them by markers.
type Report struct {
	// Changed are the nodes with changes, Unchanged the ones without.
	Changed, Unchanged []string
	// OnlyOld and OnlyNew are the nodes with one catalog.
	OnlyOld, OnlyNew []string
	// Failed are the nodes that were not compared, because a catalog could not be compiled.
	Failed []Failed
	// NewWarnings were logged by the compilation of new catalogs only.
	NewWarnings []Warning
	// Nodes are the nodes with both catalogs, in the order of the comparisons.
	Nodes []Node
	// Changes are all changes, in the order of Sets.
	Changes []Change
	// Sets are the changes of the same nodes, the gravest ones first.
	Sets []Set
	// Profiles are the ones that were used, and Ignored what they left out.
	Profiles []Profile
	Ignored  []Ignored
	// Rules are the uses of all rules, also of the ones without any: Only, Ranks and Ignore
	// of the Options, in this order. Filtered is the number of changes that Only left out.
	Rules    []RuleUse
	Filtered int
	// NotComparable are the locations whose value one of the catalogs does not contain.
	NotComparable []string

	guard      func(w io.Writer, wire string, own func() []byte) io.WriteCloser
	showsFound func() bool
}

// Failed is a node without a catalog, because it does not compile.
type Failed struct {
	Name string
	// Old and New are the failures of the sides; nil for a side that compiles.
	Old, New *Failure
}

// Failure is why a catalog could not be compiled.
type Failure struct {
	Message string
	File    string // below the root of the repository; empty if it is unknown
	Line    int64  // 0 if it is unknown
}

// String returns the location and the message.
func (f *Failure) String() string {
	switch {
	case f.File == "":
		return f.Message
	case f.Line == 0:
		return f.File + ": " + f.Message
	default:
		return f.File + ":" + strconv.FormatInt(f.Line, 10) + ": " + f.Message
	}
}

// Sides returns the sides that do not compile: "old", "new" or "old and new".
func (f *Failed) Sides() string {
	switch {
	case f.New == nil:
		return "old"
	case f.Old == nil:
		return "new"
	default:
		return "old and new"
	}
}

// IsKnown reports whether the node failed before, in the same way: the sides have the same message. Lines may
// differ.
func (f *Failed) IsKnown() bool {
	return f.Old != nil && f.New != nil && f.Old.Message == f.New.Message && f.Old.File == f.New.File
}

// Warning is a message of the compilation about some nodes.
type Warning struct {
	Text  string // with its location
	Nodes []string
}

// Node is the size of the difference between the catalogs of a node.
type Node struct {
	Name string
	// Resources is the number of resources in at least one of the catalogs, and the
	// others are the numbers of the ones with changes.
	Resources, Changed, Added, Removed, Renamed int
	Rank                                        Rank
	// OldFormat and NewFormat are the names of the formats of the documents, as in [Side], or
	// "puppetdb" for a catalog from PuppetDB.
	OldFormat, NewFormat string
	// OldEnvironment and NewEnvironment are the environments, if they differ and do not count.
	OldEnvironment, NewEnvironment string
}

// Percent returns how many of the resources have changes, from 0 to 100.
func (n *Node) Percent() float64 {
	return min(100, 100*float64(n.Changed+n.Added+n.Removed+n.Renamed)/float64(max(n.Resources, 1)))
}

// stat returns the size of the difference.
func (p *pair) stat() Node {
	n := Node{Name: p.node, Resources: p.resources, OldFormat: p.oldFormat, NewFormat: p.newFormat, OldEnvironment: p.environments[0], NewEnvironment: p.environments[1]}
	seen := make(map[catalog.Ref]Op)
	for i := range p.changes {
		c := &p.changes[i]
		if c.alike {
			continue
		}
		n.Rank = max(n.Rank, c.rank())
		if len(c.path) > 0 && seen[c.ref] == "" {
			seen[c.ref] = OpChange
		} else if len(c.path) == 0 {
			seen[c.ref] = c.op // a renamed resource with other changes is renamed
		}
	}
	for _, op := range seen {
		switch op {
		case OpAdd:
			n.Added++
		case OpRemove:
			n.Removed++
		case OpMove:
			n.Renamed++
		default:
			n.Changed++
		}
	}
	return n
}

// Set is a group of changes that the same nodes have.
type Set struct {
	Nodes   []string
	Changes []string // the IDs
	// Normalized indicates that the changes of the nodes differ in the name of the node.
	Normalized bool
	Rank       Rank
}

// Ignored counts the differences that a profile or a rule left out.
type Ignored struct {
	Profile Profile
	What    string // the kind of difference that the profile leaves out
	Rule    string // the rule, if it is none of a profile
	Count   int
}

// Op is what happened to a resource or a value.
type Op string

// The operations.
const (
	OpAdd    Op = "add"
	OpRemove Op = "remove"
	OpChange Op = "change"
	OpMove   Op = "move" // a resource was renamed
)

// Ops returns all operations.
func Ops() []Op { return []Op{OpAdd, OpRemove, OpChange, OpMove} }

// Kind is the kind of a change:
//
//	resource   a whole resource
//	rename     of a resource
//	value      of a parameter
//	nested     inside of a parameter
//	array      of an array of scalars
//	content    the text of a file
//	type       to a value of another type
//	rich       of rich data
//	deferred   of a call
//	secret     of a Sensitive
//	sensitive  a value became Sensitive, or lost it
//	relation   of an arrow
//	container  a resource is contained elsewhere
//	tags       of a resource
//	member     of a resource, such as `exported`
//	static     of the source of a file in a static catalog
//	catalog    of the catalog itself
type Kind string

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		kind.Resource, kind.Rename, kind.Value, kind.Nested, kind.Array, kind.Content, kind.Type, kind.Rich, kind.Deferred, kind.Secret,
		kind.Sensitivity, kind.Relation, kind.Container, kind.Tags, kind.Member, kind.Static, kind.Catalog,
	}
}

// Rank is the gravity of a change for the node.
type Rank uint8

// The ranks, from the lowest.
const (
	RankInfo    Rank = iota // nothing happens on the node
	RankWrite               // something is written or installed
	RankRestart             // a service is restarted, or a command runs
	RankDanger              // data or access may be lost
)

// String returns the name of the rank.
func (r Rank) String() string {
	return [...]string{"info", "write", "restart", "danger"}[min(r, RankDanger)]
}

// Change is one difference.
type Change struct {
	ID   string
	Op   Op
	Kind Kind
	// Ref is the reference of the resource, Type[title], or "" for the catalog. From is
	// the reference of a renamed resource in the old catalog.
	Ref, From string
	// Path is a JSON pointer from the resource to the value, or "" for the resource.
	Path string
	// Old and New are the values, or nil if absent; for a whole resource, its parameters.
	Old, New pcore.Value
	// OldSecret and NewSecret indicate that the value is Sensitive in a catalog, and Same
	// that the values are equal nevertheless.
	OldSecret, NewSecret, Same bool
	// OldDigest and NewDigest identify secret values if Options has a Digest. Both are set
	// if one of the values is Sensitive.
	OldDigest, NewDigest string
	// File and Line are the location in a manifest, if known, or, for the content of a file
	// that the resource copies, in that file; see [catalog.Resource.ContentFile]. Container is the
	// resource that contains the changed one.
	File      string
	Line      int64
	Container string
	// IsContainer indicates that the resource is a class or an instance of a define, which does
	// nothing on the node itself.
	IsContainer bool
	// Detail is the meaning of a change of a relation, or the reason why a change does nothing on the node.
	Detail string
	// Alike indicates that the old and the new value mean the same to Puppet, as `false` and
	// `stopped` for a service. Such a change has no effects.
	Alike bool
	// Data are the differences of the data in two texts, and Format is its format:
	// "json", "yaml" or "ini".
	Data   []DataChange
	Format string
	// OldText and NewText are the texts in two values in base64.
	OldText, NewText string
	// Effects are what the change would do on the node.
	Effects []Effect
	Rank    Rank
}

// DataChange is one difference of the data in two texts.
type DataChange struct {
	Op       Op
	Path     string
	Old, New pcore.Value
}

// Effect is something that a change would do on the node.
type Effect struct {
	// Effect names it, such as "refresh", "remove-package" or "write-file".
	Effect string
	// Ref is the affected resource, and Via the changed one that a refresh comes from.
	Ref, Via string
	Rank     Rank
	Detail   string
	// Old and New are the texts of a file that is assembled of fragments, or nil.
	Old, New pcore.Value
}

// Rank returns the rank of the gravest change.
func (r *Report) Rank() Rank {
	top := RankInfo
	for i := range r.Changes {
		top = max(top, r.Changes[i].Rank)
	}
	return top
}

// Equal reports whether nothing differs: no node has only one catalog or does not compile, or has
// changes other than those that mean the same to Puppet.
func (r *Report) Equal() bool {
	return len(r.OnlyOld)+len(r.OnlyNew)+len(r.Failed) == 0 && !slices.ContainsFunc(r.Changes, func(c Change) bool { return !c.Alike })
}

// Guard returns a writer that searches its input for the secrets of the catalogs
// before it writes to w; see [sensitive.Redactor.GuardAround], which describes wire, own and
// the errors.
func (r *Report) Guard(w io.Writer, wire string, own func() []byte) io.WriteCloser {
	return r.guard(w, wire, own)
}

// ShowsFound reports whether a secret that no catalog declares is masked in the output of
// Guard; see [sensitive.Redactor.ShowsFound].
func (r *Report) ShowsFound() bool { return r.showsFound() }

// compiles reports whether all new catalogs could be compiled.
func (r *Report) compiles() bool {
	return !slices.ContainsFunc(r.Failed, func(f Failed) bool { return f.New != nil })
}

// FailsNewly reports whether a new catalog could not be compiled, and did not fail before in the same way.
func (r *Report) FailsNewly() bool {
	return slices.ContainsFunc(r.Failed, func(f Failed) bool { return f.New != nil && !f.IsKnown() })
}

// Compliant reports whether the new catalogs contain everything of the old ones:
// nothing is removed, and lists only grow. A secret or a mode must be equal.
func (r *Report) Compliant() bool {
	for i := range r.Changes {
		if !r.Changes[i].compliant() {
			return false
		}
	}
	return len(r.OnlyOld) == 0 && r.compiles()
}

func (c *Change) compliant() bool {
	switch {
	case c.Alike:
		return true
	case c.Op == OpAdd:
		return !c.NewSecret || c.Path == "" || c.OldSecret == c.NewSecret
	case c.Kind == kind.Tags, c.Kind == kind.Member, c.Kind == kind.Catalog:
		return c.Op != OpRemove
	case c.Op == OpChange && (c.Kind == kind.Array || c.Kind == kind.Relation):
		old := texts(c.Old)
		for _, s := range texts(c.New) {
			if i := slices.Index(old, s); i >= 0 {
				old = slices.Delete(old, i, i+1)
			}
		}
		return len(old) == 0
	default:
		return false
	}
}
