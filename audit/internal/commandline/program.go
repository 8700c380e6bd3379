package commandline

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// program handles the arguments of a program.
func (t *Text) program(name string, words []argument) {
	for _, known := range []string{name, ""} {
		uses := programs()[known]
		for i := range uses {
			t.uses(name, &uses[i], words)
		}
	}
	for i := range words {
		t.settings(words, i)
		t.header(&words[i])
		t.spoken(name, words, i)
		t.literal(&words[i])
		if w := words[i].text; w != "" && w[0] != '-' && (strings.IndexByte(w, ':') > 0 || strings.IndexByte(w, '@') > 0 && strings.IndexByte(w, '/') > 0) {
			t.pair(&words[i], name, 0)
		}
	}
	t.operandsAbout(name, words)
	t.loggedIn(name, words)
	t.option(words)
	t.special(name, words)
}

// special handles programs with their own way to take a secret.
func (t *Text) special(name string, words []argument) {
	switch name {
	case "net":
		t.share(words)
	case "printf":
		t.formatted(words)
	case "redis-cli", "valkey-cli":
		t.accessRule(name, words)
	case "sed":
		t.substitution(words)
	case "curl":
		t.body(words)
	case "smbclient":
		if len(words) > 1 && strings.HasPrefix(words[0].text, "//") && !strings.HasPrefix(words[1].text, "-") {
			t.whole(&words[1], name, verdict.Password)
		}
	case "sqlplus", "rman", "impdp", "expdp", "sqlldr":
		t.oracle(words)
	case "consul", "etcdctl", "vault", "bao":
		t.stored(name, words)
	}
}

// body handles the body of a request that is a password as a whole: `curl -X PUT -d X https://example.com/change-password`.
func (t *Text) body(words []argument) {
	isPlain := func(w argument) bool { return isAboutSecrets(strings.ToLower(w.text)) }
	if !slices.ContainsFunc(words, isPlain) {
		return
	}
	for i := 1; i < len(words); i++ {
		if w := &words[i]; listed("-d --data --data-raw --data-binary --data-ascii", words[i-1].text) && verdict.LooksChosen(w.text) && !strings.ContainsAny(w.text, "/=&:@{}[]<>(), ") {
			t.whole(w, words[i-1].text, verdict.Token)
		}
	}
}

