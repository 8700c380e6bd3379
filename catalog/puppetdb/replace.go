package puppetdb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// errRelationship means that a relationship metaparameter names a resource that
// is not in the catalog, or is not a valid reference.
var errRelationship = errors.New("invalid relationship")

// Submission contains the parts of a payload that are not in the catalog. All
// fields except Time are optional.
type Submission struct {
	// TransactionUUID associates the catalog with the report of the same
	// run. It is also the default catalog UUID.
	TransactionUUID string
	// JobID is the job ID of the orchestrator.
	JobID string
	// Producer is the certname of the sending server.
	Producer string
	// Time is the time of submission. PuppetDB keeps the newest catalog of a
	// node. It is written in UTC with a precision of milliseconds.
	Time time.Time
	// Environment is the default for a catalog without an environment.
	Environment string
}

// Replace returns the payload of the command `replace catalog`, version 9, for a
// catalog, in the order of PuppetDB's terminus. It still contains rich values;
// the form `stringified-json` writes them like the terminus.
//
// Unlike in the terminus, a namevar that is secret does not become an alias.
//
// The error is a *[catalog.Error].
func Replace(c *catalog.Catalog, s Submission) (*pcore.Hash, error) {
	resources, err := newIndex(c)
	if err != nil {
		return nil, err
	}
	edges, err := resources.edges(c.Edges())
	if err != nil {
		return nil, err
	}
	var sent []pcore.Value
	for _, r := range resources.all {
		sent = append(sent, r.sent())
	}
	b := pcore.NewHashBuilder(11)
	b.SetString("version", pcore.String(c.Version()))
	b.SetString("code_id", textOrUndef(c.CodeID()))
	b.SetString("catalog_uuid", textOrUndef(first(c.CatalogUUID(), s.TransactionUUID)))
	b.SetString("resources", pcore.NewArray(sent...))
	b.SetString("edges", pcore.NewArray(edges...))
	b.SetString("job_id", textOrUndef(s.JobID))
	b.SetString("certname", textOrUndef(c.Name()))
	b.SetString("transaction_uuid", textOrUndef(s.TransactionUUID))
	b.SetString("environment", textOrUndef(first(c.Environment(), s.Environment)))
	b.SetString("producer_timestamp", pcore.String(s.Time.UTC().Format("2006-01-02T15:04:05.000Z07:00")))
	b.SetString("producer", textOrUndef(s.Producer))
	return b.Hash(), nil
}

