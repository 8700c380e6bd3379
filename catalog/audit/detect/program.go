package detect

import (
	"slices"
	"strings"
	"sync"
)

// taking says how a program takes a secret.
type taking struct {
	// next are the options whose secret is the next word, joined those whose
	// secret follows in the same word; pairs those whose argument is
	// `user:secret` or `user%secret`.
	next, joined, pairs string
	// after are words whose arguments hold the secret at a position behind
	// them: `add_user NAME SECRET`.
	after map[string]int
	// only is the word that there must be for the options to count.
	only string
	// first tells that the first word behind is the secret, second that the
	// second is.
	first, second bool
	// last is the option with which the last word is the secret.
	last string
}

var mysqlFamily = taking{joined: "-p"}

// programs are those whose options do not tell by their name that they take a
// secret.
var programs = sync.OnceValue(func() map[string]taking {
	return map[string]taking{
		"add-user.sh":             {next: "-p"},
		"add-user.bat":            {next: "-p"},
		"esxcli":                  {next: "-p"},
		"mc":                      {after: map[string]int{"set": 4, "add": 4}, only: "alias"},
		"smbmap":                  {next: "-p"},
		"consul":                  {next: "-install", after: map[string]int{"set-agent-token": 2}},
		"nomad":                   {after: map[string]int{"install": 1}, only: "keyring"},
		"check_mysql_query":       {next: "-p"},
		"check_pgsql":             {next: "-p"},
		"check_radius":            {next: "-p"},
		"check_nt":                {next: "-s"},
		"check_imap":              {next: "-p"},
		"check_ftp_login":         {next: "-p"},
		"check_jmx":               {next: "-p"},
		"check_oracle":            {next: "-p"},
		"cloudflared":             {after: map[string]int{"install": 1}},
		"doveadm":                 {next: "-p", only: "pw"},
		"ejabberdctl":             {after: map[string]int{"register": 3, "change_password": 3}},
		"elasticsearch-users":     {next: "-p"},
		"grafana-cli":             {after: map[string]int{"reset-admin-password": 1}},
		"grafana":                 {after: map[string]int{"reset-admin-password": 1}},
		"nmcli":                   {after: map[string]int{"password": 1, "wifi-sec.psk": 1, "802-11-wireless-security.psk": 1, "wifi-sec.wep-key0": 1, "802-1x.password": 1}},
		"prosodyctl":              {after: map[string]int{"register": 3}},
		"pkcs11-tool":             {next: "-p --pin --so-pin --new-pin"},
		"pkcs15-init":             {next: "--pin --so-pin --puk"},
		"softhsm2-util":           {next: "--pin --so-pin"},
		"signtool":                {next: "/p"},
		"condor_store_cred":       {next: "-p"},
		"pdnsutil":                {after: map[string]int{"import-tsig-key": 3}},
		"mkpasswd":                {first: true},
		"suseconnect":             {next: "-r"},
		"wpa_passphrase":          {second: true},
		"wpa_cli":                 {after: map[string]int{"psk": 1}},
		"xfreerdp":                {joined: "/p:"},
		"xfreerdp3":               {joined: "/p:"},
		"wfreerdp":                {joined: "/p:"},
		"7z":                      {joined: "-p"},
		"7za":                     {joined: "-p"},
		"addprinc":                {next: "-pw"},
		"az":                      {next: "-p", only: "login"},
		"bcp":                     {next: "-P", joined: "-P"},
		"buildah":                 {next: "-p", only: "login"},
		"certutil":                {next: "-p"},
		"check_http":              {pairs: "-a"},
		"check_ldap":              {next: "-P"},
		"check_mysql":             {next: "-p"},
		"check_snmp":              {next: "-C"},
		"composer":                {after: map[string]int{"http-basic": 0}},
		"convertto-securestring":  {first: true},
		"cqlsh":                   {next: "-p"},
		"curl":                    {pairs: "-u --user -U --proxy-user"},
		"cyradm":                  {next: "-w"},
		"docker":                  {next: "-p", only: "login"},
		"etcdctl":                 {pairs: "--user -u"},
		"fence_ipmilan":           {next: "-p"},
		"groupadd":                {next: "-p"},
		"htpasswd":                {last: "-b"},
		"http":                    {pairs: "-a --auth"},
		"https":                   {pairs: "-a --auth"},
		"ipa-client-install":      {next: "-w"},
		"ipa-getkeytab":           {next: "-w"},
		"ipa-server-install":      {next: "-a -p"},
		"ipmitool":                {next: "-P", after: map[string]int{"password": 2}},
		"iscsiadm":                {after: map[string]int{"-v": 1}},
		"isql":                    {next: "-P"},
		"isql-fb":                 {next: "-p"},
		"kadmin":                  {next: "-w"},
		"kadmin.local":            {next: "-pw"},
		"ldapadd":                 {next: "-w"},
		"ldapcompare":             {next: "-w"},
		"ldapdelete":              {next: "-w"},
		"ldapmodify":              {next: "-w"},
		"ldapmodrdn":              {next: "-w"},
		"ldappasswd":              {next: "-w -s -a"},
		"ldapsearch":              {next: "-w"},
		"ldapwhoami":              {next: "-w"},
		"lftp":                    {pairs: "-u"},
		"mariadb":                 mysqlFamily,
		"mariadb-admin":           mysqlFamily,
		"mariadb-dump":            mysqlFamily,
		"mongo":                   {next: "-p"},
		"mongodb":                 {next: "-p"},
		"mongodump":               {next: "-p"},
		"mongoexport":             {next: "-p"},
		"mongoimport":             {next: "-p"},
		"mongorestore":            {next: "-p"},
		"mongosh":                 {next: "-p"},
		"mosquitto_passwd":        {last: "-b"}, //nolint:misspell // the broker has two t
		"mosquitto_pub":           {next: "-P"}, //nolint:misspell // the broker has two t
		"mosquitto_sub":           {next: "-P"}, //nolint:misspell // the broker has two t
		"mydumper":                {next: "-p", joined: "-p"},
		"mysql":                   mysqlFamily,
		"mysqladmin":              {joined: "-p", after: map[string]int{"password": 1}},
		"mysqlbinlog":             mysqlFamily,
		"mysqlcheck":              mysqlFamily,
		"mysqldump":               mysqlFamily,
		"mysqlimport":             mysqlFamily,
		"mysqlpump":               mysqlFamily,
		"mysqlshow":               mysqlFamily,
		"mysqlslap":               mysqlFamily,
		"ncftpget":                {next: "-p"},
		"ncftpput":                {next: "-p"},
		"net":                     {pairs: "-U", after: map[string]int{"user": 2}},
		"net-snmp-create-v3-user": {next: "-A -X -a -x"},
		"nodetool":                {next: "-pw"},
		"oc":                      {next: "-p", only: "login"},
		"openssl":                 {next: "-k -K -passwd"},
		"osql":                    {next: "-P"},
		"pk12util":                {next: "-W -K -w -k"},
		"plink":                   {next: "-pw"},
		"podman":                  {next: "-p", only: "login"},
		"pscp":                    {next: "-pw"},
		"psexec":                  {next: "-p"},
		"putty":                   {next: "-pw"},
		"rabbitmqadmin":           {next: "-p"},
		"rabbitmqctl":             {after: map[string]int{"add_user": 2, "change_password": 2, "authenticate_user": 2}},
		"racadm":                  {next: "-p"},
		"rar":                     {joined: "-p -hp"},
		"rdesktop":                {next: "-p"},
		"redis-benchmark":         {next: "-a"},
		"redis-cli":               {next: "-a --pass"},
		"rpcclient":               {pairs: "-U"},
		"schtasks":                {next: "/rp"},
		"sendemail":               {next: "-xp"},
		"skopeo":                  {pairs: "--creds --src-creds --dest-creds"},
		"slappasswd":              {next: "-s"},
		"smbcacls":                {pairs: "-U"},
		"smbclient":               {pairs: "-U --user"},
		"snmpbulkwalk":            {next: "-c -A -X"},
		"snmpget":                 {next: "-c -A -X"},
		"snmpset":                 {next: "-c -A -X"},
		"snmptrap":                {next: "-c -A -X"},
		"snmpusm":                 {next: "-A -X"},
		"snmpwalk":                {next: "-c -A -X"},
		"sqlcmd":                  {next: "-P", joined: "-P"},
		"ssh-keygen":              {next: "-N -P"},
		"sshpass":                 {next: "-p", joined: "-p"},
		"swaks":                   {next: "-ap"},
		"ttyd":                    {pairs: "-c"},
		"unrar":                   {joined: "-p"},
		"unzip":                   {next: "-P", joined: "-P"},
		"useradd":                 {next: "-p"},
		"usermod":                 {next: "-p"},
		"valkey-cli":              {next: "-a --pass"},
		"vault":                   {after: map[string]int{"login": 1, "unseal": 1}},
		"winexe":                  {pairs: "-U"},
		"wmic":                    {pairs: "-U"},
		"zip":                     {next: "-P", joined: "-P"},
	}
})

