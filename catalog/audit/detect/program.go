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
	// operands are the positions of secrets among the words that are neither
	// options nor, for the options of arguments, what follows them.
	operands  []int
	arguments string
	// account is the word with which the last one is `user:secret`.
	account string
	// last is the option with which the last word is the secret.
	last string
}

var mysqlFamily = taking{joined: "-p"}

// programs are those whose options do not tell by their name that they take a
// secret.
var programs = sync.OnceValue(func() map[string]taking {
	return map[string]taking{
		"add-user.sh":             {next: "-p", operands: []int{2}, arguments: "-u --user -p --password -r --realm -g --group -dc -sc -up -gp"},
		"add-user.bat":            {next: "-p", operands: []int{2}, arguments: "-u --user -p --password -r --realm -g --group -dc -sc -up -gp"},
		"ceph":                    {after: map[string]int{"ac-user-create": 2}},
		"fs_cli":                  {next: "-p"},
		"hash.sh":                 {next: "-p"}, // of OpenSearch
		"cargo":                   {after: map[string]int{"login": 1}},
		"iwconfig":                {after: map[string]int{"key": 1, "enc": 1}},
		"zmprov":                  {after: map[string]int{"sp": 2, "setPassword": 2, "ca": 2, "createAccount": 2}},
		"icinga2":                 {next: "--ticket"},
		"ip":                      {after: map[string]int{"enc": 2, "auth": 2, "auth-trunc": 2, "aead": 2}, only: "xfrm"},
		"ipmicfg":                 {after: map[string]int{"setpwd": 2, "setPwd": 2}},
		"keyctl":                  {after: map[string]int{"user": 2}, only: "add"},
		"ldifde":                  {after: map[string]int{"-b": 3}},
		"csvde":                   {after: map[string]int{"-b": 3}},
		"nifi.sh":                 {after: map[string]int{"set-single-user-credentials": 2}},
		"oathtool":                {operands: []int{1}, arguments: "-d --digits -s --time-step-size -S --start-time -N --now -c --counter -w --window"},
		"rasdial":                 {operands: []int{3}},
		"smcipmitool":             {operands: []int{3}},
		"sqlpackage":              {joined: "/tp: /sp:"},
		"wbinfo":                  {pairs: "-a"},
		"bundle":                  {account: "config"},
		"couchbase-cli":           {next: "-p"},
		"db2":                     {after: map[string]int{"using": 1, "USING": 1}},
		"drush":                   {after: map[string]int{"upwd": 2, "user-password": 2, "user:password": 2}},
		"dscl":                    {after: map[string]int{"-passwd": 2, "passwd": 2}},
		"gitlab-runner":           {next: "-r", only: "register"},
		"kdb5_util":               {next: "-P"},
		"networksetup":            {after: map[string]int{"-setairportnetwork": 3}},
		"nssm":                    {after: map[string]int{"ObjectName": 2}},
		"open":                    {pairs: "-u"}, // of lftp
		"pro":                     {after: map[string]int{"attach": 1}},
		"radtest":                 {operands: []int{2, 5}, arguments: "-t"},
		"samba-tool":              {after: map[string]int{"create": 2, "add": 2}, only: "user"},
		"security":                {next: "-p -P"},
		"sedutil-cli":             {after: map[string]int{"--initialSetup": 1, "--initialsetup": 1, "--setSIDPassword": 1, "--setAdmin1Pwd": 1, "--setadmin1pwd": 1}},
		"swift":                   {next: "-K"},
		"transmission-remote":     {pairs: "-n --auth"},
		"ua":                      {after: map[string]int{"attach": 1}},
		"ubuntu-advantage":        {after: map[string]int{"attach": 1}},
		"vmrun":                   {next: "-p -gp -vp"},
		"winrs":                   {joined: "-p: -password: /p: /password:"},
		"zkcli.sh":                {pairs: "digest"},
		"basic_ldap_auth":         {next: "-w"},
		"ext_ldap_group_acl":      {next: "-w"},
		"check_rabbitmq_server":   {next: "-p"},
		"dsmc":                    {after: map[string]int{"password": 2}},
		"dsmadmc":                 {joined: "-password= -pa="},
		"esxcli":                  {next: "-p"},
		"mc":                      {after: map[string]int{"set": 4, "add": 4}, only: "alias"},
		"smbmap":                  {next: "-p"},
		"consul":                  {next: "-install", joined: "-install=", after: map[string]int{"set-agent-token": 2}},
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
		"mkpasswd":                {operands: []int{1}, arguments: "-m --method -S --salt -R --rounds -P --password-fd"},
		"suseconnect":             {next: "-r"},
		"wpa_passphrase":          {operands: []int{2}},
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
		"composer":                {after: map[string]int{"http-basic": 2, "bearer": 1, "github-oauth": 1, "gitlab-token": 1, "gitlab-oauth": 1, "bitbucket-oauth": 2}},
		"convertto-securestring":  {operands: []int{1}},
		"cqlsh":                   {next: "-p"},
		"curl":                    {pairs: "-u --user -U --proxy-user -E --cert --proxy-cert"},
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
		"vault":                   {after: map[string]int{"login": 1, "unseal": 1, "renew": 1, "lookup": 1, "revoke": 1}},
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
		case more && (listed(p.next, w.text) || w.text != "" && w.text[0] == '/' && listed(p.next, strings.ToLower(w.text))): // `/RP` is `/rp`
			if strings.HasPrefix(words[i+1].text, "--") {
				break // it asks, as MongoDB's do
			}
			t.word(&words[i+1], w.text, 0, len(words[i+1].text), password)
		case more && (listed(p.pairs, w.text) || bundles(p.pairs, w.text)):
			t.account(&words[i+1])
		case strings.HasPrefix(w.text, "-"), strings.HasPrefix(w.text, "/"):
			t.joinedOption(p, w)
		}
		at, ok := p.after[w.text]
		if !ok && len(p.after) > 0 {
			head, _, _ := strings.Cut(w.text, ".") // `http-basic.HOST`
			at = p.after[head]
		}
		if at > 0 && i+at < len(words) && words[i+at].text != "" && words[i+at].text[0] != '-' {
			t.word(&words[i+at], w.text, 0, len(words[i+at].text), password)
		}
		t.settings(words, i)
		t.header(w)
		t.spoken(name, words, i)
		if strings.HasPrefix(w.text, "hmac-") && strings.Count(w.text, ":") == 2 { // of TSIG
			t.word(w, "tsig", strings.LastIndexByte(w.text, ':')+1, len(w.text), password)
		}
		for _, prefix := range []string{"pass:", "--from-literal="} {
			if rest, ok := strings.CutPrefix(w.text, prefix); ok && rest != "" {
				t.literal(w, len(prefix), rest, prefix)
			}
		}
	}
	t.operands(name, p, words)
	if p.account != "" && len(words) > 2 && words[0].text == p.account {
		t.account(&words[len(words)-1])
	}
	if p.last != "" {
		if i := slices.IndexFunc(words, func(w argument) bool { return redirects(w.text) }); i > 0 {
			words = words[:i]
		}
		if len(words) >= 3 && hasOption(words, p.last) {
			w := &words[len(words)-1]
			t.word(w, name, 0, len(w.text), password)
		}
	}
	if name == "openssl" && len(words) > 1 && words[0].text == "passwd" && !strings.HasPrefix(words[len(words)-1].text, "-") && !strings.HasPrefix(words[len(words)-2].text, "-salt") {
		w := &words[len(words)-1]
		t.word(w, "openssl passwd", 0, len(w.text), password)
	}
	if name == "printf" && len(words) > 1 {
		for i := 1; i < min(len(words), maxGroup); i++ {
			option := beforeVerb(strings.ReplaceAll(words[0].text, `\n`, "\n"), i)
			if as := t.scanner.detector.names.sortOf(option); as > hint && as != never {
				t.word(&words[i], option, 0, len(words[i].text), as)
			}
		}
	}
	t.loggedIn(words)
	t.option(words)
	switch name {
	case "net":
		t.share(words)
	case "smbclient":
		if len(words) > 1 && strings.HasPrefix(words[0].text, "//") && !strings.HasPrefix(words[1].text, "-") {
			t.word(&words[1], name, 0, len(words[1].text), password)
		}
	case "redis-cli", "valkey-cli":
		for i := range words {
			if w := &words[i]; i > 2 && len(w.text) > 1 && w.text[0] == '>' && strings.EqualFold(words[i-1].text, "on") {
				t.word(w, name, 1, len(w.text), password) // of a rule of access
			}
		}
	}
	if name == "sed" {
		t.substitution(words)
	}
	if name == "sqlplus" || name == "rman" || name == "impdp" || name == "expdp" || name == "sqlldr" {
		t.oracle(words)
	}
}

