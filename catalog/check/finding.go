package check

import "github.com/pcatdev/pcat/catalog"

// Severity ranks findings. The zero value is a hint.
type Severity uint8

// The severities, in ascending order.
const (
	Hint Severity = iota
	Warning
	Error
)

// String returns the name in lower case.
func (s Severity) String() string { return [...]string{"hint", "warning", "error"}[s] }

// Kind names the rule of a finding.
type Kind string

// The rules.
const (
	Cycle        Kind = "cycle"
	Dangling     Kind = "dangling"
	DanglingEdge Kind = "dangling-edge"
	Duplicate    Kind = "duplicate"
	Uncontained  Kind = "uncontained"
	UnknownType  Kind = "unknown-type"
	OrphanNotify Kind = "orphan-notify"
	MissingOrder Kind = "missing-order"
	LateParent   Kind = "late-parent"
)

// Rule describes a Kind.
type Rule struct {
	Kind     Kind
	Severity Severity
	Title    string // a few words
	Doc      string // the consequence
	Fix      string
}

// Kinds returns all rules, ordered by severity.
func Kinds() []Rule {
	return []Rule{
		{
			Cycle, Error, "Dependency cycle",
			"Resources wait for each other, so that none of them can be the first. The agent applies nothing.",
			"Remove one of the relations of the cycle.",
		},
		{
			Dangling, Error, "Reference to a missing resource",
			"A require, before, notify or subscribe names a resource that the catalog does not contain. The agent applies nothing.",
			"Declare the resource, or correct the reference.",
		},
		{
			DanglingEdge, Error, "Edge to a missing resource",
			"An edge of the catalog begins or ends at a resource that the catalog does not contain. The agent cannot read the catalog.",
			"Remove the edge, or compile the catalog again.",
		},
		{
			Duplicate, Error, "Duplicate resource",
			"Two resources have the same title, alias or name. The agent cannot read the catalog.",
			"Declare the resource once, or give it another name.",
		},
		{
			UnknownType, Warning, "Unknown resource type",
			"The agent has no such type, unless a module brings it. It is an error if the modules are known.",
			"Add the module to --modulepath, or correct the type.",
		},
		{
			Uncontained, Warning, "Resource without a container",
			"No class, defined type or stage contains the resource. It is applied, but no order and no refresh of a class includes it.",
			"Add the missing containment edge, or compile the catalog again.",
		},
		{
			OrphanNotify, Hint, "Refresh without effect",
			"A resource is notified, but its type does nothing when it is refreshed.",
			"Use before or require, or notify the service.",
		},
		{
			MissingOrder, Hint, "Order by chance",
			"A resource needs another one, and no relation says so. The order of the manifest is the only reason that it works.",
			"Add a require.",
		},
		{
			LateParent, Hint, "Directory after its content",
			"A resource is applied before one that it needs, because a relation says so. Puppet silently omits its own autorequire.",
			"Reverse or remove the relation.",
		},
	}
}

// Finding is one fault. References and texts are masked as [Options.Mask] says.
type Finding struct {
	Kind     Kind
	Severity Severity
	Ref      catalog.Ref   // the resource; zero for a cycle
	Target   string        // the missing resource, as the catalog spells it; "" otherwise
	Other    catalog.Ref   // the resource to which a hint or a duplicate relates
	Members  []catalog.Ref // the resources of a cycle
	Path     []Way         // the shortest way round a cycle
	Cuts     []Cut         // the arrows to remove from a cycle, the best one first
	Manifest string        // where the resource is declared
	Line     int64         // in Manifest, from 1; or 0
	Message  string        // one line
	Fix      string        // one line
	Puppet   []string      // the messages of Puppet: of the compiler and of the agent, as far as they differ
}

// Way is a step of the shortest way round a cycle: Waits is applied after For.
type Way struct {
	Waits, For catalog.Ref
	Why        string // "require", "contains it", "is in it", …
	Manifest   string
	Line       int64
}

// Cut is a relation of a cycle.
type Cut struct {
	From, To catalog.Ref // From is applied before To
	Why      string      // "require" of To, "before" of From, …
	Left     int         // the number of resources that still form a cycle without it
	Manifest string
	Line     int64
}
