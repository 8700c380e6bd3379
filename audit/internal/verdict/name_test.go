package verdict

import (
	"slices"
	"strings"
	"testing"
)

var testNames = testValues.names

// TestClassOf checks the class of names, one rule at a time.
func TestClassOf(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		want  NameClass
		names []string
	}{
		{"no word with a meaning", Plain, []string{"", "x", "walrus", "OLDPWD", "user", strings.Repeat("password_", 11)}},
		{"a word for a password", Password, []string{"password", "DB_PASSWORD", "dbPassword", "db.pwd", "rootpw", "heslo", "пароль", "密码", "contraseña"}},
		{"a word for a passphrase", Phrase, []string{"passphrase", "key_passphrase", "seed_phrase"}},
		{"a word for a token", Token, []string{"token", "authToken", "api_token", "jwt", "credentials"}},
		{"an ambiguous word", Hint, []string{"key", "auth", "cookie", "license", "salt"}},
		{"the end of a compound word", Password, []string{"adminpassword", "mysqlpass", "dbsecret"}},
		{"a word with such an end", Plain, []string{"compass", "bypass", "loginbypass", "nopasswd", "encompass"}},
		{"a complete name", Token, []string{"sonar.login", "x-honeycomb-team", "OVH_AK"}},
		{"a complete name of a harmless value", Never, []string{"encrypted_data"}},
		{"two words", Token, []string{"api_key", "signing_key", "csrf_token", "nonce_salt", "password_hash", "api_keys"}},
		{"two words in two orders", Password, []string{"clave_secreta", "geheimer_schluessel", "llave_privada"}},
		{"two words of a password", Password, []string{"mot_de_passe", "snmp_community", "palavra_passe", "erlang_cookie"}},
		{"two words of a harmless value", Never, []string{"public_key", "primary_key", "key_id", "cache_key", "clave_publica", "host_known_key", "public_key_token", "content_hash", "checksum_password"}},
		{"several keys", Plain, []string{"keys"}},
		{"the attribute of a secret", Plain, []string{"password_file", "token_url", "secret_path", "password_min_length", "passwordPolicy"}},
		{"words without a meaning after it", Password, []string{"password_value", "password_2", "password_raw_string", "passwordPlaintext"}},
		{"an encoding after it", Password, []string{"db_password_base64", "password_b64", "passwordBase64", "DB_PASSWORD_BASE64", "secret_base64"}},
		{"an encoding after a token", Token, []string{"api_key_base64", "privateKeyB64", "token_base64"}},
		{"an encoding after a harmless name", Never, []string{"public_key_base64"}},
		{"an algorithm after it", Token, []string{"password_sha256", "db_password_md5", "bgp_md5_key", "md5_key", "bgpMd5Key"}},
		{"an algorithm before it", Password, []string{"sha256_password", "md5_password", "sha1_secret"}},
		{"an algorithm after another secret", Plain, []string{"token_sha256", "api_key_sha512", "sha256", "md5", "base64"}},
		{"an owner after it", Password, []string{"wachtwoord_database", "haslo_bazy", "mot_de_passe_admin"}},
		{"an unknown word after it", Token, []string{"password_replica", "passwd_walrus"}},
		{"a switch", Hint, []string{"use_password", "requireToken", "app.rememberPassword"}},
		{"a verb that is part of a name", Token, []string{"enable_secret", "store_password", "is_server_password"}},
		{"an option with its argument", Plain, []string{"-p'password'"}},
		{"a resource type", Never, []string{"AWS::SecretsManager::Secret", "OS::Barbican::Secret"}},
		{"an annotation", Never, []string{"kubernetes.io/ingress.auth-secret"}},
		{"a PIN of a device", Password, []string{"user_pin", "smartcard_pin", "pkcs11_pin"}},
		{"a PIN of something else", Hint, []string{"gpio_pin"}},
		{"a key of a storage account", Token, []string{"fs.azure.account.key.walrus.blob.core.windows.net"}},
		{"a key in a header", Token, []string{"X-Purge-Key", "http_walrus_key"}},
		{"the key of Active Record", Token, []string{"active_record_encryption_primary_key"}},
		{"the community of SNMP", Password, []string{"snmp_v2_community"}},
		{"a community", Hint, []string{"walrus_community"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			for _, name := range tt.names {
				if got := testNames.ClassOf(name); got != tt.want {
					t.Errorf("%q is of class %d, want %d", name, got, tt.want)
				}
			}
		})
	}
}