// program looks at the words behind the name of a program.
func (t *Text) program(name string, words []argument) {
	p := programs()[name]
	if p.only != "" && !slices.ContainsFunc(words, func(w argument) bool { return w.text == p.only }) {
		p = taking{}
	}
	for i := range words {
		w := &words[i]
		more := i+1 < len(words)
		switch {
		case more && listed(p.next, w.text):
			t.word(&words[i+1], w.text, 0, len(words[i+1].text), password)
		case more && listed(p.pairs, w.text):
			t.account(&words[i+1])
		case strings.HasPrefix(w.text, "-"), strings.HasPrefix(w.text, "/"):
			t.joinedOption(p, w)
		}
		if at, ok := p.after[w.text]; ok && at > 0 && i+at < len(words) && words[i+at].text != "" && words[i+at].text[0] != '-' {
			t.word(&words[i+at], w.text, 0, len(words[i+at].text), password)
		}
		t.settings(words, i)
		t.header(w)
		t.spoken(words, i)
		if strings.HasPrefix(w.text, "hmac-") && strings.Count(w.text, ":") == 2 { // of TSIG
			t.word(w, "tsig", strings.LastIndexByte(w.text, ':')+1, len(w.text), password)
		}
		for _, prefix := range []string{"pass:", "--from-literal="} {
			if rest, ok := strings.CutPrefix(w.text, prefix); ok && rest != "" {
				t.literal(w, len(prefix), rest, prefix)
			}
		}
	}
	if p.first && len(words) > 0 && !strings.HasPrefix(words[0].text, "-") {
		t.word(&words[0], name, 0, len(words[0].text), password)
	}
	if p.second && len(words) > 1 && !strings.HasPrefix(words[0].text, "-") {
		t.word(&words[1], name, 0, len(words[1].text), password)
	}
	if p.last != "" && len(words) >= 4 && hasOption(words, p.last) {
		w := &words[len(words)-1]
		t.word(w, name, 0, len(w.text), password)
	}
	if name == "openssl" && len(words) > 1 && words[0].text == "passwd" && !strings.HasPrefix(words[len(words)-1].text, "-") && !strings.HasPrefix(words[len(words)-2].text, "-salt") {
		w := &words[len(words)-1]
		t.word(w, "openssl passwd", 0, len(w.text), password)
	}
	t.loggedIn(words)
	if name == "net" {
		t.share(words)
	}
	if name == "sed" {
		t.substitution(words)
	}
	if name == "sqlplus" || name == "rman" || name == "impdp" || name == "expdp" || name == "sqlldr" {
		t.oracle(words)
	}
}

