package detect

import (
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/sensitive"
)

// reason tells why a value is no secret.
type reason string

// The reasons. The zero value says that nothing speaks against it.
const (
	none        reason = ""
	empty       reason = "empty"
	tooLong     reason = "too long for a value of its own"
	placeholder reason = "a placeholder"
	masked      reason = "masked already"
	template    reason = "filled in from a variable"
	reference   reason = "a reference to a secret"
	ciphertext  reason = "encrypted"
	public      reason = "public"
	digest      reason = "a digest"
	filename    reason = "a path"
	address     reason = "a URL, a host or an address"
	keyword     reason = "a keyword"
	number      reason = "a number or a length of time"
	prose       reason = "prose"
	example     reason = "an example from documentation"
	locked      reason = "a locked account"
	code        reason = "code"
	identifier  reason = "an identifier"
	caption     reason = "what a field for secrets is called"
)

// maxValue is how many bytes a value may have that a name alone makes a secret.
const maxValue = 4096

// values knows what values are no secrets, whatever they are called.
type values struct {
	placeholders set
	keywords     set
	weak         set
	examples     set
	terms        set // words with which things are named
	talk         set // words that sentences are made of
	// devices begin the lines of network devices and routing daemons that
	// hold a secret somewhere, marks stand before it.
	devices, marks set
	// What values begin with that are no secrets.
	references, ciphertexts, publics, digests *prefixes
}

// prefixes are beginnings of values, by their first byte in lower case.
type prefixes struct {
	by   [256][]string
	fold bool // the case of letters does not matter
}

func newPrefixes(fold bool, list ...string) *prefixes {
	p := &prefixes{fold: fold}
	for _, s := range list {
		p.by[s[0]|0x20] = append(p.by[s[0]|0x20], s)
	}
	return p
}

// begins returns the length of the prefix that s begins with, and -1 when there
// is none.
func (p *prefixes) begins(s string) int {
	if s == "" {
		return -1
	}
	for _, prefix := range p.by[s[0]|0x20] {
		if strings.HasPrefix(s, prefix) || p.fold && len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			return len(prefix)
		}
	}
	return -1
}

