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
		"7z":                      {joined: "-p"},
		"7za":                     {joined: "-p"},
		"add-user.bat":            {next: "-p", operands: []int{2}, arguments: "-u --user -p --password -r --realm -g --group -dc -sc -up -gp"},
		"add-user.sh":             {next: "-p", operands: []int{2}, arguments: "-u --user -p --password -r --realm -g --group -dc -sc -up -gp"},
		"agent-auth":              {next: "-P"}, // of Wazuh
		"addprinc":                {next: "-pw"},
		"az":                      {next: "-p", only: "login"},
		"basic_ldap_auth":         {next: "-w"},
		"bcp":                     {next: "-P", joined: "-P"},
		"buildah":                 {next: "-p", only: "login"},
		"bundle":                  {account: "config"},
		"cargo":                   {after: map[string]int{"login": 1}},
		"ceph":                    {after: map[string]int{"ac-user-create": 2}},
		"certutil":                {next: "-p"},
		"check_ftp_login":         {next: "-p"},
		"check_http":              {pairs: "-a"},
		"check_imap":              {next: "-p"},
		"check_jmx":               {next: "-p"},
		"check_ldap":              {next: "-P"},
		"check_mysql":             {next: "-p"},
		"check_mysql_query":       {next: "-p"},
		"check_nt":                {next: "-s"},
		"check_oracle":            {next: "-p"},
		"check_pgsql":             {next: "-p"},
		"check_rabbitmq_server":   {next: "-p"},
		"check_radius":            {next: "-p"},
		"check_snmp":              {next: "-C"},
		"cloudflared":             {after: map[string]int{"install": 1}},
		"composer":                {after: map[string]int{"http-basic": 2, "bearer": 1, "github-oauth": 1, "gitlab-token": 1, "gitlab-oauth": 1, "bitbucket-oauth": 2}},
		"condor_store_cred":       {next: "-p"},
		"consul":                  {next: "-install", joined: "-install=", after: map[string]int{"set-agent-token": 2}},
		"convertto-securestring":  {operands: []int{1}},
		"couchbase-cli":           {next: "-p"},
		"cqlsh":                   {next: "-p"},
		"cscript":                 {next: "/ipk"}, // of slmgr.vbs
		"csvde":                   {after: map[string]int{"-b": 3}},
		"curl":                    {pairs: "-u --user -U --proxy-user -E --cert --proxy-cert"},
		"cyradm":                  {next: "-w"},
		"db2":                     {after: map[string]int{"using": 1, "USING": 1}},
		"docker":                  {next: "-p", only: "login"},
		"doveadm":                 {next: "-p", only: "pw"},
		"drush":                   {after: map[string]int{"upwd": 2, "user-password": 2, "user:password": 2}},
		"dscl":                    {after: map[string]int{"-passwd": 2, "passwd": 2}},
		"dsmadmc":                 {joined: "-password= -pa="},
		"dsmc":                    {after: map[string]int{"password": 2}},
		"ejabberdctl":             {after: map[string]int{"register": 3, "change_password": 3}},
		"elasticsearch-users":     {next: "-p"},
		"esxcli":                  {next: "-p"},
		"etcdctl":                 {pairs: "--user -u"},
		"ext_ldap_group_acl":      {next: "-w"},
		"fence_ipmilan":           {next: "-p"},
		"fs_cli":                  {next: "-p"},
		"gitlab-runner":           {next: "-r", only: "register"},
		"grafana":                 {after: map[string]int{"reset-admin-password": 1}},
		"grafana-cli":             {after: map[string]int{"reset-admin-password": 1}},
		"groupadd":                {next: "-p"},
		"hash.sh":                 {next: "-p"}, // of OpenSearch
		"htpasswd":                {last: "-b"},
		"http":                    {pairs: "-a --auth"},
		"https":                   {pairs: "-a --auth"},
		"icinga2":                 {next: "--ticket"},
		"ip":                      {after: map[string]int{"enc": 2, "auth": 2, "auth-trunc": 2, "aead": 2}, only: "xfrm"},
		"ipa-client-install":      {next: "-w"},
		"ipa-getkeytab":           {next: "-w"},
		"ipa-server-install":      {next: "-a -p"},
		"ipmicfg":                 {after: map[string]int{"setpwd": 2, "setPwd": 2}},
		"ipmitool":                {next: "-P", after: map[string]int{"password": 2}},
		"isql":                    {next: "-P"},
		"isql-fb":                 {next: "-p"},
		"iwconfig":                {after: map[string]int{"key": 1, "enc": 1}},
		"kadmin":                  {next: "-w"},
		"kadmin.local":            {next: "-pw"},
		"kdb5_util":               {next: "-P"},
		"keyctl":                  {after: map[string]int{"user": 2}, only: "add"},
		"ldapadd":                 {next: "-w"},
		"ldapcompare":             {next: "-w"},
		"ldapdelete":              {next: "-w"},
		"ldapmodify":              {next: "-w"},
		"ldapmodrdn":              {next: "-w"},
		"ldappasswd":              {next: "-w -s -a"},
		"ldapsearch":              {next: "-w"},
		"ldapwhoami":              {next: "-w"},
		"ldifde":                  {after: map[string]int{"-b": 3}},
		"lftp":                    {pairs: "-u"},
		"mariadb":                 mysqlFamily,
		"mariadb-admin":           mysqlFamily,
		"mariadb-dump":            mysqlFamily,
		"mc":                      {after: map[string]int{"set": 4, "add": 4}, only: "alias"},
		"mkpasswd":                {operands: []int{1}, arguments: "-m --method -S --salt -R --rounds -P --password-fd"},
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
		"networksetup":            {after: map[string]int{"-setairportnetwork": 3}},
		"nifi.sh":                 {after: map[string]int{"set-single-user-credentials": 2}},
		"nmcli":                   {after: map[string]int{"password": 1, "wifi-sec.psk": 1, "802-11-wireless-security.psk": 1, "wifi-sec.wep-key0": 1, "802-1x.password": 1}},
		"nodetool":                {next: "-pw"},
		"nomad":                   {after: map[string]int{"install": 1}, only: "keyring"},
		"nssm":                    {after: map[string]int{"ObjectName": 2}},
		"oathtool":                {operands: []int{1}, arguments: "-d --digits -s --time-step-size -S --start-time -N --now -c --counter -w --window"},
		"oc":                      {next: "-p", only: "login"},
		"open":                    {pairs: "-u"}, // of lftp
		"openssl":                 {next: "-k -K -passwd"},
		"osql":                    {next: "-P"},
		"pdnsutil":                {after: map[string]int{"import-tsig-key": 3}},
		"pk12util":                {next: "-W -K -w -k"},
		"pkcs11-tool":             {next: "-p --pin --so-pin --new-pin"},
		"pkcs15-init":             {next: "--pin --so-pin --puk"},
		"plink":                   {next: "-pw"},
		"podman":                  {next: "-p", only: "login"},
		"pro":                     {after: map[string]int{"attach": 1}},
		"prosodyctl":              {after: map[string]int{"register": 3}},
		"pscp":                    {next: "-pw"},
		"psexec":                  {next: "-p"},
		"putty":                   {next: "-pw"},
		"rabbitmqadmin":           {next: "-p"},
		"rabbitmqctl":             {after: map[string]int{"add_user": 2, "change_password": 2, "authenticate_user": 2}},
		"racadm":                  {next: "-p"},
		"radtest":                 {operands: []int{2, 5}, arguments: "-t"},
		"rar":                     {joined: "-p -hp"},
		"rasdial":                 {operands: []int{3}},
		"rdesktop":                {next: "-p"},
		"redis-benchmark":         {next: "-a"},
		"redis-cli":               {next: "-a --pass"},
		"rpk":                     {next: "-p"},
		"rpcclient":               {pairs: "-U"},
		"samba-tool":              {after: map[string]int{"create": 2, "add": 2}, only: "user"},
		"schtasks":                {next: "/rp"},
		"security":                {next: "-p -P"},
		"sedutil-cli":             {after: map[string]int{"--initialSetup": 1, "--initialsetup": 1, "--setSIDPassword": 1, "--setAdmin1Pwd": 1, "--setadmin1pwd": 1}},
		"sendemail":               {next: "-xp"},
		"sentinelctl":             {after: map[string]int{"set": 1}, only: "token"},
		"signtool":                {next: "/p"},
		"slappasswd":              {next: "-s"},
		"slmgr":                   {next: "/ipk"},
		"slmgr.vbs":               {next: "/ipk"},
		"smbcacls":                {pairs: "-U"},
		"smbclient":               {pairs: "-U --user"},
		"smbmap":                  {next: "-p"},
		"smcipmitool":             {operands: []int{3}},
		"snmpbulkwalk":            {next: "-c -A -X"},
		"snmpget":                 {next: "-c -A -X"},
		"snmpset":                 {next: "-c -A -X"},
		"snmptrap":                {next: "-c -A -X"},
		"snmpusm":                 {next: "-A -X"},
		"snmpwalk":                {next: "-c -A -X"},
		"softhsm2-util":           {next: "--pin --so-pin"},
		"sqlcmd":                  {next: "-P", joined: "-P"},
		"sqlpackage":              {joined: "/tp: /sp:"},
		"ssh-keygen":              {next: "-N -P"},
		"sshpass":                 {next: "-p", joined: "-p"},
		"suseconnect":             {next: "-r"},
		"swaks":                   {next: "-ap"},
		"swift":                   {next: "-K"},
		"transmission-remote":     {pairs: "-n --auth"},
		"ttyd":                    {pairs: "-c"},
		"ua":                      {after: map[string]int{"attach": 1}},
		"ubuntu-advantage":        {after: map[string]int{"attach": 1}},
		"unrar":                   {joined: "-p"},
		"unzip":                   {next: "-P", joined: "-P"},
		"useradd":                 {next: "-p"},
		"usermod":                 {next: "-p"},
		"valkey-cli":              {next: "-a --pass"},
		"vault":                   {after: map[string]int{"login": 1, "unseal": 1, "renew": 1, "lookup": 1, "revoke": 1}},
		"vmrun":                   {next: "-p -gp -vp"},
		"wbinfo":                  {pairs: "-a"},
		"wfreerdp":                {joined: "/p:"},
		"winexe":                  {pairs: "-U"},
		"winrs":                   {joined: "-p: -password: /p: /password:"},
		"wmic":                    {pairs: "-U"},
		"wpa_cli":                 {after: map[string]int{"psk": 1}},
		"wpa_passphrase":          {operands: []int{2}},
		"xfreerdp":                {joined: "/p:"},
		"xfreerdp3":               {joined: "/p:"},
		"zip":                     {next: "-P", joined: "-P"},
		"zkcli.sh":                {pairs: "digest"},
		"zmprov":                  {after: map[string]int{"sp": 2, "setPassword": 2, "ca": 2, "createAccount": 2}},
	}
})

