package detect

import (
	"strings"
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
	// last is the option with which the last word is the secret.
	last string
}

var mysqlFamily = taking{joined: "-p"}

// programs are those whose options do not tell by their name that they take a
// secret.
var programs = map[string]taking{
	"mysql": mysqlFamily, "mysqldump": mysqlFamily, "mysqladmin": {joined: "-p", after: map[string]int{"password": 1}}, "mysqlimport": mysqlFamily,
	"mysqlcheck": mysqlFamily, "mysqlshow": mysqlFamily, "mysqlpump": mysqlFamily, "mysqlslap": mysqlFamily, "mysqlbinlog": mysqlFamily,
	"mariadb": mysqlFamily, "mariadb-dump": mysqlFamily, "mariadb-admin": mysqlFamily, "mydumper": {next: "-p", joined: "-p"},
	"sshpass": {next: "-p", joined: "-p"}, "ldapmodify": {next: "-w"}, "ldapadd": {next: "-w"}, "ldapsearch": {next: "-w"},
	"ldapdelete": {next: "-w"}, "ldapwhoami": {next: "-w"}, "ldapmodrdn": {next: "-w"}, "ldapcompare": {next: "-w"}, "ldappasswd": {next: "-w -s -a"},
	"slappasswd": {next: "-s"}, "redis-cli": {next: "-a --pass"}, "valkey-cli": {next: "-a --pass"}, "redis-benchmark": {next: "-a"},
	"mongo": {next: "-p"}, "mongosh": {next: "-p"}, "mongodump": {next: "-p"}, "mongorestore": {next: "-p"}, "mongoimport": {next: "-p"},
	"mongoexport": {next: "-p"}, "sqlcmd": {next: "-P", joined: "-P"}, "bcp": {next: "-P", joined: "-P"}, "osql": {next: "-P"}, "isql": {next: "-P"},
	"curl": {pairs: "-u --user -U --proxy-user"}, "http": {pairs: "-a --auth"}, "https": {pairs: "-a --auth"}, "wget": {},
	"ipmitool": {next: "-P"}, "smbclient": {pairs: "-U --user"}, "rpcclient": {pairs: "-U"}, "net": {pairs: "-U", after: map[string]int{"user": 2}},
	"winexe": {pairs: "-U"}, "smbcacls": {pairs: "-U"}, "wmic": {pairs: "-U"}, "docker": {next: "-p"}, "podman": {next: "-p"},
	"buildah": {next: "-p"}, "skopeo": {pairs: "--creds --src-creds --dest-creds"}, "helm": {next: ""}, "oc": {next: "-p"}, "az": {next: "-p"},
	"openssl": {next: "-k -K -passwd"}, "zip": {next: "-P", joined: "-P"}, "unzip": {next: "-P", joined: "-P"}, "7z": {joined: "-p"}, "7za": {joined: "-p"},
	"rar": {joined: "-p -hp"}, "unrar": {joined: "-p"}, "htpasswd": {last: "-b"}, "mosquitto_passwd": {last: "-b"},
	"mosquitto_pub": {next: "-P"}, "mosquitto_sub": {next: "-P"}, "rabbitmqctl": {after: map[string]int{"add_user": 2, "change_password": 2, "authenticate_user": 2}},
	"rabbitmqadmin": {next: "-p"}, "snmpwalk": {next: "-c -A -X"}, "snmpget": {next: "-c -A -X"}, "snmpset": {next: "-c -A -X"}, "snmpbulkwalk": {next: "-c -A -X"},
	"snmptrap": {next: "-c -A -X"}, "net-snmp-create-v3-user": {next: "-A -X -a -x"}, "check_snmp": {next: "-C"}, "useradd": {next: "-p"}, "usermod": {next: "-p"},
	"groupadd": {next: "-p"}, "ssh-keygen": {next: "-N -P"}, "cqlsh": {next: "-p"}, "nodetool": {next: "-pw"}, "psexec": {next: "-p"},
	"certutil": {next: "-p"}, "pk12util": {next: "-W -K -w -k"}, "lftp": {pairs: "-u"}, "ncftpput": {next: "-p"}, "ncftpget": {next: "-p"}, "rdesktop": {next: "-p"},
	"racadm": {next: "-p"}, "ipa-client-install": {next: "-w"}, "ipa-server-install": {next: "-a -p"}, "ipa-getkeytab": {next: "-w"}, "kadmin": {next: "-w"},
	"kadmin.local": {next: "-pw"}, "addprinc": {next: "-pw"}, "vault": {after: map[string]int{"login": 1, "unseal": 1}}, "schtasks": {next: "/rp"}, "keytool": {},
	"composer": {after: map[string]int{"http-basic": 0}}, "svn": {}, "impdp": {}, "expdp": {}, "influx": {}, "mount.cifs": {}, "isql-fb": {next: "-p"},
	"gpg": {}, "gpg2": {}, "zabbix_sender": {}, "check_mysql": {next: "-p"}, "check_ldap": {next: "-P"}, "check_http": {pairs: "-a"}, "fence_ipmilan": {next: "-p"},
	"swaks": {next: "-ap"}, "sendemail": {next: "-xp"}, "msmtp": {}, "xfreerdp": {}, "cifscreds": {}, "ttyd": {pairs: "-c"}, "asadmin": {}, "cyradm": {next: "-w"},
	"testparm": {}, "vncpasswd": {}, "plink": {next: "-pw"}, "pscp": {next: "-pw"}, "putty": {next: "-pw"}, "iscsiadm": {after: map[string]int{"-v": 1}},
	"drush": {}, "wp": {}, "passwd": {}, "aws": {}, "kubectl": {}, "git": {}, "tmsh": {}, "ansible": {}, "setx": {}, "snmpusm": {next: "-A -X"},
	"mongodb": {next: "-p"}, "ipa": {}, "realm": {}, "clickhouse-client": {}, "cockroach": {}, "pg_basebackup": {}, "etcdctl": {pairs: "--user -u"}, "icingacli": {},
	"icinga2": {}, "nsca": {}, "sqlplus": {}, "rman": {}, "jarsigner": {}, "mutt": {}, "chpasswd": {}, "scp": {}, "duplicity": {}, "restic": {}, "rclone": {}, "borg": {},
}

