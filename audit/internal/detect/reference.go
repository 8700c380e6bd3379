package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// refersByKey reports whether the value of an assignment is the name of a Secret of Kubernetes, and the name of its
// key is beside it: `secret: app-secret`, `key: password`. A password is beside a key, too, in a list of settings;
// therefore the value has to say that it names a secret, in several words.
func (t *Text) refersByKey(a *assign.Assignment) bool {
	if a.Name == "secretKey" && t.isRemote(a) {
		return true
	}
	if verdict.LastWord(a.Name) != "secret" || !isNameOfObject(a.Value) || !namesSecret(a.Value) {
		return false
	}
	const sibling = "key"
	key := ""
	if h := t.leaf.Hash(); h != nil && a.Value == t.leaf.Text {
		v, _ := h.GetString(sibling)
		text, _ := v.(pcore.String)
		key = string(text)
	} else if a.Start <= a.End && a.End <= len(t.S) {
		key = memberBeside(t.S, a.Start, a.End, sibling)
	}
	return key != "" && (strings.IndexByte(key, '.') > 0 || t.classOf(key).Secret())
}

// isRemote reports whether an assignment names the key for a secret of another store, which is beside it: `secretKey:
// password`, `remoteRef: …`.
func (t *Text) isRemote(a *assign.Assignment) bool {
	const sibling = "remoteRef"
	if h := t.leaf.Hash(); h != nil && a.Value == t.leaf.Text {
		_, found := h.GetString(sibling)
		return found
	}
	if a.Start > a.End || a.End > len(t.S) || verdict.LooksChosen(a.Value) {
		return false
	}
	around := t.S[max(0, a.Start-verdict.MaxName):min(len(t.S), a.End+verdict.MaxName)]
	return strings.Contains(around, sibling) && !strings.Contains(around, "\n---")
}

// namesSecret reports whether the last of several words is a noun for secrets.
func namesSecret(s string) bool {
	i := strings.LastIndexByte(s, '-')
	if i < 0 {
		return false
	}
	switch s[i+1:] {
	case "secret", "secrets", "cred", "creds", "credential", "credentials", "password", "passwords", "token", "tokens", "auth", "tls", "keys":
		return true
	}
	return false
}

// isNameOfObject reports whether s can be the name of an object of Kubernetes as people choose it: words in lower case,
// joined by dashes.
func isNameOfObject(s string) bool {
	return s != "" && alphabet.IsLetter(s[0]) && alphabet.IsLatin(strings.Trim(strings.ReplaceAll(s, "-", ""), "0123456789")) && s == strings.ToLower(s)
}

// memberBeside returns the value of the member with a name that is in the same braces as S[start:end], or on the line
// before or after it with the same indentation. It returns "" if there is none.
func memberBeside(s string, start, end int, name string) string {
	const reach = 160
	from, to := max(0, start-reach), min(len(s), end+reach)
	if open := strings.LastIndexAny(s[from:start], "{}"); open >= 0 && s[from+open] == '{' {
		inside, _, _ := strings.Cut(s[from+open+1:to], "}")
		for member := range strings.FieldsFuncSeq(inside, func(r rune) bool { return r == ',' || r == '\n' }) {
			if value, ok := valueOf(member, name); ok {
				return value
			}
		}
		return ""
	}
	line := start - (len(s[from:start]) - strings.LastIndexByte(s[from:start], '\n') - 1)
	column := columnOf(s[line:end])
	before := strings.TrimSuffix(s[from:line], "\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	_, after, _ := strings.Cut(s[end:to], "\n")
	after, _, _ = strings.Cut(after, "\n")
	for _, other := range []string{before, after} {
		if value, ok := valueOf(other, name); ok && columnOf(other) == column {
			return value
		}
	}
	return ""
}

// columnOf returns the number of characters before the first name on a line of YAML.
func columnOf(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }

// valueOf returns the value that a member of a map gives to a name.
func valueOf(member, name string) (value string, ok bool) {
	i := strings.IndexAny(member, ":=")
	if i < 0 || strings.Trim(member[:i], " \t\"'-") != name {
		return "", false
	}
	return strings.Trim(member[i+1:], "> \t\r\"'"), true
}
