package faults

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Modules provides the definitions of classes and defined types, and types by
// name. [eval.Loader] implements it.
type Modules interface {
	typeexpr.Resolver
	Definition(name string) (d *eval.Definition, found bool, err error)
}

// Fault is a resource, a parameter or an Object that its type does not accept.
type Fault struct {
	// At is the location: a resource, a parameter, or an Object in one.
	At catalog.Location
	// Message describes the fault like the reference. It contains types,
	// names, and texts that do not match a Pattern or an Enum. For a secret,
	// which is a value in a Sensitive or in a listed parameter, it contains
	// only the type. Plain-text copies of a secret elsewhere are not
	// recognized.
	Message string
}

// Validator checks resources against the modules that a catalog was compiled with: the
// parameters of each class and defined type against their declared types, and each Object
// against its Object type. For a catalog that was edited, resolved, or compiled with other
// modules, it reports faults that the compiler would have rejected, with the compiler's
// messages. It ignores resources that no module defines: Puppet's own types are written in
// Ruby. It is not safe for concurrent use.
type Validator struct {
	modules Modules
	failed  map[string]bool // definitions and types with a reported error

	// Data checks the value that data has for a parameter of a class, such as apache::port,
	// against its type. found reports whether there is one; err is a fault of it, whose text names the
	// file. Nil checks no data.
	Data func(name string, t pcore.Type) (found bool, err error)

	// Checked counts the resources that a module defines, Passed all others.
	Checked, Passed int
}

// NewValidator returns a Validator.
func NewValidator(m Modules) *Validator { return &Validator{modules: m, failed: make(map[string]bool)} }

// Resource returns the faults of a resource. The error is a *[catalog.Error]
// about a parameter that cannot be decoded, or it joins the errors of invalid
// manifests and types, each reported once; in that case the findings are still
// valid. Decode the catalog without the types of modules, so that an invalid
// Object is a finding rather than a decoding error.
func (v *Validator) Resource(r *catalog.Resource) ([]Fault, error) {
	given, err := r.RevealParameters() //nolint:forbidigo // checked against its type; findings mask it
	if err != nil {
		return nil, err
	}
	c := &validation{Validator: v, resource: r, listed: catalog.NamesOf(r.SensitiveParameters())}
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

// definitionName returns the name of the class or defined type of a resource.
func definitionName(r *catalog.Resource) string {
	if r.Type() == "Class" {
		return strings.ToLower(r.Title())
	}
	return strings.ToLower(r.Type())
}

// validation is the validation of one resource.
type validation struct {
	*Validator
	resource *catalog.Resource
	listed   catalog.Names
	findings []Fault
	errs     []error
}

func (c *validation) found(at catalog.Location, message string) {
	c.findings = append(c.findings, Fault{at, message})
}

// mismatch adds one finding for each fault of a value.
func (c *validation) mismatch(at catalog.Location, subject string, t pcore.Type, v pcore.Value) {
	err := pcore.Mismatch(subject, t, v)
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		c.found(at, strings.TrimSpace(line))
	}
}

// fail records an error, once for each subject.
func (c *validation) fail(about string, err error) {
	if !c.failed[about] {
		c.failed[about] = true
		c.errs = append(c.errs, err)
	}
}

func (c *validation) parameters(d *eval.Definition, given *pcore.Hash) {
	ref := c.resource.Ref()
	for k, v := range given.All() {
		name, _ := k.(pcore.String)
		p, declared := d.Parameters.Element(string(name))
		switch {
		case declared:
			c.parameter(p, v)
		case !puppet.IsMetaparameter(string(name)) && name != "name" && name != "title":
			c.found(ref.Parameter(string(name)), fmt.Sprintf("has no parameter named '%s'", string(name)))
		}
	}
	for _, p := range d.Parameters.Elements() {
		if c.data(d, p) {
			continue
		}
		// Catalogs omit parameters that are undef.
		if _, ok := given.GetString(p.Name()); !ok && !p.Optional() && !pcore.Accepts(p.Value(), pcore.UndefType{}) {
			c.found(catalog.Location{Ref: ref}, fmt.Sprintf("expects a value for parameter '%s'", p.Name()))
		}
	}
}

// data checks the data of a parameter of a class, and reports whether there is any.
func (c *validation) data(d *eval.Definition, p pcore.StructElement) (found bool) {
	if c.Data == nil || d.Kind != "class" {
		return false
	}
	found, err := c.Data(d.Name+"::"+p.Name(), p.Value())
	if err != nil {
		c.found(c.resource.Ref().Parameter(p.Name()), fmt.Sprintf("parameter '%s' from data: %s", p.Name(), err))
	}
	return found
}

// parameter checks one value against its type. Like Puppet, it accepts a
// Deferred, whose result is not known yet.
func (c *validation) parameter(p pcore.StructElement, v pcore.Value) {
	if pcore.Is[*pcore.Deferred](v) {
		return
	}
	v = c.typed(v)
	// A catalog lists Sensitive parameters and contains their plain values.
	if !pcore.Is[*pcore.Sensitive](v) && c.listed.Has(p.Name()) {
		v = pcore.NewSensitive(v)
	}
	c.mismatch(c.resource.Ref().Parameter(p.Name()), fmt.Sprintf("parameter '%s'", p.Name()), p.Value(), v)
}