func newValues() *values {
	return &values{
		terms: terms(),
		talk:  talk(),
		placeholders: setOf(`unused notused changeme changeit replaceme replace placeholder todo fixme tbd tba xxx redacted hidden masked
			removed example sample dummy foobar yourpassword password_here secret_here none null nil undef undefined
			unset notset default empty unknown omitted snip secret_value insert_here enter_here`),
		keywords: setOf(`yes no true false on off present absent installed latest held purged enabled disabled enable disable
			optional required require requisite sufficient mandatory allow deny permit none any all auto manual always never
			ask prompt interactive stdin file env environment vault keyring keychain kwallet wincred pass ldap ldaps pam
			kerberos krb5 gssapi spnego radius tacacs saml oidc oauth oauth2 openid digest basic bearer negotiate ntlm plain
			login cram-md5 digest-md5 md5 sha1 sha256 sha384 sha512 sha-256 sha-512 sha224 scram-sha-1 scram-sha-256
			scram-sha-512 bcrypt scrypt builtin argon2 argon2i argon2id pbkdf2 pbkdf2_sha256 pbkdf2_sha512 yescrypt crypt des sha sha-1
			3des blowfish ssha smd5 ssha512 hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 eddsa ed25519 rsa dsa ecdsa
			aes aes128 aes192 aes256 hmac hmac-md5 hmac-sha1 hmac-sha256 hmac-sha512 peer trust reject ident cert
			certificate password passwd passphrase token apikey api_key secret key keys user username local remote internal external
			system root nobody static dynamic random generated strict lax strong weak medium high low simple complex
			default custom standard mysql_native_password caching_sha2_password sha256_password unix_socket auth_socket
			ed25519_password private public shared global session cookie header query body form json xml text string
			integer boolean hash array sensitive encrypted unencrypted cleartext plaintext clear hashed salted
			md5sum file_token client_secret_basic client_secret_post private_key_jwt client_secret_jwt
			files compat sss systemd nis winbind db sub subtree one base onelevel children
			on_create on-create self signed self-signed once daily weekly monthly hourly managed unmanaged inherit inherited exop exop_send_old clear_remove_old ad nds racf`),
		weak: setOf(`passwort kennwort geheim geheimnis motdepasse azerty contraseña contrasena senha wachtwoord welkom haslo hallo sommer parola rabbitmq grafana zabbix nagios
			jenkins gitlab kibana elastic redis mariadb keycloak nexus sonar letmein123 passwd admin1 root1 temp temp123 demo testtest qwertz 1q2w3e4r p@ssword monitor operator sa
			admin administrator root secret puppet letmein welcome master test guest toor postgres mysql oracle
			qwerty dragon monkey iloveyou abc123 password1 passw0rd p@ssw0rd welcome1 admin123 root123 test123 secret123
			123456 12345678 123456789 1234567890 1234 12345 111111 000000 qwerty123 changeme changeit password default
			vagrant ubuntu raspberry alpine cisco calvin manager tomcat s3cret service support ftp user pass public
			private`),
		devices: setOf(`ntp failover vtp ikev1 ikev2 pre-shared-key wpa-psk snmp-server local-user enable username neighbor tacacs-server radius-server tacacs radius ip ipv6 standby vrrp isis key key-string crypto ppp
			area authentication line password peer server`),
		marks: setOf(`password secret key key-string authentication-key authentication-string community pre-shared-key wpa-psk text md5 sha sha1 sha256 cipher priv`),
		examples: setOf(`akiaiosfodnn7example wjalrxutnfemi/k7mdeng/bpxrficyexamplekey aroaexampleid
			je7mtgbclwbf/2zk/h3ycoiadqwcvmspdeadbeef asiaiosfodnn7example`),
		references: newPrefixes(true, "op://", "vault:", "vault://", "arn:", "@microsoft.keyvault", "$__file{", "$__env{", "$__vault{", "secretkeyref", "valuefrom",
			"ref+", "file://", "file:", "env:", "env://", "ssm:", "ssm://", "secretsmanager:", "awssm://", "gcpsm://", "azkv://",
			"gcp-secret-manager:", "projects/", "keyvault:", "keyring:", "keychain:", "pass:env:", "!vault", "!secret", "!env", "!ref", "!getatt",
			"bws://", "doppler://", "infisical://", "akv://", "sm://", "k8s://", "kms://", "hiera(", "lookup(", "env[", "os.environ", "process.env",
			"getenv(", "system.getenv(", "sys.env", "env.fetch(", "std::env::var(", "data.vault", "var.", "local.", "module.", "secrets.", "credentials/", "classpath:", "{{", "sops://", "bitwarden://",
			"lastpass://", "keepass://", "conjur:", "!var ", "systemd-creds", "/run/secrets/", "docker-secret:", "$secret", "resolve:secretsmanager", "{{resolve:",
			"jceks://", "pkcs11:", "tpm2:", "exec:", "fd:", "{SASL}"),
		ciphertexts: newPrefixes(false, "ENC[", "ENC(", "$ANSIBLE_VAULT;", "-----BEGIN PKCS7", "-----BEGIN CMS", "-----BEGIN PGP MESSAGE",
			"-----BEGIN AGE ENCRYPTED", "age-encryption.org/", "vault:v", "DEC::", "{cipher}", "AQICAH", "sops:", "U2FsdGVkX1",
			"CRYPT:", "!crypt", "{AES}", "{aes}", "{xor}", "ENC:", "enc:", "kms:", "encrypted:", "-----BEGIN ENCRYPTED"),
		publics: newPrefixes(false, "-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN RSA PUBLIC KEY", "-----BEGIN PGP PUBLIC",
			"-----BEGIN TRUSTED CERT", "-----BEGIN X509 CRL", "-----BEGIN DH PARAM", "-----BEGIN EC PARAM", "-----BEGIN SSH2 PUBLIC",
			"---- BEGIN SSH2 PUBLIC", "-----BEGIN NEW CERT", "ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh",
			"AAAAG nNr", "AAAAGnNr", "AAAAInNr", "age1", "pk_live_", "pk_test_", "phc_", "pk-lf-", "sb_publishable_", "SHA256:", "MD5:", "RWQ", "untrusted comment:"),
		digests: newPrefixes(false, "{md5}", "{sha1}", "{sha256}", "{sha224}", "{sha384}", "{sha512}", "{sha256lite}", "{md5lite}", "{mtime}", "{ctime}",
			"sha256-", "sha384-", "sha512-", "sha256/", "sha256:", "sha512:", "sha1:", "md5:", "sha384:"),
	}
}

// against returns what speaks against s being a secret under a name of the
// given sort; [none] when nothing does.
func (v *values) against(s string, as sort) reason {
	switch {
	case s == "":
		return empty
	case len(s) > maxValue:
		return tooLong
	}
	if printed(s) && as != never {
		return none
	}
	if r := v.marked(s); r != none {
		return r
	}
	if r := v.meant(s); r != none {
		return r
	}
	return v.shaped(s, as)
}

// marked tells values that bear a mark of what they are.
func (v *values) marked(s string) reason {
	switch {
	case isMask(s):
		return masked
	case isTemplate(s):
		return template
	case v.isReference(s):
		return reference
	case v.isCiphertext(s):
		return ciphertext
	case v.isPublic(s):
		return public
	case v.isDigest(s):
		return digest
	case isLocked(s):
		return locked
	case isPattern(s), isSelector(s), isIndex(s), isTypeName(s), strings.Contains(s, "::") && letters(strings.ReplaceAll(s, "::", "")):
		return code
	case isVersion(s), isTime(s):
		return number
	case isDistinguished(s):
		return identifier
	}
	return none
}

// meant tells values whose words have another meaning.
func (v *values) meant(s string) reason {
	low := strings.ToLower(strings.Trim(s, " \t<>[](){}'\"`"))
	switch {
	case v.examples.has(low), strings.HasSuffix(low, "examplekey"), strings.HasSuffix(s, "EXAMPLE"):
		return example
	case sensitive.IsMarker(strings.TrimSpace(s)), v.isPlaceholder(low, s):
		return placeholder
	case v.keywords.has(low):
		return keyword
	case s[0] >= utf8.RuneSelf && isForeign(s):
		return caption
	case isDuration(low):
		return number
	}
	return none
}

