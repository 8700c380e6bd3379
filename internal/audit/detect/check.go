package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// check searches the arguments of a Nagios check, which are separated by exclamation marks.
// They include users and passwords, but have no names.
func (t parameters) check() {
	if t.leaf.Name() != "check_command" && t.leaf.Name() != "event_handler" {
		return
	}
	start, as, snmp := 0, verdict.Hint, false
	for arg := range strings.SplitSeq(t.S, "!") {
		if start == 0 && logsIn(arg) {
			as = verdict.Token
		}
		if start > 0 {
			t.given("argument", start, start+len(arg), as)
			if snmp {
				as = verdict.Hint // the community is the first argument
			}
		}
		snmp = snmp || strings.Contains(arg, "snmp")
		start += len(arg) + 1
	}
}

// logsIn reports whether a check logs in to the host.
func logsIn(check string) bool {
	if strings.HasSuffix(check, "_int") || strings.HasSuffix(check, "_v3") {
		return false // a check of an interface
	}
	return mentions(check, "snmp", "sql", "oracle", "mongo", "ldap", "wmi", "imap", "smtp", "radius", "vmware", "esx", "ipmi")
}
