package detect

import (
	"cmp"
	"path"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// target returns the path of the file that contains the text, or "" if it is unknown.
func (t *Text) target() string {
	if t.path != "" {
		return t.path
	}
	l := t.leaf
	if l.Resource == nil || !l.InParameter() {
		return ""
	}
	if l.IsInDiff() {
		return cmp.Or(l.Compared(), l.Resource.Path())
	}
	if l.IsOutput() {
		return printed(l.Resource)
	}
	if h := l.Hash(); h != nil && h != l.Resource.Parameters {
		for _, key := range []string{"path", "file", "target", "filename", "dest", "destination", "location"} {
			if v, ok := h.GetString(key); ok {
				s, _ := v.(pcore.String)
				return string(s)
			}
		}
		if parent := (parameters{t}).parent(); strings.HasPrefix(parent, "/") {
			return parent // `files => { '/etc/x' => { content => … } }`
		}
		return ""
	}
	if t.flow != content || l.Parameter() == "data" {
		return ""
	}
	return l.Resource.Path()
}

// printed returns the path of the file that a command prints, if its title is the command.
func printed(r *leaf.Resource) string {
	words := strings.Fields(r.Title)
	if r.Type != "Exec" || len(words) < 2 {
		return ""
	}
	switch path.Base(words[0]) {
	case "cat", "head", "tail", "grep", "egrep", "sed", "more", "type", "tee":
		if file := words[len(words)-1]; strings.ContainsAny(file, `/\\`) {
			return file
		}
	}
	return ""
}

// files finds secrets by the name of the file, which reveals its format.
type files struct{ *Text }

func (t files) search() {
	if t.flow == content && (t.unchanged() || t.path != "") && !t.isLookup() {
		t.file()
	}
}

// isLookup reports whether the text is an argument of a Deferred that looks a value up,
// and not a part of the content.
func (t files) isLookup() bool {
	call, _ := t.leaf.Deferred()
	return call != nil && strings.HasSuffix(call.Name(), "lookup")
}

// file searches the text by the name of its file.
func (t files) file() {
	name := strings.ReplaceAll(t.target(), `\`, "/")
	if name == "" {
		if t.leaf.IsOutput() {
			t.userMacros()
			t.userList()
		}
		return
	}
	base := baseOf(name)
	if l, ok := listingOf(base, strings.ToLower(name), false); !ok {
		t.ofSecrets(base)
		t.ofAccounts(base)
	} else if l.fields > 0 {
		t.columns(base, l.columns)
	}
	switch {
	case base == "router.db": // of Oxidized and RANCID
		t.columns(base, columns{separator: ":", fields: 4, at: 3, class: verdict.Password})
		t.columns(base, columns{separator: ":", fields: 5, at: 4, class: verdict.Password})
		t.columns(base, columns{separator: ":", fields: 6, at: 5, class: verdict.Password})
	case base == "voicemail.conf":
		t.mailboxes()
	case base == "shiro.ini":
		t.members("[users]")
	case base == "resource.cfg":
		t.userMacros()
	case base == "access", strings.Contains(base, "authinfo"):
		t.authInfo()
	case strings.HasSuffix(base, ".csv"):
		t.table()
	}
	if strings.Contains(strings.ReplaceAll(strings.ToLower(name), "-", "_"), "google_authenticator") {
		t.seed(base)
	}
	whole := !t.isLine() && (!t.leaf.IsInDiff() || !strings.Contains(strings.TrimSpace(t.S), "\n"))
	if whole {
		t.single(name, base)
	}
	t.accounts(base, strings.Contains(strings.ToLower(name), "vsftpd/"))
	if whole {
		t.twoLines(base)
	}
}

// baseOf returns the name of a file without its directory, in lower case, and without the extension of a copy: `x.key.bak`.
func baseOf(file string) string {
	base := strings.TrimSuffix(strings.ToLower(path.Base(file)), "~")
	for _, ext := range []string{".bak", ".backup", ".old", ".orig", ".save", ".prev", ".new", ".alt", ".tmp"} {
		if original, found := strings.CutSuffix(base, ext); found && strings.Contains(original, ".") {
			return original
		}
	}
	return base
}

// isLine reports whether the text is one of several lines of a file, which are the elements of an Array. Comments and empty
// lines do not count.
func (t files) isLine() bool {
	list, _ := t.leaf.Element()
	if list == nil {
		return false
	}
	n := 0
	for _, v := range list.All() {
		text, isText := v.(pcore.String)
		if line := strings.TrimSpace(string(text)); !isText || line != "" && !lines.IsComment(line) {
			n++
		}
	}
	return n > 1
}

// members searches a section whose members are users with a password and roles: `name = X,
// admin`.
func (t files) members(section string) {
	in := false
	for start, end := range lines.All(t.S) {
		line := strings.TrimSpace(t.S[start:end])
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			in = line == section
		case in:
			t.column(section, columns{separator: "=", fields: 2, at: 1, until: ",", class: verdict.Password}, start, end)
		}
	}
}

// seed handles the first line of a file for the PAM module of Google Authenticator. The
// options follow below.
func (t files) seed(base string) {
	first := strings.TrimRight(t.S[:lines.End(t.S, 0)], " \t\r")
	if len(first) >= 16 && strings.Trim(first, string(alphabet.Alnum)) == "" {
		t.given(base, 0, len(first), verdict.Password)
	}
}

// userMacros searches the macros for secrets of Nagios: `$USER3$=X`.
func (t files) userMacros() {
	for start, end := range lines.All(t.S) {
		if rest, ok := strings.CutPrefix(t.S[start:end], "$USER"); ok {
			if _, secret, found := strings.Cut(rest, "$="); found {
				as := verdict.ClassOfArgument(secret)
				if digits, lower, upper, other := alphabet.Count(secret); digits > 1 && lower+upper > 0 && other > 0 && !verdict.IsTermed(secret) {
					as = verdict.ClassOfPair("", secret) // `falcon.2019`
				}
				t.given("USER", end-len(secret), end, as)
			}
		}
	}
}

// userList searches the accounts of PgBouncer, which are the only words of their lines: `"app" "X"`.
func (t files) userList() {
	for start, end := range lines.All(t.S) {
		words := lines.Words(t.scanner.words[:0], t.S, start, end)
		t.scanner.words = words
		if len(words) == 2 && words[0].Quoted && words[1].Quoted && verdict.IsName(words[0].Text) && t.S[start] == '"' {
			t.given(words[0].Text, words[1].Start, words[1].End, verdict.ClassOfPair(words[0].Text, words[1].Text))
		}
	}
}

// accounts searches a file with alternating lines of a user and a password, as used by
// OpenVPN and FTP daemons. inFTP means that the file is in the folder of vsftpd, where texts are the input for the database
// of its virtual users, whatever their names.
func (t files) accounts(base string, inFTP bool) {
	stem, extension, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	maybeUsers := false // only by the folder; the lines decide
	switch extension {
	case "auth", "creds", "credentials", "login", "userpass":
		stem = extension
	case "txt":
		if inFTP && !strings.Contains(stem, "chroot") && !strings.Contains(stem, "list") {
			stem, maybeUsers = "logins", true
		}
	}
	switch strings.ReplaceAll(stem, "_", "-") {
	case "auth-user-pass", "user-pass", "userpass", "virtual-users", "vusers", "vsftpd-users", "logins":
	default:
		switch stem[strings.LastIndexAny(stem, "-_")+1:] {
		case "auth", "credentials", "creds", "login", "pass":
		default:
			return
		}
	}
	if strings.ContainsAny(strings.Trim(t.S, " \r\n"), " =\t") || strings.ContainsAny(t.S[:lines.End(t.S, 0)], ":#;|,") {
		return
	}
	user := ""
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \r")
		switch {
		case line == "":
			return
		case user == "":
			user = line
		default:
			if !maybeUsers || !verdict.IsRelated(user, line) && verdict.LooksLikePasswordOf(user, line) {
				t.given(base, start, start+len(line), verdict.Password)
			}
			user = ""
		}
	}
}

// twoLines handles a file that consists of an account and a password, each on its line.
func (t files) twoLines(base string) {
	const longest = 128
	if len(t.S) > longest {
		return
	}
	user, rest, found := strings.Cut(strings.TrimRight(t.S, " \r\n"), "\n")
	user = strings.TrimRight(user, "\r")
	if found && verdict.IsName(user) && (verdict.FollowsRules(rest) || verdict.IsRandom(rest)) && !strings.ContainsAny(rest, " \t=:/\n") {
		t.given(base, len(t.S[:strings.IndexByte(t.S, '\n')+1]), strings.IndexByte(t.S, '\n')+1+len(rest), verdict.Password)
	}
}

// mailboxes searches the mailboxes of Asterisk: `100 => PIN,Name,address`.
func (t files) mailboxes() {
	for start, end := range lines.All(t.S) {
		line := t.S[start:end]
		box, rest, found := strings.Cut(line, "=>")
		pin, _, more := strings.Cut(rest, ",")
		if text := strings.TrimSpace(pin); found && more && alphabet.IsNumber(strings.TrimSpace(box)) && (text != "" && alphabet.IsNumber(text) || verdict.IsRandom(text) || verdict.FollowsRules(text)) {
			from := start + len(box) + len("=>") + strings.Index(pin, text)
			t.given("mailbox", from, from+len(text), verdict.Password)
		}
	}
}

// authInfo searches the mail accounts of Sendmail: `"U:user" "P:password"`. An equals sign
// in place of the colon marks base64.
func (t files) authInfo() {
	for _, mark := range []string{`"P:`, `"P=`} {
		for i := range t.occurrences(mark) {
			at := i + len(mark)
			line := t.S[at:min(len(t.S), at+verdict.MaxValue)]
			if secret, _, found := strings.Cut(line[:lines.End(line, 0)], `"`); found {
				t.given("AuthInfo", at, at+len(secret), verdict.Password)
			}
		}
	}
}

// single handles a file that contains one word if its name is the name of a secret:
// `.erlang.cookie`, `master.key`, `/run/secrets/db_password`.
func (t files) single(whole, base string) {
	v := strings.TrimSpace(t.S)
	if v == "" || len(v) > 2048 || strings.HasPrefix(v, pemDash) || strings.ContainsAny(v, "\n\r\t ") && (strings.ContainsAny(v, " \t") || !decode.IsFolded(v)) && !verdict.IsPassphrase(v) && !verdict.IsSpokenPhrase(v) {
		return
	}
	as := t.classOfFile(whole, base)
	if as < verdict.Token && (t.isPrivate() || isHidden(base)) && verdict.IsUnmistakable(v) && !strings.ContainsAny(v, "/:@=<>(){}[]") && !alphabet.IsHex(v) && !t.names().Identifies(base) {
		as = verdict.ClassOfArgument(v)
	}
	if as.Secret() {
		i := strings.Index(t.S, v)
		t.given(base, i, i+len(v), as)
	}
}

// isPrivate reports whether only the owner of the file may read it, or its changes are not shown.
func (t files) isPrivate() bool {
	r := t.leaf.Resource
	if r == nil {
		return false
	}
	mode, _ := r.Parameters.GetString("mode")
	switch mode {
	case pcore.String("0400"), pcore.String("0600"), pcore.String("400"), pcore.String("600"), pcore.String("u=rw,go="), pcore.String("u=r,go="):
		return true
	}
	show, _ := r.Parameters.GetString("show_diff")
	return show == pcore.Boolean(false)
}

// isHidden reports whether a file is hidden, and its name is not that of a version or of settings: `.ruby-version`, `.nvmrc`.
func isHidden(base string) bool {
	return base[0] == '.' && !strings.HasSuffix(base, "rc") && !strings.Contains(base, "version") && !strings.Contains(base, "gemset") && !strings.HasSuffix(base, "ignore")
}

// ofSecrets searches a file whose name says that it has secrets, on lines of an unknown format: the field that looks like a
// password is one, `site 21 X`.
func (t files) ofSecrets(base string) {
	if !t.isOfSecrets(base) || strings.HasPrefix(t.S, "{") || strings.HasPrefix(t.S, "[") {
		return
	}
	looks, isOfKeys := verdict.LooksChosen, strings.Contains(base, "key") || strings.Contains(base, "token")
	if isOfKeys {
		looks = isLongKey // a keyboard has keys, too, and a language has tokens
	}
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \t\r,")
		trimmed := strings.TrimLeft(line, " \t-")
		if trimmed == "" || trimmed[0] == '{' || len(line) > lines.Reach || lines.IsComment(trimmed) || strings.Contains(line, pemDash) || strings.Count(trimmed, " ") >= mostFields {
			continue
		}
		at := start + len(line) - len(trimmed)
		n := strings.IndexAny(trimmed, ":=;,\t")
		if n > 0 && verdict.IsName(strings.Trim(trimmed[:n], "\"' ")) {
			if rest := strings.Trim(trimmed[n+1:], " \t>\"'"); verdict.IsSpokenPhrase(rest) {
				from := at + n + strings.Index(trimmed[n:], rest)
				t.given(base, from, from+len(rest), verdict.Password)
				continue
			}
		}
		separators := " \t:=\"'"
		if strings.ContainsAny(trimmed, ";,|") {
			separators = ";,|\"'"
		}
		fields := strings.FieldsFunc(trimmed, func(r rune) bool { return strings.ContainsRune(separators, r) })
		if len(fields) < 2 || t.names().Identifies(fields[0]) {
			continue
		}
		isMember := n > 0 && (trimmed[n] == ':' || trimmed[n] == '=') && t.classOf(fields[0]) == verdict.Plain
		behind := at
		for i, field := range fields {
			from := behind + strings.Index(t.S[behind:end], field)
			behind = from + len(field)
			if isMember && !verdict.IsUnmistakable(field) {
				continue // a setting beside the secrets: `region: EuWest1a`
			}
			ofTwo := i == 1 && len(fields) == 2 && !isOfKeys && verdict.ClassOfPair(fields[0], field) == verdict.Password && !verdict.IsTermed(field)
			if (ofTwo || looks(field)) && !strings.ContainsAny(field, " /@<>(){}[]$\\") && !(alphabet.IsHex(field) && len(field) < shortestKey) {
				as := verdict.ClassOfPair("", field)
				if ofTwo {
					as = verdict.Password
				}
				t.given(base, from, from+len(field), as)
			}
		}
	}
}

