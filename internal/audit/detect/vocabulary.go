package detect

import (
	"strings"
	"unicode/utf8"
)

// vocabulary is the meaning of the words of a name. Most sets contain the words of all
// languages: English, German, French, Dutch, Spanish, Portuguese, Italian, Polish, Czech,
// Swedish and Danish.
type vocabulary struct {
	foreign   set // words for a password in languages that put the noun first
	phrases   set // words for a passphrase
	passwords set // words for a password
	tokens    set
	hints     set
	fixed     map[string]sort // sorts of complete names, which take precedence
	pairs     map[string]sort // sorts of the last two words
	tails     []tail          // sorts of the ends of compound words
	neutral   set             // last words without a meaning
	about     set             // last words for an attribute of a secret
	verbs     set             // first words of a switch
	harmless  set             // words before `key` that make it harmless
	compounds set             // words that end like the name of a secret, but are not one
	designate set             // keys whose value is the name of something
	carriers  set             // keys whose value belongs to such a name
	plurals   set             // keys of a Hash of secrets
	accounts  set             // keys in such a Hash that are not secrets
	holders   set             // devices that a PIN unlocks
	owners    set             // owners of a password, in languages that name them last
	digests   set             // first words of a digest

	// starts is the set of the first three letters of the words above. short means that a
	// word has fewer letters.
	starts [1 << 15 / 64]uint64
	short  bool

	known memo[sort] // cached sorts of names
	keys  memo[key]  // cached implications of keys
}

type tail struct {
	text string
	sort sort
}

