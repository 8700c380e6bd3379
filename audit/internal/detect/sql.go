package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// sqlKeywords precede a password in SQL statements.
var sqlKeywords = []string{"identified by", "password", "identified with"}

// statements finds passwords in SQL statements: `IDENTIFIED BY '…'`, `PASSWORD '…'`,
// `PASSWORD('…')`, `WITH PASSWORD = N'…'`.
type statements struct{ *Text }

func (t statements) search() {
	if !t.has.Has('\'') && !t.has.Has('"') && !t.has.Has(';') {
		return
	}
	if t.mentions("VALUES", "values (") {
		t.inserted()
	}
	if t.mentions(procedures...) {
		t.procedures()
	}
	if !t.mentions("PASSWORD", "password", "IDENTIFIED", "identified", "Password", "Identified") ||
		!t.mentions("ALTER ", "CREATE ", "GRANT ", "SET ", "CHANGE ", "alter ", "create ", "grant ", "set ", "change ", "IDENTIFIED", "identified", "Alter ", "Create ") {
		return // avoids the conversion of texts without a statement
	}
	s := t.S
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return // the conversion changed the length, so the positions differ
	}
	for _, keyword := range sqlKeywords {
		for at := 0; ; {
			i := strings.Index(low[at:], keyword)
			if i < 0 {
				break
			}
			at += i + len(keyword)
			if !t.inStatement(low, at-len(keyword)) || keyword == "password" && at < len(s) && (s[at] == '\'' || s[at] == '"') {
				continue // a quoted word at the end of its string
			}
			if start, end, ok := sqlString(s, at, keyword == "identified with"); ok {
				t.judge(assign.Assignment{Name: keyword, Value: strings.ReplaceAll(s[start:end], "''", "'"), Start: start, End: end, Quoted: true, Class: verdict.Password})
				at = end
			} else if keyword == "identified by" {
				t.bareIdentified(at)
			}
		}
	}
}

// verbs begin the statements and clauses that contain a password.
var verbs = []string{"alter ", "create ", "grant ", "set ", "change ", "identified "}

// inStatement reports whether the position in a text, given in lower case, is inside a
// statement.
func (t statements) inStatement(low string, at int) bool {
	if at > 0 && alphabet.IsWordByte(low[at-1]) {
		return false
	}
	before := low[max(0, at-maxStatement):at]
	before = before[strings.LastIndexByte(before, ';')+1:]
	for _, verb := range verbs {
		if strings.Contains(before, verb) || strings.HasPrefix(low[at:], verb) {
			return true
		}
	}
	return false
}

// maxStatement is the maximum length of a statement before the password.
const maxStatement = 1024

// sqlString returns the position of the string that follows, immediately or after a few
// optional words. If plugin is set, the words include the name of a plugin.
func sqlString(s string, at int, plugin bool) (start, end int, ok bool) {
	i := at
	for i < len(s) && i < at+64 {
		switch c := s[i]; {
		case c == ' ' || c == '=' || c == '(' || c == '\t' || c == '\n' || c == '\\':
			i++
		case (c == 'N' || c == 'E') && i+1 < len(s) && s[i+1] == '\'':
			i++
		case hasWord(s[i:], "password"), hasWord(s[i:], "plugin"):
			i += strings.IndexAny(s[i:]+" ", " (")
		case hasWord(s[i:], "by"), hasWord(s[i:], "as"):
			i += 2
		case hasWord(s[i:], "for"):
			j := strings.IndexByte(s[i:], '=')
			if j < 0 || j > 128 {
				return 0, 0, false
			}
			i += j
		case c == '\'' || c == '"' && i > at:
			j := i + 1
			for j < len(s) && j-i < verdict.MaxValue && (s[j] != c || c == '\'' && j+1 < len(s) && s[j+1] == '\'') {
				if s[j] == '\'' && c == '\'' {
					j++
				}
				j++
			}
			if j >= len(s) || s[j] != c {
				return 0, 0, false
			}
			k := j
			for k > i && s[k-1] == '\\' {
				k--
			}
			return i + 1, k, k > i+1
		default:
			if !alphabet.IsWordByte(c) || !plugin {
				return 0, 0, false
			}
			for i < len(s) && alphabet.IsWordByte(s[i]) {
				i++
			}
		}
	}
	return 0, 0, false
}

func hasWord(s, w string) bool {
	return len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) && (len(s) == len(w) || !alphabet.IsWordByte(s[len(w)]))
}

// identified are the objects that a clause of Oracle gives a password to: accounts, links and keystores.
var identified = []string{"user ", "role ", "keystore ", "connect to ", "authenticated by "}