// program looks at the words behind the name of a program.
func (t *Text) program(name string, words []argument) {
	p := programs[name]
	for i := range words {
		w := &words[i]
		more := i+1 < len(words)
		switch {
		case more && listed(p.next, w.text):
			t.word(&words[i+1], w.text, 0, len(words[i+1].text), password)
		case more && listed(p.pairs, w.text):
			t.account(&words[i+1])
		case strings.HasPrefix(w.text, "-"):
			t.joinedOption(p, w)
		}
		if at, ok := p.after[w.text]; ok && at > 0 && i+at < len(words) {
			t.word(&words[i+at], w.text, 0, len(words[i+at].text), password)
		}
		t.settings(words, i)
		if more && (w.text == "-H" || w.text == "--header" || w.text == "--add-header") {
			t.header(&words[i+1])
		}
		for _, prefix := range []string{"pass:", "--from-literal="} {
			if rest, ok := strings.CutPrefix(w.text, prefix); ok && rest != "" {
				t.literal(w, len(prefix), rest, prefix)
			}
		}
	}
	if p.last != "" && len(words) >= 4 && hasOption(words, p.last) {
		w := &words[len(words)-1]
		t.word(w, name, 0, len(w.text), password)
	}
	if name == "sqlplus" || name == "rman" || name == "impdp" || name == "expdp" || name == "sqlldr" {
		t.oracle(words)
	}
}

func (t *Text) literal(w *argument, from int, rest, prefix string) {
	if prefix == "pass:" {
		t.word(w, "pass", from, len(w.text), password)
		return
	}
	if name, value, ok := strings.Cut(rest, "="); ok {
		if as := t.detector.names.sortOf(name); as != never {
			t.word(w, name, len(w.text)-len(value), len(w.text), max(as, hint))
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
	case "set", "setx", "add", "config", "put", "configure", "put-parameter", "setting", "modify", "create":
	default:
		if i < 2 || words[i-2].text != "set" && words[i-2].text != "config" {
			return
		}
	}
	name := lastPart(words[i].text)
	if as := t.detector.names.sortOf(name); as == password || as == token {
		t.word(&words[i+1], name, 0, len(words[i+1].text), as)
	}
}

// header looks at a header of HTTP: `Authorization: Bearer …`, `X-Api-Key: …`.
func (t *Text) header(w *argument) {
	name, value, ok := strings.Cut(w.text, ":")
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	if as := t.detector.names.sortOf(strings.TrimSpace(name)); (as != plain || strings.EqualFold(name, "authorization")) && as != never {
		if rest, _, ok := scheme(name, value); ok {
			value = rest
			as = password
		}
		t.word(w, name, len(w.text)-len(value), len(w.text), max(as, token))
	}
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
	case "chpasswd", "kinit", "smbpasswd", "pdbedit", "cryptsetup", "htpasswd", "vncpasswd", "slappasswd", "saslpasswd2", "ipa-server-install", "newusers", "adcli", "realm":
		return true
	}
	for i := range words {
		switch words[i].text {
		case "--password-stdin", "--stdin", "--with-token", "--stdin-password", "--passphrase-fd", "--key-file=-", "--one-time-password-stdin", "--pass-stdin":
			return true
		case "-S":
			return program(words[0].text) == "sudo"
		}
	}
	return false
}

// piped looks at what echo or printf gives to a command that reads a password.
func (t *Text) piped(words, before []argument) {
	if !takesPassword(words) && !(len(words) > 0 && words[0].text == "-S") {
		return
	}
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
		case "vncpasswd", "smbpasswd", "pdbedit":
			// The password twice.
			secret, _, _ = strings.Cut(secret, `\n`)
		}
		if from < len(secret) {
			t.word(w, program(words[0].text), from, len(secret), password)
		}
	}
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
