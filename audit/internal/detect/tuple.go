package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// tuples finds the credentials in terms of Erlang: tuples of strings whose last member is a
// password. An atom before them tells what they are: `{other_bind, {"cn=x", "X"}}`,
// `{userlist, [{"app", "X"}]}`, `{mysql, "db1", "app", "user", "X"}`.
type tuples struct{ *Text }

func (t tuples) search() {
	if !t.has.Has('{') || !t.has.Has('"') || !t.has.Has(',') {
		return
	}
	list, listEnd := "", 0 // atom before a list, and the end of its last tuple
	for i := range lines.Occurrences(t.S, "{") {
		atom, from := t.atom(i + 1)
		members, end, ok := t.members(from)
		if !ok {
			continue
		}
		isPair := len(members) == 2
		if atom == "" && isPair {
			var isElement bool
			if atom, isElement = t.owner(i); atom == "" && listEnd > 0 && listEnd < i && strings.TrimSpace(t.S[listEnd:i]) == "," {
				atom, isElement = list, true
			}
			if isElement {
				list, listEnd = atom, end
			}
		}
		if isPair && logsInWith(atom) || !isPair && isDatabase(atom) {
			last := members[len(members)-1]
			t.given(atom, last.Start, last.End, verdict.Password)
		}
	}
}

// logsInWith reports whether an atom is that of a user and a password.
func logsInWith(atom string) bool {
	switch verdict.LastWord(atom) {
	case "bind", "auth", "authentication", "credential", "credentials", "creds", "login", "account", "accounts", "userlist", "admins":
		return true
	}
	return false
}

// isDatabase reports whether an atom is that of a connection to a database, which ends with a
// user and a password.
func isDatabase(atom string) bool {
	return strings.Contains(atom, "sql") || strings.HasPrefix(atom, "odbc") || verdict.LastWord(atom) == "db" || verdict.LastWord(atom) == "database"
}

// atom returns the atom that a tuple begins with, and the position of the next member. It
// returns "" if the tuple begins with a string.
func (t tuples) atom(from int) (atom string, next int) {
	end := from
	for end < len(t.S) && end-from < verdict.MaxName && alphabet.IsWordByte(t.S[end]) {
		end++
	}
	if end == from || end == len(t.S) || t.S[end] != ',' {
		return "", from
	}
	return t.S[from:end], skipSpace(t.S, end+1)
}

// maxMembers is the maximum number of strings of a tuple.
const maxMembers = 8

// members returns the strings of a tuple up to its end. A number between them is left out.
func (t tuples) members(from int) (members []lines.Word, end int, ok bool) {
	s := t.S[:min(len(t.S), from+2*lines.Reach)]
	for i := skipSpace(s, from); i < len(s) && len(members) < maxMembers; {
		if start, stop, after := erlangString(s, i); after > 0 {
			members = append(members, lines.Word{Text: s[start:stop], Start: start, End: stop, Quoted: true})
			i = after
		} else {
			digits := i
			for i < len(s) && s[i] >= '0' && s[i] <= '9' {
				i++
			}
			if i == digits || len(members) == 0 {
				return nil, 0, false
			}
		}
		if i = skipSpace(s, i); i == len(s) {
			break
		}
		switch s[i] {
		case '}':
			return members, i + 1, len(members) >= 2
		case ',':
			i = skipSpace(s, i+1)
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// erlangString returns the position of the text of a string or a binary at i, and the position
// behind it, which is 0 if there is none.
func erlangString(s string, i int) (start, end, after int) {
	binary := strings.HasPrefix(s[i:], `<<"`)
	if binary {
		i += len("<<")
	}
	if i == len(s) || s[i] != '"' {
		return 0, 0, 0
	}
	start = i + 1
	for end = start; end < len(s) && s[end] != '"' && s[end] != '\n'; end++ {
		if s[end] == '\\' {
			end++
		}
	}
	if end >= len(s) || s[end] != '"' {
		return 0, 0, 0
	}
	if after = end + 1; binary {
		if !strings.HasPrefix(s[after:], ">>") {
			return 0, 0, 0
		}
		after += len(">>")
	}
	return start, end, after
}

// owner returns the atom before the tuple at i, and whether the tuple is the first of a list.
func (t tuples) owner(i int) (atom string, isList bool) {
	before := strings.TrimRight(t.S[max(0, i-lines.Reach):i], " \t\r\n")
	if rest, list := strings.CutSuffix(before, "["); list {
		before, isList = strings.TrimRight(rest, " \t\r\n"), true
	}
	before, ok := strings.CutSuffix(before, ",")
	if !ok {
		return "", false
	}
	start := len(before)
	for start > 0 && alphabet.IsWordByte(before[start-1]) {
		start--
	}
	if start == 0 || before[start-1] != '{' {
		return "", false
	}
	return before[start:], isList
}

// skipSpace returns the position of the next byte that is no blank or line break.
func skipSpace(s string, i int) int {
	for i < len(s) && (alphabet.IsBlank(s[i]) || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}
