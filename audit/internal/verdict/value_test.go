package verdict

import (
	"strings"
	"testing"
)

// TestAgainst checks the reason for values that are not secrets. The others of a rule are
// similar, and are secrets in the same location.
func TestAgainst(t *testing.T) {
	const uuid = "0f1e2d3c-4b5a-4697-8a7b-6c5d4e3f2a1b"
	hex40 := strings.Repeat("4f9a1c7e2b", 4)
	for _, tt := range []struct {
		rule   string
		as     NameClass
		at     Standing
		want   Reason
		values []string
		others []string
	}{
		{"no value", Password, InParameter, Empty, []string{""}, []string{"walrus"}},
		{"longer than any password", Password, InParameter, TooLong, []string{strings.Repeat("walrus ", 600)}, nil},
		{"a marker", Password, InParameter, Masked, []string{"Sensitive [value redacted]", "[REDACTED]", "<hidden>", "(sensitive value)"}, []string{"hidden walrus cellar"}},
		{"asterisks and bullets", Password, InParameter, Masked, []string{"********", "xxxxxxxx", "••••••••", "****7788", "…"}, []string{"otter*walrus7"}},
		{"a Deferred as text", Password, InParameter, Masked, []string{"Deferred({'name' => 'vault_lookup::lookup'})", "#<Puppet::Pops::Types::PSensitiveType>"}, nil},
		{"a default of a product", Password, InParameter, Common, []string{"puppetlabs", "puppetlabs01"}, []string{"puppetmarmots"}},
		{"a long key of a product", Token, InText, Placeholder, []string{"aircontrolenterprise"}, []string{"q8ZkPw2LmN4rT6vX"}},
		{"a printed key", Token, InParameter, None, nil, []string{`{{X3~q$v^m&A(7|k?Z)9!e*B{w}Y.t;G,p>H<d@J#c%L`}},

		{"a template", Password, InParameter, Template, []string{"${DB_PASSWORD}", "<%= @password %>", "@DB_PASSWORD@"}, []string{"p@ssage$walrus"}},
		{"between marks", Password, InText, Template, []string{"<password>", "__PASSWORD__", "@db-password@", "%DB-PASSWORD%"}, []string{"__walrus-otter7"}},
		{"between marks that nothing replaces", Password, InParameter, Placeholder, []string{"<SECRET_TOKEN>"}, nil},

		{"the scheme of a store", Password, InParameter, Reference, []string{"op://vault/db/password", "hiera('db::password')", "env:DB_PASSWORD", "file:///run/secrets/db", "ARN:aws:secretsmanager:x"}, []string{"operetta-walrus-77"}},
		{"a path in a store", Password, InParameter, Reference, []string{"gopass:prod/db", "bao:kv/data/x#password", "secretref:db-password", "mysecrets://prod/db", "gopass://prod/db", "vault:v1/db#password", "vault:v1", "vault:v1:db/x#password"}, []string{"Otter:prod/db7", "otter:stable", "bao:kv7142/x", "walrus:otter77"}},
		{"a mounted secret", Password, InParameter, Reference, []string{"db_password,type=env,target=DB_PASSWORD", "source=db-password,target=/run/x"}, []string{"walrus,otter7"}},
		{"the place of the secret", Password, InParameter, Reference, []string{"managed-in-hiera", "stored in vault"}, []string{"vault-2077"}},

		{"a prefix of ciphertext", Password, InParameter, Ciphertext, []string{"ENC[PKCS7,MIIBeQYJ]", "$ANSIBLE_VAULT;1.1;AES256", "{cipher}4f9a1c7e", "vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==", "vault:v12:d2FscnVz"}, []string{"ENCore-walrus7"}},
		{"a sealed secret", Password, InParameter, Ciphertext, []string{"AgB" + strings.Repeat("4f9a1c7e2b", 20)}, []string{"AgB4f9a1c7e2b"}},
		{"base64 in braces", Password, InParameter, Ciphertext, []string{"{AQAAABAAAAAQ4f9a1c7e2b==}"}, []string{"{walrus7-otter"}},

		{"a public key", Token, InParameter, Public, []string{"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ", "-----BEGIN CERTIFICATE-----", "pk_live_walrus77"}, nil},
		{"a long text with a short prefix", Password, InParameter, Public, []string{"age1" + strings.Repeat("q8zk", 14)}, []string{"age1walrus-otter"}},
		{"a digest with its name", Password, InParameter, Digest, []string{"{md5}4f9a1c7e2b", "sha256:" + hex40, "sha512-4f9a1c7e2b=="}, []string{"sha256:walrus otter!"}},
		{"a locked account", Password, InParameter, Locked, []string{"!", "!!", "*LK*", "*LK*walrus", "!x", "NP"}, []string{"!walrus"}},

		{"a call of a program", Password, InParameter, Code, []string{`echo password_hash("X");`}, []string{"walrus(otter)7"}},
		{"an element of HTML", Password, InText, Code, []string{"</label>", "<br/>", `<input type="x">`, "</b"}, []string{"<7walrus", "<walrus7", "</7otter"}},
		{"a regular expression", Password, InParameter, Code, []string{`^(walrus|otter).*$`, `[a-z]+\d+`, `\S+`, `.*`, `$.items[*].x`, `\(walrus\|otter\)`}, []string{"Walrus.*7otter!", "walrus[7otter"}},
		{"a selector of CSS", Password, InParameter, Code, []string{"input#user_password", "meta[name='csrf-token']", "a.walrus"}, []string{"walrus#otter", "input#7walrus", "#walrus7"}},
		{"a field with an index", Password, InParameter, Code, []string{"login[Password]"}, []string{"badger[Walrus7]!", "[walrus]"}},
		{"a type of Puppet", Password, InParameter, Code, []string{"Sensitive[String[1]]", "Optional[Enum['a']]"}, []string{"Walrus7[String"}},
		{"a class", Password, InParameter, Code, []string{"profile::app::password"}, []string{"walrus::otter7"}},

		{"a version", Token, InParameter, Number, []string{"^7.0.3", ">= 9.0.1", "8.1.2~alpha1", "2:1.14-3ubuntu1", "v1.2.3-rc1"}, nil},
		{"a time", Password, InParameter, Number, []string{"2031-04-05T06:07:08Z", "2031-04-05 06:07:08"}, []string{"2031-04-05Twalrus7"}},
		{"a duration or a size", Password, InParameter, Number, []string{"12h", "30 days", "86400s", "1.5GB", "50%"}, []string{"12 walruses"}},
		{"a number", Hint, InParameter, Number, []string{"8080", "-1", "123456789012345678"}, nil},
		{"a short number for a token", Token, InParameter, Number, []string{"8080", "-1234567890123456"}, []string{"4908172635142738"}},

		{"a distinguished name", Password, InParameter, Identifier, []string{"cn=admin,dc=example", "(objectClass=account)"}, []string{"cn=walrus7", "walrus=7,dc=example"}},
		{"pairs of digits", Token, InParameter, Identifier, []string{"00:1b:2c:3d:4e:5f", strings.TrimSuffix(strings.Repeat("4f:", 20), ":")}, nil},
		{"a URN or an address in memory", Token, InParameter, Identifier, []string{"urn:walrus:otter7", "urn:walrus/otter", "0x4f9a1c7e"}, nil},
		{"the ID of an OpenPGP key", Token, InParameter, Identifier, []string{strings.ToUpper(hex40), "4F9A1C7E2B4F9A1C"}, []string{hex40}},
		{"the fingerprint of a key", Hint, InParameter, Identifier, []string{hex40, "4f9a1c7e2b4f9a1c", strings.ToUpper(hex40 + "5d"), uuid, "Q-" + uuid + "-0"}, nil},
		{"the name of a secret", Password, InParameter, Identifier, []string{"oidc-client-secret-ref", "oidc-client-credentials"}, []string{"walrus-granite-credentials"}},

		{"an example of documentation", Hint, InParameter, Example, []string{"AKIAIOSFODNN7" + "EXAMPLE"}, nil},
		{"an example for a password", Password, InParameter, Common, []string{"AKIAIOSFODNN7" + "EXAMPLE", "walrusEXAMPLE"}, nil},
		{"a placeholder", Password, InParameter, Placeholder, []string{"ChangeMe!", "change-this-password", "your-password-here", "walrus...", "walrus_example", "replace_with_secret_key", "PleaseChangeMe"}, []string{"change-my-walrus-7714"}},
		{"a sequence", Token, InParameter, Placeholder, []string{"abcdef1234567890", "0123456789abcdef0123456789abcdef", "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff"}, []string{"a0c1e2f394b5d6e7f8091a2b3c4d5e6f"}},
		{"one character in a password", Password, InParameter, Common, []string{"aaaaaa", "1111-1111"}, []string{"aaaaaab77"}},
		{"one character in a text", Token, InText, Masked, []string{"====", "aaaa"}, nil},
		{"a common password", Password, InParameter, Common, []string{"letmein", "p@ssw0rd!!", "S3cre7", "qwerty123"}, []string{"walrus-letmein-otter-77"}},
		{"a variation", Password, InParameter, Common, []string{"mysecretvalue", "my_out_pass", "foo123"}, nil},
		{"an account", Password, InParameter, Common, []string{"appuser1", "backup", "r00tme"}, []string{"walrususer-badger"}},
		{"words for a token", Token, InParameter, Common, []string{"secret-api-key", "key"}, nil},
		{"described words for a token in a text", Token, InText, Placeholder, []string{"my-very-secret-api-key"}, nil},
		{"a keyword", Token, InParameter, Keyword, []string{"true", "None", "sha256", "ldap"}, nil},
		{"a short password of marks and words", Password, InText, Keyword, []string{"ab", "a-b!"}, []string{"abx7q"}},
		{"a word of a translation", Password, InText, Caption, []string{"пароль пользователя", "密码"}, nil},

		{"words of a translation in a parameter", Password, InParameter, Caption, []string{"пароль", "пароль от базы данных"}, []string{"зелёный ёж пьёт чай"}},

		{"a path", Password, InParameter, Filename, []string{"/etc/ssl/app.key", "./walrus", "~/walrus", `\\files\walrus`, `C:\walrus\otter`, "HKLM\\Software\\Walrus", "walrus.pem", "conf/app/walrus", "|/usr/bin/walrus 7", "/srv/x,mode=0600"}, []string{"/7Kq+Zx9=", "walrus#7.pem", "Walrus/7otter"}},
		{"an address", Password, InParameter, Address, []string{"https://example.com:8443/x", "https://example.com/x", "ftp://files/pub/x", "jdbc:postgresql://db/app", "app@example.com", "localhost", "localhost:8080", "db.example.com", "db.example.com:5432", "fe80::1", "2001:db8::/32", "[2001:db8::1]:80", "unix:app.sock", "192.0.2.0/24"}, []string{"walrus@otter", "walrus:8080"}},
		{"a host for another name", Token, InParameter, Address, []string{"example.com"}, nil},
		{"a passphrase with dots", Password, InParameter, None, nil, []string{"walrus.granite.bramble"}},
		{"a sentence", Password, InParameter, Prose, []string{"the password of the application", "walruses and otters like fish."}, []string{"walrus granite bramble cellar"}},
		{"too weak for the place", Token, InParameter, Unlikely, []string{"walrus", "app-service"}, []string{"q8ZkPw2LmN4rT6vX"}},
		{"too weak for an ambiguous name", Hint, InParameter, Unlikely, []string{"Walrus7", "main"}, []string{"q8ZkPw2LmN4rT6vXb3Yc5Hd7"}},
		{"a password in prose", Password, InProse, Unlikely, []string{"walrus"}, []string{"q8ZkPw2LmN4rT6vX"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			for _, s := range tt.values {
				if got := testValues.Against(Candidate{s, tt.as, tt.at}); got != tt.want {
					t.Errorf("%q is rejected for %q, want %q", s, got, tt.want)
				}
			}
			for _, s := range tt.others {
				if got := testValues.Against(Candidate{s, tt.as, tt.at}); got != None {
					t.Errorf("%q is rejected for %q", s, got)
				}
			}
		})
	}
}

var testValues = NewValues(NewVocabulary(Names{}))