// TestClassImplies checks the questions that a class answers.
func TestClassImplies(t *testing.T) {
	for as, want := range map[NameClass][3]bool{
		Plain: {false, false, false}, Hint: {true, false, false}, Token: {true, true, false},
		Password: {true, true, true}, Phrase: {true, true, true}, Never: {false, false, false},
	} {
		if got := [3]bool{as.May(), as.Secret(), as.Open()}; got != want {
			t.Errorf("class %d: got %v, want %v", as, got, want)
		}
	}
}

// TestOwnNames checks that the names of a user are part of a vocabulary, even short ones.
func TestOwnNames(t *testing.T) {
	v := NewVocabulary(Names{Secret: []string{"walrus", "", "zz"}, Harmless: []string{"otter_password"}})
	for name, want := range map[string]NameClass{"db_walrus": Password, "app.zz": Password, "otter_password": Never, "badger_password": Password, "db_otter": Plain} {
		if got := v.ClassOf(name); got != want {
			t.Errorf("%q is of class %d, want %d", name, got, want)
		}
	}
}

// TestKey checks the implication of keys for their values.
func TestKey(t *testing.T) {
	for name, want := range map[string]Key{
		"db_password":  {Class: Password},
		"value":        {Carrier: true},
		"data":         {Carrier: true},
		"username":     {Harmless: true},
		"passwords":    {Class: Password, Container: true},
		"github-oauth": {Container: true},
		"walrus":       {},
	} {
		for range 2 { // the second answer is cached
			if got := testNames.Key(name); got != want {
				t.Errorf("%q: got %+v, want %+v", name, got, want)
			}
		}
	}
	for name, want := range map[string][3]bool{
		"name": {true, false, true}, "settingName": {true, false, true}, "default_value": {false, true, true}, "walrus": {},
	} {
		if got := [3]bool{testNames.Designator(name), testNames.Carrier(name), testNames.Designates(name)}; got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

// TestWords checks where a name is divided, and its last word and part.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"db_password":        "db password",
		"dbPassword":         "db password",
		"LDAPSettings":       "ldap settings",
		"AccessKeyID":        "access key id",
		"key2":               "key 2",
		"4symm":              "4symm",
		"x--y..z":            "x y z",
		"größeÜber":          "größe über",
		"":                   "",
		"--":                 "",
		"walrus-otter_v10.x": "walrus otter v 10 x",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if !HasWord("db_rootPassword", "root") || HasWord("rooted_password", "root") {
		t.Error("root is a word of db_rootPassword only")
	}
	for name, want := range map[string]string{"dbPassword": "password", "db.TOKEN": "token", "walrus": "walrus", "x-": "", "": "", "a_Key2": "key2"} {
		if got := LastWord(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for path, want := range map[string]string{
		"database/password": "password", `HKLM\Software\DefaultPassword`: "DefaultPassword", "/etc/x.ini [db] password": "password",
		"-Djavax.net.ssl.keyStorePassword=": "-Djavax.net.ssl.keyStorePassword", "walrus": "walrus", "[db]password: ": "password",
	} {
		if got := LastPart(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestWordsOfVocabulary checks that names can contain each word of the vocabulary: a word that
// names are divided at would have no effect.
func TestWordsOfVocabulary(t *testing.T) {
	check := func(w string) {
		if list := testNames.words(w); len(list) != 1 || list[0] != w {
			t.Errorf("names that contain %q have the words %q", w, list)
		}
	}
	for _, s := range testNames.wordSets() {
		for w := range s.words {
			check(w)
		}
	}
	for w := range testNames.pairWords() {
		check(w)
	}
	if got := strings.Join(testNames.words("db_base64Key2"), " "); got != "db base64 key 2" {
		t.Errorf("got %q", got)
	}
}

// TestIsUser checks the names whose value is a user, an account or a database.
func TestIsUser(t *testing.T) {
	expect(t, testNames.IsUser, []string{"user", "db_username", "-u", "-U", "login", "adminUser", "dbname", "account"}, []string{"-p", "password", "user_password", "walrus", "-user-"})
}

// TestIsName checks the names of options, variables and headers.
func TestIsName(t *testing.T) {
	expect(t, IsName, []string{"db_password", "X-Api-Key", "a.b:c", "größe"}, []string{"", "a b", "a=b", "a/b", "$x"})
	expect(t, IsIdentifier, []string{"x", "db_password", "DB_2", "settings['token']", "a.b", "7"}, []string{"", "7walrus", "a-b", "Abc12", "a b"})
	expect(t, IsVariable, []string{"DB_PASSWORD", "DB_2"}, []string{"db_password", "PASSWORD", "DB-PASSWORD"})
}

// TestIsLabel checks the labels of fields for secrets, and passwords that look like one.
func TestIsLabel(t *testing.T) {
	expect(t, testNames.IsLabel,
		[]string{"Password", "Client-Secret", "Mot de passe", "DB_PASSWORD", "DB_PASSWORD_FILE", "Database password:", "Jeton d'accès", "(Passwort)"},
		[]string{"secret", "SuperSecretPassword", "myPassword", "Walrus", "DB_WALRUS", "Password of walrus number 7", "Password " + strings.Repeat("walrus ", 6), "client-walrus"})
}

// TestCutScheme checks the schemes of Authorization headers and of encoded passwords.
func TestCutScheme(t *testing.T) {
	for _, tt := range []struct {
		name, value, rest string
		n                 int
	}{
		{"Authorization", "Bearer walrus7", "walrus7", 7},
		{"proxy-authorization", "basic  walrus7", "walrus7", 6},
		{"auth_header", "Splunk walrus7", "walrus7", 7},
		{"Authorization", "walrus7", "", 0},
		{"Authorization", "Walrus otter7", "", 0},
		{"Content-Type", "Bearer walrus7", "", 0},
	} {
		if rest, n, ok := CutScheme(tt.name, tt.value); rest != tt.rest || n != tt.n || ok != (tt.n > 0) {
			t.Errorf("%s: %s: got %q, %d", tt.name, tt.value, rest, n)
		}
	}
	for value, want := range map[string]int{"{noop}walrus": 6, "{PLAIN}walrus": 7, "{ClearText}x": 11, "{noop}": 0, "{SSHA}walrus": 0, "walrus": 0, "": 0} {
		if got := EncoderPrefix(value); got != want {
			t.Errorf("%q: got %d, want %d", value, got, want)
		}
	}
}

// TestMemo checks that a memo keeps no name that is too long, and is bounded.
func TestMemo(t *testing.T) {
	var m memo[int]
	m.put("walrus", 7)
	m.put(strings.Repeat("x", MaxName+1), 7)
	if v, ok := m.get("walrus"); v != 7 || !ok || len(m.known) != 1 {
		t.Errorf("got %d, %t, and %d names are kept", v, ok, len(m.known))
	}
	for i := range maxKnown + 1 {
		m.put("walrus"+string(rune(i+0x4e00)), i)
	}
	if len(m.known) != maxKnown {
		t.Errorf("%d names are kept", len(m.known))
	}
}

// expect checks that a predicate is true of some texts and false of others.
func expect(t *testing.T, is func(string) bool, yes, no []string) {
	t.Helper()
	for _, s := range slices.Concat(yes, no) {
		if want := slices.Contains(yes, s); is(s) != want {
			t.Errorf("%q: want %t", s, want)
		}
	}
}
