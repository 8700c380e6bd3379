package detect

import "testing"

// TestLookAlikes checks that texts which look like commands, lists and maps with secrets have
// none: names of settings and of secrets, prose, ports, words of languages.
func TestLookAlikes(t *testing.T) {
	const strong = "walrus-Otter-93kelp"
	for path, texts := range map[string][]string{
		"/srv/a.sh": {
			"echo 'app:running' | sudo tee /var/run/state",
			"echo deploy-finished | sudo tee -a /var/log/deploy",
			"echo app | xargs passwd -l",
			`echo "started-at-noon" | ssh host cat`,
			"echo 'y' | sudo apt-get install openssh-server",
			"echo yes | su - app -c 'app upgrade'",
			"echo 8080 | sudo sh -c 'cat > /srv/port'",
			"echo '#id' | sudo -u app psql",
			"su - app -c 'chpasswd --help'",
			"chroot /mnt passwd -l root",
			"sudo passwd -S app",
			"echo vm.swappiness=10 | sudo tee /etc/sysctl.d/x.conf",
			"sudo -u chpasswd id walrus-otter-77",
			"TOKENS=(access refresh id)",
			`SECRETS=("db_password" "api_token")`,
			"ssh host -p 2222 uptime | grep load-average",
			`echo "$PASSWORD" | sudo -S apt-get update`,
			`echo "app:$PASSWORD" | sudo chpasswd`,
			"cat users.txt | sudo chpasswd",
			"echo status-check-ok | doas tee /run/app.status",
			"docker exec web app-status --format json",
			"sudo -u postgres createuser report-reader",
			"SKIP_TOKENS=(comment whitespace newline)",
		},
		"/srv/a.yaml": {
			"options: [--password-file, walrus-Otter-93kelp]",
			"args: [--user, walrus-Otter-93kelp, --port, 8080]",
			"flags:\n  - --token\n  - --insecure",
			"steps:\n  - --password\n  - prompt",
			`ports: ["8080-8090", "9000"]`,
			"hosts: [db-1, --x, walrus-Otter-93kelp]",
			"required: [--password, --user]",
			"- {password_policy: strict, port: 5432}",
			"- {db_password: ${DB_PASSWORD}, user: app}",
			"- {db_password: {{ lookup_password }}}",
			"- {password: required, token: optional}",
			"- {name: db_password, description: The password of the database}",
			"{db_password: !vault x, user: y}",
			"- {db_password: }",
			"args: [--token-file, /run/secrets/token, --password-env, DB_PASSWORD]",
			"command: [vault, server, -config, /etc/vault.hcl, -log-level, info]",
			`command: ["--api-key-header", "X-Api-Key", "--port", "8443"]`,
			"matrix: [ubuntu-22.04, debian-12, --include]",
			"args:\n  - --secret-name\n  - registry-credentials\n  - --namespace\n  - build-agents",
			"args:\n  - --tls-private-key-file\n  - /etc/ssl/private/key.pem",
			"flags:\n  - --auth\n  - oauth2-proxy",
			"- {name: password_policy, description: strict-and-long}",
			"rules: [{type: password, min: 12, max: 64}]",
		},
		"/srv/a.md": {
			"Use [app](x) with --password, then read [this, or that].",
			"Use {password: the password of the user} in the form.",
		},
		"/srv/README.md": {
			"- --password\n- The password of the user\n- --port\n- 8080",
			"To set the password, run `sudo chpasswd` and enter app:newpassword.",
		},
		"/srv/a.py": {
			`parser.add_argument("--password", "-p", help="the password")`,
			`parser.add_argument("-p", "--password", default=None, metavar="PASSWORD")`,
			`SECRETS = {"db", "cache", "queue"}`,
			`PASSWORD_HASHERS = ("django.contrib.auth.hashers.Argon2PasswordHasher", "django.contrib.auth.hashers.PBKDF2PasswordHasher")`,
			`AUTH_PASSWORD_VALIDATORS = [{"NAME": "MinimumLengthValidator"}]`,
		},
		"/srv/a.rb": {
			`opts.on("-p", "--password PASSWORD", "Password of the user")`,
			"tokens = %w[if then else end]",
			"attr_secret = %w(password password_confirmation)",
			"filter_parameters += %w[password token secret]",
		},
		"/srv/a.js": {
			`const flags = ["--password", "--user", "--port"]`,
			"const x = {password: req.body.password, user: req.user}",
			"validate({password: z.string().min(8), token: z.string()})",
		},
		"/srv/a.json": {
			"{\"flags\": [\n  \"--token\",\n  \"--verbose\",\n  \"level-3\"\n]}",
			`{"required": ["password", "--token", "user-name"]}`,
			"{\"tokens\": [\n  \"--begin\", \"block-start\", \"--end\", \"block-finish\"\n]}",
		},
		"/srv/a.php": {
			"<?php\n$tokens = array('T_STRING', 'T_VARIABLE', 'T_WHITESPACE');",
			"<?php\n$password_fields = array('walrus-Otter-93kelp', 'b');",
			"<?php\n$required = array('password', 'username', 'api_token');",
			"<?php\n$hidden = array('password', 'remember_token');\n$casts = array('password' => 'hashed');",
		},
		"/srv/a.conf": {
			"token=([A-Za-z0-9]+)",
			"auth=(plain login cram-md5)",
			"filter_tokens=(uid=walrus-Otter-93kelp)",
			"password_encoding = base64",
		},
		"/srv/a.java": {
			`List<String> tokens = List.of("BEGIN", "END", "INSERT");`,
			`form.password("Enter your password");`,
		},
		"/srv/a.go": {
			`tokens := []string{"ident", "number", "string-literal"}`,
		},
		"/srv/a.lua": {
			`tokens = {"+", "-", "while"}`,
		},
		"/srv/a.ps1": {
			`$Secrets = @("sql-admin", "vm-admin")`,
		},
		"/srv/a.tf": {
			`variable "x" { type = string }`,
			"locals { token_ttl = 3600 }",
		},
		"/srv/motd": {
			"echo the token of the day | sudo wall",
		},
		"/srv/Dockerfile": {
			`RUN ["useradd", "-m", "app-user"]`,
			`HEALTHCHECK CMD ["curl", "-f", "http://localhost:8080/token"]`,
		},
		"/srv/a.xml": {
			"<description><![CDATA[Set the password with --password PASSWORD]]></description>",
			"<help>Use --token-file FILE to read the token</help>",
		},
		"/srv/a.gradle": {
			`signing.password(project.findProperty("signingPassword"))`,
		},
		"/srv/Caddyfile": {
			"basic_auth { password {file.} }",
		},
		"/srv/crontab": {
			"0 3 * * * root echo rotate-logs | sudo sh -c 'cat > /run/job'",
		},
	} {
		for _, text := range texts {
			if got := (context{"File", path, "content"}).verdict(t, text); got == isSecret || got == isDefault {
				t.Errorf("%s: %q is judged as %q", path, text, got)
			}
		}
	}
	for name, value := range map[string]string{
		"encoding_base64": "utf-8-sig-walrus",
		"md5_key_id":      strong,
		"pkcs11_slot":     "token-label-main",
		"sha256_enabled":  "always-on-primary",
		"callback_token":  "https://example.com/callback",
		"db_password":     "vault:v2:d2FscnVzb3R0ZXJncmFuaXRl",
	} {
		if got := (context{"Class", "Motd", name}).verdict(t, value); got == isSecret || got == isDefault {
			t.Errorf("%s: %q is judged as %q", name, value, got)
		}
	}
}
