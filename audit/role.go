package audit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// role is the role of the account of a credential. The zero value is a service, or unknown.
type role uint8

const (
	noRole role = iota
	replication
	administrator
	root
)

var roleReasons = [...]string{
	replication: "the account can copy all data", administrator: "the account is an administrator", root: "the account is root",
}

// roles are the roles by the words for them, in names of secrets and of accounts.
var roles = map[string]role{
	"root": root, "superuser": root, "sa": root, // of SQL Server
	"admin": administrator, "administrator": administrator, "sysadmin": administrator, "master": administrator,
	"repl": replication, "replication": replication, "replicator": replication,
}

// roleIn returns the role that a word of a name has, also if it is joined to a word for a
// password, as in `rootpw`.
func roleIn(name string) role {
	if len(name) > verdict.MaxName {
		return noRole
	}
	of := noRole
	words := verdict.Words(name)
	for _, w := range words {
		of = max(of, roles[w], roles[withoutPassword(w)])
	}
	if len(words) == 2 && words[0] == "enable" { // `enable secret` of a network device
		of = max(of, administrator)
	}
	return of
}

// withoutPassword returns a word without a word for a password at its end.
func withoutPassword(word string) string {
	for _, end := range [...]string{"password", "passwd", "pass", "pwd", "pw"} {
		if stem, ok := strings.CutSuffix(word, end); ok {
			return stem
		}
	}
	return word
}

// roleOf returns the role of the account of a hit in l, as its name says, the user beside it or
// before it in the text, the key of the Hash around it, or the title of the account.
func roleOf(h *raw, l *leaf.Leaf) role {
	of := roleIn(h.Name)
	if h.Start <= len(l.Text) && !l.Binary {
		of = max(of, roleBefore(l.Text[:h.Start], h.Name))
	}
	own := l.Name()
	if !l.InParameter() || own == "" || h.Name != own {
		return of
	}
	of = max(of, roleOfUser(l.Hash(), own))
	if !isBare(own) {
		return of
	}
	n := 0
	for key := range l.Names {
		if n++; n == 2 {
			of = max(of, roleIn(key))
			break
		}
	}
	if l.Resource != nil {
		of = max(of, roleOfTitle(l.Resource.Type, l.Resource.Title))
	}
	return of
}

// isBare reports whether the name of a secret is one word, so that the account is beside it.
func isBare(name string) bool { return len(verdict.Words(name)) < 2 }

// maxUsers is the number of members of a Hash that are searched for a user.
const maxUsers = 64

// roleOfUser returns the role of the user in a Hash with a secret: `db_user` for `db_password`.
func roleOfUser(h *pcore.Hash, secret string) role {
	if h == nil {
		return noRole
	}
	words := verdict.Words(secret)
	if len(words) == 0 {
		return noRole
	}
	n := 0
	for k, v := range h.All() {
		if n++; n > maxUsers {
			break
		}
		key, _ := k.(pcore.String)
		user, isText := v.(pcore.String)
		if !isText || len(key) > verdict.MaxName {
			continue
		}
		name := verdict.Words(strings.TrimSuffix(string(key), "_name")) // `user_name`
		if len(name) != len(words) || !slices.Contains([]string{"user", "username", "login", "account", "name"}, name[len(name)-1]) {
			continue
		}
		if slices.Equal(name[:len(name)-1], words[:len(words)-1]) {
			return roleIn(string(user))
		}
	}
	return noRole
}

// roleOfTitle returns the role of the account that a resource manages: `Mysql_user[root@localhost]`.
func roleOfTitle(typ, title string) role {
	for _, w := range verdict.Words(typ[strings.LastIndexByte(typ, ':')+1:]) {
		if strings.HasSuffix(w, "user") || w == "role" || w == "account" || w == "login" || w == "admin" {
			name, _, _ := strings.Cut(title, "@")
			return roleIn(name)
		}
	}
	return noRole
}

// userBefore matches a user in a text: `-uroot`, `user=root`, `USER 'root'`.
var userBefore = lazyregexp.New(`(?:^|[^a-z0-9_])(?:-u\s*|(?:user(?:name|id)?|uid|login)["']?(?:\s*[=:]\s*|\s+))["']?([a-z]+)(?:[^a-z0-9_.-]|$)`)

// roleBefore returns the role of the user before a secret with a name in a text: directly, as in
// `root:X` or `root_password=X`, or if the name is one word, in the same paragraph.
func roleBefore(before, name string) role {
	const near = 256
	before = before[max(0, len(before)-near):]
	word := strings.TrimRight(before, " \t\"'")
	if n := len(word); n > 0 && (word[n-1] == '=' || word[n-1] == ':') {
		word = strings.TrimRight(word[:n-1], " \t\"'")
		if of := roleIn(word[len(strings.TrimRightFunc(word, isInName)):]); of != noRole {
			return of
		}
	}
	if !isBare(name) {
		return noRole
	}
	before = strings.ToLower(before)
	if words := strings.Fields(before[strings.LastIndexByte(before, '\n')+1:]); len(words) > 1 && words[0] == "enable" {
		return administrator // `enable secret X` of a network device
	}
	for _, end := range [...]string{"\n\n", "\n[", "}", "&&", "|"} {
		before = before[strings.LastIndex(before, end)+1:]
	}
	for word := range roles {
		if strings.Contains(before, word) {
			return lastUser(before)
		}
	}
	return noRole
}

// lastUser returns the role of the last user in a text, unless a password follows that is not
// at the end.
func lastUser(text string) role {
	all := userBefore.Get().FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return noRole
	}
	at := all[len(all)-1]
	if rest := text[at[3]:]; strings.Count(rest, "pass")+strings.Count(rest, "pwd") > 1 {
		return noRole
	}
	return roles[text[at[2]:at[3]]]
}

// isInName reports whether r can be in a name.
func isInName(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