// bareIdentified handles an Oracle password without quotes: `ALTER USER x IDENTIFIED BY
// X;`.
func (t statements) bareIdentified(at int) {
	before := strings.ToLower(t.S[max(0, at-verdict.MaxName):at])
	if t.kind == source || !slices.ContainsFunc(identified, func(object string) bool { return strings.Contains(before, object) }) {
		return // a sentence
	}
	end := at
	for end < len(t.S) && end-at < verdict.MaxName && (alphabet.IsBlank(t.S[end]) || t.S[end] > ' ' && t.S[end] != ';') {
		end++
	}
	if words := lines.Words(nil, t.S, at, end); len(words) > 0 && !words[0].Quoted {
		w := words[0]
		t.given("identified by", w.Start, w.End, verdict.Token)
	}
}

// inserted finds the values that are inserted into columns for secrets: `INSERT INTO t
// (name, password) VALUES ('x', 'X')`.
func (t statements) inserted() {
	for _, verb := range []string{"INSERT INTO ", "insert into "} {
		for i := range t.occurrences(verb) {
			t.row(i + len(verb))
		}
	}
}

// row handles an INSERT statement whose table name is at position at.
func (t statements) row(at int) {
	statement := t.S[at:min(len(t.S), at+maxStatement)]
	table, rest, found := strings.Cut(statement, "(")
	if name, isAll := cutValues(table); found && isAll {
		if t.names().HasAccounts(name) {
			t.inAccounts(at+len(table), at+len(statement))
		}
		return
	}
	list, rest, closed := strings.Cut(rest, ")")
	if !found || !closed || !hasWord(strings.TrimLeft(rest, " \t\n"), "values") {
		return
	}
	for column, name := range strings.Split(list, ",") {
		name = strings.Trim(name, " \t\n`\"[]")
		if as := t.classOf(name); as.Secret() {
			t.inColumn(name, as, column, at+len(statement)-len(rest), at+len(statement))
		}
	}
}

// cutValues returns the name of a table without the keyword for values behind it, and reports whether there is one: the
// values are those of all columns.
func cutValues(table string) (name string, ok bool) {
	table = strings.TrimRight(table, " \t\n")
	for _, keyword := range []string{" VALUES", " values"} {
		if name, ok = strings.CutSuffix(table, keyword); ok {
			return strings.Trim(name, " \t\n`\"[]"), true
		}
	}
	return table, false
}

// inAccounts judges the string behind the name of a usual account in the rows of a table of accounts in S[start:end]:
// `INSERT INTO users VALUES (1, 'admin', 'X')`.
func (t statements) inAccounts(start, end int) {
	for i := start; i < end && t.S[i] != ';'; i++ {
		if t.S[i] != '(' {
			continue
		}
		list := calls(t).arguments(i + 1)
		for k := 1; k < len(list); k++ {
			if a, b := list[k-1], list[k]; a.quoted && b.quoted && (verdict.IsUsualAccount(a.text) || verdict.IsName(a.text) && verdict.FollowsRules(b.text) && strings.ContainsAny(b.text, drawnMarks)) && b.end <= end && verdict.IsPasswordOf(a.text, b.text) {
				t.given("account", b.start, b.end, verdict.ClassOfPair(a.text, b.text))
			}
		}
	}
}

// inColumn judges a column of the rows of values in S[start:end].
func (t statements) inColumn(name string, as verdict.NameClass, column, start, end int) {
	s, at := t.S, -1
	for i := start; i < end; i++ {
		switch s[i] {
		case '(':
			at = 0
		case ',':
			if at >= 0 {
				at++
			}
		case ')':
			at = -1
		case ';':
			return
		case '\'':
			j := i + 1
			for j < end && s[j] != '\'' {
				j++
			}
			if j < end && at == column {
				t.given(name, i+1, j, as)
			}
			i = j
		}
	}
}

// procedures are the procedures of SQL Server and Sybase that take a password.
var procedures = []string{"sp_addlogin", "sp_addlinkedsrvlogin", "sp_password"}

// procedures finds the passwords that procedures take as their last string:
// `sp_addlinkedsrvlogin 'x', 'false', NULL, 'app', 'X'`.
func (t statements) procedures() {
	for _, mark := range procedures {
		for i := range t.occurrences(mark) {
			from := i + len(mark)
			rest, _, _ := strings.Cut(lines.Rest(t.S, from), ";")
			list := calls(t).arguments(from)
			for k := len(list) - 1; k > 0; k-- {
				if list[k].quoted && list[k].end <= from+len(rest) {
					t.given(mark, list[k].start, list[k].end, verdict.Password)
					break
				}
			}
		}
	}
}