// isForeign reports whether s is written in letters that are not those of the
// Latin alphabet only: a word of the language, as in a translation.
func isForeign(s string) bool {
	for _, r := range s {
		if r < utf8.RuneSelf && r != ' ' && r != '-' || r >= utf8.RuneSelf && r < 0x370 {
			return false
		}
	}
	return utf8.ValidString(s)
}

// isPlaceholder tells what a person is to replace.
func (v *values) isPlaceholder(low, s string) bool {
	flat := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '.' {
			return '_'
		}
		return r
	}, low)
	if v.placeholders.has(flat) || v.placeholders.has(strings.ReplaceAll(flat, "_", "")) {
		return true
	}
	if n := len(s); n > 2 && (s[0] == '<' && s[n-1] == '>' || strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") ||
		s[0] == '@' && s[n-1] == '@' || s[0] == '%' && s[n-1] == '%' && !strings.ContainsAny(s, " ")) {
		return true
	}
	if strings.HasSuffix(flat, "_example") || strings.HasSuffix(flat, "_placeholder") || repeats(low) || counts(low) || letters(strings.TrimSuffix(low, "...")) && strings.HasSuffix(low, "...") {
		return true
	}
	about := false
	for w := range strings.FieldsFuncSeq(flat, func(r rune) bool { return r == '_' }) {
		switch w {
		case "generated", "operator", "hiera", "eyaml", "vault", "see", "manually", "later", "autogenerated", "auto", "injected", "provided", "managed", "encrypted", "externally", "your", "my", "insert", "enter", "replace", "change", "put", "set", "fill", "add", "provide", "some", "here",
			"goes", "todo", "fixme", "placeholder", "example", "dummy", "sample", "fake", "changeme", "replaceme", "redacted",
			"not", "defined", "decided", "determined", "removed", "replaced", "stored", "kept", "elsewhere",
			// The same in the languages of the neighbours.
			"ihr", "ihre", "dein", "deine", "mein", "hier", "eintragen", "einsetzen", "eingeben", "setzen", "bitte", "aendern", "ändern", "ersetzen",
			"votre", "ton", "mot", "ici", "changer", "changez", "remplacer", "remplacez", "saisir", "inserer", "insérer",
			"su", "tu", "aqui", "aquí", "cambiar", "cambie", "cambiame", "ponga", "inserte",
			"sua", "seu", "insira", "troque", "mude", "inserisci", "cambia", "cambiami", "qui",
			"uw", "jouw", "wijzig", "wijzigen", "vul", "twoje", "wpisz", "zmien", "zmień", "ditt", "byt":
			about = true
		case "password", "passwd", "secret", "token", "key", "api", "me", "with", "a", "the", "this", "in", "value", "user",
			"db", "database", "admin", "root", "access", "private", "client", "auth", "pass", "passphrase", "real", "strong",
			"own", "please", "by", "runtime", "from", "env", "environment", "installer", "puppet", "via", "is", "when", "for", "at", "least", "it", "must", "be", "of", "and", "app", "random", "to", "test", "id",
			"credentials", "long", "service", "account", "keychain", "keyring", "safe",
			"das", "ein", "neues", "passwort", "kennwort", "geheimnis", "schluessel", "schlüssel", "le", "de", "passe", "cle", "clé", "jeton",
			"contrasena", "contraseña", "clave", "senha", "chave", "chiave", "wachtwoord", "sleutel", "haslo", "hasło", "losenord", "lösenord", "passord", "salasana":
		default:
			return false
		}
	}
	return about
}

// repeats reports whether s is one character again and again, but for
// separators.
func repeats(s string) bool {
	first := byte(0)
	n := 0
	for i := range len(s) {
		c := s[i]
		if c == '-' || c == '_' || c == ' ' {
			continue
		}
		if first == 0 {
			first = c
		}
		if c != first {
			return false
		}
		n++
	}
	return n >= 3 && !(first >= '0' && first <= '9' && n < 3)
}

// counts reports whether the digits of s count: 0123456789abcdef, over and over,
// or bytes that each are one more than the one before.
func counts(s string) bool {
	if len(s) < 16 || len(s)%2 != 0 || !isHex(s) {
		return false
	}
	const hexDigits = "0123456789abcdef"
	if strings.HasPrefix(strings.Repeat(hexDigits, len(s)/16+1), s) || strings.HasPrefix(strings.Repeat("0123456789", len(s)/10+1), s) {
		return true
	}
	for i := 2; i < len(s); i += 2 {
		a, b := hexByte(s[i-2:]), hexByte(s[i:])
		if b != a+1 && b != a+0x11 {
			return false
		}
	}
	return true
}

func hexByte(s string) byte {
	n := byte(0)
	for i := range 2 {
		c := s[i] | 0x20
		if c >= 'a' {
			c -= 'a' - 10
		}
		n = n<<4 | c&15
	}
	return n
}

