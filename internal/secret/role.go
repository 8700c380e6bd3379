package secret

import (
	"strings"
	"sync"
)

// Role is the role of a name: what the value of a key names.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	Node        // a host name, of which the domain and the first label are names, too
	Host
	Domain
	User
	Group
)

// RoleOf returns the role of the value of a key, such as a parameter.
func RoleOf(key string) Role {
	key = strings.ToLower(key)
	if i := strings.LastIndexAny(key, ":."); i >= 0 {
		key = key[i+1:]
	}
	key = strings.ReplaceAll(key, "-", "_")
	if role, ok := roles()[key]; ok {
		return role
	}
	for i := strings.IndexByte(key, '_'); i >= 0; {
		rest := key[i+1:]
		if role, ok := roles()[rest]; ok && !generic()[rest] {
			return role
		}
		next := strings.IndexByte(rest, '_')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return NoRole
}

// IsRoleKey reports whether a text, in lower case, is one of the keys with a role.
func IsRoleKey(text string) bool {
	_, ok := roles()[text]
	return ok
}

// namesAccount reports whether the last word of a key is one for the name of an account: `username`, `db_user`. Beside
// a secret, a plain name is one, too.
func namesAccount(key string) bool {
	word := key[strings.LastIndexByte(key, '_')+1:]
	return word == "name" || accountWords()[word] != NoRole
}

// The words for the name of one account.
const (
	userWords  = "user username owner login"
	groupWords = "group"
)

var accountWords = sync.OnceValue(func() map[string]Role {
	return roleTable(map[Role]string{User: userWords, Group: groupWords})
})

// roles has the keys whose values are names. They also count at the end of a longer key, such as
// db_host.
var roles = sync.OnceValue(func() map[string]Role {
	return roleTable(map[Role]string{
		Node:   "fqdn certname clientcert node",
		Host:   "host hosts hostname hostnames host_name host_aliases server servers server_name servername serveraliases puppetserver ca_server smarthost relayhost peer peers upstream vhost nodes master",
		Domain: "domain domains dns_domain searchdomain search_domain",
		User:   userWords + " users usernames user_name run_as runas account accounts members uid allowed_users maintainer",
		Group:  groupWords + " groups gid",
	})
})

// generic are the roles that a longer key does not have: `ssl_master` is no host.
var generic = sync.OnceValue(func() map[string]bool {
	generic := map[string]bool{}
	for key := range strings.FieldsSeq("node nodes master members uid gid account accounts login peer peers upstream search_domain") {
		generic[key] = true
	}
	return generic
})

func roleTable(lists map[Role]string) map[string]Role {
	table := map[string]Role{}
	for role, list := range lists {
		for _, key := range strings.Fields(list) {
			table[key] = role
		}
	}
	return table
}
