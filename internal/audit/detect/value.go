package detect

import (
	_ "embed" // for the default passwords
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/secret"
)

// reason is the reason why a value is not a secret.
type reason string

// The reasons. The zero value is the absence of a reason.
const (
	none        reason = ""
	empty       reason = "empty"
	tooLong     reason = "too long for a secret"
	placeholder reason = "a placeholder"
	masked      reason = "already masked"
	template    reason = "filled in from a variable"
	reference   reason = "a reference to a secret"
	ciphertext  reason = "encrypted"
	public      reason = "public"
	digest      reason = "a digest"
	filename    reason = "a path"
	address     reason = "a URL, a host or an address"
	keyword     reason = "a keyword"
	number      reason = "a number or a duration"
	prose       reason = "a sentence"
	common      reason = "a common password"
	unlikely    reason = "not like a secret in such a place"
	example     reason = "an example from documentation"
	locked      reason = "a locked account"
	code        reason = "code"
	identifier  reason = "an identifier"
	caption     reason = "the name of a field for secrets"
)

// maxValue is the maximum length of a value that is a secret because of its name.
const maxValue = 4096

// values recognizes values that are not secrets, whatever their name.
type values struct {
	names        *vocabulary
	placeholders set
	requests     set // words that ask for a value
	keepers      set // words for the place that keeps a secret
	fillers      set // words used beside them
	keywords     set
	examples     set
	defaults     set // passwords of software and devices that are new
	// devices are the keywords of lines of network devices and routing daemons that contain
	// a secret somewhere. marks are the words before the secret.
	devices, marks set
	// The prefixes of values that are not secrets.
	references, ciphertexts, publics, digests *prefixes
}

