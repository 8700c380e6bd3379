package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

// leaks finds the text that Puppet and Ruby print for a Sensitive, and for a Deferred that
// was not resolved. PuppetDB replaces each Sensitive by its text, so that text counts only
// inside of a longer text. The text is no secret itself.
type leaks struct{ *Text }

func (t leaks) search() {
	if !t.has.Has('[') && !t.has.Has('{') && !t.has.Has('<') {
		return
	}
	if i := strings.Index(t.S, pcore.RedactedText); i >= 0 && t.inContent() {
		t.emit(t.Hit("redacted-literal", i, i+len(pcore.RedactedText), "", rule.Certain))
	}
	for _, form := range deferredForms {
		if i := strings.Index(t.S, form); i >= 0 {
			t.emit(t.Hit("deferred-literal", i, i+len(form), "", rule.Certain))
			return
		}
	}
}

// deferredForms are the first characters of the text of a Deferred, of the Ruby object for
// it, and of its class.
var deferredForms = []string{
	"Deferred({'name' =>", `Deferred({"name" =>`, `Deferred({"name"=>`, "#<Puppet::Pops::Evaluator::DeferredValue",
	"#<Puppet::Pops::Types::PDeferred", "#<Puppet::Pops::Evaluator::Deferred", "#<DeferredValue",
}

// inContent reports whether the text is a part of a file or a command.
func (t leaks) inContent() bool {
	switch t.leaf.Parameter() {
	case "content", "command", "unless", "onlyif", "environment", "line", "value", "changes", "data":
		return true
	}
	return len(t.S) > len(pcore.RedactedText)
}