// shaped tells values that have the shape of something else.
func (v *values) shaped(s string, as sort) reason {
	low := strings.ToLower(s)
	switch {
	case isPath(s):
		return filename
	case isAddress(s, as) && !(as > hint && v.isDottedPhrase(s)):
		return address
	case isProse(s) && !(as == phrase && len(s) < 160 && !strings.ContainsAny(s, ".:;,()")) && !(as > hint && v.isPassphrase(s)):
		return prose
	case isNumber(s):
		if as.open() && len(s) >= 4 || as == token && len(s) >= 16 {
			return none
		}
		return number
	case v.weak.has(low):
		if as.open() {
			return none
		}
		return keyword
	}
	switch as {
	case password, phrase:
		if v.isNameOfSecret(s) {
			return identifier
		}
		if digits, lower, upper, _ := count(s); digits+lower+upper < 3 && len(s) < 12 {
			return keyword
		}
		return none
	case token:
		if (len(s) == 16 || len(s) == 40) && isHex(s) && !isNumber(s) && s == strings.ToUpper(s) {
			return identifier // of a key of OpenPGP
		}
		if v.isPassphrase(s) {
			return none
		}
		if len(s) < 8 || strings.ContainsAny(s, " \t") || !machineMade(s) && !v.isPhrase(s) && !v.isChosen(s) {
			return keyword
		}
		return none
	default:
		if (len(s) == 40 || len(s) == 16) && isHex(s) || s == strings.ToUpper(s) && isHex(s) {
			return identifier // the fingerprint of a key, a commit
		}
		if isUUID(s) || isUUIDWithin(s) {
			return identifier
		}
		if len(s) < 12 || strings.ContainsAny(s, " \t") || !random(s) {
			return keyword
		}
		return none
	}
}

// isMask tells what some program put in place of a secret.
func isMask(s string) bool {
	if !mayMask(s) {
		return false
	}
	low := strings.ToLower(s)
	for _, m := range []string{"[value redacted]", "[redacted", "<redacted", "(redacted", "<hidden", "[hidden", "(hidden",
		"[masked", "<masked", "[filtered", "<filtered", "[removed", "<removed", "<sensitive", "[sensitive", "(sensitive",
		"‹", "<secret hidden", "[secret", "*****", "xxxxxx", "••••"} {
		if strings.Contains(low, m) && (m[0] != '*' && m[0] != 'x' || len(strings.Trim(low, "*x")) == 0) {
			return true
		}
	}
	if len(s) <= 12 && (strings.HasPrefix(s, "****") || strings.HasSuffix(s, "****")) {
		return true // the rest is for people who know it
	}
	return len(s) > 2 && len(strings.Trim(s, "*•.…#?xX")) == 0
}

// mayMask reports whether s has one of the characters that each mask has some of,
// `‹`, `•` and `…` by the first of their bytes.
func mayMask(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '[', '<', '(', '*', 'x', 'X', '.', '#', '?', "‹"[0]:
			return true
		}
	}
	return false
}

// isTemplate tells what is filled in later: most of it is a variable of some
// language.
func isTemplate(s string) bool {
	s = strings.Trim(s, " \t\r\n\"'\\")
	switch n := len(s); {
	case n > 2 && s[0] == '`': // the output of a command, of which a blank cuts off the rest
		return s[n-1] == '`' || isIdentifier(s[1:])
	case n > 4 && s[0] == '*' && letters(strings.NewReplacer("_", "", "-", "").Replace(s[1:])): // an alias of YAML
		return true
	case n > 4 && strings.HasPrefix(s, "((") && strings.HasSuffix(s, "))"): // of Concourse and BOSH
		return true
	case n > 4 && s[0] == '[' && s[n-1] == ']' && strings.ContainsAny(s, " $"): // the output of a command of Tcl
		return true
	case n > 4 && strings.HasPrefix(s, "[[") && strings.HasSuffix(s, "]]"):
		return true
	}
	if !strings.ContainsAny(s, "$%{<@#") {
		return false
	}
	for _, p := range [][2]string{
		{"%{", "}"}, {"%[", "]"}, {"${", "}"}, {"$(", ")"}, {"<%", "%>"}, {"{{", "}}"}, {"{%", "%}"}, {"#{", "}"}, {"$[", "]"}, {"@{", "}"}, {"$((", "))"}, {"[[", "]]"}, {"<<", ">>"},
	} {
		if i := strings.Index(s, p[0]); i >= 0 {
			if j := strings.LastIndex(s, p[1]); j > i || i == 0 {
				rest := s[:i]
				if j > i {
					rest += s[min(j+len(p[1]), len(s)):]
				}
				return len(rest) <= len(s)/3 || len(rest) < 8
			}
		}
	}
	if i := strings.IndexByte(s, '@'); i >= 0 {
		if n := strings.IndexByte(s[i+1:], '@'); n > 2 && isIdentifier(s[i+1:i+1+n]) && len(s)-n <= 4 && s == strings.ToUpper(s) {
			return true
		}
	}
	if i := strings.IndexByte(s, '%'); i >= 0 {
		if n := strings.IndexByte(s[i:], '{'); n > 0 && letters(s[i+1:i+n]) {
			return true
		}
	}
	if n := len(s); n > 1 && s[0] == '$' && isIdentifier(strings.TrimPrefix(s[1:], "::")) {
		return true
	}
	if isFormat(s) {
		return true
	}
	if n := len(s); n > 2 && s[0] == '%' && s[n-1] == '%' && isIdentifier(s[1:n-1]) {
		return true
	}
	if n := len(s); n > 3 && s[0] == '$' && s[n-1] == '$' && isIdentifier(s[1:n-1]) {
		return true // a macro of Nagios
	}
	if n := len(s); n > 5 && s[0] == '{' && s[n-1] == '}' {
		// `{DB_PASSWORD}`, `{env:DB_PASSWORD}`
		name := s[1 : n-1]
		name = name[strings.IndexByte(name, ':')+1:]
		return isIdentifier(name) && strings.Contains(name, "_") && !strings.ContainsAny(name, ".'\"[]")
	}
	return len(s) > 5 && (strings.HasPrefix(s, "$env:") || strings.HasPrefix(s, "$env(") || strings.HasPrefix(s, "$ENV{"))
}

