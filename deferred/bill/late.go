package bill

import (
	"context"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// Late is the effect on a call of the agent of [Options.Reference]. The agents of
// Puppet 8 and OpenVox 8 resolve each parameter when its resource is applied,
// rather than the whole catalog in advance. See docs/puppet-versions.md.
type Late struct {
	// Breaks reports that the call is not made, is made too late, or fails.
	// Always reports that this applies to every agent.
	Breaks, Always bool
	// Reason explains the problem, or is empty if there is none.
	Reason string
}

// lateness returns the effect of the agent on e.
func (o *Options) lateness(r *catalog.Resource, parameter string, e *Entry) Late {
	switch e.Position {
	case Attribute:
		return Late{true, true, "agents do not resolve calls in objects"}
	case Key:
		return Late{true, true, "agents do not resolve calls in hash keys"}
	}
	if name, ok := strings.CutPrefix(e.Function, "$"); ok && strings.TrimPrefix(name, "::") != "facts" {
		return Late{true, true, "agents define only the variable $facts"}
	}
	late := o.Reference == pcore.Puppet8 || o.Reference == pcore.OpenVox8
	if late && (r.Type() == "Class" || r.Kind() == "class" || r.Kind() == "defined_type") {
		return Late{} // not applied itself
	}
	if o.Reference != pcore.OpenVox9 && strings.HasSuffix(e.Provider, ".pp") {
		return Late{Breaks: true, Reason: "agents before OpenVox 9 cannot call functions written in the Puppet language"}
	}
	switch {
	case !late:
		return Late{}
	case e.Position == Nested:
		return Late{Breaks: true, Reason: "agents that resolve late resolve only whole parameters, not calls in arrays and hashes"}
	case e.Position == Scalar && isReadEarly(r.Type(), parameter):
		return Late{Breaks: true, Reason: "the agent reads this parameter before it applies the resource"}
	case o.needsSecret(e.call):
		return Late{Breaks: true, Reason: "agents that resolve late unwrap the result of the inner call, and the template needs a Sensitive"}
	}
	return Late{}
}

// isReadEarly reports whether a type of Puppet reads the parameter while the
// agent orders or creates resources. A late call has not been made by then, and
// the run fails.
func isReadEarly(typ, parameter string) bool {
	switch parameter {
	case "schedule", "before", "notify", "require", "subscribe":
		return true
	}
	switch strings.ToLower(typ) {
	case "exec":
		return parameter == "path"
	case "file":
		return parameter == "path"
	case "user":
		return parameter == "name"
	}
	return false
}

// needsSecret reports whether a call evaluates a template with an inner call as
// the value of a parameter that only accepts a Sensitive.
func (o *Options) needsSecret(d *pcore.Deferred) bool {
	args := d.Arguments()
	if args.Len() < 2 {
		return false
	}
	source, ok := args.At(0).(pcore.String)
	given, isHash := args.At(1).(*pcore.Hash)
	if !ok || !isHash {
		return false
	}
	text := string(source)
	switch function.CanonicalName(d.Name()) {
	case "inline_epp":
	case "epp":
		if text, ok = o.template(text); !ok {
			return false
		}
	default:
		return false
	}
	t, err := eval.ParseTemplate("", text)
	if err != nil {
		return false
	}
	const steps = 10_000 // for the types of the parameters
	e := eval.New(function.Env{Functions: function.NewRegistry(), Budget: function.NewBudget(steps)}, o.Types, eval.Like(o.Reference))
	params, err := e.Parameters(e.Scope(context.Background()), t)
	if err != nil {
		return false
	}
	for _, p := range params {
		if v, ok := given.GetString(p.Name); ok && v.Kind() == pcore.KindDeferred && isSecret(p.Type) {
			return true
		}
	}
	return false
}

// template returns the text of a template of a module.
func (o *Options) template(name string) (string, bool) {
	if o.Files == nil {
		return "", false
	}
	path, found, err := o.Files.Find(function.TemplateFile, name)
	if err != nil || !found {
		return "", false
	}
	text, err := o.Files.ReadFile(path, nil)
	return string(text), err == nil
}

// isSecret reports whether all instances of a type are Sensitive, or undef.
func isSecret(t pcore.Type) bool {
	switch t := t.(type) {
	case *pcore.SensitiveType:
		return true
	case *pcore.OptionalType:
		return isSecret(t.Elem())
	case *pcore.TypeAliasType:
		return isSecret(t.Resolved())
	default:
		return false
	}
}