// operands looks at the words of a command at whose position a secret stands.
func (t *Text) operands(name string, p taking, words []argument) {
	n := 0
	for i := 0; i < len(words) && len(p.operands) > 0; i++ {
		w := &words[i]
		switch {
		case strings.HasPrefix(w.text, ">"), strings.HasPrefix(w.text, "<"):
			return
		case listed(p.arguments, w.text):
			i++
		case !strings.HasPrefix(w.text, "-"):
			if n++; slices.Contains(p.operands, n) {
				t.word(w, name, 0, len(w.text), password)
			}
		}
	}
}

// option looks at options of which one names what the other gives a value:
// `-Name N -Value X`, `/v N /d X`.
func (t *Text) option(words []argument) {
	name, as := "", plain
	for i := range len(words) - 1 {
		next := &words[i+1]
		switch w := words[i].text; {
		case len(w) < 2 || w[0] != '-' && w[0] != '/':
		case listed("-n -k /v --name --key --property", w), strings.EqualFold(w, "-name"):
			name = lastPart(next.text)
			as = t.scanner.detector.names.sortOf(name[strings.LastIndexByte(name, '.')+1:])
		case as > hint && as != never && (listed("-v /d --value --string", w) || strings.EqualFold(w, "-value")):
			t.word(next, name, 0, len(next.text), as)
		}
	}
}