// isFormat tells a format of printf: little but verbs and separators.
func isFormat(s string) bool {
	rest, n := s, 0
	for _, verb := range []string{"%s", "%d", "%v", "%q", "%x", "%i", "%u"} {
		n += strings.Count(rest, verb)
		rest = strings.ReplaceAll(rest, verb, "")
	}
	return n > 0 && len(rest) <= 8 && (n > 1 || rest == "" || !machineMade(rest))
}

func isIdentifier(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != ':' && s[i] != '.' && s[i] != '[' && s[i] != ']' && s[i] != '\'' && s[i] != '"' {
			return false
		}
	}
	// `$6$salt…` has more dollars, and `$Abc12!` is a password: a variable
	// is written in one case.
	letters := strings.Trim(s, "0123456789_")
	return letters == strings.ToLower(letters) || letters == strings.ToUpper(letters) || !strings.ContainsAny(s, "0123456789")
}

func isWordByte(c byte) bool {
	return c == '_' || isAlnum(c)
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isReference tells what names a secret that is kept elsewhere.
func (v *values) isReference(s string) bool {
	return v.references.begins(s) >= 0 || isStored(s) || isMounted(s)
}

// isMounted tells the secrets of Podman and Docker that a container is given by
// their name: `db_password,type=env,target=DB_PASSWORD`.
func isMounted(s string) bool {
	name, how, found := strings.Cut(s, ",")
	return found && isIdentifier(strings.ReplaceAll(strings.TrimPrefix(name, "source="), "-", "_")) && (strings.HasPrefix(how, "type=") || strings.HasPrefix(how, "target="))
}

// isStored tells where a store of secrets keeps one, whatever the store:
// `gopass:prod/db`, `bao:kv/data/x#password`, `secretref:db-password`. That is
// the name of the store, a colon, and the words of a path.
func isStored(s string) bool {
	store, rest, found := strings.Cut(s, ":")
	if !found || len(store) < 3 || len(store) > 20 || len(rest) < 3 || len(rest) > 120 || !letters(strings.ReplaceAll(store, "-", "")) || store != strings.ToLower(store) {
		return false
	}
	if !strings.ContainsAny(rest, "/#") && !strings.HasSuffix(store, "ref") && !strings.Contains(store, "secret") && !strings.Contains(store, "vault") {
		return false
	}
	words := 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("/#-_.?:", r) }) {
		if stem := strings.TrimRight(part, "0123456789"); len(part)-len(stem) > 2 || stem != "" && !letters(stem) || part != strings.ToLower(part) && !letters(part) {
			return false
		}
		words++
	}
	return words > 1
}

// isCiphertext tells what is encrypted.
func (v *values) isCiphertext(s string) bool {
	s = strings.TrimSpace(s)
	if n := v.ciphertexts.begins(s); n >= 0 {
		return !strings.HasPrefix(s, "vault:v") || len(s) > 8 && s[7] >= '0' && s[7] <= '9'
	}
	// Bitnami's sealed secrets, and Jenkins' and Maven's braces.
	if len(s) > 200 && strings.HasPrefix(s, "Ag") && s[2] >= 'A' && s[2] <= 'D' { // a key of 512 bytes
		return true
	}
	return len(s) > 20 && s[0] == '{' && s[len(s)-1] == '}' && isBase64(s[1:len(s)-1])
}

// isPublic tells what may be known.
func (v *values) isPublic(s string) bool {
	return v.publics.begins(strings.TrimSpace(s)) >= 0
}

// isDigest tells what is marked as a digest of something. A digest without a
// mark is told by its name.
func (v *values) isDigest(s string) bool {
	n := v.digests.begins(s)
	return n >= 0 && (s[0] == '{' || isHex(s[n:]) || isBase64(s[n:]))
}

// isLocked tells what stands in place of a password that nobody has.
func isLocked(s string) bool {
	switch s {
	case "!", "!!", "*", "x", "X", "!*", "*!", "*LK*", "NP", "*NP*", "!locked", "*LOCKED*", "$p$root", "!!!", "-", "~", ".":
		return true
	}
	return strings.HasPrefix(s, "*LK*") || strings.HasPrefix(s, "!") && len(s) < 3
}

// isTypeName tells types of the Puppet language: `Sensitive[String[1]]`.
func isTypeName(s string) bool {
	name, rest, found := strings.Cut(s, "[")
	if !found || !strings.HasSuffix(rest, "]") {
		return false
	}
	switch name {
	case "Sensitive", "String", "Optional", "Variant", "Enum", "Pattern", "Array", "Hash", "Integer", "Type", "Regexp", "Struct", "Tuple", "NotUndef", "Deferred":
		return true
	}
	return false
}