func newValues(names *vocabulary) *values {
	return &values{
		names:    names,
		requests: requests(),
		keepers:  keepers(),
		fillers:  fillers(),
		defaults: defaultPasswords(),
		placeholders: setOf(`changeme changeit replaceme replace placeholder todo fixme tbd tba example sample dummy foobar
			yourpassword password_here secret_here secret_value insert_here enter_here`),
		keywords: setOf(`n/a unused notused xxx redacted hidden masked removed none null nil undef undefined unset notset empty unknown omitted snip yes no true false on off present absent installed latest held purged enabled disabled enable disable
			optional required require requisite sufficient mandatory allow deny permit any all auto manual always never
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
			"lastpass://", "keepass://", "conjur:", "!var ", "systemd-creds", "/run/secrets/", "docker-secret:", "$secret", "resolve:secretsmanager", "{{resolve:", "get-content", "get-secret", "read-host", "import-clixml", "convertfrom-", "convertto-",
			"jceks://", "pkcs11:", "tpm2:", "exec:", "fd:", "{SASL}"),
		ciphertexts: newPrefixes(false, "ENC[", "ENC(", "$ANSIBLE_VAULT;", "-----BEGIN PKCS7", "-----BEGIN CMS", "-----BEGIN PGP MESSAGE",
			"-----BEGIN AGE ENCRYPTED", "age-encryption.org/", "vault:v", "DEC::", "![", "{cipher}", "AQICAH", "sops:", "U2FsdGVkX1",
			"CRYPT:", "!crypt", "{AES}", "{aes}", "{xor}", "ENC:", "enc:", "kms:", "encrypted:", "-----BEGIN ENCRYPTED"),
		publics: newPrefixes(false, "-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN RSA PUBLIC KEY", "-----BEGIN PGP PUBLIC",
			"-----BEGIN TRUSTED CERT", "-----BEGIN X509 CRL", "-----BEGIN DH PARAM", "-----BEGIN EC PARAM", "-----BEGIN SSH2 PUBLIC",
			"---- BEGIN SSH2 PUBLIC", "-----BEGIN NEW CERT", "ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh",
			"AAAAGnNr", "AAAAInNr", "age1", "pk_live_", "pk_test_", "phc_", "pk-lf-", "sb_publishable_", "SHA256:", "MD5:", "RWQ", "untrusted comment:"),
		digests: newPrefixes(false, "{md5}", "{sha1}", "{sha256}", "{sha224}", "{sha384}", "{sha512}", "{sha256lite}", "{md5lite}", "{mtime}", "{ctime}",
			"sha256-", "sha384-", "sha512-", "sha256/", "sha256:", "sha512:", "sha1:", "md5:", "sha384:"),
	}
}

// against returns the reason why a candidate is not a secret, or [none].
func (v *values) against(c candidate) reason {
	s := c.value
	switch {
	case s == "":
		return empty
	case len(s) > maxValue:
		return tooLong
	}
	if rest, found := secret.CutMarkers(s); found && strings.IndexFunc(rest, isLetterOrDigit) < 0 {
		return masked
	}
	if printed(s) && c.as != never {
		return none
	}
	r := v.marked(c)
	if r == none {
		r = v.meant(c)
	}
	if r == none {
		r = v.shaped(c)
	}
	if r == none && c.score() < Threshold {
		r = unlikely
	}
	return r
}

// againstWords returns the reason why a candidate is not a secret, ignoring its shape and
// its score. It checks the marks of the value and the meaning of its words.
func (v *values) againstWords(c candidate) reason {
	if c.value == "" {
		return empty
	}
	if r := v.marked(c); r != none {
		return r
	}
	return v.meant(c)
}

// marked returns the reason for a value with an unambiguous mark, such as a prefix.
func (v *values) marked(c candidate) reason {
	s := c.value
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
	case isStatement(s), isPattern(s), isSelector(s), isIndex(s), isTypeName(s), strings.Contains(s, "::") && letters(strings.ReplaceAll(s, "::", "")):
		return code
	case isVersion(s), isTime(s):
		return number
	case isDistinguished(s), isPairs(s), strings.HasPrefix(s, "urn:"), strings.HasPrefix(s, "0x") && len(s) <= 18 && isHex(s[2:]):
		return identifier
	}
	return none
}

// meant returns the reason for a value whose words have another meaning.
func (v *values) meant(c candidate) reason {
	s := c.value
	low := strings.ToLower(strings.Trim(s, " \t<>[](){}'\"`"))
	if told := strings.TrimRight(low, "!"); told != "" {
		low = told // `ChangeMe!`
	}
	switch {
	case v.examples.has(low), strings.HasSuffix(low, "examplekey"), strings.HasSuffix(s, "EXAMPLE"):
		if c.as.secret() {
			return common
		}
		return example
	case v.isKept(low):
		return reference
	case isBetweenMarks(s) && !v.isPlaceholder(low):
		return template
	case v.isPlaceholder(low), counts(low):
		return placeholder
	case repeats(low) && c.as.open() && isAlnum(low[0]) && low[0] != 'x' && !v.keywords.has(low):
		return common
	case repeats(low):
		return masked
	case c.as.open() && !v.keywords.has(low) && isVariation(strings.ToLower(s)):
		return common
	case c.as == token && c.at == inParameter && letters(low) && v.names.sortOf(low).may():
		return common // `api_key => 'key'`
	case (v.isCommon(low) || v.isCommon(strings.ToLower(s))) && (c.as.open() || !v.keywords.has(low)):
		return common
	case v.keywords.has(low):
		return keyword
	case s[0] >= utf8.RuneSelf && isForeign(s) && !(c.as.open() && c.at == inParameter && v.isForeignPhrase(s)):
		return caption
	case isDuration(low):
		return number
	}
	return none
}

// isCommon reports whether a value in lower case is a common password, possibly written as
// several words, `mot_de_passe`, or the default password of a product.
func (v *values) isCommon(low string) bool {
	return secret.IsCommonPassword(low) || secret.IsCommonPassword(strings.Map(withoutJoints, low)) || v.defaults.has(low)
}

// defaultTable has the default passwords of products.
//
//go:embed knowledge/defaults.txt
var defaultTable string

// defaultPasswords returns the passwords in the table.
func defaultPasswords() set {
	var s set
	for columns := range rows(defaultTable, 2) {
		for w := range strings.FieldsSeq(strings.ToLower(columns[1])) {
			s.add(w)
		}
	}
	return s
}

// shaped returns the reason for a value that has the shape of something else.
func (v *values) shaped(c candidate) reason {
	s := c.value
	switch {
	case isPath(s):
		return filename
	case isAddress(s, c.as) && !(c.as > hint && isDottedPhrase(s)):
		return address
	case c.as != phrase && v.names.isSentence(s):
		return prose
	case isNumber(strings.TrimPrefix(s, "-")) && !(c.as.open() && len(s) >= 4 || c.as == token && len(s) >= 16 && s[0] != '-'):
		return number
	case c.as.open() && isNameOfSecret(s):
		return identifier
	case c.as == token && (len(s) == 16 || len(s) == 40) && isHex(s) && !isNumber(s) && s == strings.ToUpper(s):
		return identifier // the ID of an OpenPGP key
	case c.as.open() && len(s)-marks(s) < 3 && (len(s) < 6 || len(s) < 12 && c.at < inParameter):
		return keyword
	case c.as.open(), c.as == token:
		return none
	case (len(s) == 40 || len(s) == 16) && isHex(s), s == strings.ToUpper(s) && isHex(s), IsUUID(s), isUUIDWithin(s):
		return identifier // the fingerprint of a key, a commit
	}
	return none
}

// marks returns the number of bytes of s that are not ASCII letters or digits.
func marks(s string) int {
	_, _, _, other := count(s)
	return other
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