// isAboutSecrets reports whether a word of a request, in lower case, says that its body may be a password: the type of a plain
// text, or an address about passwords.
func isAboutSecrets(low string) bool {
	for _, part := range []string{"text/plain", "password", "passwd", "secret"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return false
}

// specialPrograms are the programs that have their own way to take a secret, see special.
const specialPrograms = "net redis-cli valkey-cli smbclient sqlplus rman impdp expdp sqlldr etcdctl"

// stored handles a value that a command puts into a key-value store. In that of Vault each value is
// a secret; elsewhere the value must look like a password.
func (t *Text) stored(program string, words []argument) {
	for i := range words {
		if words[i].text != "put" && words[i].text != "write" {
			continue
		}
		operands := words[i+1:]
		for len(operands) > 0 && strings.HasPrefix(operands[0].text, "-") {
			operands = operands[1:]
		}
		switch {
		case len(operands) < 2:
		case program == "consul" || program == "etcdctl":
			t.whole(&operands[1], verdict.LastPart(operands[0].text), verdict.ClassOfArgument(operands[1].text))
		default:
			for k := range operands[1:] {
				w := &operands[k+1]
				name, value, found := strings.Cut(w.text, "=")
				if as := t.Names.ClassOf(name); found && !as.May() && as != verdict.Never && !t.Names.HarmlessChild(name) {
					t.word(w, name, len(w.text)-len(value), len(w.text), verdict.ClassOfArgument(value))
				}
			}
		}
		return
	}
}

// formatted handles the arguments of printf that follow a name in its format: `printf
// 'pw=%s' SECRET`.
func (t *Text) formatted(words []argument) {
	for i := 1; i < min(len(words), maxGroup); i++ {
		option := BeforeVerb(strings.ReplaceAll(words[0].text, `\n`, "\n"), i)
		if as := t.Names.ClassOf(option); as.Secret() {
			t.whole(&words[i], option, as)
		}
	}
}

// accessRule handles access rules of Redis: `ACL SETUSER name on >SECRET`.
func (t *Text) accessRule(name string, words []argument) {
	for i := 3; i < len(words); i++ {
		if w := &words[i]; len(w.text) > 1 && w.text[0] == '>' && strings.EqualFold(words[i-1].text, "on") {
			t.word(w, name, 1, len(w.text), verdict.Password)
		}
	}
}

// spoken handles words of a command that are the name of a secret, but not options:
// `set-initial-password X`, `CONFIG SET requirepass X`, `… user u pass X`.
func (t *Text) spoken(program string, words []argument, i int) {
	w := words[i].text
	if i+1 >= len(words) || len(w) < 4 || len(w) > 40 || w[0] == '-' {
		return
	}
	switch program {
	case "bw", "lpass", "op", "pass", "gopass", "rbw":
		return // a password manager, and the name of an entry
	}
	if keepsSecrets(program) && (w == "secret" || w == "secrets" || w == "token") {
		return // the type of an object, and its name
	}
	if strings.ContainsAny(w, "=:/. ") || !t.Names.ClassOf(w).Open() {
		return
	}
	if next := &words[len(words)-1]; strings.Contains(w, "-password") && !strings.HasPrefix(next.text, "-") {
		t.whole(next, w, verdict.Token)
	} else if i > 0 || strings.Contains(w, "-password") {
		at := i + 1
		for at+2 < len(words) && len(words[at].text) == 2 && words[at].text[0] == '-' {
			at += 2 // an option with its argument
		}
		next = &words[at]
		t.whole(next, w, verdict.Token)
	}
}

// operandsAbout handles the arguments of a program that no table has. One that looks random
// is a secret if it is the last operand of a command about accounts or secrets, by the name
// of the program or a word before it: `setpw admin X`, `ctl user add NAME X`; or if it has
// letters of both cases and digits, as no name does.
func (t *Text) operandsAbout(program string, words []argument) {
	if program == "for" {
		t.loopWords(words)
	}
	if keepsSecrets(program) || isFilter(program) || listed("echo printf test git [ [[ export getopts while until if for case", program) {
		return
	}
	about := t.Names.ClassOf(program).Open()
	// The positions of the name of a user, if a command is about one, and of an account that it makes.
	user, made := len(words), len(words)
	if makesAccount(program) && !listed("useradd adduser luseradd createuser smbldap-useradd", program) {
		made = 0 // the listed ones take no password as an operand
	}
	_, known := programs()[program]
	for i := range words {
		w := &words[i]
		if w.text == "" || w.text[0] == '-' || w.live {
			continue
		}
		from := strings.IndexByte(w.text, ':') + 1
		before := ""
		if i > 0 {
			before = words[i-1].text
		}
		switch value := w.text[from:]; {
		case i > 1 && !known && !listed("dig host nslookup drill ping traceroute mtr whois", program) && isPasswordOn(words[i-2].text, before, w.text) && (verdict.IsUnmistakable(w.text) || logsIn(program)):
			t.whole(w, program, verdict.ClassOfArgument(w.text))
		case i > made && !strings.HasPrefix(before, "-") && looksGiven(w.text):
			t.whole(w, program, verdict.Phrase)
		case !isNameWithMarks(value) || strings.HasPrefix(before, "--") || before == "=":
		case before == "<<<" && reads(program): // the standard input; see command
		case (about || i > user) && verdict.FollowsRules(value) && !strings.HasPrefix(before, "-"):
			t.word(w, program, from, len(w.text), verdict.Token)
		case about && i == len(words)-1 && !strings.HasPrefix(before, "-"):
			t.whole(w, program, verdict.Hint)
		case from == 0 && strings.HasPrefix(before, "-"):
		case !known && verdict.ClassOfArgument(value) == verdict.Password && len(value) >= 12 && verdict.IsName(w.text[:max(from-1, 0)]+"x") && !strings.ContainsAny(value, ".-"):
			t.word(w, program, from, len(w.text), verdict.Hint)
		}
		if verdict.HasWord(w.text, "user") && verdict.IsName(w.text) {
			user = min(user, i+1)
		}
		if i < 2 && !listed("tar make helm cp mv rm", program) && makesAccount(w.text[strings.LastIndexByte(w.text, '/')+1:]) {
			made = min(made, i+1)
		}
		about = about || i < len(words)-1 && verdict.IsName(w.text) && (t.Names.ClassOf(w.text).Secret() || addsUser(w.text) || listed("login auth authenticate user users account adduser useradd", strings.ToLower(w.text)))
	}
}

// isPasswordOn reports whether the third of three operands looks like the password of an account on a host, which are the
// others: `put ftp.example.com app X`.
func isPasswordOn(host, account, s string) bool {
	const shortest = 3 // dots of a passphrase that is no host
	return verdict.IsServer(host) && verdict.IsName(account) && account[0] != '-' &&
		!strings.ContainsAny(account, ".:") && verdict.LooksLikePasswordOf(account, s) && isNameWithMarks(s) && (!strings.Contains(s, ".") || strings.Count(s, ".") >= shortest && verdict.IsDottedPhrase(s))
}

// logsIn reports whether a program, by its name, logs in to a host with a password: `put`, `ftp-sync`.
func logsIn(program string) bool {
	for _, part := range []string{"put", "get", "ftp", "login", "sync", "mount"} {
		if verdict.HasWord(program, part) {
			return true
		}
	}
	return false
}

// loopWords handles the words that a loop goes over, if they look random and are too long for names:
// `for key in X Y; do`.
func (t *Text) loopWords(words []argument) {
	const long = 24
	for i := range words {
		if w := &words[i]; i > 1 && words[1].text == "in" && len(w.text) >= long && verdict.IsRandom(w.text) {
			t.whole(w, words[0].text, verdict.Hint)
		}
	}
}

// addsUser reports whether a word is a command that creates or changes a user:
// `create_or_update_user`.
func addsUser(s string) bool {
	return verdict.HasWord(s, "user") && (verdict.HasWord(s, "create") || verdict.HasWord(s, "add") || verdict.HasWord(s, "update"))
}

// makesAccount reports whether a word is, by its name, a command that makes an account. The word behind it names the account:
// `vmail-add`, `usersmanager:create`, `adduser.js`.
func makesAccount(s string) bool {
	const longest = 32
	if len(s) > longest {
		return false
	}
	const nouns, verbs = "user users usersmanager account accounts mailbox mailboxes vmail", "add create new"
	noun, verb := false, false
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune("-_.:", r) }) {
		noun, verb = noun || listed(nouns, w), verb || listed(verbs, w)
		for v := range strings.FieldsSeq(verbs) {
			rest, isVerb := strings.CutPrefix(w, v)
			if !isVerb {
				rest, isVerb = strings.CutSuffix(w, v)
			}
			if isVerb && listed(nouns, rest) {
				return true
			}
		}
	}
	return noun && verb
}

