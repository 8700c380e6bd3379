package detect

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// The verdicts that are not reasons.
const (
	isSecret  = "secret"           // a hit for a leak
	isDefault = "default-password" // a hit for a default password
	unnoticed = "unnoticed"        // not recognized as the value of a name
)

// TestVerdicts checks verdicts, which depend on the name, the value and its location. A row
// with a comment `known:` differs from the verdict of an expert.
func TestVerdicts(t *testing.T) {
	const (
		parameter = iota // of a class
		text             // a quoted assignment in a file
		bare             // an unquoted assignment in a file
		manual           // an assignment in a text for people
	)
	tests := []struct {
		at          int
		name, value string
		want        string
	}{
		// Passphrases.
		{parameter, "db_password", "correct horse", isSecret},
		{parameter, "db_password", "correct horse battery staple", isSecret},
		{parameter, "passphrase", "the cat sat on the purple mat", isSecret},
		{parameter, "db_password", "Der Igel trinkt grünen Tee", isSecret},
		{parameter, "db_password", "le renard brun saute haut", isSecret},
		{parameter, "db_password", "mi perro verde baila", isSecret},
		{parameter, "db_password", "quattro gatti rossi, mai stanchi!", isSecret},
		{parameter, "db_password", "cinnamon; walrus? Trombone!", isSecret},
		{parameter, "db_password", "olive_cedar_harbor_lantern_quartz_meadow_thistle_copper", isSecret},
		{text, "db_password", "correct horse battery staple", isSecret},
		{text, "db_password", "correct-horse-battery", isSecret},
		{bare, "db_password", "correct horse battery staple", isSecret},
		{bare, "db_password", "walrus-trombone-cinnamon", isSecret},
		{text, "passphrase", "zeven groene fietsen dansen", isSecret},
		{parameter, "api_token", "walrus-trombone-cinnamon", isSecret},
		{parameter, "api_token", "walrus trombone cinnamon", isSecret},
		{parameter, "db_password", "зелёный ёж пьёт чай", isSecret},

		// Words, and names of things.
		{parameter, "db_password", "walrus", isSecret},
		{parameter, "db_password", "postgres", isDefault},
		{parameter, "api_token", "postgres", isDefault},
		{parameter, "api_token", "walrus", string(verdict.Unlikely)},
		{parameter, "api_key", "PostgreSQL", string(verdict.Unlikely)},
		{parameter, "api_key", "apache-2.4", string(verdict.Unlikely)},
		{parameter, "access_token", "my-service-account", isDefault},
		{parameter, "auth_token", "eu-west-1-prod-cluster", string(verdict.Unlikely)},
		{parameter, "private_key", "profile::tls::server", string(verdict.Code)},
		{parameter, "cookie", "session", string(verdict.Keyword)},
		{parameter, "community", "public", string(verdict.Keyword)},

		// Hosts, paths, addresses.
		{parameter, "db_password", "db01.example.com", string(verdict.Address)},
		{parameter, "db_password", "https://db.example.com/v1/db", string(verdict.Address)},
		{parameter, "db_password", "dba@example.com", string(verdict.Address)},
		{parameter, "db_password", "localhost:5432", string(verdict.Address)},
		{parameter, "db_password", "10.1.2.3", string(verdict.Number)},
		{parameter, "db_password", "fe80::1", string(verdict.Address)},
		{parameter, "db_password", "/etc/app/db.pass", string(verdict.Filename)},
		{parameter, "db_password", `C:\secrets\db.txt`, string(verdict.Code)},
		{parameter, "private_key", "ssl/private/server.key", string(verdict.Filename)},
		{text, "password", "~/.pgpass", string(verdict.Filename)},

		// UUIDs, digests, versions, numbers, times.
		{parameter, "db_password", "1e9c0b4a-55f0-4f4e-9f4b-0b1d7a1c9f11", isSecret},
		{parameter, "key", "1e9c0b4a-55f0-4f4e-9f4b-0b1d7a1c9f11", string(verdict.Identifier)},
		{parameter, "api_key", "8f14e45fceea167a5a36dedd4bea2543", isSecret},
		{parameter, "api_key", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", string(verdict.Digest)},
		{parameter, "gpg_key", "8F14E45FCEEA167A5A36DEDD4BEA2543DEADBEEF", unnoticed},
		{parameter, "db_password", "1.2.3", string(verdict.Number)},
		{parameter, "db_password", "v2.14.0-rc1", string(verdict.Number)},
		{parameter, "db_password", "2025-11-22T10:00:00Z", string(verdict.Number)},
		{parameter, "db_password", "30d", string(verdict.Number)},
		{parameter, "db_password", "48213377", isSecret},
		{parameter, "db_password", "-1", string(verdict.Number)},
		{parameter, "api_token", "3600", string(verdict.Number)},
		{parameter, "pin_code", "4711", isSecret},
		{text, "token", "8080", string(verdict.Number)},

		// Enumerations.
		{parameter, "db_password", "scram-sha-256", string(verdict.Keyword)},
		{parameter, "password", "sufficient", string(verdict.Keyword)},
		{parameter, "api_token", "disabled", string(verdict.Keyword)},
		{parameter, "password", "unset", string(verdict.Keyword)},
		{parameter, "auth_token", "RS256", string(verdict.Keyword)},
		{parameter, "client_secret", "client_secret_jwt", string(verdict.Keyword)},

		// Templates of ten languages.
		{parameter, "db_password", "${DB_PASSWORD}", string(verdict.Template)},
		{parameter, "db_password", "%{hiera('db::password')}", string(verdict.Template)},
		{parameter, "db_password", "{{ db_password }}", string(verdict.Template)},
		{parameter, "db_password", "<%= @db_password %>", string(verdict.Template)},
		{parameter, "db_password", "$(cat /run/db)", string(verdict.Template)},
		{parameter, "db_password", "%DB_PASSWORD%", string(verdict.Template)},
		{parameter, "db_password", "@DB_PASSWORD@", string(verdict.Template)},
		{parameter, "db_password", "#{db_password}", string(verdict.Template)},
		{parameter, "db_password", "((db_password))", string(verdict.Template)},
		{parameter, "db_password", "%(db_password)s", string(verdict.Template)},
		{parameter, "db_password", "$env:DB_PASSWORD", string(verdict.Template)},
		{text, "password", "[[db_password]]", string(verdict.Template)},
		{parameter, "db_password", "${lookup('db::password')}-x", string(verdict.Template)},
		{parameter, "db_password", "pre${x}Zx9-qKw4vTz", isSecret},

		// Markup.
		{bare, "password", "</label>", string(verdict.Code)},
		{bare, "password", "<br/>", string(verdict.Code)},
		{parameter, "db_password", "</x9-qKw4vTz", isSecret},
		{parameter, "db_password", "<Zx9>qKw4vTz", isSecret},

		// References to a secret store.
		{parameter, "db_password", "vault:secret/data/db#password", string(verdict.Reference)},
		{parameter, "db_password", "op://infra/db/password", string(verdict.Reference)},
		{parameter, "db_password", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db", string(verdict.Reference)},
		{parameter, "db_password", "ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAx]", string(verdict.Ciphertext)},
		{parameter, "db_password", "/run/secrets/db_password", string(verdict.Reference)},
		{parameter, "db_password", "managed-in-hiera", string(verdict.Reference)},
		{parameter, "db_password", "projects/p1/secrets/db/versions/3", string(verdict.Reference)},
		{parameter, "client_secret", "!vault |", string(verdict.Reference)},

		// Sentences about passwords.
		{parameter, "db_password", "The password of the database", string(verdict.Prose)},
		{parameter, "db_password", "must have at least 12 characters", string(verdict.Prose)},
		{parameter, "db_password", "Bitte das Passwort eingeben", isDefault},
		{parameter, "db_password", "Saisissez votre mot de passe", string(verdict.Prose)},
		{parameter, "db_password", "Introduzca su contraseña", string(verdict.Prose)},
		{parameter, "db_password", "Inserisci la tua password", string(verdict.Prose)},
		{parameter, "db_password", "Voer uw wachtwoord in", string(verdict.Prose)},
		{text, "password", "Please enter the password", isDefault}, // known: a prompt; a placeholder looks the same
		{bare, "password", "is required for all users", unnoticed},

		// Weak passwords.
		{parameter, "db_password", "Winter2025!", isSecret},
		{text, "db_password", "Winter2025!", isSecret},
		{bare, "db_password", "Winter2025!", isSecret},
		{manual, "db_password", "Winter2025!", isSecret},
		{parameter, "db_password", "P@ssw0rd123", isSecret},
		{parameter, "db_password", "p@ssw0rd", isSecret},
		{parameter, "db_password", "S3cr3t!", isSecret},
		{parameter, "db_password", "qwertyuiop", isSecret},
		{parameter, "db_password", "1qaz2wsx3edc", isSecret},
		{parameter, "db_password", "qwerty123", isSecret},
		{parameter, "db_password", "hunter3", isSecret},
		{parameter, "db_password", "a", string(verdict.Keyword)},
		{parameter, "db_password", "ChangeMe!", isDefault},
		{parameter, "db_password", "change-me-please", isDefault},
		{parameter, "db_password", "your_password_here", isDefault},
		{parameter, "db_password", "********", string(verdict.Masked)},
		{parameter, "db_password", "xxxxxxxx", string(verdict.Masked)},
		{parameter, "api_token", "Winter2025!", isSecret},
		{text, "api_token", "Winter2025!", isSecret},

		{parameter, "db_password", "P@55w0rd!", isSecret},
		{parameter, "db_password", "Adm1n!", isSecret},
		{parameter, "db_password", "zaq12wsx", isSecret},
		{parameter, "db_password", "asdfghjkl", isSecret},
		{parameter, "db_password", "20240115", isSecret},
		{parameter, "db_password", "2024-01-15", isSecret},
		{parameter, "db_password", "01.02.1984", string(verdict.Number)}, // known: versions look the same
		{parameter, "db_password", "January2024", isSecret},
		{parameter, "db_password", "changeme123", isDefault},
		{parameter, "db_password", "password!", isSecret},
		{parameter, "db_password", "Passwort123!", isSecret},
		{text, "db_password", "summer", isSecret},
		{bare, "db_password", "summer", isSecret},
		{manual, "db_password", "summer", string(verdict.Unlikely)},
		{manual, "password", "the", string(verdict.Unlikely)},
		{manual, "token", "abc", string(verdict.Unlikely)},
		{parameter, "db_password", "Windows Server 2019", isSecret},
		{parameter, "api_token", "Windows Server 2019", string(verdict.Unlikely)},
		{parameter, "api_key", "Red Hat Enterprise Linux", string(verdict.Unlikely)},
		{parameter, "token", "client_credentials", string(verdict.Unlikely)},
		{parameter, "token", "authorization_code", string(verdict.Unlikely)},
		{parameter, "token", "urn:ietf:params:oauth:grant-type:jwt-bearer", string(verdict.Identifier)},
		{parameter, "token", "application/json", string(verdict.Unlikely)},
		{parameter, "token", "X-Auth-Token", string(verdict.Unlikely)},
		{parameter, "token", "Bearer", string(verdict.Caption)},
		{parameter, "password", "!!", string(verdict.Locked)},
		{parameter, "password", "*", string(verdict.Locked)},
		{parameter, "login", "admin", string(verdict.Common)},
		{parameter, "auth", "ldap", string(verdict.Keyword)},
		{parameter, "cookie", "JSESSIONID", string(verdict.Unlikely)},
		{parameter, "pin", "version 5.*", string(verdict.Code)},
		{parameter, "pin", "1.2.3-1ubuntu1", string(verdict.Number)},
		{parameter, "community", "65000:100", string(verdict.Unlikely)},
		{parameter, "key", "net.ipv4.ip_forward", string(verdict.Address)},
		{parameter, "key", "Ctrl+Alt+Del", string(verdict.Unlikely)},
		{parameter, "key", "CN=ca,O=Example", string(verdict.Identifier)},
		{parameter, "db_password", "3f:9a:0c:11:aa:bb:cc:dd:ee:ff:00:12:34:56:78:9a", string(verdict.Identifier)},
		{parameter, "db_password", "00:1a:2b:3c:4d:5e", string(verdict.Identifier)},
		{parameter, "db_password", "[2001:db8::7]:5432", string(verdict.Address)},
		{parameter, "db_password", "2001:db8::/32", string(verdict.Address)},
		{parameter, "db_password", "10.0.0.0/8", string(verdict.Address)},
		{parameter, "db_password", "db01:3306", isSecret}, // known: a host and a port; a password may have a colon, too
		{parameter, "db_password", "зелёный-ёж-пьёт-чай", isSecret},
		{parameter, "db_password", "Введите новый пароль", string(verdict.Caption)},
		{text, "password", "Неверное имя пользователя", string(verdict.Caption)},
		{parameter, "db_password", "緑のハリネズミがお茶を飲む", string(verdict.Caption)}, // known: a passphrase; without blanks it is one word, as a caption is
		{parameter, "db_password", "Contraseña incorrecta", isDefault},
		{parameter, "db_password", "Wrong password, try again", string(verdict.Prose)},
		{parameter, "db_password", "Le mot de passe est expiré", string(verdict.Caption)},
		{parameter, "db_password", "La password deve contenere otto caratteri", string(verdict.Prose)},
		{parameter, "db_password", "sops::db/password", string(verdict.Reference)},
		{parameter, "db_password", "secretref:db-password", string(verdict.Reference)},
		{parameter, "db_password", "kubernetes secret db/password", string(verdict.Prose)},
		{parameter, "db_password", "Sensitive[String]", string(verdict.Code)},
		{parameter, "db_password", "undef", string(verdict.Keyword)},
		{parameter, "db_password", "Optional[String]", string(verdict.Code)},
		{parameter, "db_password", `echo password_hash("redacted-44-by-pcat", PASSWORD_DEFAULT);`, string(verdict.Code)},
		{parameter, "db_password", "lookup('db::password')", string(verdict.Reference)},
		{parameter, "db_password", "$db_password", string(verdict.Template)},
		{parameter, "db_password", "$dollar5Sign!", isSecret},
		{parameter, "db_password", "100%pure{juice}", string(verdict.Template)}, // known: a format of Apache looks the same
		{parameter, "db_password", "<b>bold</b>Tr0mbone", isSecret},
		{parameter, "db_password", "a/b/c/Zx9qKw4vTz", isSecret},
		{parameter, "api_token", "k9F/zQ2mT/x8Lw0vR4aBcD==", isSecret},
		{parameter, "api_token", "kv/prod/db1/Web02", string(verdict.Filename)},
		{parameter, "db_password", "db.internal", isSecret},
		{parameter, "db_password", "Tr0ub4dor&3", isSecret},
		{parameter, "db_password", "secretkey2", isSecret},
		{parameter, "db_password", "DB-Password-Prod-1", isSecret},
		{parameter, "db_password", "MYSQL_ROOT_PASSWORD_FILE", string(verdict.Caption)},
		{text, "api_token", "walrus trombone cinnamon", isSecret},
		{bare, "api_token", "walrus-trombone-cinnamon", isSecret},
		{bare, "api_token", "config.token", unnoticed},
		{bare, "password", "none of your business", unnoticed},
		{bare, "password", "get_password()", unnoticed},
		{bare, "password", "os.environ['PW']", unnoticed},

		// Names of secrets.
		{parameter, "db_password", "db-credentials", isDefault},
		{parameter, "secret", "oidc-client-secret-ref", string(verdict.Identifier)},
		{text, "client_secret", "registry-token", string(verdict.Identifier)},
		{parameter, "db_password", "DB_PASSWORD", string(verdict.Caption)},
		{text, "db_password", "DB_PASSWORD", string(verdict.Caption)},
		{parameter, "api_token", "GITHUB_API_TOKEN", string(verdict.Unlikely)},
		{text, "password", "Password", string(verdict.Caption)},
		{parameter, "password", "Password", isDefault},
		{text, "password", "Mot de passe", string(verdict.Caption)},
		{text, "password", "Client-Secret", string(verdict.Caption)},
		{text, "password", "пароль", string(verdict.Caption)},

		// Base64 and tokens.
		{parameter, "db_password", "Y29ycmVjdCBob3JzZQ==", isSecret},
		{parameter, "api_token", "aHVudGVyMg==", isSecret},
		{parameter, "db_password", "Y2hhbmdlbWU=", isDefault},
		{parameter, "api_token", "q8ZkPw2LmN4rT6vX", isSecret},
		{text, "api_token", "q8ZkPw2LmN4rT6vX", isSecret},
		{manual, "api_token", "q8ZkPw2LmN4rT6vX", isSecret},
		{parameter, "key", "q8ZkPw2LmN4rT6vX", isSecret},
		{parameter, "key", "walrus", string(verdict.Unlikely)},
		{parameter, "db_password", "/s0nud4iPAqI8", isSecret},
		{parameter, "db_password", "T:/Jw3Oq%O[,4luq*gl", isSecret},
		{parameter, "db_password", `|/nl{'AD:6A5w`, isSecret},
		{parameter, "command_password", "|/usr/bin/askpass --db", string(verdict.Filename)},
		{parameter, "db_password", "%eYfS7yo%Mlap&2%", isSecret},
		{parameter, "db_password", "@Dn~=#C&Xss@", isSecret},
		{parameter, "db_password", "age1979!Walrus", isSecret},
		{parameter, "public_age", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudhu5p7q8ac3p", unnoticed},
		{parameter, "db_password", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudhu5p7q8ac3p", string(verdict.Public)},
		{parameter, "db_password", "l'>s!#?>", isSecret},
		{parameter, "db_password", "Ry%#nyiZ@LuAuby.*qUt3mFQhilLwhLG#", isSecret},
		{parameter, "db_password", "Failed password for .* from: .*", string(verdict.Prose)},
		{text, "db_password", "l'>s!#?>", string(verdict.Keyword)},                                       // known: a password; expressions look the same
		{parameter, "db_password", "*oPasDFy", string(verdict.Template)},                                 // known: a password; aliases of YAML look the same
		{parameter, "api_token", "A889E2FE197EB7B55F60AAABFA06CA982EBDCA89", string(verdict.Identifier)}, // known: a token; keys of OpenPGP look the same
		{parameter, "api_token", "812752", string(verdict.Number)},
		{parameter, "db_password", "e3sgZGJfcGFzc3dvcmQgfX0=", string(verdict.Template)},
		{parameter, "wep_password", "00:11:22:33:44", isSecret},

		// Words for any password, and texts that ask for one.
		{parameter, "db_password", "foo", isDefault},
		{parameter, "db_password", "bar", isDefault},
		{text, "db_password", "foo-bar-baz", isDefault},
		{parameter, "encryption_key", "something_at_least_32_characters", isDefault},
		{parameter, "secret_key", "UNSAFE_DEFAULT", isDefault},
		{text, "secret_key", "some long random string of 32 bytes", isDefault},
		{bare, "password", "default", isDefault},
		{parameter, "db_password", "string", string(verdict.Keyword)},
		{parameter, "db_password", "minimum", isSecret},
		{parameter, "db_password", "vault-2024", isSecret},
		{parameter, "db_password", "vault-temp", isSecret},
		{parameter, "db_password", "hiera-default", isSecret},
		{parameter, "db_password", "your-password-12345", isDefault},
		{parameter, "db_password", "foo-2024", isDefault},
		{parameter, "db_password", "somecomplexpasswordgoeshere", isDefault},
		{parameter, "db_password", "areasonablesecretlongerthan256bits", isSecret},
		{parameter, "db_password", "sample_keystone_db_password", isDefault},
		{parameter, "db_password", "complexPw13", isSecret},
		{parameter, "db_password", "mypw", isDefault},
		{parameter, "db_password", "temporary_zone_key", isDefault},
		{parameter, "db_password", "walrus_zone_key", isSecret},
		{parameter, "db_password", "walruspw", isSecret},
		{parameter, "db_password", "kqpw7vnmzx", isSecret},
		{parameter, "db_password", "secret-cinnamon-trombone", isSecret},
		{parameter, "db_password", "secret-4711-2931-8823", isSecret},
		{parameter, "db_password", "pass-kq9-xw2-zt", isSecret},
		{parameter, "db_password", "654yOuShouLdReaLLyChanGeThIS542", isDefault},
		{parameter, "db_password", "secret-зелёный-ёж", isSecret},
		{parameter, "db_password", "backup", isDefault},
		{parameter, "db_password", "appuser1", isSecret},
		{parameter, "root_password", "r00tme", isSecret},
		{parameter, "db_password", "read_only", isDefault},
		{parameter, "db_password", "backup-walrus", isSecret},
		{parameter, "db_password", "thea", isSecret},
		{text, "SECRET_KEY", "x9ISaTIGER_SECRET", isSecret},
		{bare, "master_key", "&aws_masterkey", string(verdict.Template)},
		{parameter, "dba_password", "dbaPassword", isDefault},
		{parameter, "passphrase", "very secret passphrase", isDefault},
		{parameter, "db_password", "your-super-secret-and-long-postgres-password", isDefault},
		{parameter, "db_password", "this_password_is_insecure_and_should_be_updated", isDefault},
		{parameter, "secret_key", "OVERWRITE ME IN PRODUCTION!!!", isDefault},
		{parameter, "secret_key", "change-this-on-your-production-server", isDefault},
		{parameter, "db_password", "change-walrus-trombone-cinnamon", isSecret},
		{parameter, "admin_password", "Admin@123", isSecret},
		{parameter, "admin_password", "change3me", isSecret},
		{parameter, "admin_password", "cisco77", isSecret},
		{parameter, "glance_password", "KEYSTONE_PASS", isDefault},
		{parameter, "db_password", "WALRUS_CINNAMON", isSecret},
		{parameter, "passphrase", "passphrase", isDefault},
		{parameter, "passphrase", "YOUR_IPSEC_PSK", isDefault},
		{bare, "db_password", "replace_with_mysql_password", isDefault},
		{text, "db_password", "<must-be-changed>", isDefault},
		{parameter, "db_password", "your_purple_walrus", isSecret},
		{parameter, "as_token", "my_secret_as_token", isDefault},
		{parameter, "as_token", "my_secret_walrus_cinnamon", string(verdict.Unlikely)},
		{parameter, "db_password", "agentwalrus7", isSecret},
		{parameter, "metadata_secret", "nova_metadata_secret", isDefault},
		{parameter, "metadata_secret", "walrus_trombone_metadata_secret", isSecret},
		{parameter, "db_password", "seekrit", isDefault},
		{parameter, "client_secret", "abcd", isDefault},
		{parameter, "api_token", "abcdef1234567890", isDefault},
		{text, "api_token", "abcdef1234567890", isDefault},
		{text, "api_token", "abcdef12walrus78", isSecret},
		{bare, "api_token", "my-very-secret-api-key", isDefault},
		{bare, "api_token", "registry-api-token", string(verdict.Unlikely)},
		{bare, "auth_encryption_key", "1234567890AZERTYUIOPMLKJHGFDSQ12", isDefault},
		{parameter, "db_password", "' + @backup_password + '", string(verdict.Template)},
		{parameter, "db_password", "mein-schlüssel-passwort", isDefault},
		{parameter, "db_password", "BOGUS", isDefault},
		{parameter, "db_password", "<SECRET>", isDefault},
		{parameter, "api_token", "<SECRET_TOKEN>", isDefault},
		{parameter, "memcache_secret_key", "<SERVICE DEFAULT>", string(verdict.Template)},
		{text, "api_token", "<SECRET_TOKEN>", string(verdict.Template)},
		{parameter, "api_token", "yyyyyyyyyyyyyyyy", isDefault},
		{parameter, "api_token", "xxxxxxxxxxxxxxxx", string(verdict.Masked)},
		// Somebody chose these: a default with digits, signs or replaced letters.
		{parameter, "db_password", "Weblogic#12", isSecret},
		{text, "db_password", "Weblogic#12", isSecret},
		{bare, "db_password", "Database#9", isSecret},
		{parameter, "db_password", "P@ssw0rd2023", isSecret},
		{parameter, "admin_password", "Sysadm1n#", isSecret},
		{bare, "db_password", "minio2023!", isSecret},
		{parameter, "db_password", "oracle_1234", isSecret},
		// These are on every list as they are.
		{parameter, "db_password", "P@ssw0rd", isSecret},
		{parameter, "db_password", "Welcome1", isDefault},
		{parameter, "admin_password", "admin123", isDefault},
		{bare, "db_password", "password1", isSecret},
		{bare, "db_password", "please-change-me", isDefault},
	}
	in := []context{parameter: {"Class", "Motd", ""}, text: {"File", "/etc/app.conf", "content"}, bare: {"File", "/etc/app.conf", "content"}, manual: {"File", "/srv/README.md", "content"}}
	for _, tt := range tests {
		at, value := in[tt.at], tt.value
		switch tt.at {
		case parameter:
			at.parameter = tt.name
		case text:
			value = tt.name + ` = "` + tt.value + "\"\n"
		default:
			value = tt.name + " = " + tt.value + "\n"
		}
		if got := at.verdict(t, value); got != tt.want {
			t.Errorf("%d %s: %q is judged as %q, want %q; score %.1f", tt.at, tt.name, tt.value, got, tt.want, scoreAt(tt.name, tt.value, tt.at))
		}
	}
}

// TestDefaultPasswords checks that each default password of a product is one in a
// parameter and in a file, and that a longer one is not.
func TestDefaultPasswords(t *testing.T) {
	n := 0
	for columns := range knowledge.Defaults.Rows(2) {
		for word := range strings.FieldsSeq(columns[1]) {
			n++
			if got := (context{"Class", "Motd", "db_password"}).verdict(t, word); got != isDefault {
				t.Errorf("%s: %s in a parameter is judged as %q", columns[0], word, got)
			}
			if got := (context{"File", "/etc/app.conf", "content"}).verdict(t, "db_password = \""+word+"\"\n"); got != isDefault {
				t.Errorf("%s: %s in a file is judged as %q", columns[0], word, got)
			}
			if got := (context{"Class", "Motd", "db_password"}).verdict(t, word+"Kq7vXw"); got != isSecret {
				t.Errorf("%s: a longer password is judged as %q", word, got)
			}
		}
	}
	if n < 100 {
		t.Errorf("there are only %d passwords in the table", n)
	}
}

func scoreAt(name, value string, at int) float64 {
	return verdict.Candidate{Value: value, As: New(verdict.Names{}).names.ClassOf(name), At: []verdict.Standing{verdict.InParameter, verdict.InText, verdict.InText, verdict.InProse}[at]}.Score()
}

// verdict returns the verdict on the only value in a text, whose terms, if there are any,
// must add up to it.
func (p context) verdict(t *testing.T, text string) string {
	t.Helper()
	document, err := json.Marshal(map[string]any{"name": "n", "resources": []any{
		map[string]any{"type": p.resource, "title": p.title, "parameters": map[string]any{p.parameter: text}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	result := unnoticed
	in := New(verdict.Names{}).Scanner()
	in.Judged = func(j Judgement) {
		if result == unnoticed {
			result = j.Against
		}
		score := 0.0
		for _, term := range j.Terms {
			score += term.Points
		}
		if len(j.Terms) > 0 && (score >= verdict.Threshold) != (j.Against == "") {
			t.Errorf("the terms of %q add up to %.1f, and it is %q", j.Secret, score, cmp.Or(j.Against, isSecret))
		}
	}
	r := catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{})
	err = new(leaf.Walker).Walk(r, "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
		if l.Kind == leaf.Value && l.Parameter() == p.parameter {
			for _, h := range hitsIn(in, l) {
				if result = isSecret; h.Rule == isDefault {
					result = isDefault
				}
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}