// isPattern tells regular expressions: two of their marks, or one that nothing
// else has.
func isPattern(s string) bool {
	if !strings.ContainsAny(s, `.[\(])^|`) {
		return false
	}
	marks := 0
	for _, part := range []string{".*", ".+", "[^", "[-1]", "[*]", "[?", `\S`, `\s`, `\w`, `\d`, "(?", "[a-z", "[A-Z", "[0-9", ")$", "^(", "]+", "]*"} {
		if strings.Contains(s, part) {
			marks++
		}
	}
	for _, part := range []string{`\|`, `\(`, `\)`, `\%(`, `\<`, "|^"} { // of Vim and of grep
		marks += min(strings.Count(s, part), 2)
	}
	return marks >= 2 || strings.Contains(s, ".*") && (len(s) > 24 || !mixed(s)) || strings.Contains(s, "[-1].") || strings.Contains(s, "[*].") || strings.Contains(s, `\S+`) || strings.Contains(s, `\w+`) || strings.Contains(s, `\d+`)
}

// isSelector tells what finds an element of a page: `input#user_password`,
// `meta[name='csrf-token']`.
func isSelector(s string) bool {
	i := strings.IndexAny(s, "#.[")
	if i <= 0 || i+1 >= len(s) {
		return false
	}
	switch s[:i] {
	case "input", "button", "div", "form", "span", "a", "meta", "label", "select", "textarea", "body", "section":
		return s[i] == '[' && s[len(s)-1] == ']' || s[i] != '[' && letters(strings.Map(withoutJoints, s[i+1:]))
	}
	return false
}

// isIndex tells the name of a field in brackets behind what has it, as forms and
// keys of items have it: `login[password]`.
func isIndex(s string) bool {
	i := strings.IndexByte(s, '[')
	return i > 0 && s[len(s)-1] == ']' && letters(strings.Map(withoutJoints, s[:i])) && letters(strings.Map(withoutJoints, s[i+1:len(s)-1]))
}

// withoutJoints drops what joins the words of an identifier.
func withoutJoints(r rune) rune {
	if r == '-' || r == '_' {
		return -1
	}
	return r
}

// mixed reports whether s has letters of both cases, and marks that a pattern
// does not need.
func mixed(s string) bool {
	_, lower, upper, _ := count(s)
	return lower > 0 && upper > 0 && strings.ContainsAny(s, "!#%&@=:;~") && !strings.ContainsAny(s, "/$")
}

// isVersion tells versions and the ranges of them that packages ask for: `^7.0.3`,
// `>= 9.0`, `~> 1.2`, `8.1~alpha1`, `2:1.14-3ubuntu1`.
func isVersion(s string) bool {
	rest := strings.TrimLeft(s, "^~<>=v! ")
	if rest == "" || rest[0] < '0' || rest[0] > '9' || strings.IndexByte(rest, '.') < 1 {
		return false
	}
	dots, numbers := 0, 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune(".-~+:_", r) }) {
		stem := strings.TrimRight(part, "0123456789")
		switch stem {
		case "":
			numbers++
		case "alpha", "beta", "a", "b", "rc", "pre", "dev", "post", "p", "r", "git", "svn", "ds", "dfsg", "deb", "ubuntu", "el", "fc", "bpo", "build", "snapshot", "final",
			"ga", "x", "release", "lts", "RELEASE", "SNAPSHOT", "Final", "GA", "RC", "M":
		default:
			if w := strings.Trim(part, "0123456789"); w != "ubuntu" && w != "build" && w != "deb" && w != "el" && w != "rc" && w != "b" && w != "a" && w != "ds" && w != "u" {
				return false
			}
		}
		dots++
	}
	return dots >= 2 && numbers >= 1 && (numbers >= 2 || rest != s) && len(s) < 40 && !isHost(rest) || dots >= 2 && numbers >= 2 && len(s) < 40
}

// isTime tells a date with a time: RFC 3339, and with a blank between.
func isTime(s string) bool {
	if len(s) < 16 || len(s) > 40 || s[4] != '-' || s[7] != '-' || s[10] != 'T' && s[10] != ' ' || s[13] != ':' {
		return false
	}
	return isNumber(s[:4]) && isNumber(s[5:7]) && isNumber(s[8:10]) && isNumber(s[11:13]) && isNumber(s[14:16])
}

// isDistinguished tells names of a directory, and filters: `cn=admin,dc=example`,
// `(objectClass=account)`.
func isDistinguished(s string) bool {
	if len(s) > 4 && s[0] == '(' && s[len(s)-1] == ')' && strings.Contains(s, "=") {
		return true
	}
	n := 0
	for part := range strings.SplitSeq(s, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || value == "" {
			return false
		}
		switch strings.ToLower(name) {
		case "dc", "cn", "ou", "o", "uid", "c", "l", "st", "sn", "emailaddress", "serialnumber", "krbprincipalname":
			n++
		default:
			return false
		}
	}
	return n >= 2
}