// looksGiven reports whether a word behind the name of a new account looks like its password. Groups, quotas and names of people
// are there, too.
func looksGiven(s string) bool {
	const fewest = 3 // separators
	switch {
	case verdict.IsDrawnOrMarked(s):
		return isNameWithMarks(s)
	case verdict.IsPassphrase(s):
		return strings.Count(s, " ") >= fewest
	case verdict.IsPhrase(s):
		return strings.Count(s, "-")+strings.Count(s, "_")+strings.Count(s, ".") >= fewest
	}
	return verdict.IsDottedPhrase(s) && alphabet.IsNumber(s[len(s)-1:])
}

// isNameWithMarks reports whether s is a name, as [verdict.IsName] reports it, without the marks that
// passwords contain.
func isNameWithMarks(s string) bool {
	found := false
	for i := range len(s) {
		switch s[i] {
		case '!', '#', '?', '~', '^':
		default:
			if found = verdict.IsName(s[i : i+1]); !found {
				return false
			}
		}
	}
	return found
}

// keepsSecrets reports whether a program refers to secrets by their names.
func keepsSecrets(program string) bool {
	switch program {
	case "kubectl", "oc", "docker", "podman", "buildah", "nerdctl", "aws", "az", "gcloud", "nomad", "virsh":
		return true
	}
	return false
}

// substitution handles the replacement that sed inserts for the name of a secret:
// `s/__PASSWORD__/X/`.
func (t *Text) substitution(words []argument) {
	for i := range words {
		w := &words[i]
		if len(w.text) < 8 || w.text[0] != 's' || alphabet.IsAlnum(w.text[1]) {
			continue
		}
		parts := strings.SplitN(w.text[2:], w.text[1:2], 3)
		if len(parts) < 3 || strings.ContainsAny(parts[0], "()[]\\=") {
			continue
		}
		name := strings.Trim(parts[0], "^$@_%{}<>*. ")
		if as := t.Names.ClassOf(name); as.Secret() {
			from := 2 + len(parts[0]) + 1
			t.word(w, name, from, from+len(parts[1]), as)
		}
	}
}

