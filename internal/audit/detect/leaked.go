package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// leaked finds what Puppet and Ruby print in place of a value that should not
// have been printed: the text of a Sensitive, and that of a Deferred that was
// never resolved. A password field with nothing but the text of a Sensitive is
// what PuppetDB shows by design, so only text around it counts.
func (t *Text) leaked() {
	if i := strings.Index(t.S, pcore.RedactedText); i >= 0 && t.inContent() {
		t.found("redacted-literal", i, i+len(pcore.RedactedText), rule.Certain)
	}
	for _, form := range deferredForms {
		if i := strings.Index(t.S, form); i >= 0 {
			t.found("deferred-literal", i, i+len(form), rule.Certain)
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
func (t *Text) inContent() bool {
	switch t.leaf.Parameter() {
	case "content", "command", "unless", "onlyif", "environment", "line", "value", "changes", "data":
		return true
	}
	return len(t.S) > len(pcore.RedactedText)
}
