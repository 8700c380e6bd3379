package verdict

import (
	"iter"
	"maps"
	"strings"
	"sync"
	"unicode/utf8"
)

// Vocabulary is the meaning of the words of a name. Most sets contain the words of all
// languages: English, German, French, Dutch, Spanish, Portuguese, Italian, Polish, Czech,
// Swedish and Danish.
type Vocabulary struct {
	lexicon
	known memo[NameClass] // cached classes of names
	keys  memo[Key]       // cached implications of keys
}

// lexicon contains the words of a vocabulary.
type lexicon struct {
	foreign   set // words for a password in languages that put the noun first
	phrases   set // words for a passphrase
	passwords set // words for a password
	tokens    set
	hints     set
	fixed     map[string]NameClass // classes of complete names, which take precedence
	pairs     map[string]NameClass // classes of the last two words, without those of combined
	tails     []tail               // classes of the ends of compound words
	neutral   set                  // last words without a meaning
	about     set                  // last words for an attribute of a secret
	verbs     set                  // first words of a switch
	harmless  set                  // words before `key` that make it harmless
	compounds set                  // words that end like the name of a secret, but are not one
	designate set                  // keys whose value is the name of something
	carriers  set                  // keys whose value belongs to such a name
	plurals   set                  // keys of a Hash of secrets
	accounts  set                  // keys in such a Hash that are not secrets
	people    set                  // keys of a Hash or a list of accounts
	holders   set                  // devices that a PIN unlocks
	owners    set                  // owners of a password, in languages that name them last
	digests   set                  // first words of a digest
	services  set                  // whose names variables of the environment have that are their tokens
	accesses  set                  // second words of such names
	numbered  set                  // words in the sets above that end with a number
	ids       set                  // words of a name whose value only identifies something
	verifiers []string             // parts of names of values that anybody may know, because they verify something

	// starts is the set of the first three letters of the words above. short means that a
	// word has fewer letters.
	starts [1 << 15 / 64]uint64
	short  bool
}

type tail struct {
	text  string
	class NameClass
}

// NewVocabulary returns the vocabulary with the names of the user.
func NewVocabulary(own Names) *Vocabulary {
	v := &Vocabulary{lexicon: *builtin()}
	v.adopt(own)
	return v
}