// program looks at the words behind the name of a program.
func (t *Text) program(name string, words []argument) {
	p := programs()[name]
	if p.only != "" && !slices.ContainsFunc(words, func(w argument) bool { return w.text == p.only }) {
		p = taking{}
	}
	for i := range words {
		t.taken(p, words, i)
		t.settings(words, i)
		t.header(&words[i])
		t.spoken(name, words, i)
		t.literal(&words[i])
	}
	t.operands(name, p, words)
	if p.account != "" && len(words) > 2 && words[0].text == p.account {
		t.account(&words[len(words)-1])
	}
	if p.last != "" {
		t.lastOperand(name, p.last, words)
	}
	t.loggedIn(words)
	t.option(words)
	t.special(name, words)
}

// taken looks at an option of a program, or a word, and at the secret it takes.
func (t *Text) taken(p taking, words []argument, i int) {
	w := &words[i]
	switch more := i+1 < len(words); {
	case more && (listed(p.next, w.text) || w.text != "" && w.text[0] == '/' && listed(p.next, strings.ToLower(w.text))): // `/RP` is `/rp`
		if !strings.HasPrefix(words[i+1].text, "--") { // it asks, as MongoDB's do
			t.whole(&words[i+1], w.text, password)
		}
	case more && (listed(p.pairs, w.text) || bundles(p.pairs, w.text) || isCreds(w.text)):
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
		t.whole(&words[i+at], w.text, password)
	}
}