// ofAccounts searches a file whose name says that it has accounts, if each line has the name of one in front and most have a field
// behind it that looks like its password: `app:X`, `app;X;1`.
func (t files) ofAccounts(base string) {
	stem, extension, _ := strings.Cut(base, ".")
	switch extension {
	case "csv", "yaml", "yml", "json", "toml", "xml", "conf", "ini", "cfg", "sql":
		return // in formats with names
	}
	if t.kind != settings || !t.names().HasAccounts(stem) {
		return
	}
	var found []lines.Word
	n, isSure := 0, false
	for start, end := range lines.All(t.S) {
		line := strings.TrimRight(t.S[start:end], " \t\r")
		if lines.IsComment(line) {
			continue
		}
		i := strings.IndexAny(line, ":;, \t")
		if n++; i <= 0 || !verdict.IsName(line[:i]) {
			return
		}
		secret := strings.TrimLeft(line[i+1:], " \t")
		from := start + len(line) - len(secret)
		if k := strings.IndexAny(secret, ":;, \t"); k >= 0 {
			secret = secret[:k]
		}
		if verdict.IsPasswordOf(line[:i], secret) && !strings.ContainsAny(secret, "/@<>(){}[]$\\=") {
			found = append(found, lines.Word{Start: from, End: from + len(secret)})
			isSure = isSure || verdict.IsUnmistakable(secret)
		}
	}
	if len(found)*2 < n || !isSure {
		return
	}
	for _, w := range found {
		t.given(base, w.Start, w.End, verdict.Password)
	}
}