// builtin returns the words without those of a user. They must not be changed.
var builtin = sync.OnceValue(func() *lexicon {
	v := &lexicon{
		fixed: map[string]NameClass{
			"authentication_string": Password,
			"sonar.login":           Token,
			"newrelic.license":      Token,
			"x-honeycomb-team":      Token,
			"encrypt-key":           Hint, // mostly the ID of an OpenPGP key
			// The challenge password of a certificate request, by its object identifier.
			"1.2.840.113549.1.9.7":   Password,
			"root-token-id":          Token,
			"dev-root-token-id":      Token,
			"clear-text":             Password,
			"icesecretwrite":         Password,
			"icesecretread":          Password,
			"tcp_md5_key":            Password,
			"encrypted_data":         Never, // of Chef
			"swift_hash_path_prefix": Token,
			"swift_hash_path_suffix": Token,
			// The application key and secret and the consumer key of OVH.
			"OVH_AK":   Token,
			"OVH_AS":   Token,
			"OVH_CK":   Token,
			"enable":   Hint, // of network devices
			"pub":      Never,
			"k_g":      Token, // of FreeIPMI
			"shutdown": Hint,  // the command of Tomcat
			"ww":       Token, // the password, in Dutch
			"blowfish": Hint,  // the key of a cipher, or its name
			// The ends of prompts that a script of chat waits for.
			"ssword":  Password,
			"assword": Password,
		},
		phrases: setOf(`passphrase phrase mnemonic`),
		foreign: setOf(`wachtwoord adgangskode lösenord losenord salasana passord contrasenia toegangscode passwort kennwort contrasena contraseña clave senha motdepasse mdp parola haslo hasło heslo segreto segredo secreto`),
		passwords: setOf(`pswd passwrd passkey wpakey passwordd passwordo passin passout password passwd passcode pwd pw pass passw userpass userpassword
			passwort kennwort losung wachtwoord toegangscode contrasenia contrasena contraseña clave senha palavrapasse
			motdepasse mdp parola haslo hasło heslo lösen losen lösenord losenord adgangskode passord salasana jelszo jelszó lozinka geslo sifre şifre
			parool parole пароль гасло κωδικός 密码 密碼 パスワード 비밀번호
			secret secrets geheimnis geheim psk presharedkey authtok bindpw rootpw userpw requirepass masterauth
			masterpass authpass privpass keypass storepass dbpass sharedsecret secretkey passwords wpapsk
			zugangscode losungswort geheimwort schlüsselwort schluesselwort contrasenya puk`),
		tokens: setOf(`authkey regkey licensekey licencekey privkey token tokens jeton jwt bearer apikey apitoken skey akey accesstoken authtoken apisecret pat
			sastoken otp webhook kek preshared fdsk fernet oinkcode credential credentials zugangsdaten anmeldedaten identifiants credenciales credenziali credenciais inloggegevens schlüssel schluessel otpauth totp`),
		hints: setOf(`pager cred creds key licence license hmac encrypt auth cookie community pin salt seed sas authorization
			zugang inlog acceso accesso toegang login pepper peppers userpwd basicauth httpauth sleutel llave chave klucz klíč clef nyckel nøgle`),
		pairs: map[string]NameClass{
			"key material": Password, "certificate key": Token, "setup key": Token, "vars enable": Password, "oauth key": Token, "update key": Token, "cluster key": Token, "omapi key": Token, "swift key": Token, "nsupdate key": Token, "wandb key": Token, "dedup key": Never, "hashed secret": Never, "relic license": Token, "snmp auth": Token, "snmp priv": Token, "luks key": Token, "snmp rw": Token, "snmp ro": Token, "tls secret": Never, "cipher psk": Never, "next token": Never, "page token": Never, "lock token": Never, "continuation token": Never, "pagination token": Never, "idempotency token": Never, "fastcgi pass": Never, "uwsgi pass": Never, "scgi pass": Never, "grpc pass": Never, "memcached pass": Never, "proxy pass": Token,
			"trigger phrase": Never, "testing phrase": Never, "test phrase": Never, "retest phrase": Never, "whitelist phrase": Never, "build phrase": Never, "md5 key": Token, "ssl secret": Never,
			"wep key": Password, "wireless wpa": Password, "wireless wep": Password, "cookie salt": Token, "wifi key": Password, "wlan key": Password, "cle wpa": Password, "clé wpa": Password, "cle wifi": Password, "clé wifi": Password, "wireless key": Password, "wpa key": Password, "ntp key": Token, "chrony key": Token, "ospf key": Password,
			"bgp key": Password, "vrrp key": Password, "eigrp key": Password, "isakmp key": Password, "ike key": Password,
			"api key": Token, "access key": Token, "secret key": Password, "private key": Token,
			"signing key": Token, "encryption key": Token, "encrypt key": Token, "hmac key": Token, "master key": Token,
			"auth key": Token, "account key": Token, "shared key": Password, "preshared key": Password,
			"session key": Token, "cookie key": Token, "crypt key": Token, "cipher key": Token, "aes key": Token,
			"service key": Token, "app key": Token, "application key": Token, "license key": Token,
			"integration key": Token, "ingest key": Token, "storage key": Token, "admin key": Token,
			"client key": Hint, "write key": Token, "join key": Token, "registration key": Token, "register key": Token, "provision key": Token, "provisioning key": Token, "enroll key": Token, "bootstrap key": Token,
			"activation key": Token, "enrollment key": Token, "gossip key": Token, "rndc key": Token,
			"tsig key": Token, "validation key": Token, "machine key": Token, "decryption key": Token,
			"deploy key": Token, "webhook key": Token, "license code": Token, "recovery codes": Token, "backup codes": Token, "scratch codes": Token, "emergency codes": Token, "reg code": Token, "registration code": Token, "activation code": Token, "redemption code": Token, "enrollment code": Token, "invite code": Token, "api hash": Token, "emergency code": Token, "alarm code": Token, "door code": Token, "entry code": Token, "auth code": Token,
			"pre shared": Password, "shared secret": Password, "connection string": Hint,
			"erlang cookie": Password, "magic cookie": Token, "cluster cookie": Password, "bind pw": Password,
			"backup key": Token, "recovery key": Token, "unseal key": Token, "host key": Hint,
			"key base": Token, "secret base": Token, "secret salt": Token, "auth salt": Token,
			"password salt": Token, "password pepper": Password, "auth pepper": Password, "secret pepper": Password, "hash pepper": Password, "legacy pepper": Token, "config pepper": Token, "devise pepper": Token,
			"pi pepper": Token, "token pepper": Token, "token peppers": Token, "nonce salt": Token, "nonce key": Token, "in salt": Token, "in key": Token, "argon pepper": Token, "bcrypt pepper": Token, "security pepper": Token, "crypto pepper": Token,
			"signing salt": Token, "encryption salt": Token, "session salt": Token, "token salt": Token, "link salt": Token, "invite salt": Token,
			"derivation salt": Token, "ticket salt": Password, "consumer key": Token, "des key": Token, "ticket id": Token, "upgrade key": Token, "sec key": Token, "props key": Password,
			"apikey private": Token, "user info": Hint, "auth pair": Hint, "user pair": Hint, "sonar login": Token, "pragma key": Password, "record key": Token, "me key": Token, "jwt key": Token, "crypto key": Token, "opsgenie key": Token, "pagerduty key": Token, "hash salt": Token, "cookie secret": Password, "key seed": Token,
			"snmp community": Password, "ro community": Password, "rw community": Password,
			"read community": Password, "write community": Password,
			"pull secrets": Never, "pull secret": Never, "pass phrase": Phrase, "seed phrase": Phrase, "recovery phrase": Phrase, "art api": Token, "pass word": Password, "auth token": Token, "auth tok": Password,
			"mot passe": Password, "de passe": Password, "access code": Password, "pin code": Password, "pin secreto": Password, "pin segreto": Password, "código secreto": Password, "codigo secreto": Password, "codice segreto": Password,
			"bind credential": Password, "dn credential": Password, "bind credentials": Password, "authentication key": Password, "symmetric key": Token, "symm key": Password, "security key": Token, "unlock code": Password, "secret partage": Password, "secret partagé": Password, "segreto condiviso": Password,
			"secreto compartido": Password, "segredo compartilhado": Password, "phrase secrete": Phrase, "phrase secrète": Phrase, "frase segreta": Phrase, "frase secreta": Phrase, "frase senha": Password, "4symm key": Password,
			"palavra passe": Password, "palabra paso": Password, "parola ordine": Password, "parola accesso": Password, "slowo klucz": Password,
			"security token": Token, "secret id": Token, "install key": Token, "agent key": Token, "linking key": Token, "connect key": Token, "kata sandi": Password, "fernet key": Token, "salt key": Token, "serf encrypt": Token, "gossip encrypt": Token,
			"consul encrypt": Token, "nomad encrypt": Token, "radius key": Password, "tacacs key": Password, "hsm pin": Password, "frase paso": Phrase, "spice ticket": Password, "identified by": Password, "api auth": Token, "totp seed": Token, "otp seed": Token, "factor seed": Token, "network key": Token, "secret hmac": Token, "setup code": Password, "gate code": Password, "enroll code": Token, "static key": Token, "auth string": Password, "peers key": Token, "peer key": Token, "acceso clave": Password, "ficha api": Token, "ficha acceso": Token,
			"network community": Password, "trap community": Password, "role secret": Password, "auth data": Hint,
			"storage account": Hint, "instrumentation key": Hint, "public key": Never, "primary key": Never,
			"foreign key": Never, "sort key": Never, "partition key": Never, "shard key": Never, "row key": Never,
			"key id": Never, "gpg key": Never, "pgp key": Never, "apt key": Never, "hot key": Never, "site key": Never,
			"publishable key": Never, "verification key": Never, "verify key": Never, "ssh key": Hint, "routing key": Hint,
			"hash key": Hint, "range key": Never, "group key": Never, "cache key": Never, "object key": Never,
			"registry key": Never, "lookup key": Never, "index key": Never, "unique key": Never, "order key": Never,
			"basic auth": Hint, "http auth": Hint, "csrf token": Token, "content hash": Never, "git hash": Never,
			"commit hash": Never, "config hash": Never, "block hash": Never, "file hash": Never, "password hash": Token,
		},
		tails: []tail{
			{"password", Password}, {"passwd", Password}, {"passphrase", Phrase}, {"passwort", Password},
			{"kennwort", Password}, {"wachtwoord", Password}, {"contrasena", Password}, {"contraseña", Password},
			{"motdepasse", Password}, {"passcode", Password}, {"secret", Password}, {"pwd", Password}, {"pswd", Password},
			{"pass", Password}, {"psk", Password}, {"secretkey", Password}, {"authkey", Token}, {"userkey", Token},
			{"apikey", Token}, {"appkey", Token}, {"appskey", Token}, {"nwkskey", Token}, {"accesskey", Token}, {"privatekey", Token}, {"signingkey", Token},
			{"encryptionkey", Token}, {"masterkey", Token}, {"accountkey", Token}, {"sharedkey", Token},
			{"token", Token}, {"activationkey", Token}, {"installkey", Token}, {"serverkey", Token}, {"aeskey", Token}, {"repokey", Token},
			{"zugang", Hint}, {"pw", Password}, {"symmkey", Password}, {"enckey", Token}, {"cryptkey", Token}, {"cipherkey", Token}, {"sessionkey", Token}, {"hmackey", Token}, {"recordkey", Token}, {"passwordsalt", Token}, {"secretsalt", Token}, {"passwordsaltmain", Token}, {"symkey", Token}, {"securitykey", Token},
		},
		neutral: setOf(`secured plain plaintext clear cleartext value text string str raw unencrypted b64 base64 hex
			data old new current previous default initial temporary temp repeat confirm confirmation again override prod
			production staging stage dev test qa all content primary secondary insecure bytes blob pem in out`),
		about: setOf(`requirement requirements mgmt file files path paths dir directory folder location url uri urls endpoint host server port id ids name
			names ttl length len size charset alphabet chars characters algorithm algo method policy policies role roles type types mode enabled enable
			disabled expiry expire expires expiration lifespan age days hours minutes seconds timeout lifetime hint help chat line lines prompt field fields label labels selector selectors placeholder regex
			pattern format provider backend store manager required rotation rotate interval count history retries
			attempts limit max min warn warning complexity strength rule rules authentication authenticator encryption
			hashing hasher scheme header param parameter attribute class classes source ref reference arn engine mount
			version lookup command cmd script template helper plugin module owner group user username users acl
			reset change changed update updated created date time issuer audience scope scopes claim claims alg
			fingerprint checksum digest sum thumbprint uuid guid index prefix suffix separator delimiter encoding
			namespace env environment variable var credhelper validity validator validation database column table
			service resolver generator storage vault keyring bucket region zone sources strategy permission permissions
			renewal cache review reviews tries iterations cost rounds bits quality minlen usage state status action
			protection verification support options option settings config configuration policyid parser driver
			richtlinie richtlinien laenge länge mindestlänge mindestlaenge datei pfad ablauf longueur fichier chemin politique longitud archivo ruta politica política comprimento
			arquivo caminho tamanho lunghezza percorso lengte bestand pad beleid dlugosc plik minima mínima minimo location locations notice message description title comment subject link page form input dialog`),
		verbs: setOf(`use manage store require requires allow enable disable disabled has have is show hide generate force ask
			prompt remember check skip no without needs need permit accept supports existing ignore load import inherit condition assert`),
		harmless: setOf(`public pub primary foreign sort partition shard row gpg pgp apt hot site publishable verify
			verification routing range group cache object registry lookup index unique order host known authorized trusted
			release repo package rpm deb locale language translation json yaml map hash dict tag label meta
			keyboard composite natural`),
		compounds: setOf(`surrogatepass compass trespass surpass encompass underpass overpass multipass singlepass onepass
			proxypass goodpass badpass nopass nopasswd nopassword nopwd tlscipherpsk cutpass lowpass highpass bandpass allpass fullpass passpass prepass firstpass`),
		designate: setOf(`name key setting subsetting variable option parameter param property field attribute id var settingname`),
		carriers:  setOf(`value data content val string default text contents`),
		plurals: setOf(`passphrases pwds secure_json_data securejsondata tokens passwords secrets passwds apikeys keyring psks credentials stringdata admins
			bearer peppers recovery_codes backup_codes scratch_codes emergency_codes github-oauth gitlab-oauth gitlab-token bitbucket-oauth`),
		owners: setOf(`database databas databank datenbank base db server user benutzer gebruiker utente usuario utilisateur admin root host service account`),
		services: setOf(`brevo cloudflare datadog digitalocean discord gmaps gotify hcloud hetzner huggingface ipinfo linode mailchimp mailgun mandrill
			mapbox mattermost newrelic ntfy pagerduty plex postmark pushbullet pushover rollbar sendgrid sentry shodan slack sparkpost steam stripe telegram
			tmdb trakt twilio virustotal vultr zulip`),
		accesses: setOf(`access app usr webapi api claim uplink`),
		digests:  setOf(`checksum digest fingerprint etag integrity`),
		holders: setOf(`keystore token so user card hsm security slot module device sim pkcs11 auth access login smartcard yubikey admin
			vm voicemail mailbox extension outlet setup pairing bluetooth key tpm unlock puk nitrokey opensc`),
		ids: setOf(`id ids uid uuid guid sid arn etag version revision rev commit nonce sha pub kid iv tag ciphertext cert hash site sitekey
			serial kennung sku vin tracking playlist`),
		verifiers: []string{"public", "pubkey", "fingerprint", "thumbprint", "digest", "checksum", "integrity", "signature", "sha1", "sha2", "sha3", "sha5", "md5", "verif", "challenge", "certif", "etag", "none_match"},
		people:    setOf(`allow clients pair pairs users userlist accounts logins benutzer usuarios usuários usuario utilisateurs utenti gebruikers brukere members operators staff team people moderators moderatoren mitarbeiter personal personen`),
		accounts: setOf(`user username login account host hostname port server database db url uri endpoint type kind name
			description enabled path file email domain region scope scopes issuer id ttl policy policies role roles group`),
	}
	v.index()
	v.number()
	return v
})