// isCreds tells the options with which tools of containers take an account of a
// registry: `--creds`, `--dest-creds`.
func isCreds(option string) bool {
	return strings.HasPrefix(option, "--") && strings.HasSuffix(option, "-creds")
}

// lastOperand looks at the last word of a command that has an option, before what
// says where output goes.
func (t *Text) lastOperand(name, option string, words []argument) {
	if i := slices.IndexFunc(words, func(w argument) bool { return redirects(w.text) }); i > 0 {
		words = words[:i]
	}
	if len(words) >= 3 && hasOption(words, option) {
		t.whole(&words[len(words)-1], name, password)
	}
}

// special looks at programs that take secrets in a way that no other has.
func (t *Text) special(name string, words []argument) {
	switch name {
	case "mc":
		for i := 0; i+4 < len(words); i++ {
			if words[i].text == "user" && words[i+1].text == "add" { // an alias, a name, a secret
				t.whole(&words[i+4], name, password)
			}
		}
	case "net":
		t.share(words)
	case "openssl":
		t.hashedByOpenSSL(words)
	case "printf":
		t.formatted(words)
	case "redis-cli", "valkey-cli":
		t.accessRule(name, words)
	case "sed":
		t.substitution(words)
	case "smbclient":
		if len(words) > 1 && strings.HasPrefix(words[0].text, "//") && !strings.HasPrefix(words[1].text, "-") {
			t.whole(&words[1], name, password)
		}
	case "sqlplus", "rman", "impdp", "expdp", "sqlldr":
		t.oracle(words)
	}
}

// hashedByOpenSSL looks at `openssl passwd … SECRET`.
func (t *Text) hashedByOpenSSL(words []argument) {
	n := len(words)
	if n > 1 && words[0].text == "passwd" && !strings.HasPrefix(words[n-1].text, "-") && !strings.HasPrefix(words[n-2].text, "-salt") {
		t.whole(&words[n-1], "openssl passwd", password)
	}
}

