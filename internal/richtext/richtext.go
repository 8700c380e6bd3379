// Package richtext knows the texts that Puppet writes for rich values where a format cannot
// contain them: in the catalogs of PuppetDB, and in those compiled without rich data.
//
//	IsSensitive, WithoutNumbers  the text of a Sensitive
//	IsCall, IsObject             the text of a Deferred, or of another object
//	Parse                        the object that a text was written for
//
// The texts that replace rich values belong here; rich data itself is in package dataconv.
package richtext

import (
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// Sensitive begins the text of a Sensitive. A number follows, which Ruby gave to the object.
const Sensitive = "#<Sensitive [value redacted]"

// Instance is the text of a Sensitive inside of the text of an object, without the parameter
// of its type.
const Instance = "Instance of Sensitive"

// deferred is the type of a call, and call begins its text.
const (
	deferred = "Deferred"
	call     = deferred + "({'name' => '"
)

var (
	sensitives = lazyregexp.New(`#<Sensitive \[value redacted\]:[0-9]+>`)
	object     = lazyregexp.New(`(?s)^[A-Z]\w*(::[A-Z]\w*)*\(\{'[a-z_]\w*' => .*\}\)$`)
)

// IsSensitive reports whether s is the text of a Sensitive. A text without a number, or a word
// instead of it, comes from an interpolation in a manifest.
func IsSensitive(s string) bool {
	number, begins := strings.CutPrefix(s, Sensitive+":")
	number, ends := strings.CutSuffix(number, ">")
	return begins && ends && number != "" && strings.Trim(number, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// WithoutNumbers replaces the texts of Sensitives in s, which differ in each process.
func WithoutNumbers(s, by string) string {
	if !strings.Contains(s, Sensitive) {
		return s
	}
	return sensitives.Get().ReplaceAllLiteralString(s, by)
}

// IsCall reports whether s is, or begins like, the text of a Deferred.
func IsCall(s string) bool { return strings.HasPrefix(s, call) }

// IsObject reports whether s has the form of the text of an object.
func IsObject(s string) bool { return strings.HasSuffix(s, "})") && isObject(s) }

func isObject(s string) bool {
	return typeName(s) > 0 && object.Get().MatchString(s)
}
