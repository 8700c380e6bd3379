package validate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/loader"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Modules know what classes and defined types take, and types by name. A
// [loader.Loader] is one.
type Modules interface {
	typeexpr.Resolver
	Definition(name string) (d *loader.Definition, found bool, err error)
}

// Finding is one thing that is wrong.
type Finding struct {
	// At is the place: a resource, a parameter, or an Object in one.
	At catalog.Location
	// Message says what is wrong, in the words of the reference. It tells types,
	// names, and texts that do not match a Pattern or an Enum, but of what is
	// secret by its place, a Sensitive or a listed parameter, the type only.
	// A copy of a secret that stands elsewhere in clear it cannot know.
	Message string
}

// Validator holds resources against modules. It must not be used by several
// goroutines at once.
type Validator struct {
	modules Modules
	failed  map[string]bool // definitions and types whose error was told

	// Checked is how many resources a module defines, Passed how many none does.
	Checked, Passed int
}

// New returns a Validator.
func New(m Modules) *Validator { return &Validator{modules: m, failed: make(map[string]bool)} }

// Resource returns what is wrong with a resource. The error is that of a
// parameter that cannot be decoded, a *[catalog.Error], or those of manifests
// and types that cannot be read, each told once; the findings count all the
// same. Objects must have been decoded without the types of modules, so that
// one that is wrong is a finding and no error of the decoder.
func (v *Validator) Resource(r *catalog.Resource) ([]Finding, error) {
	given, err := r.RevealParameters() //nolint:forbidigo // held against its type; findings mask it
	if err != nil {
		return nil, err
	}
	c := &check{Validator: v, resource: r, listed: catalog.NamesOf(r.SensitiveParameters())}
	if err := c.objects(given); err != nil {
		return nil, err
	}
	name := definitionName(r)
	d, found, err := v.modules.Definition(name)
	switch {
	case err != nil:
		c.fail("definition "+name, err)
	case !found:
		v.Passed++
	default:
		v.Checked++
		c.parameters(d, given)
	}
	return c.findings, errors.Join(c.errs...)
}

// definitionName is the class or defined type that a resource is one of.
func definitionName(r *catalog.Resource) string {
	if r.Type() == "Class" {
		return strings.ToLower(r.Title())
	}
	return strings.ToLower(r.Type())
}

// check is what is done with one resource.
type check struct {
	*Validator
	resource *catalog.Resource
	listed   catalog.Names
	findings []Finding
	errs     []error
}

func (c *check) found(at catalog.Location, message string) {
	c.findings = append(c.findings, Finding{at, message})
}

// mismatch is one finding for each thing that is wrong with a value.
func (c *check) mismatch(at catalog.Location, subject string, t pcore.Type, v pcore.Value) {
	err := pcore.Mismatch(subject, t, v)
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		c.found(at, strings.TrimSpace(line))
	}
}

// fail tells an error about something, once.
func (c *check) fail(about string, err error) {
	if !c.failed[about] {
		c.failed[about] = true
		c.errs = append(c.errs, err)
	}
}

// metaparameters are those that every resource takes.
var metaparameters = []string{
	"alias", "audit", "before", "consume", "export", "loglevel", "name", "noop", "notify", "require",
	"schedule", "stage", "subscribe", "tag", "title",
}

func (c *check) parameters(d *loader.Definition, given *pcore.Hash) {
	ref := c.resource.Ref()
	for k, v := range given.All() {
		name, _ := k.(pcore.String)
		p, declared := d.Parameters.Element(string(name))
		switch {
		case declared:
			c.parameter(p, v)
		case !slices.Contains(metaparameters, string(name)):
			c.found(ref.Parameter(string(name)), fmt.Sprintf("has no parameter named '%s'", string(name)))
		}
	}
	for _, p := range d.Parameters.Elements() {
		// A parameter that is undef is left out of catalogs.
		if _, ok := given.GetString(p.Name()); !ok && !p.Optional() && !pcore.AcceptsUndef(p.Value()) {
			c.found(catalog.Location{Ref: ref}, fmt.Sprintf("expects a value for parameter '%s'", p.Name()))
		}
	}
}

// parameter holds one value against its type. What a call will give is not
// known yet: Puppet, too, lets it pass.
func (c *check) parameter(p pcore.StructElement, v pcore.Value) {
	if v.Kind() == pcore.KindDeferred {
		return
	}
	v = c.typed(v)
	// A catalog lists the parameters that are Sensitive, and holds them in clear.
	if v.Kind() != pcore.KindSensitive && c.listed.Has(p.Name()) {
		v = pcore.NewSensitive(v)
	}
	c.mismatch(c.resource.Ref().Parameter(p.Name()), fmt.Sprintf("parameter '%s'", p.Name()), p.Value(), v)
}