// formatted looks at what printf puts behind names: `printf 'pw=%s' SECRET`.
func (t *Text) formatted(words []argument) {
	for i := 1; i < min(len(words), maxGroup); i++ {
		option := beforeVerb(strings.ReplaceAll(words[0].text, `\n`, "\n"), i)
		if as := t.sortOf(option); as.secret() {
			t.whole(&words[i], option, as)
		}
	}
}

// accessRule looks at rules of access of Redis: `ACL SETUSER name on >SECRET`.
func (t *Text) accessRule(name string, words []argument) {
	for i := 3; i < len(words); i++ {
		if w := &words[i]; len(w.text) > 1 && w.text[0] == '>' && strings.EqualFold(words[i-1].text, "on") {
			t.word(w, name, 1, len(w.text), password)
		}
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
				t.whole(w, name, password)
			}
		}
	}
}

// spoken looks at words of a command that name a secret, without being options:
// `set-initial-password X`, `CONFIG SET requirepass X`, `… user u pass X`.
func (t *Text) spoken(program string, words []argument, i int) {
	w := words[i].text
	switch program {
	case "bw", "lpass", "op", "pass", "gopass", "rbw":
		return // of stores of passwords: what to show
	}
	if keepsSecrets(program) && (w == "secret" || w == "secrets" || w == "token") {
		return // what it deals with, and then its name
	}
	if i+1 >= len(words) || len(w) < 4 || len(w) > 40 || w[0] == '-' || strings.ContainsAny(w, "=:/. ") || !t.sortOf(w).open() {
		return
	}
	if next := &words[len(words)-1]; strings.Contains(w, "-password") && !strings.HasPrefix(next.text, "-") {
		t.whole(next, w, token)
	} else if i > 0 || strings.Contains(w, "-password") {
		at := i + 1
		for at+2 < len(words) && len(words[at].text) == 2 && words[at].text[0] == '-' {
			at += 2 // an option, and what it takes
		}
		next = &words[at]
		t.whole(next, w, token)
	}
}

// keepsSecrets reports whether a program deals with secrets that it is told by
// their names.
func keepsSecrets(program string) bool {
	switch program {
	case "kubectl", "oc", "docker", "podman", "buildah", "nerdctl", "aws", "az", "gcloud", "nomad", "virsh":
		return true
	}
	return false
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
		if as := t.sortOf(name); as.secret() {
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
				t.whole(w, "net use", password)
			}
			return
		}
	}
}

// literal looks at words that say what they are: `pass:SECRET` of OpenSSL,
// `--from-literal=NAME=SECRET` of kubectl, `hmac-sha256:name:SECRET` of TSIG.
func (t *Text) literal(w *argument) {
	if rest, ok := strings.CutPrefix(w.text, "pass:"); ok && rest != "" {
		t.word(w, "pass", len(w.text)-len(rest), len(w.text), password)
	}
	if rest, ok := strings.CutPrefix(w.text, "--from-literal="); ok {
		if name, value, found := strings.Cut(rest, "="); found {
			if as := t.sortOf(name); as != never {
				t.word(w, name, len(w.text)-len(value), len(w.text), max(as, token))
			}
		}
	}
	if strings.HasPrefix(w.text, "hmac-") && strings.Count(w.text, ":") == 2 {
		t.word(w, "tsig", strings.LastIndexByte(w.text, ':')+1, len(w.text), password)
	}
}

// settings looks at `set NAME VALUE`, in programs that change a configuration.
func (t *Text) settings(words []argument, i int) {
	if i+1 >= len(words) || i == 0 || strings.ContainsAny(words[i].text, "=$") {
		return
	}
	before := i - 1
	for before > 0 && strings.HasPrefix(words[before].text, "-") && strings.Contains(words[before].text, "=") {
		before-- // `put -cas=1 NAME VALUE`
	}
	switch words[before].text {
	case "set", "setx", "config", "put": // of stores of keys and values as well
	default:
		if i < 2 || words[i-2].text != "set" && words[i-2].text != "config" && (i < 3 || words[i-3].text != "--set" && words[i-3].text != "set") {
			return
		}
	}
	name := lastPart(words[i].text)
	as := t.sortOf(name)
	if as == password || as == token || as == hint && strings.HasSuffix(name, "auth") {
		at := i + 1
		switch words[at].text {
		case "--body", "-b", "--value", "--": // `gh secret set NAME --body X`
			at = min(at+1, len(words)-1)
		}
		if strings.HasPrefix(words[at].text, "--") {
			return // the next option: what comes before is no name
		}
		t.whole(&words[at], name, as)
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
	as := t.sortOf(name)
	if !as.may() {
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
