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