func newVocabulary() *vocabulary {
	v := &vocabulary{
		fixed: map[string]sort{
			"authentication_string": password,
			"sonar.login":           token,
			"newrelic.license":      token,
			"x-honeycomb-team":      token,
			"encrypt-key":           hint, // mostly the ID of an OpenPGP key
			// The challenge password of a certificate request, by its object identifier.
			"1.2.840.113549.1.9.7":   password,
			"root-token-id":          token,
			"dev-root-token-id":      token,
			"clear-text":             password,
			"icesecretwrite":         password,
			"icesecretread":          password,
			"tcp_md5_key":            password,
			"encrypted_data":         never, // of Chef
			"swift_hash_path_prefix": token,
			"swift_hash_path_suffix": token,
			// The application key and secret and the consumer key of OVH.
			"OVH_AK": token,
			"OVH_AS": token,
			"OVH_CK": token,
			"enable": hint, // of network devices
		},
		phrases: setOf(`passphrase phrase mnemonic`),
		foreign: setOf(`wachtwoord adgangskode lösenord losenord salasana passord contrasenia toegangscode passwort kennwort contrasena contraseña clave senha motdepasse mdp parola haslo hasło heslo segreto segredo secreto`),
		passwords: setOf(`passkey wpakey passwordd passwordo passin passout password passwd passcode pwd pw pass passw userpass userpassword
			passwort kennwort losung wachtwoord toegangscode contrasenia contrasena contraseña clave senha palavrapasse
			motdepasse mdp parola haslo hasło heslo lösen losen lösenord losenord adgangskode passord salasana jelszo jelszó lozinka geslo sifre şifre
			parool parole пароль гасло κωδικός 密码 密碼 パスワード 비밀번호
			secret secrets geheimnis geheim psk presharedkey authtok bindpw rootpw userpw requirepass masterauth
			masterpass authpass privpass keypass storepass dbpass sharedsecret secretkey passwords wpapsk
			zugangscode`),
		tokens: setOf(`authkey privkey token tokens jwt bearer apikey apitoken skey akey accesstoken authtoken apisecret pat
			sastoken otp webhook kek credential credentials schlüssel schluessel otpauth totp`),
		hints: setOf(`key licence license hmac encrypt auth cookie community pin salt seed sas authorization
			login pepper peppers userpwd basicauth httpauth jeton sleutel llave chave klucz klíč clef nyckel nøgle`),
		pairs: map[string]sort{
			"key material": password, "certificate key": token, "setup key": token, "vars enable": password, "oauth key": token, "update key": token, "cluster key": token, "omapi key": token, "swift key": token, "nsupdate key": token, "wandb key": token, "dedup key": never, "hashed secret": never, "relic license": token, "snmp auth": token, "snmp priv": token, "luks key": token, "snmp rw": token, "snmp ro": token, "tls secret": never, "cipher psk": never, "next token": never, "page token": never, "lock token": never, "continuation token": never, "pagination token": never, "idempotency token": never, "fastcgi pass": never, "uwsgi pass": never, "scgi pass": never, "grpc pass": never, "memcached pass": never, "proxy pass": token,
			"trigger phrase": never, "testing phrase": never, "test phrase": never, "retest phrase": never, "whitelist phrase": never, "build phrase": never, "md5 key": token, "ssl secret": never,
			"wifi key": password, "wlan key": password, "wireless key": password, "wpa key": password, "ntp key": token, "chrony key": token, "ospf key": password,
			"bgp key": password, "vrrp key": password, "eigrp key": password, "isakmp key": password, "ike key": password,
			"api key": token, "access key": token, "secret key": password, "private key": token,
			"signing key": token, "encryption key": token, "encrypt key": token, "hmac key": token, "master key": token,
			"auth key": token, "account key": token, "shared key": password, "preshared key": password,
			"session key": token, "cookie key": token, "crypt key": token, "cipher key": token, "aes key": token,
			"service key": token, "app key": token, "application key": token, "license key": token,
			"integration key": token, "ingest key": token, "storage key": token, "admin key": token,
			"client key": hint, "write key": token, "join key": token, "registration key": token,
			"activation key": token, "enrollment key": token, "gossip key": token, "rndc key": token,
			"tsig key": token, "validation key": token, "machine key": token, "decryption key": token,
			"deploy key": token, "webhook key": token, "license code": token, "auth code": token,
			"pre shared": password, "shared secret": password, "connection string": hint,
			"erlang cookie": password, "magic cookie": token, "cluster cookie": password, "bind pw": password,
			"backup key": token, "recovery key": token, "unseal key": token, "host key": hint,
			"key base": token, "secret base": token, "secret salt": token, "auth salt": token,
			"password salt": token, "password pepper": password, "auth pepper": password, "secret pepper": password, "hash pepper": password, "legacy pepper": token, "config pepper": token, "devise pepper": token,
			"pi pepper": token, "token pepper": token, "token peppers": token, "nonce salt": token, "nonce key": token, "in salt": token, "in key": token, "argon pepper": token, "bcrypt pepper": token, "security pepper": token, "crypto pepper": token,
			"signing salt": token, "encryption salt": token, "session salt": token, "token salt": token, "link salt": token, "invite salt": token,
			"derivation salt": token, "ticket salt": password, "consumer key": token, "des key": token, "ticket id": token, "upgrade key": token, "sec key": token, "props key": password,
			"user info": hint, "auth pair": hint, "user pair": hint, "sonar login": token, "pragma key": password, "record key": token, "me key": token, "jwt key": token, "crypto key": token, "opsgenie key": token, "pagerduty key": token, "hash salt": token, "cookie secret": password, "key seed": token,
			"snmp community": password, "ro community": password, "rw community": password,
			"read community": password, "write community": password,
			"pull secrets": never, "pull secret": never, "pass phrase": phrase, "seed phrase": phrase, "recovery phrase": phrase, "art api": token, "pass word": password, "auth token": token, "auth tok": password,
			"mot passe": password, "de passe": password, "access code": password, "pin code": password,
			"bind credential": password, "dn credential": password, "bind credentials": password, "authentication key": password, "symmetric key": token, "symm key": password, "security key": token, "unlock code": password, "secret partage": password, "secret partagé": password, "segreto condiviso": password,
			"secreto compartido": password, "segredo compartilhado": password, "phrase secrete": phrase, "phrase secrète": phrase, "frase segreta": phrase, "frase secreta": phrase, "frase senha": password, "4symm key": password,
			"security token": token, "secret id": token, "install key": token, "agent key": token, "linking key": token, "connect key": token, "kata sandi": password, "fernet key": token, "salt key": token, "serf encrypt": token, "gossip encrypt": token,
			"consul encrypt": token, "nomad encrypt": token, "radius key": password, "tacacs key": password, "hsm pin": password, "ficha api": token, "ficha acceso": token,
			"network community": password, "trap community": password, "role secret": password, "auth data": hint,
			"storage account": hint, "instrumentation key": hint, "public key": never, "primary key": never,
			"foreign key": never, "sort key": never, "partition key": never, "shard key": never, "row key": never,
			"key id": never, "gpg key": never, "pgp key": never, "apt key": never, "hot key": never, "site key": never,
			"publishable key": never, "verification key": never, "verify key": never, "ssh key": hint, "routing key": hint,
			"hash key": hint, "range key": never, "group key": never, "cache key": never, "object key": never,
			"registry key": never, "lookup key": never, "index key": never, "unique key": never, "order key": never,
			"basic auth": hint, "http auth": hint, "csrf token": token, "content hash": never, "git hash": never,
			"commit hash": never, "config hash": never, "block hash": never, "file hash": never, "password hash": token,
		},
		tails: []tail{
			{"password", password}, {"passwd", password}, {"passphrase", phrase}, {"passwort", password},
			{"kennwort", password}, {"wachtwoord", password}, {"contrasena", password}, {"contraseña", password},
			{"motdepasse", password}, {"passcode", password}, {"secret", password}, {"pwd", password},
			{"pass", password}, {"psk", password}, {"secretkey", password}, {"authkey", token}, {"userkey", token},
			{"apikey", token}, {"accesskey", token}, {"privatekey", token}, {"signingkey", token},
			{"encryptionkey", token}, {"masterkey", token}, {"accountkey", token}, {"sharedkey", token},
			{"token", token}, {"activationkey", token}, {"installkey", token},
			{"pw", password}, {"symmkey", password}, {"enckey", token}, {"cryptkey", token}, {"cipherkey", token}, {"sessionkey", token}, {"hmackey", token}, {"recordkey", token}, {"passwordsalt", token}, {"secretsalt", token}, {"passwordsaltmain", token}, {"symkey", token}, {"securitykey", token},
		},
		neutral: setOf(`plain plaintext clear cleartext value text string str raw unencrypted b64 base64 hex
			data old new current previous default initial temporary temp repeat confirm confirmation again override prod
			production staging stage dev test qa all content primary secondary key_data insecure bytes pem in out`),
		about: setOf(`requirement requirements mgmt file files path paths dir directory folder location url uri urls endpoint host server port id ids name
			names ttl length len size charset alphabet chars characters algorithm algo method policy policies role roles type types mode enabled enable
			disabled expiry expire expires expiration lifespan age days hours minutes seconds timeout lifetime hint help chat line lines prompt field fields label labels selector selectors placeholder regex
			pattern format provider backend store manager required rotation rotate interval count history retries
			attempts limit max min warn warning complexity strength rule rules authentication authenticator auth_method encryption
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
		verbs: setOf(`use manage store require requires allow enable disable has have is show hide generate force ask
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
			bearer peppers github-oauth gitlab-oauth gitlab-token bitbucket-oauth`),
		owners:  setOf(`database databas databank datenbank db server user benutzer gebruiker utente usuario utilisateur admin root host service account`),
		digests: setOf(`checksum digest fingerprint sha1 sha256 sha512 md5 etag integrity`),
		holders: setOf(`keystore token so user card hsm security slot module device sim pkcs11 auth access login smartcard yubikey admin
			vm voicemail mailbox extension outlet setup pairing bluetooth key tpm unlock puk nitrokey opensc`),
		accounts: setOf(`user username login account host hostname port server database db url uri endpoint type kind name
			description enabled path file email domain region scope scopes issuer id ttl policy policies role roles group`),
	}
	v.join()
	v.index()
	return v
}

// join adds the pairs of a word for a key and a word for its purpose, in both orders:
// `clave_secreta`, `geheimer_schluessel`, `jeton_api`.
func (v *vocabulary) join() {
	keys := strings.Fields(`key schlüssel schluessel clé cle clef clave llave chave chiave sleutel nyckel nøgle nogle nøkkel nokkel klucz klíč klic avain cheie kulcs`)
	for _, k := range keys {
		for w := range strings.FieldsSeq(`secret secrète secrete secreta secreto segreta segreto geheim geheime geheimer hemlig hemmelig salainen tajny tajne secreta privat privater
			private privé prive privée privee privada privata prywatny soukromý soukromy privado parola passe`) {
			if pair := k + " " + w; v.pairs[pair] == plain {
				v.pairs[pair] = password
			}
			if pair := w + " " + k; v.pairs[pair] == plain {
				v.pairs[pair] = password
			}
		}
		for w := range strings.FieldsSeq(`primaria primario primary primaire primär primär foranea foránea foreign étrangère etrangere fremd estrangeira esterna publica pública
			public publique pubblica pubblico öffentlich oeffentlich öffentlicher oeffentlicher openbare offentlig publiczny`) {
			v.pairs[k+" "+w], v.pairs[w+" "+k] = never, never
		}
	}
	for k := range strings.FieldsSeq(`jeton schlüssel schluessel cle clé clave chave chiave sleutel klucz klíč nyckel nøgle`) {
		for w := range strings.FieldsSeq(`api acces accès acceso acesso accesso zugriff zugriffs toegang auth oauth`) {
			v.pairs[k+" "+w], v.pairs[w+" "+k] = token, token
		}
	}
	for _, pair := range []string{"palavra passe", "palabra paso", "parola ordine", "parola accesso", "slowo klucz"} {
		v.pairs[pair] = password
	}
}

// note adds the first three letters of a word to starts.
func (v *vocabulary) note(w string) {
	if len(w) < 3 {
		v.short = true // too short for the index
		return
	}
	at := uint32(w[0]&31)<<10 | uint32(w[1]&31)<<5 | uint32(w[2]&31)
	v.starts[at/64] |= 1 << (at % 64)
}

// index adds the words that have a meaning to starts. Words outside of ASCII and `pw` are
// not needed: the method may handles them.
func (v *vocabulary) index() {
	for _, s := range []set{v.phrases, v.passwords, v.tokens, v.hints, v.foreign, v.digests} {
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
	for _, t := range v.tails {
		if t.text != "pw" {
			v.note(t.text)
		}
	}
	for name := range v.fixed {
		v.note(name)
	}
}

// may reports whether three letters of a name begin a word that has a meaning. It avoids
// the slower lookup for most names.
func (v *vocabulary) may(name string) bool {
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
