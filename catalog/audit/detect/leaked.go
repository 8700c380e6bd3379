package detect

import (
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// leaked finds what Puppet and Ruby print in place of a value that should not
// have been printed: the text of a Sensitive, and that of a Deferred that was
// never resolved. A password field with nothing but the text of a Sensitive is
// what PuppetDB shows by design, so only text around it counts.
func (v *view) leaked() {
	if i := strings.Index(v.text, pcore.RedactedText); i >= 0 && v.inContent() {
		v.hit("redacted-literal", i, i+len(pcore.RedactedText), rule.Certain)
	}
	for _, form := range deferredForms {
		if i := strings.Index(v.text, form); i >= 0 {
			v.hit("deferred-literal", i, i+len(form), rule.Certain)
			return
		}
	}
}

// deferredForms begin the text of a Deferred, of the object that Ruby makes of
// one, and of its class.
var deferredForms = []string{
	"Deferred({'name' =>", `Deferred({"name" =>`, `Deferred({"name"=>`, "#<Puppet::Pops::Evaluator::DeferredValue",
	"#<Puppet::Pops::Types::PDeferred", "#<Puppet::Pops::Evaluator::Deferred", "#<DeferredValue",
}

// inContent reports whether the text becomes part of a file or a command.
func (v *view) inContent() bool {
	switch v.leaf.Parameter() {
	case "content", "command", "unless", "onlyif", "environment", "line", "value", "changes", "data":
		return true
	}
	return len(v.text) > len(pcore.RedactedText)
}