// adopt adds the names of the user.
func (v *Vocabulary) adopt(own Names) {
	if len(own.Secret) > 0 {
		v.passwords.words = maps.Clone(v.passwords.words)
	}
	if len(own.Harmless) > 0 {
		v.fixed = maps.Clone(v.fixed)
	}
	for _, w := range own.Secret {
		if w == "" {
			continue
		}
		v.passwords.add(strings.ToLower(w))
		v.note(strings.ToLower(w))
	}
	for _, n := range own.Harmless {
		v.fixed[n] = Never
		v.note(n)
	}
}

// combination is the class of the pairs of a word for a key and a word for its purpose, in both orders: `clave_secreta`,
// `geheimer_schluessel`, `jeton_api`.
type combination struct {
	keys, purposes set
	class          NameClass
}

// has reports whether two words are a pair.
func (c *combination) has(first, last string) bool {
	return c.keys.has(first) && c.purposes.has(last) || c.purposes.has(first) && c.keys.has(last)
}

// combinations are those of all languages. The pairs of a vocabulary precede only the secret ones.
type combinations struct {
	token, harmless, secret combination
}

var combined = sync.OnceValue(func() *combinations {
	keys := setOf(`key schlüssel schluessel clé cle clef clave llave chave chiave sleutel nyckel nøgle nogle nøkkel nokkel klucz klíč klic avain cheie kulcs`)
	return &combinations{
		token: combination{
			setOf(`jeton schlüssel schluessel cle clé clave chave chiave sleutel klucz klíč nyckel nøgle`),
			setOf(`api chiffrement cifrado cifratura szyfrowania acces accès acceso acesso accesso zugriff zugriffs toegang auth oauth`),
			Token,
		},
		harmless: combination{
			keys,
			setOf(`primaria primario primary primaire primär primar foranea foránea foreign étrangère etrangere fremd estrangeira esterna publica pública
				public publique pubblica pubblico öffentlich oeffentlich öffentlicher oeffentlicher openbare offentlig publiczny`),
			Never,
		},
		secret: combination{
			keys,
			setOf(`secret secrète secrete secreta secreto segreta segreto geheim geheime geheimer hemlig hemmelig salainen tajny tajne secreta privat privater
				private privé prive privée privee privada privata prywatny soukromý soukromy privado parola passe`),
			Password,
		},
	}
})