// share handles `net use Z: \\host\share SECRET /user:NAME`. The secret is the first word
// after the share that is not an option.
func (t *Text) share(words []argument) {
	if len(words) == 0 || words[0].text != "use" {
		return
	}
	shared := false
	for i := range words {
		switch w := &words[i]; {
		case strings.HasPrefix(w.text, `\`):
			shared = true
		case shared && w.text != "" && w.text[0] != '/':
			if w.text != "*" {
				t.whole(w, "net use", verdict.Password)
			}
			return
		}
	}
}

// literal handles words with a prefix for a secret: `pass:SECRET` of OpenSSL,
// `--from-literal=NAME=SECRET` of kubectl, `hmac-sha256:name:SECRET` of TSIG.
func (t *Text) literal(w *argument) {
	if rest, ok := strings.CutPrefix(w.text, "pass:"); ok && rest != "" {
		t.word(w, "pass", len(w.text)-len(rest), len(w.text), verdict.Password)
	}
	if rest, ok := strings.CutPrefix(w.text, "--from-literal="); ok {
		if name, value, found := strings.Cut(rest, "="); found {
			if as := t.Names.ClassOf(name); as != verdict.Never {
				t.word(w, name, len(w.text)-len(value), len(w.text), max(as, verdict.Token))
			}
		}
	}
	if strings.HasPrefix(w.text, "hmac-") && strings.Count(w.text, ":") == 2 {
		t.word(w, "tsig", strings.LastIndexByte(w.text, ':')+1, len(w.text), verdict.Password)
	}
}

// settings handles `set NAME VALUE` in programs that change a configuration.
func (t *Text) settings(words []argument, i int) {
	if i+1 >= len(words) || i == 0 || strings.ContainsAny(words[i].text, "=$") {
		return
	}
	before := i - 1
	for before > 0 && strings.HasPrefix(words[before].text, "-") && strings.Contains(words[before].text, "=") {
		before-- // `put -cas=1 NAME VALUE`
	}
	switch words[before].text {
	case "set", "setx", "config", "put": // also of key-value stores
	default:
		if i < 2 || words[i-2].text != "set" && words[i-2].text != "config" && (i < 3 || words[i-3].text != "--set" && words[i-3].text != "set") {
			return
		}
	}
	name := verdict.LastPart(words[i].text)
	as := t.Names.ClassOf(name)
	if as == verdict.Password || as == verdict.Token || as == verdict.Hint && strings.HasSuffix(name, "auth") {
		at := i + 1
		switch words[at].text {
		case "--body", "-b", "--value", "--": // `gh secret set NAME --body X`
			at = min(at+1, len(words)-1)
		}
		if strings.HasPrefix(words[at].text, "--") {
			return // the next option: the word before it is not a name
		}
		t.whole(&words[at], name, as)
	}
}

// header handles an HTTP header in a word: `Authorization: Bearer …`, `X-Api-Key: …`.
func (t *Text) header(w *argument) {
	name, value, ok := strings.Cut(w.text, ": ")
	if !ok {
		if name, value, ok = strings.Cut(w.text, ":"); !ok || strings.HasPrefix(value, "//") || !strings.Contains(name, "-") {
			return
		}
	}
	_, last, found := strings.Cut(name, "=")
	if found {
		name = last
	}
	if !verdict.IsName(name) {
		return
	}
	value = strings.TrimSpace(value)
	as := t.Names.ClassOf(name)
	if !as.May() {
		return
	}
	if rest, _, ok := verdict.CutScheme(name, value); ok {
		value = rest
		as = verdict.Password
	}
	from := strings.LastIndex(w.text, value)
	t.word(w, name, from, from+len(value), max(as, verdict.Token))
}

// oracle handles `user/secret@service`.
func (t *Text) oracle(words []argument) {
	for i := range words {
		w := &words[i]
		user, rest, ok := strings.Cut(w.text, "/")
		if !ok || user == "" || !verdict.IsIdentifier(user) {
			continue
		}
		secret := rest
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			secret = rest[:at]
		}
		if secret != "" {
			from := len(user) + 1
			t.word(w, "user", from, from+len(secret), verdict.Password)
			return
		}
	}
}
