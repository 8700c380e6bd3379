package verdict

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

// Reason is the reason why a value is not a secret.
type Reason string

// The reasons. The zero value is the absence of a reason.
const (
	None        Reason = ""
	Empty       Reason = "empty"
	TooLong     Reason = "too long for a secret"
	Placeholder Reason = "a placeholder"
	Masked      Reason = "already masked"
	Template    Reason = "filled in from a variable"
	Reference   Reason = "a reference to a secret"
	Ciphertext  Reason = "encrypted"
	Public      Reason = "public"
	Digest      Reason = "a digest"
	Filename    Reason = "a path"
	Address     Reason = "a URL, a host or an address"
	Keyword     Reason = "a keyword"
	Number      Reason = "a number or a duration"
	Prose       Reason = "a sentence"
	Common      Reason = "a common password"
	Unlikely    Reason = "not like a secret at such a location"
	Example     Reason = "an example from documentation"
	Locked      Reason = "a locked account"
	Code        Reason = "code"
	Identifier  Reason = "an identifier"
	Caption     Reason = "the name of a field for secrets"
)

// MaxValue is the maximum length of a value that is a secret because of its name.
const MaxValue = 4096

// Values recognizes values that are not secrets, whatever their name.
type Values struct {
	names        *Vocabulary
	placeholders set
	requests     set // words that ask for a value
	stopgaps     set // words for any value
	keepers      set // words for the location that keeps a secret
	fillers      set // words used beside them
	roles        set // words for accounts and their duties
	beside       set // all words used beside a request, and the requests
	speaking     set // words for a password
	allusions    set // words that may speak of one
	praises      set // words that say how good one is
	meaningless  set // all words above but keepers
	keywords     set
	examples     set
	defaults     set // passwords of software and devices that are new
	// The prefixes of values that are not secrets.
	references, ciphertexts, publics, digests *prefixes
}

// NewValues returns Values that look up names in a vocabulary.
func NewValues(names *Vocabulary) *Values {
	v := *builtinValues()
	v.names = names
	return &v
}

