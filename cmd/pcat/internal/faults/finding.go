package faults

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
	NotifyClass  Kind = "notify-class"
	CrossesStage Kind = "relation-crosses-stage"
	FanOut       Kind = "large-collector-fan-out"
	Redundant    Kind = "redundant-relation"
)

// Rule describes a Kind.
type Rule struct {
	Kind     Kind
	Severity Severity
	Title    string // a few words
	Doc      string // the consequence
	Fix      string
	Optional bool // most catalogs have it: it is found with [Options.AllHints] only
}

// Kinds returns all rules, ordered by severity.
func Kinds() []Rule {
	return []Rule{
		{
			Kind: Cycle, Severity: Error, Title: "Dependency cycle",
			Doc: "Resources wait for each other, so that none of them can be the first. The agent applies nothing.",
			Fix: "Remove one of the relationships of the cycle.",
		},
		{
			Kind: Dangling, Severity: Error, Title: "Reference to a missing resource",
			Doc: "A require, before, notify or subscribe names a resource that the catalog does not contain. The agent applies nothing.",
			Fix: "Declare the resource, or correct the reference.",
		},
		{
			Kind: DanglingEdge, Severity: Error, Title: "Edge to a missing resource",
			Doc: "An edge of the catalog begins or ends at a resource that the catalog does not contain. The agent cannot read the catalog.",
			Fix: "Remove the edge, or compile the catalog again.",
		},
		{
			Kind: Duplicate, Severity: Error, Title: "Duplicate resource",
			Doc: "Two resources have the same title, alias or name. The agent cannot read the catalog.",
			Fix: "Declare the resource once, or give it another name.",
		},
		{
			Kind: Uncontained, Severity: Warning, Title: "Resource without a container",
			Doc: "No class, defined type or stage contains the resource. It is applied, but no order and no refresh of a class includes it.",
			Fix: "Add the missing containment edge, or compile the catalog again.",
		},
		{
			Kind: UnknownType, Severity: Hint, Title: "Unknown resource type",
			Doc: "The agent has no such type, unless a module brings it. It is an error if the modules are known.",
			Fix: "Add the module to --modulepath, or correct the type.",
		},
		{
			Kind: OrphanNotify, Severity: Hint, Title: "Refresh without effect",
			Doc: "A resource is notified, but its type does nothing when it is refreshed.",
			Fix: "Use before or require, or notify the service.",
		},
		{
			Kind: MissingOrder, Severity: Hint, Title: "Order by chance",
			Doc: "A resource needs another one, and neither a relationship nor an autorequire says so. The order of the manifest is the only reason that it works.",
			Fix: "Add a require.",
		},
		{
			Kind: LateParent, Severity: Hint, Title: "Directory after its content",
			Doc: "A resource is applied before one that it needs, because a relationship says so. Puppet silently omits its own autorequire.",
			Fix: "Reverse or remove the relationship.",
		},
		{
			Kind: NotifyClass, Severity: Hint, Title: "Refresh of a whole class",
			Doc: "A notify of a class refreshes all that it contains: each service restarts, and each exec runs.",
			Fix: "Notify the service that uses the change.",
		},
		{
			Kind: CrossesStage, Severity: Hint, Title: "Relationship between stages",
			Doc: "A relationship leads from one run stage to another. Either the stages have that order already, or all but these resources have none.",
			Fix: "Remove the relationship, or order the stages.",
		},
		{
			Kind: FanOut, Severity: Hint, Title: "Many relationships by collectors",
			Doc: "Two collectors with an arrow in between relate each resource of the one to each of the other. The catalog grows with their product.",
			Fix: "Put a class in between: two arrows need the sum only.",
		},
		{
			Kind: Redundant, Severity: Hint, Title: "Relationship that others imply", Optional: true,
			Doc: "Without the relationship, the order would be the same.",
			Fix: "Remove the relationship, unless it is there for the reader.",
		},
	}
}

// Finding is one fault. References and texts are masked by the mask of [Catalogs].
type Finding struct {
	Kind     Kind
	Severity Severity
	Ref      catalog.Ref   // the resource; zero for a cycle
	Target   string        // the missing resource, as the catalog spells it; "" otherwise
	Other    catalog.Ref   // the resource to which a hint or a duplicate relates
	Members  []catalog.Ref // the resources of a cycle or a refresh; all resources of another finding, if there are several
	Path     []Step        // the shortest way round a cycle
	Cuts     []Cut         // the arrows to remove from a cycle, the best one first
	Manifest string        // where the resource is declared
	Line     int64         // in Manifest, from 1; or 0
	Message  string        // one line
	Fix      string        // one line
	Puppet   []string      // the messages of Puppet: of the compiler and of the agent, as far as they differ
}

// Step is a step of the shortest way round a cycle: After is applied after Before.
type Step struct {
	After, Before catalog.Ref
	Why           string // "require", "contains it", "is in it", …
	Manifest      string
	Line          int64
}

// Cut is a relation of a cycle.
type Cut struct {
	From, To catalog.Ref // From is applied before To
	Why      string      // "require" of To, "before" of From, …
	Left     int         // the number of resources that still form a cycle without it, and without others that say the same
	Manifest string
	Line     int64
}