// shortestKey is the minimum number of hexadecimal digits of a key in a list. Identifiers have fewer.
const shortestKey = 32

// mostFields is the maximum number of fields of a line of such a file. A line with more of them is a sentence.
const mostFields = 5

// isLongKey reports whether a field looks random, and is too long for a name.
func isLongKey(field string) bool {
	const shortest = 16
	return len(field) >= shortest && verdict.IsRandom(field)
}

// isOfSecrets reports whether the name of a file of settings is that of secrets: `pins.csv`, `dav.secrets`.
func (t files) isOfSecrets(base string) bool {
	if t.kind != settings || strings.HasPrefix(base, "authorized") || strings.HasPrefix(base, "known") {
		return false
	}
	for part := range strings.SplitSeq(base, ".") {
		switch verdict.LastWord(part) {
		case "passwords", "password", "secrets", "pins", "pw", "creds", "credentials", "passphrases", "psks", "keys", "tokens", "zugangsdaten", "kennwoerter":
			return true
		}
	}
	return false
}

// classOfFile returns the class of a file that contains one word, by its path and its name in
// lower case.
func (t *Text) classOfFile(whole, base string) verdict.NameClass {
	names := t.names()
	stem := base
	for _, ext := range []string{".txt", ".key", ".conf", ".cfg", ".dat", ".secret", ".asc", ".b64", ".psk", ".hex", ".bin", ".raw"} {
		stem = strings.TrimSuffix(stem, ext)
	}
	stem, ofFile := strings.CutSuffix(stem, "file") // `keyfile`, `connauthfile`
	as := names.ClassOf(strings.TrimPrefix(base, "."))
	if s := names.ClassOf(stem); as == verdict.Plain || s.May() {
		as = max(as, s)
	}
	if ofFile && (as == verdict.Hint || strings.HasSuffix(stem, "key") || strings.HasSuffix(stem, "auth")) {
		as = verdict.Token
	}
	if as == verdict.Never {
		return as
	}
	if strings.Contains(strings.ToLower(whole), "/keys/") && path.Ext(base) == ".bin" {
		as = max(as, verdict.Token)
	}
	if l, ok := listingOf(base, strings.ToLower(whole), true); ok {
		as = max(as, l.class)
	} else if as == verdict.Hint && strings.HasSuffix(base, "cookie") {
		as = verdict.Password
	}
	return as
}
