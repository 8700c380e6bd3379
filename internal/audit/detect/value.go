package detect

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/sensitive/secret"
)

// reason tells why a value is no secret.
type reason string

// The reasons. The zero value says that nothing speaks against it.
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
	prose       reason = "prose"
	example     reason = "an example from documentation"
	locked      reason = "a locked account"
	code        reason = "code"
	identifier  reason = "an identifier"
	caption     reason = "the name of a field for secrets"
)

// maxValue is how many bytes a value may have that a name alone makes a secret.
const maxValue = 4096

// values knows what values are no secrets, whatever they are called.
type values struct {
	placeholders set
	requests     set // words that ask for a value
	fillers      set // words beside them
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

func newValues() *values {
	return &values{
		terms: terms(),
		talk:  talk(),

		requests: requests(),
		fillers:  fillers(),
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
			"AAAAGnNr", "AAAAInNr", "age1", "pk_live_", "pk_test_", "phc_", "pk-lf-", "sb_publishable_", "SHA256:", "MD5:", "RWQ", "untrusted comment:"),
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
	case secret.IsMarker(strings.TrimSpace(s)), v.isPlaceholder(low, s):
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