// isDuration tells `12h`, `30 days`, `86400s`, `1.5GB`, `50%`.
func isDuration(low string) bool {
	rest := strings.TrimLeft(low, "0123456789.")
	if len(rest) == len(low) || len(rest) == 0 {
		return false
	}
	switch strings.TrimSpace(rest) {
	case "s", "m", "h", "d", "w", "y", "ms", "us", "ns", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes",
		"hour", "hours", "day", "days", "week", "weeks", "month", "months", "year", "years", "k", "kb", "mb", "gb", "g", "tb",
		"kib", "mib", "gib", "b", "byte", "bytes", "bit", "bits", "%", "x":
		return true
	}
	return false
}

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHex(strings.ReplaceAll(s, "-", ""))
}

// isUUIDWithin reports whether s is a UUID with an affix: `Q-…-0`.
func isUUIDWithin(s string) bool {
	i := strings.IndexByte(s, '-')
	return len(s) < 48 && i >= 0 && i+37 <= len(s) && isUUID(s[i+1:i+37])
}

// isPath tells names of files.
func isPath(s string) bool {
	if strings.ContainsAny(s, "\n") {
		return false
	}
	if first, rest, found := strings.Cut(s, ","); found && strings.HasPrefix(s, "/") && strings.Contains(rest, "=") {
		s = first // options behind it, as of a mount
	}
	switch {
	case strings.HasPrefix(s, "|/"):
		return true // a program that is given what comes
	case isRooted(s):
		return !strings.ContainsAny(s, "=#|&;<>")
	case strings.HasPrefix(s, "/") && len(s) > 1:
		// `/` begins base64 as well: a path has short, readable parts.
		return isPathText(s)
	case strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `\\`):
		return true
	case len(s) > 3 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && isAlnum(s[0]):
		return true
	case strings.HasPrefix(s, "HKLM\\"), strings.HasPrefix(s, "HKEY_"), strings.HasPrefix(s, "HKCU\\"):
		return true
	}
	for _, ext := range []string{".pem", ".key", ".crt", ".cer", ".txt", ".conf", ".cfg", ".ini", ".yaml", ".yml", ".json", ".xml", ".p12", ".pfx",
		".jks", ".pub", ".sh", ".asc", ".gpg", ".keytab", ".der", ".psk", ".pass", ".passwd", ".secret", ".token", ".env", ".erb", ".epp", ".rb", ".py"} {
		if strings.HasSuffix(s, ext) && len(s) > len(ext) && !strings.ContainsAny(s, " +=!#") {
			return true
		}
	}
	return strings.Count(s, "/") >= 2 && !strings.Contains(s, "//") && isPathText("/"+s)
}

// roots are the directories that paths begin with.
var roots = []string{"/etc/", "/var/", "/usr/", "/opt/", "/srv/", "/home/", "/root/", "/run/", "/tmp/", "/mnt/", "/media/", "/data/", "/proc/", "/sys/", "/dev/",
	"/lib/", "/boot/", "/bin/", "/sbin/", "/secrets/", "/vault/", "/app/", "/u01/", "/export/", "/nfs/", "/Users/", "/Library/", "/private/", "/snap/"}

func isRooted(s string) bool {
	for _, r := range roots {
		if strings.HasPrefix(s, r) {
			return true
		}
	}
	return false
}

// isPathText reports whether every part between slashes could be a name that a
// person gave.
func isPathText(s string) bool {
	if strings.ContainsAny(s, " \t+=!#|&;<>") {
		return false
	}
	for part := range strings.SplitSeq(s[1:], "/") {
		if len(part) > 12 && random(part) {
			return false
		}
	}
	return true
}

// isAddress tells URLs, host names and addresses. A URL with a user and a
// password is found by its own rule.
func isAddress(s string, as sort) bool {
	if i := strings.Index(s, "://"); i > 0 && i < 16 && isScheme(s[:i]) {
		return true
	}
	if strings.Contains(s, "@") && !strings.ContainsAny(s, " !#$%^&*") {
		// An address for mail: a domain with a dot behind the only @.
		local, domain, _ := strings.Cut(s, "@")
		if local != "" && isHost(domain) && strings.Contains(domain, ".") && domain == strings.ToLower(domain) && isLetter(domain[len(domain)-1]) {
			return true
		}
	}
	host, port, found := strings.Cut(s, ":")
	if found && isNumber(port) && len(port) <= 5 && isHost(host) && (strings.Contains(host, ".") || host == "localhost") {
		return true
	}
	if isHost(s) && strings.Count(s, ".") >= 2 && !random(strings.ReplaceAll(s, ".", "")) {
		return true
	}
	return s == "localhost" || strings.HasPrefix(s, "unix:") || !as.open() && isHost(s) && strings.Count(s, ".") == 1 && !strings.ContainsAny(s, "0123456789")
}

func isScheme(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '+' && s[i] != '-' && s[i] != '.' && s[i] != ':' {
			return false
		}
	}
	return s != "" && !isNumber(s[:1])
}

func isHost(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for i := range len(label) {
			if !isAlnum(label[i]) && label[i] != '-' && label[i] != '_' {
				return false
			}
		}
	}
	return true
}

// isProse tells a sentence: three words or more, most of them of letters only.
func isProse(s string) bool {
	n, plainWords := 0, 0
	for w := range strings.FieldsSeq(s) {
		n++
		if letters(strings.Trim(w, ".,;:!?()'\"`")) {
			plainWords++
		}
	}
	return n >= 3 && plainWords*3 >= n*2
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return s != ""
}

