package pcore

import (
	"fmt"
	"slices"
	"strings"
)

// Reference is a release of Puppet or OpenVox whose behavior is followed where
// releases differ; docs/puppet-versions.md lists the differences. The zero value
// is OpenVox8, the default of the command.
type Reference uint8

// The references. Each covers the releases of one major version; its answers are
// from the release in the comment.
const (
	OpenVox8 Reference = iota // 8.28.1
	Puppet7                   // 7.23
	Puppet8                   // 8.11
	OpenVox9                  // 9.0.0-beta2
)

// References returns the references, oldest first.
func References() []Reference { return []Reference{Puppet7, Puppet8, OpenVox8, OpenVox9} }

var referenceNames = [...]string{OpenVox8: "openvox8", Puppet7: "puppet7", Puppet8: "puppet8", OpenVox9: "openvox9"}

// String returns the name, such as "puppet7".
func (r Reference) String() string {
	if int(r) < len(referenceNames) {
		return referenceNames[r]
	}
	return fmt.Sprintf("Reference(%d)", uint8(r))
}

// ParseReference returns the reference with a name that String returns.
func ParseReference(name string) (Reference, error) {
	if i := slices.Index(referenceNames[:], name); i >= 0 {
		return Reference(i), nil
	}
	var names []string
	for _, r := range References() {
		names = append(names, r.String())
	}
	return 0, fmt.Errorf("unknown reference %q; use one of %s", name, strings.Join(names, ", "))
}