// pair returns the class of two words.
func (v *lexicon) pair(first, last string) (NameClass, bool) {
	c := combined()
	for _, other := range []*combination{&c.token, &c.harmless} {
		if other.has(first, last) {
			return other.class, true
		}
	}
	if class, ok := v.pairs[first+" "+last]; ok {
		return class, true
	}
	if c.secret.has(first, last) {
		return c.secret.class, true
	}
	return Plain, false
}

// combinedWords returns an iterator over the words of all combinations. A word can occur more than once.
func combinedWords() iter.Seq[string] {
	return func(yield func(string) bool) {
		c := combined()
		for _, s := range []set{c.token.keys, c.token.purposes, c.harmless.keys, c.harmless.purposes, c.secret.purposes} {
			for w := range s.words {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// pairWords returns an iterator over the words of all pairs. A word can occur more than once.
func (v *lexicon) pairWords() iter.Seq[string] {
	return func(yield func(string) bool) {
		for pair := range v.pairs {
			for w := range strings.SplitSeq(pair, " ") {
				if !yield(w) {
					return
				}
			}
		}
		combinedWords()(yield)
	}
}

// note adds the first three letters of a word to starts.
func (v *lexicon) note(w string) {
	if len(w) < 3 {
		v.short = true // too short for the index
		return
	}
	at := uint32(w[0]&31)<<10 | uint32(w[1]&31)<<5 | uint32(w[2]&31)
	v.starts[at/64] |= 1 << (at % 64)
}

// index adds the words that have a meaning to starts. Words outside of ASCII and `pw` are
// not needed: the method may handles them.
func (v *lexicon) index() {
	for _, s := range []set{v.phrases, v.passwords, v.tokens, v.hints, v.foreign, v.digests, v.services} {
		for w := range s.words {
			if w != "pw" {
				v.note(w)
			}
		}
	}
	for pair := range v.pairs {
		if _, last, _ := strings.Cut(pair, " "); last != "pw" {
			v.note(last)
		}
	}
	for w := range combinedWords() {
		v.note(w)
	}
	for _, t := range v.tails {
		if t.text != "pw" {
			v.note(t.text)
		}
	}
	for name := range v.fixed {
		v.note(name)
	}
}

// number collects the words of the sets and pairs that names contain in two parts: letters
// and a number.
func (v *lexicon) number() {
	note := func(w string) {
		if !isLowerLatin(w) && len(Words(w)) == 2 {
			v.numbered.add(w)
		}
	}
	for _, s := range v.wordSets() {
		for w := range s.words {
			note(w)
		}
	}
	for w := range v.pairWords() {
		note(w)
	}
}

// isLowerLatin reports whether s consists of ASCII letters in lower case.
func isLowerLatin(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// wordSets returns the sets of words that the words of a name are looked up in.
func (v *lexicon) wordSets() []set {
	return []set{v.foreign, v.phrases, v.passwords, v.tokens, v.hints, v.neutral, v.about, v.verbs, v.harmless, v.holders, v.owners, v.digests}
}

// may reports whether three letters of a name begin a word that has a meaning. It avoids
// the slower lookup for most names.
func (v *lexicon) may(name string) bool {
	if len(name) < 3 || v.short {
		return true
	}
	window := uint32(name[0]&31)<<5 | uint32(name[1]&31)
	for i := 2; i < len(name); i++ {
		c := name[i]
		if c >= utf8.RuneSelf {
			return true
		}
		window = (window<<5 | uint32(c&31)) & (1<<15 - 1)
		if v.starts[window/64]>>(window%64)&1 != 0 {
			return true
		}
	}
	// A word of two letters, as in `rootpw`.
	last := name[len(name)-2:]
	return strings.EqualFold(last, "pw") || strings.Contains(name, "pw") || strings.Contains(name, "PW") || strings.Contains(name, "Pw")
}

// Names are names that the user adds to the vocabulary.
type Names struct {
	// Secret lists words; a name that ends with one of them is the name of a secret.
	Secret []string
	// Harmless lists complete names of values that are not secrets.
	Harmless []string
}
