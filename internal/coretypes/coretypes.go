// Package coretypes has facts about the types of resources that an agent contains.
//
// Facts about the types of Puppet itself belong here; references between resources are in
// package refs.
package coretypes

import (
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/refs"
)

// coreType describes a type that an agent contains.
type coreType struct {
	refresh bool     // acts when it is refreshed
	needs   []string // the parameters that its autorequires read
	eager   []string // the parameters in which an agent that resolves late resolves no call
}

// coreTypes are the types of Puppet, and of the modules that are part of
// its agent package.
var coreTypes = map[string]coreType{
	"Augeas": {}, "Computer": {}, "Cron": {needs: []string{"user"}, eager: []string{"command", "environment", "hour", "minute", "month", "monthday", "weekday"}},
	"Exec": {refresh: true, needs: []string{"command", "cwd", "onlyif", "unless", "user"}, eager: []string{"path", "returns"}},
	"File": {needs: []string{"path", "owner", "group", "target", "ensure"}}, "Filebucket": {},
	"Group": {needs: []string{"gid"}, eager: []string{"attributes", "members"}}, "Host": {eager: []string{"host_aliases"}}, "Interface": {}, "K5login": {eager: []string{"principals"}}, "Macauthorization": {},
	"Mailalias": {eager: []string{"recipient"}}, "Maillist": {}, "Mcx": {}, "Mount": {refresh: true, eager: []string{"atboot"}}, "Notify": {},
	"Package":   {refresh: true, needs: []string{"name", "provider", "command", "responsefile", "adminfile", "source"}},
	"Resources": {}, "Router": {}, "Schedule": {}, "Scheduled_task": {eager: []string{"trigger"}}, "Selboolean": {}, "Selmodule": {},
	"Service": {refresh: true}, "Ssh_authorized_key": {needs: []string{"user"}, eager: []string{"options"}}, "Sshkey": {eager: []string{"host_aliases"}}, "Stage": {}, "Tidy": {},
	"User": {needs: []string{"gid", "groups", "roles"}, eager: []string{"attributes", "auths", "groups", "keys", "profiles", "roles"}}, "Vlan": {}, "Whit": {}, "Yumrepo": {}, "Zfs": {}, "Zone": {eager: []string{"dataset", "inherit", "ip"}},
	"Zpool": {eager: []string{"cache", "disk", "log", "mirror", "raidz", "spare"}},
}

// IsDefault reports whether a reference names a resource that each agent adds to
// its catalogs.
func IsDefault(ref catalog.Ref) bool {
	ref = refs.Canonical(ref)
	switch ref.Type {
	case "Schedule":
		return slices.Contains([]string{"puppet", "hourly", "daily", "weekly", "monthly", "never"}, ref.Title)
	case "Filebucket":
		return ref.Title == "puppet"
	default:
		return false
	}
}

// IsCore reports whether an agent has a type without any module: a type of Puppet
// or of the modules in its package.
func IsCore(typ string) bool {
	_, ok := coreTypes[refs.TypeName(typ)]
	return ok
}

// Parameters returns the parameters of a type that its autorequires read, and its namevar.
func Parameters(typ string) []string {
	needs, namevar := coreTypes[typ].needs, refs.Namevar(typ)
	if namevar == "" || slices.Contains(needs, namevar) {
		return needs
	}
	return append(slices.Clip(needs), namevar)
}

// ResolvesLate reports whether an agent that resolves Deferred values late makes a call that
// is the value of a parameter. It does not where the type takes all values of a list, or reads
// the value before the resource is applied: the text of the call itself reaches the node, or
// the run fails.
func ResolvesLate(typ, parameter string) bool {
	return !slices.Contains(coreTypes[refs.TypeName(typ)].eager, parameter)
}

// CanRefresh reports whether resources of a type do something when they are
// refreshed: the types of Puppet that do, and some of well-known modules.
func CanRefresh(typ string) bool {
	typ = refs.TypeName(typ)
	if t, ok := coreTypes[typ]; ok {
		return t.refresh
	}
	switch typ {
	case "Anchor", "Dism", "Reboot", "X509_cert", "X509_request":
		return true
	default:
		return false
	}
}