func isBase64(s string) bool {
	t := strings.TrimRight(s, "=")
	for i := range len(t) {
		if c := t[i]; !isAlnum(c) && c != '+' && c != '/' && c != '-' && c != '_' {
			return false
		}
	}
	return t != "" && len(s)-len(t) < 3
}

// isFolded reports whether s is base64 with blanks and line breaks in it.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < utf8.RuneSelf && !isBase64Byte(c) && c != '=' {
			return false
		}
	}
	return isBase64(strings.Join(strings.Fields(s), ""))
}

// entropy returns the bits for each byte of s, by how often each occurs in it.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// machineMade reports whether s is nothing that a person would choose as a
// word or an identifier: it has digits and letters, or both cases inside, or
// characters between them.
func machineMade(s string) bool {
	if !utf8.ValidString(s) {
		return true
	}
	digits, lower, upper, other := count(s)
	if strings.ContainsAny(s, " \t") && digits == 0 {
		return false
	}
	if digits == 0 && other == 0 {
		return lower > 0 && upper > 0 && humps(s) >= 3 && random(s) || len(s) >= 16 && random(s)
	}
	if wordy(s) {
		return false
	}
	if digits == 0 {
		// Words joined by separators are names, unless marks are among them.
		return strings.ContainsAny(s, "!#$%^&*+=?~|") || random(s)
	}
	return lower+upper > 0 || other > 0
}

func count(s string) (digits, lower, upper, other int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		default:
			other++
		}
	}
	return
}

// printed reports whether s is drawn from all characters that can be printed,
// as the keys and salts of WordPress are: it has many kinds of marks, and means
// nothing as a template, a pattern or a path.
func printed(s string) bool {
	if len(s) < 40 || len(s) > 128 {
		return false
	}
	var marks [2]uint64
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		} else if !isAlnum(c) {
			marks[c>>6] |= 1 << (c & 63)
		}
	}
	digits, lower, upper, _ := count(s)
	return bits.OnesCount64(marks[0])+bits.OnesCount64(marks[1]) >= 10 && digits > 1 && lower > 2 && upper > 2 && entropy(s) > 4.7
}

func humps(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		if a >= 'a' && a <= 'z' && b >= 'A' && b <= 'Z' {
			n++
		}
	}
	return n
}

// random reports whether s looks drawn at random: no part of it reads like
// words, and its characters are spread.
func random(s string) bool {
	if len(s) < 8 {
		return false
	}
	if isHex(s) && len(s) >= 16 {
		digits, _, _, _ := count(s)
		return entropy(s) > 2.7 && digits > 0
	}
	digits, lower, upper, other := count(s)
	if readable(s) > 0.7 || wordy(s) || isCamel(s) {
		return false
	}
	if digits == 0 && (lower == 0 || upper == 0) {
		// One case only: separators make it a name, and so do syllables.
		return other == 0 && len(s) >= 16 && readable(s) < 0.5
	}
	classes := 0
	for _, n := range []int{digits, lower, upper} {
		if n > 0 {
			classes++
		}
	}
	return classes >= 2 && entropy(s) >= min(3.0, math.Log2(float64(len(s)))-0.6)
}

// isCamel reports whether s is made of words and abbreviations that only their
// case tells apart, as identifiers are: `LDAPSettingsInfo`.
func isCamel(s string) bool {
	if !letters(s) {
		return false
	}
	list := words(s)
	readables := 0
	for _, w := range list {
		if vowels := len(w) - len(strings.Map(withoutVowels, w)); len(w) >= 3 && vowels*6 >= len(w) {
			readables += len(w)
		}
	}
	return len(s) >= 4*len(list) && readables*4 >= len(s)*3
}

func withoutVowels(r rune) rune {
	if strings.ContainsRune("aeiouy", r) {
		return -1
	}
	return r
}

// wordy reports whether s is made of words, short numbers and versions joined by
// separators, as people name things: `user-2024-profile`, `customer_id_v2`.
func wordy(s string) bool {
	n := 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./: ", r) }) {
		n++
		stem := strings.TrimRight(part, "0123456789")
		digits := len(part) - len(stem)
		switch {
		case digits > 4, !letters(stem) && stem != "":
			return false
		case len(stem) <= 3, digits <= 2 && readable(stem) > 0.7:
		default:
			return false
		}
	}
	return n > 1
}

// readable returns which part of s stands in runs of letters in one case, three
// or longer, in which vowels and consonants alternate as they do in words.
func readable(s string) float64 {
	covered := 0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && isLetter(s[j]) && (j == i || sameCase(s[j-1], s[j]) || j == i+1 && s[i] < 'a') {
			j++
		}
		if j == i {
			i++
			continue
		}
		if j-i >= 3 && pronounceable(s[i:j]) {
			covered += j - i
		}
		i = j
	}
	return float64(covered) / float64(len(s))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func sameCase(a, b byte) bool { return a&0x20 == b&0x20 }

func pronounceable(s string) bool {
	vowels, run, longest := 0, 0, 0
	for i := range len(s) {
		switch s[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			run = 0
		case 'j', 'q', 'x', 'z':
			run += 2
		default:
			run++
		}
		longest = max(longest, run)
	}
	return longest <= 4 && vowels*5 >= len(s)
}