// spoken looks at words of a command that name a secret, without being options:
// `set-initial-password X`, `CONFIG SET requirepass X`, `… user u pass X`.
func (t *Text) spoken(words []argument, i int) {
	w := words[i].text
	if i+1 >= len(words) || len(w) < 4 || len(w) > 40 || w[0] == '-' || strings.ContainsAny(w, "=:/. ") || !t.scanner.detector.names.sortOf(w).open() {
		return
	}
	if next := &words[len(words)-1]; strings.Contains(w, "-password") {
		t.word(next, w, 0, len(next.text), token)
	} else if next = &words[i+1]; i > 0 {
		t.word(next, w, 0, len(next.text), token)
	}
}

// loggedIn looks at commands that say who a user is, `-u NAME`, for what is the
// password of the user then: `-p X`, `-p:X`; with the name of LDAP, `-w X`.
func (t *Text) loggedIn(words []argument) {
	user, directory := false, false
	for i := range words {
		switch w, _, _ := strings.Cut(words[i].text, ":"); w {
		case "-u", "-U", "-l", "--user", "--username":
			user = true
		case "-D":
			directory = true
		}
	}
	if !user && !directory {
		return
	}
	for i := range words {
		w := &words[i]
		option, joined, found := strings.Cut(w.text, ":")
		switch {
		case user && (option == "-p" || option == "-P") && found:
			t.word(w, option, len(w.text)-len(joined), len(w.text), token)
		case user && (option == "-p" || option == "-P") && i+1 < len(words), directory && option == "-w" && i+1 < len(words):
			t.word(&words[i+1], option, 0, len(words[i+1].text), token)
		case directory && strings.HasPrefix(option, "-w") && len(option) > 6:
			t.word(w, "-w", 2, len(w.text), token)
		}
	}
}