// bundles reports whether a word is short options written as one, of which the
// last takes what follows: `-ksu`.
func bundles(options, word string) bool {
	n := len(word)
	return n > 2 && n < 8 && word[0] == '-' && word[1] != '-' && letters(word[1:]) && listed(options, "-"+word[n-1:])
}

// spoken looks at words of a command that name a secret, without being options:
// `set-initial-password X`, `CONFIG SET requirepass X`, `… user u pass X`.
func (t *Text) spoken(program string, words []argument, i int) {
	w := words[i].text
	switch program {
	case "kubectl", "oc", "docker", "podman", "aws", "az", "gcloud", "nomad":
		if w == "secret" || w == "secrets" || w == "token" {
			return // what it deals with, and then its name
		}
	}
	if i+1 >= len(words) || len(w) < 4 || len(w) > 40 || w[0] == '-' || strings.ContainsAny(w, "=:/. ") || !t.scanner.detector.names.sortOf(w).open() {
		return
	}
	if next := &words[len(words)-1]; strings.Contains(w, "-password") && !strings.HasPrefix(next.text, "-") {
		t.word(next, w, 0, len(next.text), token)
	} else if i > 0 || strings.Contains(w, "-password") {
		at := i + 1
		for at+2 < len(words) && len(words[at].text) == 2 && words[at].text[0] == '-' {
			at += 2 // an option, and what it takes
		}
		next = &words[at]
		t.word(next, w, 0, len(next.text), token)
	}
}

// loggedIn looks at commands that say who a user is, `-u NAME`, for what is the
// password of the user then: `-p X`, `-p:X`; with the name of LDAP, `-w X`.
func (t *Text) loggedIn(words []argument) {
	user, directory := false, false
	for i := range words {
		switch w, _, _ := cutOption(words[i].text); w {
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
		option, joined, found := cutOption(w.text)
		switch {
		case user && (option == "-p" || option == "-P") && found:
			t.word(w, option, len(w.text)-len(joined), len(w.text), chosen(joined))
		case i+1 < len(words) && strings.HasPrefix(words[i+1].text, "--"):
		case user && (option == "-p" || option == "-P") && i+1 < len(words), directory && option == "-w" && i+1 < len(words):
			t.word(&words[i+1], option, 0, len(words[i+1].text), chosen(words[i+1].text))
		case directory && strings.HasPrefix(option, "-w") && len(option) > 6:
			t.word(w, "-w", 2, len(w.text), token)
		}
	}
}

// cutOption splits an option from what is joined to it.
func cutOption(word string) (option, value string, joined bool) {
	i := strings.IndexAny(word, ":=")
	if i < 0 {
		return word, "", false
	}
	return word[:i], word[i+1:], true
}

// chosen returns what to take a word for that may be a password, or the name of
// something: a password when it has letters of both cases and digits, as rules
// for passwords demand.
func chosen(s string) sort {
	if digits, lower, upper, _ := count(s); digits > 0 && lower > 0 && upper > 0 {
		return password
	}
	return token
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

// share looks at `net use Z: \\host\share SECRET /user:NAME`: the first word
// behind the share that is no option.
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
				t.word(w, "net use", 0, len(w.text), password)
			}
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
	case "set", "setx", "config", "put": // of stores of keys and values as well
	default:
		if i < 2 || words[i-2].text != "set" && words[i-2].text != "config" && (i < 3 || words[i-3].text != "--set" && words[i-3].text != "set") {
			return
		}
	}
	name := lastPart(words[i].text)
	as := t.scanner.detector.names.sortOf(name)
	if as == password || as == token || as == hint && strings.HasSuffix(name, "auth") {
		at := i + 1
		switch words[at].text {
		case "--body", "-b", "--value", "--": // `gh secret set NAME --body X`
			at = min(at+1, len(words)-1)
		}
		if strings.HasPrefix(words[at].text, "--") {
			return // the next option: what comes before is no name
		}
		t.word(&words[at], name, 0, len(words[at].text), as)
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
	if i > 0 && i+1 < len(w.text) && !strings.Contains(w.text, "://") && !strings.HasPrefix(w.text, "pkcs11:") {
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
		"opensearch-keystore", "secret-tool", "ecryptfs-add-passphrase", "ecryptfs-wrap-passphrase", "clevis", "debconf-set-selections", "ipa-server-install", "newusers", "adcli", "realm", "su", "passwd", "mount.davfs":
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
		case "davfs": // mounted
			return i > 0 && words[i-1].text == "-t"
		case "--stdin", "--with-token", "--passphrase-fd", "--key-file=-":
			return true
		case "-S":
			return program(words[0].text) == "sudo"
		}
		// `--password-stdin`, `--passwd-on-stdin`, `-o password_stdin,reconnect`
		if w := words[i].text; strings.Contains(w, "stdin") && strings.Contains(w, "pass") {
			return true
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
		case "mount", "mount.davfs": // the user stands before it
			from = lastWordOf(secret, `\n`)
			if i+1 < len(before) || from < 0 && i == 1 {
				continue
			}
			from = max(from, 0)
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
	if len(word) < 2 || options == "" {
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