func first(texts ...string) string {
	i := slices.IndexFunc(texts, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return texts[i]
}

func textOrUndef(s string) pcore.Value {
	if s == "" {
		return pcore.Undef{}
	}
	return pcore.String(s)
}

// resource is a resource to be sent to PuppetDB.
type resource struct {
	ref        catalog.Ref
	members    *pcore.Hash
	parameters *pcore.Hash   // sorted, with aliases, including secrets
	secret     catalog.Names // names of secret parameters
}

func newResource(r *catalog.Resource) (*resource, error) {
	members, err := r.RevealValue() //nolint:forbidigo // sent removes the secrets
	if err != nil {
		return nil, err
	}
	parameters, err := r.RevealParameters() //nolint:forbidigo // likewise
	if err != nil {
		return nil, err
	}
	found := &resource{ref: r.Ref(), members: members, secret: catalog.NamesOf(r.SensitiveParameters())}
	if title, ok := members.GetString("title"); ok && found.ref.Title == "" {
		found.ref.Title = title.String() // old compilers wrote numbers
	}
	found.parameters = sorted(withAliases(found.ref, parameters, found.secret))
	return found, nil
}

// sent returns the resource without secret parameters.
func (r *resource) sent() pcore.Value {
	parameters := pcore.NewHashBuilder(r.parameters.Len())
	for k, v := range r.parameters.All() {
		if name, ok := k.(pcore.String); !ok || !r.secret.Has(string(name)) {
			parameters.Set(k, v)
		}
	}
	b := pcore.NewHashBuilder(r.members.Len() + 1)
	for k, v := range r.members.All() {
		switch k {
		case pcore.String("sensitive_parameters"):
		case pcore.String("title"):
			b.Set(k, pcore.String(r.ref.Title))
		default:
			b.Set(k, v)
		}
	}
	b.SetString("parameters", parameters.Hash())
	return b.Hash()
}

// unordered are the metaparameters whose elements have no order.
var unordered = []string{"alias", "audit", "before", "check", "notify", "require", "subscribe", "tag"}

func sorted(parameters *pcore.Hash) *pcore.Hash {
	b := pcore.NewHashBuilder(parameters.Len())
	for k, v := range parameters.All() {
		name, _ := k.(pcore.String)
		if list, ok := v.(*pcore.Array); ok && slices.Contains(unordered, string(name)) {
			v = sortedArray(list)
		}
		b.Set(k, v)
	}
	return b.Hash()
}

func sortedArray(list *pcore.Array) *pcore.Array {
	elems := slices.Collect(list.Values())
	slices.SortStableFunc(elems, func(a, b pcore.Value) int { return strings.Compare(text(a), text(b)) })
	return pcore.NewArray(elems...)
}

// text returns the text of a metaparameter's value, like Ruby's to_s.
func text(v pcore.Value) string {
	if s, ok := v.(pcore.String); ok {
		return string(s)
	}
	return v.String()
}

// index finds the resources of a catalog by reference or alias.
type index struct {
	all     []*resource
	byRef   map[catalog.Ref]*resource
	byAlias map[catalog.Ref]*resource
}

func newIndex(c *catalog.Catalog) (*index, error) {
	x := &index{byRef: map[catalog.Ref]*resource{}, byAlias: map[catalog.Ref]*resource{}}
	for _, r := range c.Resources() {
		found, err := newResource(r)
		if err != nil {
			return nil, err
		}
		x.all = append(x.all, found)
		x.byRef[found.ref] = found
		if alias, ok := found.parameters.GetString("alias"); ok {
			for name := range flatten(alias) {
				x.byAlias[catalog.Ref{Type: found.ref.Type, Title: text(name)}] = found
			}
		}
	}
	return x, nil
}

// find returns the resource that a relationship refers to.
func (x *index) find(ref catalog.Ref) (*resource, bool) {
	titles := []string{ref.Title}
	if stripped := strings.TrimRight(ref.Title, "/"); ref.Type == "File" && stripped != ref.Title {
		// A directory may be written with trailing slashes.
		titles = []string{stripped, ref.Title}
	}
	for _, ref.Title = range titles {
		if r, ok := x.byRef[ref]; ok {
			return r, true
		}
		if r, ok := x.byAlias[ref]; ok {
			return r, true
		}
	}
	return nil, false
}

// relationships are the metaparameters that create edges, in the order of the
// terminus. The source of an edge is the resource that is managed first.
var relationships = []struct {
	parameter, name string
	reverse         bool
}{
	{parameter: "before", name: "before"},
	{parameter: "require", name: "required-by", reverse: true},
	{parameter: "notify", name: "notifies"},
	{parameter: "subscribe", name: "subscription-of", reverse: true},
}

// edges returns the edges of the catalog and the edges of relationships.
func (x *index) edges(contained []*catalog.Edge) ([]pcore.Value, error) {
	var all []pcore.Value
	type edge struct {
		source, target catalog.Ref
		name           string
	}
	seen := map[edge]bool{}
	add := func(e edge, v *pcore.Hash) {
		if !seen[e] {
			seen[e] = true
			all = append(all, v)
		}
	}
	for _, c := range contained {
		e := edge{c.Source(), c.Target(), first(c.Relationship(), "contains")}
		add(e, hash("source", end(e.source), "target", end(e.target), "relationship", pcore.String(e.name)))
	}
	for _, r := range x.all {
		for _, kind := range relationships {
			value, _ := r.parameters.GetString(kind.parameter)
			for other := range flatten(value) {
				to, err := x.other(r, kind.parameter, other)
				if err != nil {
					return nil, err
				}
				e := edge{r.ref, to.ref, kind.name}
				if kind.reverse {
					e.source, e.target = e.target, e.source
				}
				add(e, hash("relationship", pcore.String(e.name), "source", end(e.source), "target", end(e.target)))
			}
		}
	}
	return all, nil
}

// reference matches a valid relationship.
var reference = lazyregexp.New(`^(?s)[A-Z][a-z0-9_]*(::[A-Z][a-z0-9_]*)*\[.*\]`)

func (x *index) other(r *resource, parameter string, value pcore.Value) (*resource, error) {
	invalid := func(why string) error {
		return &catalog.Error{At: r.ref.Parameter(parameter), Offset: -1, Err: fmt.Errorf("%w: %s", errRelationship, why)}
	}
	s, _ := value.(pcore.String)
	ref, ok := catalog.ParseRef(string(s))
	if !ok || !reference.Get().MatchString(string(s)) {
		return nil, invalid("not a reference of the form Type[title], with each part of the type capitalized")
	}
	found, ok := x.find(ref)
	if !ok {
		return nil, invalid(ref.String() + " is not in the catalog")
	}
	return found, nil
}

func end(ref catalog.Ref) pcore.Value {
	return hash("type", pcore.String(ref.Type), "title", pcore.String(ref.Title))
}

func hash(pairs ...any) *pcore.Hash {
	b := pcore.NewHashBuilder(len(pairs) / 2)
	for p := range slices.Chunk(pairs, 2) {
		b.SetString(p[0].(string), p[1].(pcore.Value)) //nolint:forcetypeassert // written out above
	}
	return b.Hash()
}