// builtinValues returns Values without names. They must not be changed.
var builtinValues = sync.OnceValue(func() *Values {
	v := &Values{
		requests:  requests(),
		stopgaps:  stopgaps(),
		keepers:   keepers(),
		fillers:   fillers(),
		roles:     roles(),
		speaking:  speaking(),
		allusions: allusions(),
		praises:   praises(),
		defaults:  defaultPasswords(),
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
			certificate password passwd token apikey api_key secret key keys user username local remote internal external
			system root nobody static dynamic random generated strict lax strong weak medium high low simple complex
			default custom standard mysql_native_password caching_sha2_password sha256_password unix_socket auth_socket
			ed25519_password private public shared global session cookie header query body form json xml text string
			integer boolean hash array sensitive encrypted unencrypted cleartext plaintext clear hashed salted
			md5sum file_token client_secret_basic client_secret_post private_key_jwt client_secret_jwt
			files compat sss systemd nis winbind db sub subtree one base onelevel children
			on_create on-create self signed self-signed once daily weekly monthly hourly managed unmanaged inherit inherited exop exop_send_old clear_remove_old ad nds racf
			windowspe offlineservicing generalize specialize auditsystem audituser oobesystem`),
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
			"-----BEGIN AGE ENCRYPTED", "age-encryption.org/", "DEC::", "![", "{cipher}", "AQICAH", "sops:", "U2FsdGVkX1",
			"CRYPT:", "!crypt", "{AES}", "{aes}", "{xor}", "ENC:", "enc:", "kms:", "encrypted:", "-----BEGIN ENCRYPTED"),
		publics: newPrefixes(false, "-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN RSA PUBLIC KEY", "-----BEGIN PGP PUBLIC",
			"-----BEGIN TRUSTED CERT", "-----BEGIN X509 CRL", "-----BEGIN DH PARAM", "-----BEGIN EC PARAM", "-----BEGIN SSH2 PUBLIC",
			"---- BEGIN SSH2 PUBLIC", "-----BEGIN NEW CERT", "ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh",
			"AAAAGnNr", "AAAAInNr", "age1", "pk_live_", "pk_test_", "phc_", "pk-lf-", "sb_publishable_", "SHA256:", "MD5:", "RWQ", "untrusted comment:"),
		digests: newPrefixes(false, "{md5}", "{sha1}", "{sha256}", "{sha224}", "{sha384}", "{sha512}", "{sha256lite}", "{md5lite}", "{mtime}", "{ctime}",
			"sha256-", "sha384-", "sha512-", "sha256/", "sha256:", "sha512:", "sha1:", "md5:", "sha384:"),
	}
	v.beside = union(v.requests, v.stopgaps, v.fillers, v.roles, descriptions())
	v.meaningless = union(v.beside, v.speaking, v.allusions, v.praises)
	return v
})

// Against returns the reason why a candidate is not a secret, or [None].
func (v *Values) Against(c Candidate) Reason {
	s := c.Value
	switch {
	case s == "":
		return Empty
	case len(s) > MaxValue:
		return TooLong
	}
	if rest, found := secret.CutMarkers(s); found && strings.IndexFunc(rest, alphabet.IsLetterOrDigit) < 0 {
		return Masked
	}
	if IsPrinted(s) && c.As != Never {
		return None
	}
	if r := v.ofProduct(c); r != None {
		return r
	}
	r := v.marked(c)
	if r == None {
		r = v.meant(c)
	}
	if r == None {
		r = v.shaped(c)
	}
	switch {
	case r != None:
	case c.Score() < Threshold, c.At == InProse && c.As == Hint:
		r = Unlikely
	case c.At == InProse && (isWording(s) || strings.ContainsRune(s, '\\') || s[0] == '<'):
		r = Prose
	}
	return r
}

// AgainstWords returns the reason why a candidate is not a secret, ignoring its shape and
// its score. It checks the marks of the value, whether it is a URL, and the meaning of its
// words.
func (v *Values) AgainstWords(c Candidate) Reason {
	if c.Value == "" {
		return Empty
	}
	if r := v.marked(c); r != None {
		return r
	}
	if isURL(c.Value) {
		return Address
	}
	return v.meant(c)
}

// marked returns the reason for a value with an unambiguous mark, such as a prefix.
func (v *Values) marked(c Candidate) Reason {
	s := c.Value
	switch {
	case isMask(s):
		return Masked
	case isTemplate(s):
		return Template
	case v.isReference(s):
		return Reference
	case v.isCiphertext(s):
		return Ciphertext
	case v.isPublic(s), v.isPublic(withoutAccount(s)):
		return Public
	case v.isDigest(s):
		return Digest
	case isLocked(s):
		return Locked
	case strings.HasSuffix(s, "()") && IsName(s[:len(s)-2]), strings.HasSuffix(s, "=") && len(s)%4 != 0 && IsIdentifier(s[:len(s)-1]) && !(c.As.Open() && isWordAndNumber(s[:len(s)-1])),
		isEscape(s),
		strings.HasPrefix(s, "[-"), strings.HasPrefix(s, "[<"), isAssigned(s), isStatement(s), isTag(s), isPattern(s), isSelector(s), isIndex(s), isTypeName(s), strings.Contains(s, "::") && alphabet.IsLatin(strings.ReplaceAll(s, "::", "")):
		return Code
	case isVersion(s), isTime(s), isPort(s), isProtocol(s):
		return Number
	case isLocale(s), IsDistinguished(s), isPairs(s), strings.HasPrefix(s, "urn:"), strings.HasPrefix(s, "0x") && len(s) <= 18 && alphabet.IsHex(s[2:]):
		return Identifier
	}
	return None
}

// meant returns the reason for a value whose words have another meaning.
func (v *Values) meant(c Candidate) Reason {
	s := c.Value
	whole := strings.ToLower(s)
	low := strings.Trim(whole, " \t<>[](){}'\"`")
	if told := strings.TrimRight(low, "!"); told != "" {
		low = told // `ChangeMe!`
	}
	switch {
	case v.IsExample(low), strings.HasSuffix(low, "examplekey"), strings.HasSuffix(s, "EXAMPLE"):
		if c.As.Secret() {
			return Common
		}
		return Example
	case v.isKept(low):
		return Reference
	case isBetweenMarks(s) && !v.isPlaceholder(low):
		if s[0] == '<' && c.At == InParameter && c.As.Secret() && v.names.ClassOf(low).May() {
			return Placeholder // no program replaces `<SECRET_TOKEN>` later
		}
		return Template
	case v.isPlaceholder(low) && !(c.As.Open() && v.isChosenRequest(low)), counts(low):
		return Placeholder
	case repeats(low) && (c.As.Open() || c.As == Token && c.At == InParameter) && alphabet.IsAlnum(low[0]) && low[0] != 'x' && !v.keywords.has(low):
		return Common
	case repeats(low):
		return Masked
	case c.As.Open() && !v.keywords.has(low) && v.isVariation(whole):
		return Common
	case c.As == Token && c.At == InParameter && !v.keywords.has(low) && v.SaysNothing(low):
		return Common
	case c.As == Token && c.At == InText && v.isDescribed(low):
		return Placeholder // `api_key = my-very-secret-api-key`
	case c.As == Token && c.At == InParameter && alphabet.IsLatin(low) && v.names.ClassOf(low).May():
		return Common // `api_key => 'key'`
	case (v.isCommon(low) || low != whole && v.isCommon(whole)) && (c.As.Open() || !v.keywords.has(low)):
		return Common
	case v.keywords.has(low):
		return Keyword
	case s[0] >= utf8.RuneSelf && isForeign(s) && !(c.As.Open() && c.At == InParameter && v.isForeignPhrase(s)):
		return Caption
	case isDuration(low):
		return Number
	}
	return None
}

// shaped returns the reason for a value that has the shape of something else.
func (v *Values) shaped(c Candidate) Reason {
	s := c.Value
	switch {
	case isPath(s):
		return Filename
	case isAddress(s, c.As) && !(c.As > Hint && IsDottedPhrase(s)) && !(c.As.Open() && c.At > InProse && isDottedSaying(s)):
		return Address
	case c.As != Phrase && v.names.IsSentence(s) && !(c.As.Open() && c.At > InProse && (IsSpokenPhrase(s) || isStory(s)) && !v.names.IsSaying(s)):
		return Prose
	case alphabet.IsNumber(strings.TrimPrefix(s, "-")) && !(c.As.Open() && len(s) >= 4 || c.As == Token && len(s) >= 16 && s[0] != '-'):
		return Number
	case c.As.Open() && IsNameOfSecret(s), isSID(s):
		return Identifier
	case c.As == Token && (len(s) == 16 || len(s) == 40) && alphabet.IsHex(s) && !alphabet.IsNumber(s) && s == strings.ToUpper(s):
		return Identifier // the ID of an OpenPGP key
	case c.As.Open() && len(s)-marks(s) < 3 && (len(s) < 6 || len(s) < 12 && c.At < InParameter):
		return Keyword
	case c.As.Open(), c.As == Token:
		return None
	case (len(s) == 40 || len(s) == 16) && alphabet.IsHex(s), s == strings.ToUpper(s) && alphabet.IsHex(s) && len(s) != 32 && len(s) != 64, IsUUID(s), isUUIDWithin(s):
		return Identifier // the fingerprint of a key, a commit
	}
	return None
}

// isWordAndNumber reports whether an identifier consists of letters and a number behind them, as in a password with a mark
// at its end, `fluffy_702=`.
func isWordAndNumber(s string) bool {
	const least = 3 // letters, and digits
	word := strings.TrimRight(s, "0123456789")
	return len(s)-len(word) >= least && len(word) >= least && alphabet.IsLetters(strings.TrimRight(word, "_"))
}

// isWording reports whether s consists of words and punctuation, or of several words, and is no passphrase
// as generators write it.
func isWording(s string) bool {
	return !IsPhrase(s) && !IsPassphrase(s) && (strings.Contains(s, " ") || strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(".,:;!?'\"()-“”‘’«»…‐", r)
	}) < 0)
}

// isAssigned reports whether s assigns a number to a variable: `peer_id=-1`.
func isAssigned(s string) bool {
	name, value, found := strings.Cut(s, "=")
	return found && strings.IndexByte(name, '_') > 0 && IsIdentifier(name) && alphabet.IsNumber(strings.TrimLeft(value, "-\""))
}

// marks returns the number of bytes of s that are not ASCII letters or digits.
func marks(s string) int {
	_, _, _, other := alphabet.Count(s)
	return other
}

// IsExample reports whether a value in lower case is an example from documentation.
func (v *Values) IsExample(low string) bool { return v.examples.has(low) }
