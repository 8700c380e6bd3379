package audit_test

import (
	"encoding/json"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// Texts with a secret that has no name of its own, and similar harmless texts.
func TestShapes(t *testing.T) {
	type parameters map[string]any
	tests := []struct {
		name, typ, title string
		parameters       parameters
		leaks            int
	}{
		{"PowerShell's variables", "Exec", "x", parameters{"command": `powershell.exe -Command "$p = ConvertTo-SecureString 'Meadow_Walnut73' -AsPlainText"`}, 1},
		{"PowerShell's prompt", "Exec", "x", parameters{"command": `powershell.exe -Command "$p = Read-Host -AsSecureString"`}, 0},
		{"a share", "Exec", "x", parameters{"command": `cmd.exe /c net use Z: \\nas\x wBD!P+H-U7 /user:CORP\svc`}, 1},
		{"a share that asks", "Exec", "x", parameters{"command": `cmd.exe /c net use Z: \\nas\x * /user:CORP\svc`}, 0},
		{"a call", "File", "/usr/local/bin/n.py", parameters{"content": "s.login(\"bot@x.example\", \"Falcon_Harbor87\")\n"}, 1},
		{"a call with a variable", "File", "/usr/local/bin/n.py", parameters{"content": "s.login(\"bot@x.example\", password)\n"}, 0},
		{"a list of users", "Haproxy::Userlist", "a", parameters{"users": []string{"ops insecure-password copper.Falcon67"}}, 1},
		{"a list of groups", "Haproxy::Userlist", "a", parameters{"groups": []string{"ops users copper,falcon"}}, 0},
		{"words run together", "Class", "zabbix::agent", parameters{"tlspskvalue": "610fb7c09398ddb4fc8e4374f134fea7"}, 1},
		{"a header of a proxy", "Class", "nginx", parameters{"proxy_set_header": `Authorization "Basic SexMNr5oev5398yAqpkwnCEQPOR1"`}, 1},
		{"a header of the client", "Class", "nginx", parameters{"proxy_set_header": `Authorization $http_authorization`}, 0},
		{"GRUB", "File", "/etc/grub.d/40_pw", parameters{"content": "set superusers=\"ops\"\npassword ops Thistle!Quartz69\n"}, 1},
		{"PAM", "File", "/etc/pam.d/x", parameters{"content": "password required pam_permit.so\n"}, 0},
		{"a directive as a parameter", "Class", "proftpd", parameters{"SQLConnectInfo": "ftp@db ftpuser pepper-cobalt87"}, 1},
		{"a block on one line", "File", "/etc/radsecproxy.conf", parameters{"content": "client ap { host 10.1.0.0/16 type udp secret EhAyu7qiM4dhxISCSw }\n"}, 1},
		{"a block with a name", "File", "/etc/radsecproxy.conf", parameters{"content": "client ap { host 10.1.0.0/16 type udp secret default }\n"}, 0},
		{"pairs in quotes", "File", "/etc/pgbouncer/userlist.txt", parameters{"content": "\"app\" \"Falcon_copper16\"\n"}, 1},
		{"a path with blanks", "Augeas", "x", parameters{"changes": []string{"set target[. = 'client']/password r3KvOHdp4ShVDA"}}, 1},
		{"a path to a switch", "Augeas", "x", parameters{"changes": []string{"set target[. = 'client']/port 3306"}}, 0},
		{"a key of Duo", "File", "/etc/duo/pam_duo.conf", parameters{"content": "skey = cedUQsX6zdPySFbdQKQMvKgEH25eBTqJJNknmHKB\n"}, 1},
		{"options behind a path", "Mount", "/m", parameters{"options": "credentials=/etc/samba/creds,uid=1000,vers=3.0"}, 0},
		{"the token of an assembly", "Registry_value", `HKLM\Software\App\PublicKeyToken`, parameters{"data": "b77a5c561934e089"}, 0},
		{"words joined by dots", "Mysql::Db", "a", parameters{"password": "olive.cedar.harbor"}, 1},
		{"words joined by dots in a file", "File", "/etc/default/a", parameters{"content": "DB_PASSWORD=olive.cedar.harbor\n"}, 1},
		{"a machine", "Mysql::Db", "a", parameters{"password": "olive.cedar.com"}, 0},
		{"an expression", "File", "/etc/default/a", parameters{"content": "DB_PASSWORD=config.database.password\n"}, 0},
		{"a secret of Podman", "Podman::Quadlet", "a", parameters{"settings": map[string]any{"Secret": "db_password,type=env"}}, 0},
		{"a pin of a key", "Class", "a", parameters{"spki_pin": "sha256/FUmHLvv9wVW2IY3QjFRoO6/E0bYdlmIW/m7Bs4iqnyA="}, 0},
		{"what passwords are made of", "Class", "a", parameters{"password_charset": "abcdefghijkmnpqrstuvwxyz23456789"}, 0},
		{"where a secret is kept", "Class", "a", parameters{"client_secret": "stored_in_keychain"}, 0},
		{"a switch of Windows", "Exec", "x", parameters{"command": `schtasks /Create /TN a /RU CORP\svc /RP UWanzAjHjDwsWN3p8`}, 1},
		{"a registry of crates", "Exec", "x", parameters{"command": "cargo login ciopFz0YCyVuvfGqCoIMo4i6GyMoDKY09PU"}, 1},
		{"a key of a radio", "Exec", "x", parameters{"command": "iwconfig wlan0 key s:90AHte58BsdbQ"}, 1},
		{"no key of a radio", "Exec", "x", parameters{"command": "iwconfig wlan0 key off"}, 0},
		{"Zimbra", "Exec", "x", parameters{"command": "zmprov sp adm@x.example HQCsuQBztSwN0"}, 1},
		{"agents of OSSEC", "File", "/var/ossec/etc/client.keys", parameters{"content": "001 a 10.1.2.3 fa57fd2c747ed44063a8c5fe9536fee66a03446fddab196d4051b0422f16c881\n"}, 1},
		{"Deluge", "File", "/var/lib/deluge/auth", parameters{"content": "ivan:K9rCqQWGum2QleG4ZA8B9:10\n"}, 1},
		{"a header with escaped blanks", "Haproxy::Backend", "a", parameters{"options": `httpchk GET /h HTTP/1.0\r\nAuthorization:\ Bearer\ wgCcKlnP1kGtdEXgHYDHMLsWnqp49wTC`}, 1},
		{"a key for one station", "File", "/etc/hostapd/a.wpa_psk", parameters{"content": "vlanid=3 02:ab:10:9c:1d:3e LBA5uzhb40ehL99lf03\n"}, 1},
		{"an option behind a path", "Exec", "x", parameters{"command": "pvesh set /access/password --userid root@pam --full 1"}, 0},
		{"a setting that is shown", "Ini_setting", "a", parameters{"setting": "api_secret", "value": "K9zA8Uh6XNpznOp8BScY", "show_diff": true}, 2},
		{"a variable of nginx", "Nginx::Resource::Server", "a", parameters{"raw_append": []string{`set $upstream_token "G9K00HTijpvOOj2ROQUdtQoTrv7z2SuoxvqP";`}}, 1},
		{"a variable that is another", "Nginx::Resource::Server", "a", parameters{"raw_append": []string{`set $upstream_token $cookie_session;`}}, 0},
		{"a command before a backup", "Class", "rsnapshot", parameters{"cmd_preexec": "mysqldump -ubk -pvq4AI7Y0WjpTKvsoD8HI8 db"}, 1},
		{"a token of a short account", "Class", "a", parameters{"maps": "sk.eyJ1Ijoib3BzIn0.Cvw-kgiCg6iR7PTZ29LHl3"}, 1},
		{"an argument of a lookup", "File", "/x.yml", parameters{"content": "pw: \"{{ lookup('hashi_vault', 'secret=kv/db:password') }}\"\n"}, 0},
		{"a sentence in Dutch", "File", "/srv/a.txt", parameters{"content": "Het wachtwoord van BEHEER op kast3 is Fietsbel#48 sinds maart.\n"}, 1},
		{"a sentence in Spanish", "File", "/srv/a.txt", parameters{"content": "La contraseña del almacén es naranja-7siempre, no la compartas.\n"}, 1},
		{"a sentence in French", "File", "/srv/a.txt", parameters{"content": "erreur : le mot de passe « Tilleul!Sud » est expiré pour paie\n"}, 1},
		{"a sentence in Polish", "File", "/srv/a.txt", parameters{"content": "Hasło do drukarki: Bocian.nad.Wisla3\n"}, 1},
		{"a phrase behind its noun", "File", "/srv/a.txt", parameters{"content": "Recovery phrase for the safe: grüne Ente schläft am Ofen\n"}, 1},
		{"the password before", "File", "/srv/a.txt", parameters{"content": "La contraseña caduca. La anterior era Melocoton_azul4.\n"}, 1},
		{"the password beside its hash", "File", "/srv/a.conf", parameters{"content": "GRUB2_PASSWORD=x\n# klartext: Nebelkraehe7\n"}, 1},
		{"how a password is stored", "File", "/srv/a.txt", parameters{"content": "The password of the root account is base64-encoded and 12-characters long.\n"}, 0},
		{"where a password is", "File", "/srv/a.txt", parameters{"content": "The password for the service is stored in vault2 and expires 2024-12-31.\n"}, 0},
		{"a rule for passwords", "File", "/srv/a.txt", parameters{"content": "Das Passwort muss mindestens 8 Zeichen haben. PIN 4 of the connector is ground.\n"}, 0},
		{"a hash of passwords", "File", "/srv/a.txt", parameters{"content": "The password is sha512-crypt with 5000 rounds. Passwords are hashed with argon2id.\n"}, 0},
		{"a primary key in Spanish", "File", "/srv/a.txt", parameters{"content": "El enclave del proyecto es Norte2024; la clave primaria es id_cliente2.\n"}, 0},
		{"a language in Spanish", "File", "/srv/a.txt", parameters{"content": "clave: es-ES-2019 idioma; Lösung ist Version2.4.1-rc3 von app.\n"}, 0},
		{"a seed in a sentence", "File", "/srv/a.txt", parameters{"content": "The totp seed is `KNQXC4TFONUGK3DMOMQHG2DP`.\n"}, 1},
		{"an account in a sentence", "File", "/srv/a.txt", parameters{"content": "The rescue account is notdienst:Hq27TzAxv9mK (change it afterwards).\n"}, 1},
		{"a key as the user of curl", "Exec", "x", parameters{"command": "curl -sS -u kq7ZtR2xWv9Lm4Np: https://api.example.com/v1/x"}, 1},
		{"no password for curl", "Exec", "x", parameters{"command": "curl -sS -u deploy: https://api.example.com/v1/x"}, 0},
		{"a file that echo prints", "Exec", "x", parameters{"command": "rsync --password-file=<(echo kastanie-Regen5) a b"}, 1},
		{"a file that cat prints", "Exec", "x", parameters{"command": "rsync --password-file=<(cat /etc/rsync.pass) a b"}, 0},
		{"an option of Firebird", "Exec", "x", parameters{"command": "gsec -user SYSDBA -pas Kranich.Moor8 -display"}, 1},
		{"a store of HANA", "Exec", "x", parameters{"command": "hdbuserstore SET nightly db3:30015 BACKUPS Wolke7Sieben"}, 1},
		{"a client of Jenkins", "Exec", "x", parameters{"command": "java -jar cli.jar -s https://ci -auth robot:Ziegel4dach list-jobs"}, 1},
		{"a command on many machines", "Exec", "x", parameters{"command": `pdsh -w web[1-9] "echo root:Mohn+Feld77 | chpasswd"`}, 1},
		{"a check of MySQL", "File", "/etc/nagios/nrpe.cfg", parameters{"content": "command[check_db]=/usr/lib/nagios/plugins/check_mysql -unagios -pPegelStand8\n"}, 1},
		{"a key of RIP", "File", "/etc/frr/frr.conf", parameters{"content": "interface eth1\n ip rip authentication string rip4immer\n"}, 1},
		{"a community as a block", "File", "/etc/vyos/config.boot", parameters{"content": "snmp {\n    community beob4chter {\n        authorization ro\n"}, 1},
		{"a list of communities", "File", "/etc/vyos/config.boot", parameters{"content": "community-list 100 {\n    rule 10 {\n        action permit\n"}, 0},
		{"a user of monit", "File", "/etc/monit/monitrc", parameters{"content": "set httpd port 2812 allow ops:Schleuse4tor\n"}, 1},
		{"a host of monit", "File", "/etc/monit/monitrc", parameters{"content": "set httpd port 2812 allow localhost\n    allow fe80::1\n"}, 0},
		{"an account behind the noun", "File", "/srv/install.rsp", parameters{"content": "oracle.install.db.config.starterdb.password.SYSTEM=uTqPRv48213_k\n"}, 1},
		{"an attribute behind the noun", "File", "/srv/x.properties", parameters{"content": "auth.password.encoder=bcrypt\nauth.password.minimum=12\n"}, 0},
		{"braces of ODBC", "File", "/srv/x.conf", parameters{"content": "DRIVER={FreeTDS};SERVER=10.9.8.7;UID=ro;PWD={ab;Kuh=17};TDS_Version=7.4\n"}, 1},
		{"names in braces of ODBC", "File", "/srv/x.conf", parameters{"content": "UID=ro;DRIVER={FreeTDS};SERVER=10.9.8.7;TDS_Version=7.4\n"}, 0},
		{"a string for systemd", "File", "/etc/systemd/system/a.service", parameters{"content": "[Service]\nEnvironment=\"SHOP_DB_PASS=q7t/Rw2bu(aqIy]fbS.R3-_kE\" \"SHOP_X=1\"\n"}, 1},
		{"a passphrase with a number", "File", "/etc/grafana/grafana.ini", parameters{"content": "[security]\nadmin_password = Ritter und Mägde 7\n"}, 1},
		{"a default of ERB", "File", "/srv/database.yml", parameters{"content": "password: <%= ENV['DB'] || 'HafenBuero38' %>\n"}, 1},
		{"no default of ERB", "File", "/srv/database.yml", parameters{"content": "password: <%= ENV['DB'] || ENV['OTHER'] %>\n"}, 0},
		{"a network for telephones", "File", "/srv/x.txt", parameters{"content": "WIFI:T:WPA;S:gast;P:Zimtstern9;;\n"}, 1},
		{"an unseal key in a list", "File", "/srv/x.md", parameters{"content": "   - Unseal Key 1: 7k36HRbahvwoN62XI4Tfpuo5AcPh3uSs4L0wbnR7cVzQ\n"}, 1},
		{"keys of NATS", "File", "/srv/x.creds", parameters{"content": "-----BEGIN USER NKEY SEED-----\nSUANZHEMKAJOVFQR74UTXPY3PQ54CLYLJXYHROPEYAWIGDZEQ7IJR5F5QB\n------END USER NKEY SEED------\n"}, 1},
		{"keys of .NET", "File", "/srv/a.xml", parameters{"content": "<RSAKeyValue><Modulus>T6QA4oX5CkUp/wzHf8rDrxo/Tw+Z1MaAR3GraxaQqtc8wSnTbhRaJJwOvLiuI=</Modulus><Exponent>AQAB</Exponent><D>RQSLQz0tSkdezivD8M+DnYDUGLmRPPmRvOqREGOeCU7RpUivvfC4=</D></RSAKeyValue>"}, 1},
		{"a store of keys in lines", "File", "/srv/store.txt", parameters{"content": "MIIFAQIBAzCCBMcGCSqGSIb3DQEHAaCCpLIix6MEOLeMa61EqJomTEI1JEzO3joOj37HyVaQXekW\n9LctXb03rEMU64yTY6BzUZKC97i4xgciFnq9RBXO2tAG1yKwILALo5vR67b2rMQSkS3u9I5KKgTP\nnO1KrsheE2OEfwZeA5jbsBXA3hcMNWcyTLvJ47rGpctaegMIc8mAsNqjSc3vux9i53yyD3HyP3MR\nJgN8ZGrBOUTp7tBqHtJvaYALubyNLOidOOvDwR6wMTrVFbLd9Rb9xqODtLMulxluWx2MqtYygX0b\nKRVitGoPZrpulRBPSggMu8vR1oCZ29kfvVPn4KCroYhcH9muZ11Kl3rvZ0PfZNwLiAsHY2rDwOAs\nAKAc6AjmaE814NGBJ87TocVD1WQVH9sIv4o3e2LshZpcc5ZSG7m5\nowner: app\n"}, 1},
		{"a public key of .NET", "File", "/srv/a.xml", parameters{"content": "<RSAKeyValue><Modulus>T6QA4oX5CkUp/wzHf8rDrxo/Tw+Z1MaAR3GraxaQqtc8wSnTbhRaJJwOvLiuI=</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>"}, 0},
		{"keys of users of SNMP", "File", "/var/lib/snmp/snmpd.conf", parameters{"content": "usmUser 1 3 0x80001f88 \"m\" \"m\" NULL .1.3.6.1.6.3.10.1.1.3 0x7b91cb619b4fd4217b624f78766f2fe9b1e6def9 .1.3.6.1.6.3.10.1.2.4 0x2193502cc4d620950b3930b5d733babd \"\"\n"}, 2},
		{"variables of services", "File", "/etc/x.env", parameters{"content": "GOTIFY=BkXWqcxemo7C6LD\nPUSHOVER_APP=bk8w6tksrqjsrue5uv36n6d64zb0nq\n"}, 2},
		{"variables that are no tokens", "File", "/etc/x.env", parameters{"content": "GITHUB_SHA=e382555d3c6c517a10eddb30fa9c0e13308f9a1c\nSLACK=general\nGITLAB=gitlab.example.com\nDATADOG=enabled\n"}, 0},
		{"the ID of a request", "File", "/srv/x.txt", parameters{"content": "< x-request-id: 8f1c2d3e4b5a69788796a5b4c3d2e1f0\n"}, 0},
		{"a user and a password with short names", "Class", "x", parameters{"settings": map[string]any{"backends": []any{map[string]any{"h": "a", "u": "x", "p": "k5m4Kz0owk0wgpx1"}}}}, 1},
		{"a point with short names", "Class", "x", parameters{"settings": map[string]any{"points": []any{map[string]any{"h": "a", "p": "k5m4Kz0owk0wgpx1"}}}}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "PIN 4711 of the connector is ground. City: Mumbai PIN 400001. Set PIN to 1000 retries.\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "# old: Ubuntu20.04LTS\n# was: v2Api_Gateway01\n// old: React16_ClassComponent\n\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "git hash of Commit2024Main\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "password backend is OpenLDAP2.4, the password reset ticket is JIRA-12345\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "La password è SHA512crypt, Hasło jest SHA512crypt\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "Password expiry is P90DT12H30M, password manager is KeePassXC2.7\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "La clave del éxito es Kaizen2024, clave de partición es Region2024Norte\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "password field is VARCHAR255, Kennwort ist jetzt AES256GCM verschlüsselt\n"}, 0},
		{"no password in a sentence", "File", "/srv/a.txt", parameters{"content": "The service account is locked/Disabled2024!\n"}, 0},
		{"a password in Chinese", "File", "/srv/a.txt", parameters{"content": "错误：用户 app 的密码：Tulpe#4481xq 不正确\n"}, 1},
		{"an escaped mark of a network", "File", "/srv/x.txt", parameters{"content": "WIFI:T:WPA;S:home;P:Tul\\;pe#4481xq;;\n"}, 1},
		{"a password of PostgreSQL in a string", "File", "/etc/postgresql/x.conf", parameters{"content": "primary_conninfo = 'user=app password=''Tulpe4481xq'' host=db1'\n"}, 1},
		{"a name in braces", "File", "/srv/x.conf", parameters{"content": "UID=app;PWD={pw};Server={host}\n"}, 0},
		{"a protocol beside a user", "Class", "x", parameters{"settings": map[string]any{"points": []any{map[string]any{"u": "app", "p": "tcp"}}}}, 0},
		{"models of services", "File", "/etc/x.env", parameters{"content": "OPENAI_API=gpt-4o-mini-2024-07-18\n"}, 0},
		{"a session in a header", "File", "/srv/x.txt", parameters{"content": "X-Session-Id: 8f1c2d3e4b5a69788796a5b4c3d2\n"}, 1},
		{"a public key of an account", "Class", "gce", parameters{"ssh-keys": "ops:ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ1c3RlcmJ1c3RlcmJ1c3RlcmJ1c3RlcmJ1c3Rl ops"}, 0},
		{"a secret of Docker", "Docker_secret", "smtp", parameters{"data": "8pGx7mQ24BM9GShMIYf7o7nT"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			document, err := json.Marshal(map[string]any{"name": "n", "edges": []any{}, "resources": []any{
				map[string]any{"type": tt.typ, "title": tt.title, "parameters": tt.parameters},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if r := runWith(t, audit.Options{Key: key}, string(document)); len(r.Findings) != tt.leaks {
				t.Errorf("%d findings, want %d: %v", len(r.Findings), tt.leaks, r.Findings)
			}
		})
	}
}
