package puppet

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
)

// Type describes a type of resources: one of an agent, or one of a well-known module.
type Type struct {
	Name string
	// Refreshes, Traceless and Runs are flags of the table: a resource does
	// something when it is refreshed, leaves nothing on the node, acts in each run.
	Refreshes, Traceless, Runs bool

	passes     bool              // refreshes are passed on
	module     bool              // an agent does not have it by itself
	uniform    bool              // many resources have the same values
	several    bool              // several parameters name a resource
	ensured    bool              // ensure is present by default
	namevar    string            // by which references find a resource, or ""
	titled     string            // has the title by default
	reads      []string          // by autorequires
	usual      map[string]string // values of properties that an object has without them
	resets     map[string]bool   // properties that Puppet sets to nothing if they are absent
	early      []string          // read before a resource is applied
	properties []property
}

// property is a parameter that Puppet compares with the node.
type property struct {
	name    string
	whole   bool // a list is its value
	reading reading
	effects []outcome
}

// reading is how Puppet reads the value of a property.
type reading struct {
	kind string
	args []string
}

// outcome is the effect of a change to a value, or to any if value is "".
type outcome struct{ value, rank, effect string }

//go:embed types.txt
var table string

// types returns the types of the table, by name.
var types = sync.OnceValue(func() map[string]*Type {
	all := make(map[string]*Type)
	var t *Type
	for line := range strings.Lines(table) {
		switch {
		case line[0] == '#' || line[0] == '\n':
		case line[0] != ' ':
			t = parseType(strings.Fields(line))
			all[t.Name] = t
		default:
			t.properties = append(t.properties, parseProperty(columns(line)))
		}
	}
	return all
})

// parseType returns the type of the first line of a paragraph.
func parseType(fields []string) *Type {
	t := &Type{Name: fields[0], namevar: "name"}
	for i := 1; i < len(fields); i++ {
		switch fields[i] {
		case "refreshes":
			t.Refreshes = true
		case "passes":
			t.passes = true
		case "traceless":
			t.Traceless = true
		case "runs":
			t.Runs = true
		case "module":
			t.module = true
		case "uniform":
			t.uniform = true
		case "several":
			t.several = true
		case "ensured":
			t.ensured = true
		default:
			value := fields[i+1]
			switch fields[i] {
			case "named":
				t.namevar = strings.TrimPrefix(value, "-")
			case "titled":
				t.titled = value
			case "reads":
				t.reads = strings.Split(value, ",")
			case "usual":
				t.usual = make(map[string]string)
				for pair := range strings.SplitSeq(value, ",") {
					name, usual, _ := strings.Cut(pair, "=")
					t.usual[name] = usual
				}
			case "resets":
				t.resets = map[string]bool{value: true}
			case "early":
				t.early = strings.Split(value, ",")
			}
			i++
		}
	}
	if t.titled == "" {
		t.titled = t.namevar
	}
	return t
}

// columns returns the columns of a line, which two blanks or more separate.
func columns(line string) []string {
	var all []string
	for column := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
		if column = strings.TrimSpace(column); column != "" {
			all = append(all, column)
		}
	}
	return all
}

func parseProperty(columns []string) property {
	column := func(i int) string {
		if i >= len(columns) || columns[i] == "-" {
			return ""
		}
		return columns[i]
	}
	p := property{name: strings.TrimSuffix(columns[0], "*"), whole: strings.HasSuffix(columns[0], "*")}
	if words := strings.Fields(column(1)); len(words) > 0 {
		p.reading = reading{words[0], words[1:]}
	}
	for clause := range strings.SplitSeq(column(2), ", ") {
		o := outcome{}
		if value, rest, ok := strings.Cut(clause, ": "); ok {
			o.value, clause = value, rest
		}
		if o.rank, o.effect, _ = strings.Cut(clause, " "); o.effect != "" {
			p.effects = append(p.effects, o)
		}
	}
	return p
}

// TypeOf returns the description of a type, or nil for one that is not known.
func TypeOf(name string) *Type { return types()[TypeName(name)] }

// IsDefault reports whether a reference names a resource that each agent adds to
// its catalogs.
func IsDefault(ref catalog.Ref) bool {
	ref = Canonical(ref)
	switch ref.Type {
	case "Schedule":
		return slices.Contains([]string{"puppet", "hourly", "daily", "weekly", "monthly", never}, ref.Title)
	case "Filebucket":
		return ref.Title == "puppet"
	default:
		return false
	}
}

// IsCore reports whether an agent has a type without any module: a type of Puppet
// or of the modules in its package.
func IsCore(typ string) bool {
	t := TypeOf(typ)
	return t != nil && !t.module
}

// Parameters returns the parameters of a type that its autorequires read, and its namevar.
func Parameters(typ string) []string {
	namevar := Namevar(typ)
	t := TypeOf(typ)
	switch {
	case t == nil:
		return []string{namevar}
	case namevar == "" || slices.Contains(t.reads, namevar):
		return t.reads
	default:
		return append(slices.Clip(t.reads), namevar)
	}
}

// Namevar returns the parameter by whose value references find a resource of a type, or ""
// if there is none: if several resources can have the same value, or several parameters
// name a resource. A reference does not find a Package by its name alone.
func Namevar(typ string) string {
	if typ == "Class" {
		return "" // its only resource with a name is Class[main], named main
	}
	if t := TypeOf(typ); t != nil {
		return t.namevar
	}
	return "name"
}

// TitleParameter returns the parameter whose value is the title if it is absent. Several
// resources can have the same value.
func TitleParameter(typ string) string {
	if t := TypeOf(typ); t != nil {
		return t.titled
	}
	return "name"
}

// HasSeveralNamevars reports whether several parameters of a type name a resource.
func HasSeveralNamevars(typ string) bool {
	t := TypeOf(typ)
	return t != nil && t.several
}

// IsUniform reports whether many resources of a type have the same values, so that those do not
// identify one: two packages differ by their names only.
func IsUniform(typ string) bool {
	t := TypeOf(typ)
	return t != nil && t.uniform
}

// ResolvesLate reports whether an agent that resolves Deferred values late makes a call that
// is the value of a parameter. It does not where the type takes all values of a list, or reads
// the value before the resource is applied: the text of the call itself reaches the node, or
// the run fails.
func ResolvesLate(typ, parameter string) bool {
	t := TypeOf(typ)
	if t == nil {
		return true
	}
	return !slices.Contains(t.early, parameter) &&
		!slices.ContainsFunc(t.properties, func(p property) bool { return p.whole && p.name == parameter })
}

// CanRefresh reports whether resources of a type do something when they are refreshed, or pass
// the refresh on: the types of Puppet that do, and some of well-known modules.
func CanRefresh(typ string) bool {
	t := TypeOf(typ)
	return t != nil && (t.Refreshes || t.passes)
}

// PassesRefresh reports whether a resource refreshes others when it is refreshed, and does
// nothing itself.
func PassesRefresh(typ string) bool {
	t := TypeOf(typ)
	return t != nil && t.passes
}

// IsTraceless reports whether nothing of a resource stays on the node when it leaves the
// catalog, by its type.
func IsTraceless(typ string) bool {
	t := TypeOf(typ)
	return t != nil && t.Traceless
}