// substitution looks at what sed puts in place of the name of a secret:
// `s/__PASSWORD__/X/`.
func (t *Text) substitution(words []argument) {
	for i := range words {
		w := &words[i]
		if len(w.text) < 8 || w.text[0] != 's' || isAlnum(w.text[1]) {
			continue
		}
		parts := strings.SplitN(w.text[2:], w.text[1:2], 3)
		if len(parts) < 3 || strings.ContainsAny(parts[0], "()[]\\=") {
			continue
		}
		name := strings.Trim(parts[0], "^$@_%{}<>*. ")
		if as := t.scanner.detector.names.sortOf(name); as > hint && as != never {
			from := 2 + len(parts[0]) + 1
			t.word(w, name, from, from+len(parts[1]), as)
		}
	}
}

// share looks at `net use Z: \\host\share SECRET /user:NAME`: what stands behind
// the share, and is no option.
func (t *Text) share(words []argument) {
	if len(words) == 0 || words[0].text != "use" {
		return
	}
	for i := range words[:len(words)-1] {
		if next := &words[i+1]; strings.HasPrefix(words[i].text, `\`) && next.text != "" && next.text[0] != '/' && next.text != "*" {
			t.word(next, "net use", 0, len(next.text), password)
			return
		}
	}
}

func (t *Text) literal(w *argument, from int, rest, prefix string) {
	if prefix == "pass:" {
		t.word(w, "pass", from, len(w.text), password)
		return
	}
	if name, value, ok := strings.Cut(rest, "="); ok {
		if as := t.scanner.detector.names.sortOf(name); as != never {
			t.word(w, name, len(w.text)-len(value), len(w.text), max(as, token))
		}
	}
}

// joinedOption looks at `-pSECRET`, `-uUSER:SECRET`.
func (t *Text) joinedOption(p taking, w *argument) {
	for o := range strings.FieldsSeq(p.joined) {
		if rest, ok := strings.CutPrefix(w.text, o); ok && rest != "" && rest[0] != '-' {
			t.word(w, o, len(o), len(w.text), password)
			return
		}
	}
}

// settings looks at `set NAME VALUE`, in programs that change a configuration.
func (t *Text) settings(words []argument, i int) {
	if i+1 >= len(words) || i == 0 || strings.ContainsAny(words[i].text, "=$") {
		return
	}
	switch words[i-1].text {
	case "set", "setx", "config":
	default:
		if i < 2 || words[i-2].text != "set" && words[i-2].text != "config" && (i < 3 || words[i-3].text != "--set" && words[i-3].text != "set") {
			return
		}
	}
	name := lastPart(words[i].text)
	if as := t.scanner.detector.names.sortOf(name); as == password || as == token {
		t.word(&words[i+1], name, 0, len(words[i+1].text), as)
	}
}

// header looks at a header of HTTP in a word: `Authorization: Bearer …`,
// `X-Api-Key: …`.
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
	if !isOption(name) {
		return
	}
	value = strings.TrimSpace(value)
	as := t.scanner.detector.names.sortOf(name)
	if as == plain || as == never {
		return
	}
	if rest, _, ok := scheme(name, value); ok {
		value = rest
		as = password
	}
	from := strings.LastIndex(w.text, value)
	t.word(w, name, from, from+len(value), max(as, token))
}

// account looks at `user:secret` and `user%secret`.
func (t *Text) account(w *argument) {
	i := strings.IndexAny(w.text, ":%,")
	if i > 0 && i+1 < len(w.text) && !strings.Contains(w.text, "://") {
		t.word(w, "user", i+1, len(w.text), password)
	}
}

// oracle looks at `user/secret@service`.
func (t *Text) oracle(words []argument) {
	for i := range words {
		w := &words[i]
		user, rest, ok := strings.Cut(w.text, "/")
		if !ok || user == "" || !isIdentifier(user) {
			continue
		}
		secret := rest
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			secret = rest[:at]
		}
		if secret != "" {
			from := len(user) + 1
			t.word(w, "user", from, from+len(secret), password)
			return
		}
	}
}

// takesPassword reports whether a command reads a password from its input.
func takesPassword(words []argument) bool {
	switch program(words[0].text) {
	case "chpasswd", "kinit", "smbpasswd", "pdbedit", "cryptsetup", "htpasswd", "vncpasswd", "slappasswd", "saslpasswd2", "elasticsearch-keystore", "kibana-keystore", "logstash-keystore",
		"opensearch-keystore", "debconf-set-selections", "ipa-server-install", "newusers", "adcli", "realm", "su", "passwd":
		return true
	}
	if p := program(words[0].text); (p == "docker" || p == "podman") && len(words) > 3 && words[1].text == "secret" && words[2].text == "create" && words[len(words)-1].text == "-" {
		return true
	}
	if len(words) > 1 && words[1].text == "load-key" {
		return true // of ZFS
	}
	for i := range words {
		switch words[i].text {
		case "password_stdin", "--password-stdin", "--stdin", "--with-token", "--stdin-password", "--passphrase-fd", "--key-file=-", "--one-time-password-stdin", "--pass-stdin":
			return true
		case "-S":
			return program(words[0].text) == "sudo"
		}
	}
	return false
}

// piped looks at what echo or printf gives to a command that reads a password.
func (t *Text) piped(words, before []argument) {
	if p := program(before[0].text); p != "echo" && p != "printf" {
		return
	}
	for i := 1; i < len(before); i++ {
		w := &before[i]
		if strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "%") {
			continue
		}
		secret := strings.TrimSuffix(strings.TrimSuffix(w.text, `\n`), "\n")
		from := 0
		switch program(words[0].text) {
		case "chpasswd", "newusers":
			if j := strings.IndexByte(secret, ':'); j >= 0 {
				from = j + 1
			}
		case "debconf-set-selections":
			if from = lastWordOf(secret, " password "); from < 0 {
				continue
			}
		case "vncpasswd", "smbpasswd", "pdbedit", "passwd":
			// The password twice.
			secret, _, _ = strings.Cut(secret, `\n`)
		}
		as := password
		if program(words[0].text) == "su" {
			as = token // what is piped may be for the command that it runs
		}
		if from < len(secret) {
			t.word(w, program(words[0].text), from, len(secret), as)
		}
	}
}

// lastWordOf returns where the value begins that follows mark, -1 when there is
// none.
func lastWordOf(s, mark string) int {
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return -1
	}
	return i + len(mark)
}

func listed(options, word string) bool {
	if len(word) < 2 || word[0] != '-' && word[0] != '/' {
		return false
	}
	for o := range strings.FieldsSeq(options) {
		if o == word {
			return true
		}
	}
	return false
}

func hasOption(words []argument, option string) bool {
	for i := range words {
		w := words[i].text
		if w == option || len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, option[1:]) {
			return true
		}
	}
	return false
}
