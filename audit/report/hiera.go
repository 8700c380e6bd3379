package report

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// writeHiera writes the lookup_options of Hiera 5 that make the class parameters with
// findings Sensitive. It includes the known findings, because the block is complete for the
// run.
func writeHiera(b output, r *audit.Report, _ Options) error {
	var keys []string
	for i := range r.Findings {
		if key := hieraKey(&r.Findings[i]); key != "" {
			keys = append(keys, key)
		}
	}
	// The same comment in all cases, so that the frame of the report has it.
	b.print(`# Options that make class parameters Sensitive: those in which pcat audit found
# secrets in plain text, or {} if there are none. Copy the block into
# data/common.yaml, or add its keys to the lookup_options there.
#
# Each class must accept the value: Variant[String, Sensitive[String]] instead of
# String, and likewise for a Hash. Its code calls unwrap where it needs the plain
# text, and the result must be Sensitive again. The options apply to data in
# Hiera, not to the defaults of a class or to class { … } with parameters.
lookup_options:`)
	if len(keys) == 0 {
		b.print(" {}")
	}
	b.print("\n")
	for _, key := range unique(keys) {
		b.printf("  %s:\n    convert_to: Sensitive\n", key)
	}
	return nil
}

var (
	className     = lazyregexp.New(`^[a-z][a-z0-9_]*(::[a-z][a-z0-9_]*)*$`)
	parameterName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)
)

// hieraKey returns the key of Hiera for the class parameter that contains the secret of a
// finding, or "" if there is none or a Sensitive value would not repair the finding.
func hieraKey(f *audit.Finding) string {
	class := strings.ToLower(f.Title)
	if f.Type != "Class" || f.Element != audit.InValue || f.Tag == "" || !isPlain(f) ||
		!className.Get().MatchString(class) || !parameterName.Get().MatchString(f.Parameter) {
		return ""
	}
	return class + "::" + f.Parameter
}

// isPlain reports whether a finding is about a secret that is not Sensitive, and is not an
// argument of a Deferred, which no data contain.
func isPlain(f *audit.Finding) bool {
	if f.Class == rule.Leak {
		return f.Rule != "deferred-cleartext-argument"
	}
	return slices.Contains([]string{"default-password", "derived-hash"}, f.Rule)
}
