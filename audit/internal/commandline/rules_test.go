package commandline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/test/sample"
)

// spotted is a secret that a search hands out: its position in the text, its name and class.
type spotted struct {
	start, end int
	name       string
	class      verdict.NameClass
}

// spotter records the secrets in a text and in the commands inside its words. A value that is
// handed out twice counts with the more certain name.
type spotter struct {
	t    *testing.T
	text string
	at   int // position of the text in the whole one
	list *[]spotted
}

func (s spotter) Judge(a assign.Assignment) {
	if part := s.text[a.Start:a.End]; part != a.Value {
		s.t.Errorf("%q is at %q", a.Value, part)
	}
	if values.Against(verdict.Candidate{Value: a.Value, As: a.Class, At: verdict.InParameter}) != verdict.None {
		return
	}
	found := spotted{s.at + a.Start, s.at + a.End, a.Name, a.Class}
	if i := slices.IndexFunc(*s.list, func(o spotted) bool { return o.start == found.start }); i < 0 {
		*s.list = append(*s.list, found)
	} else if (*s.list)[i].class < found.class {
		(*s.list)[i] = found
	}
}

func (s spotter) Part(start, end int, text string) Sink {
	return spotter{s.t, text, s.at + start + strings.Index(s.text[start:end], text), s.list}
}

func (s spotter) Write(int, int, string, string) {}

// spot returns the secrets that a search hands out, in the order of their positions.
func spot(t *testing.T, text string, search func(*Text)) []spotted {
	t.Helper()
	var list []spotted
	has := alphabet.ContainedIn(text)
	search(&Text{S: text, Names: names, Has: &has, IsSettings: true, Sink: spotter{t, text, 0, &list}, Words: &Words{}})
	slices.SortStableFunc(list, func(a, b spotted) int { return a.start - b.start })
	return list
}

var (
	names  = verdict.NewVocabulary(verdict.Names{})
	values = verdict.NewValues(names)
)

// TestCommands checks which words of a command are secrets, one rule at a time. They are
// between « and » in a line; the other lines have none. The name and the class are those of
// each secret of a rule.
func TestCommands(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		name  string
		class verdict.NameClass
		lines []string
	}{
		{"an option with the name of a secret", "password", verdict.Password, []string{
			"app --password «walrus7» run", "app --password=«walrus7»", "app -password «walrus7»", "app /password:«walrus7»", `app --password "«walrus 7»"`, "app --password '«walrus#7»' # --password no", "--password «walrus7» --x",
			"app --password", "app --password --verbose", "app --password-file /x", `app --password "$PW"`, "app --password=$(cat x)", "app --password >x7", "app password", "mysql --password shop",
		}},
		{"a short name", "pw", verdict.Password, []string{"app -pw «walrus7»", "app -p walrus7", "app -x walrus7"}},
		{"a Java property", "app.password", verdict.Password, []string{"java -Dapp.password=«walrus7» -jar x.jar", "java -Dapp.user=walrus7"}},
		{"a property of Windows Installer", "password", verdict.Password, []string{"app http:password=«walrus7»", "app http:user=walrus7"}},
		{"a value that looks like an option", "token", verdict.Token, []string{"app --token «-q8ZkPw2LmN4rT6vX»", "app --token -v"}},
		{"an ambiguous option", "key", verdict.Hint, []string{"app --key «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "app -key q8ZkPw2LmN4rT6vXb3Yc5Hd7"}},
		{"an account after an option", "user", verdict.Password, []string{"app --auth app:«walrus7»", "app -basic-auth app:«walrus7»", "app --auth https://x"}},
		{"an assignment of a chart", "db.password", verdict.Password, []string{
			"helm install x --set a=1,db.password=«walrus7»,b=2", "helm install x --set-string=db.password=«walrus7»", "helm install x --set a=1",
		}},
		{"a pair of options", "db_password", verdict.Password, []string{
			"reg add HKLM -n db_password -v «walrus7»", "app -Name db_password -Value «walrus7»", "app --key db_password --string «walrus7»", "reg add x /v db_password /t REG_SZ /d «walrus7»",
			"app -Name db_user -Value walrus7", "app -Value walrus7",
		}},
		{"a password beside a user", "-p", verdict.Token, []string{"app -u deploy -p «kx7mp2qr9vw3»", "app --user=deploy -p=«kx7mp2qr9vw3»", "app -U deploy -p:«kx7mp2qr9vw3»", "app -p «kx7mp2qr9vw3»", "app -u deploy -p --x"}},
		{"a password of both cases beside a user", "-P", verdict.Password, []string{"app -l deploy -P «Walrus7»"}},
		{"a password beside a directory user", "-w", verdict.Token, []string{"app -D cn=app -w «kx7mp2qr9vw3»", "app -D cn=app -w«kx7mp2qr9vw3»", "app -D cn=app -wide", "app -w «kx7mp2qr9vw3»"}},

		{"a variable of a command", "PGPASSWORD", verdict.Password, []string{
			"PGPASSWORD=«walrus7» psql", "env PGPASSWORD=«walrus7» psql", "sudo -u app PGPASSWORD='«walrus7»' psql", "export PGPASSWORD=«walrus7»", "PGPASSWORD=$X psql", "PGPASSWORD=(walrus7 otter7)", `env -S "PGPASSWORD=«walrus7» psql -h db" x`, `env -iS 'PGPASSWORD=«walrus7» psql -h db'`, `env --split-string="PGPASSWORD=«walrus7» psql -h db"`, "PGUSER=walrus7 psql",
		}},
		{"options in a variable", "password", verdict.Password, []string{`DAEMON_OPTS="-v --password=«walrus7»"`, `DAEMON_OPTS="-v"`}},
		{"a prefix of a literal", "pass", verdict.Password, []string{"openssl x -in pass:«walrus7»", "openssl x -in pass:"}},
		{"a literal of kubectl", "app", verdict.Token, []string{"kubectl create x --from-literal=app=«q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "kubectl create x --from-literal=app"}},
		{"a key of TSIG", "tsig", verdict.Password, []string{"nsupdate -y hmac-sha256:app:«walrus7»", "nsupdate -y hmac-sha256:app"}},
		{"a header", "X-Api-Key", verdict.Token, []string{
			`curl -H "X-Api-Key: «q8ZkPw2LmN4rT6vXb3Yc5Hd7»" x`, "curl -H X-Api-Key:«q8ZkPw2LmN4rT6vXb3Yc5Hd7» x", `curl --header="X-Api-Key: «q8ZkPw2LmN4rT6vXb3Yc5Hd7»"`, `curl -H "X-Api-User: q8ZkPw2LmN4rT6vXb3Yc5Hd7"`, "curl https://x-api-key",
		}},
		{"an Authorization header", "Authorization", verdict.Password, []string{`curl -H "Authorization: Bearer «walrus7»" x`}},
		{"a setting", "db_password", verdict.Password, []string{
			"app set db_password «walrus7»", "app config app/db_password «walrus7»", "consul kv put -cas=1 db_password «walrus7»", "app set x db_password «walrus7»", "gh config set db_password --value «walrus7»",
			"app get db_password walrus7", "app set db_user walrus7", "app set db_password --force x", "app set db_password",
		}},

		{"an assignment of printf", "pw", verdict.Password, []string{`printf 'user=%s pw=%s\n' app «walrus7»`, "printf 'user=%s' walrus7"}},
		{"an access rule of Redis", "redis-cli", verdict.Password, []string{"redis-cli ACL SETUSER app on >«walrus7» allkeys", "redis-cli ACL SETUSER app off"}},
		{"a replacement of sed", "PASSWORD", verdict.Password, []string{"sed -i s/__PASSWORD__/«walrus7»/ x", "sed 's|@PASSWORD@|«walrus/7»|g' x", "sed s/__USER__/walrus7/ x", "sed 's/password=.*/x/' x", "sed 's/(PASSWORD)/x7/'"}},
		{"a share of Windows", "net use", verdict.Password, []string{`net use Z: \\files\x «walrus7» /user:app`, `net use Z: \\files\x *`, `net use Z: \\files\x /user:app`, "net view walrus7"}},
		{"a share of Samba", "smbclient", verdict.Password, []string{"smbclient //files/x «walrus7»", "smbclient //files/x -N"}},
		{"an account of Oracle", "user", verdict.Password, []string{"sqlplus app/«walrus7»@db", "rman app/«walrus7»", "sqlplus /nolog", "sqlplus app"}},

		{"a table row: joined with an option", "-p", verdict.Password, []string{"mysql -u app -p«walrus7» shop", "mysql -u app -p shop"}},
		{"a table row: after an option", "-p", verdict.Password, []string{"sshpass -p «walrus7» ssh x", "sshpass -f x ssh x"}},
		{"a table row: an option that ignores case", "/RP", verdict.Password, []string{"schtasks /create /tn x /RP «walrus7»", "schtasks /create /tn x"}},
		{"a table row: after a subcommand", "-p", verdict.Password, []string{"docker login -p «walrus7» x", "docker run -p 80:80 x"}},
		{"a table row: by position", "wpa_passphrase", verdict.Password, []string{"wpa_passphrase home «walrus7»", "wpa_passphrase home"}},
		{"a table row: by position, without options", "mkpasswd", verdict.Password, []string{"mkpasswd -m sha-512 «walrus7»", "mkpasswd -m sha-512", "mkpasswd -m sha-512 > x"}},
		{"a table row: the last word", "openssl", verdict.Password, []string{"openssl passwd -6 «walrus7»", "openssl passwd -6 «walrus7» > x", "openssl passwd -6 -salt xyz", "openssl rand 16"}},
		{"a table row: the last word with a bundled option", "htpasswd", verdict.Password, []string{"htpasswd -cb /etc/x app «walrus7»", "htpasswd -D /etc/x walrus7"}},
		{"a table row: a user before it", "user", verdict.Password, []string{"curl -u app:«walrus7» x", "curl -ksu app:«walrus7» x", "rpcclient -U app%«walrus7» x", "curl -u app x"}},
		{"a table row: the key of a host", "http-basic.example.com", verdict.Password, []string{"composer config http-basic.example.com app «walrus7»", "composer config repositories.x app walrus7"}},

		{"a nested command", "password", verdict.Password, []string{
			`sh -c "app --password «walrus7»"`, `su - x -c 'app --password=«walrus7»'`, "ssh x 'app --password «walrus7»'", "echo $(app --password «walrus7»)", "echo `app --password «walrus7»`", "diff <(app --password «walrus7») x",
			"docker exec -it -e X=1 web app --password «walrus7»", "kubectl exec web -- app --password «walrus7»", "alias x='app --password «walrus7»'", "true && (app --password «walrus7») || false", "cmd /c app --password «walrus7»",
			"timeout 5s nice -n 5 app --password «walrus7»", "$x = app --password «walrus7»", `choco install x --params "/x --password=«walrus7»"`,
		}},
		{"a file that a process substitution hands over", "kinit", verdict.Password, []string{"kinit app < <(echo «walrus7»)"}},

		{"a file option that a process substitution hands over", "openssl", verdict.Password, []string{"openssl x -passin file:<(echo «walrus7»)", "sudo openssl x -passin file:<(printf '%s' «walrus7»)"}},

		{"the name of a secret as a word", "set-initial-password", verdict.Token, []string{"app set-initial-password «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "app set-initial-password --yes app «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "app set-initial-password", "app set-initial-user kx7mp2qr9vw3"}},
		{"a word inside a command", "requirepass", verdict.Token, []string{"app CONFIG APPLY requirepass «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "app user u requirepass -o x «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "requirepass walrus-granite-bramble", "op item requirepass walrus-granite-bramble", "kubectl delete secret walrus-granite-bramble"}},
		{"the last operand of a command about accounts", "ctl", verdict.Hint, []string{"ctl user add app «q8ZkPw2LmN4rT6vXb3Yc5Hd7»", "git user add app q8ZkPw2LmN4rT6vXb3Yc5Hd7", "kubectl user add app q8ZkPw2LmN4rT6vXb3Yc5Hd7", "ctl file add x"}},

		{"a word piped to a program of the table", "kinit", verdict.Password, []string{"echo «walrus7» | kinit app", "printf '%s\\n' «walrus7» | kinit", "echo -n «walrus7» | kinit", "(echo «walrus7»; echo «walrus8») | kinit", "echo $X | kinit", "cat x | kinit", "head walrus7 | kinit"}},
		{"a word piped to an option", "app", verdict.Password, []string{
			"echo «walrus7» | app --stdin", "echo «walrus7» | app --password-stdin", "echo «walrus7» | app -o password_stdin,reconnect", "echo «walrus7» | app --with-token", "echo walrus7 | app -S",
		}},
		{"a word piped to sudo", "sudo", verdict.Password, []string{"echo «walrus7» | sudo -S id", "echo «walrus7» | sudo -S -v", "echo «walrus7» | LC_ALL=C nice sudo -S mount /x", "echo walrus7 | sudo id"}},
		{"a word piped through a wrapper", "kinit", verdict.Password, []string{
			"echo «walrus7» | sudo kinit", "echo «walrus7» | sudo -n -u root kinit app", "echo «walrus7» | sudo --user=root LC_ALL=C kinit", "echo «walrus7» | env -i X=y doas -u root kinit", "echo «walrus7» | nice -n 5 timeout -k 5 10s kinit",
			"echo «walrus7» | ionice -c 2 kinit", "echo «walrus7» | chroot /mnt /usr/bin/kinit", "echo «walrus7» | su - app -c 'kinit app'", "echo «walrus7» | sudo sh -c 'cd /x && kinit'", "echo «walrus7» | bash -lc kinit",
			"echo «walrus7» | ssh -p 22 root@x kinit", "echo «walrus7» | ssh x 'sudo kinit app'", "echo «walrus7» | docker exec -i -u root web kinit", "echo «walrus7» | kubectl exec -i web -- kinit",
			"sudo kinit <<< «walrus7»", "doas kinit app < <(echo «walrus7»)", "ssh x 'sudo kinit' <<EOF\n«walrus7»\nEOF", "LC_ALL=C sudo -u app kinit <<EOF\n«walrus7»\nEOF",
			"echo walrus7 | sudo id", "echo walrus7 | xargs kinit", "echo walrus7 | ssh x cat", "echo walrus7 | sh -c 'cat kinit'", "echo walrus7 | sudo -u kinit id", "echo walrus7 | chroot kinit", "echo walrus7 | docker exec kinit id",
		}},
		{"an account piped through a wrapper", "chpasswd", verdict.Password, []string{"echo 'app:«walrus7»' | sudo chpasswd", "echo 'app:«walrus7»' | sudo -u root chpasswd -e", `printf '%s\n' 'app:«walrus7»' | ssh x sudo chpasswd`, "echo app:«walrus7» | su -c chpasswd", "doas chpasswd <<EOF\napp:«walrus7»\nEOF"}},
		{"a word piped to a container", "docker", verdict.Password, []string{"echo «walrus7» | docker secret create x -", "echo walrus7 | docker secret ls -"}},
		{"a word piped to ZFS", "zfs", verdict.Password, []string{"echo «walrus7» | zfs load-key x", "echo walrus7 | zfs list x"}},
		{"an account piped to chpasswd", "chpasswd", verdict.Password, []string{"echo app:«walrus7» | chpasswd", "echo 'app:«walrus7»' | chpasswd -e", "echo app: | chpasswd"}},
		{"an answer piped to debconf", "debconf-set-selections", verdict.Password, []string{"echo 'x x/root password «walrus7»' | debconf-set-selections", "echo 'x x/mode select walrus7' | debconf-set-selections"}},
		{"lines piped to passwd", "passwd", verdict.Password, []string{`printf '«walrus7»\n«walrus7»\n' | passwd app`, `printf '%s' '«walrus7»' | passwd app`}},
		{"the lines of an account piped to mount", "mount.davfs", verdict.Password, []string{`printf 'app\n«walrus7»' | mount.davfs x /mnt`, "echo app | mount.davfs x /mnt"}},
		{"a mount of WebDAV", "mount", verdict.Password, []string{`printf 'app\n«walrus7»' | mount -t davfs x /mnt`, `printf 'app\nwalrus7' | mount -t ext4 x /mnt`}},
		{"a word piped to su", "su", verdict.Token, []string{"echo «q8ZkPw2LmN4rT6vXb3Yc5Hd7» | su", "echo «q8ZkPw2LmN4rT6vXb3Yc5Hd7» | su - -c id", "echo «q8ZkPw2LmN4rT6vXb3Yc5Hd7» | su app -c 'id -u'", "echo walrus7 | su", "echo walrus7 | su - -c id"}},
		{"a word piped to another program", "app", verdict.Hint, []string{"echo «q8ZkPw2LmN4rT6vXb3Yc5Hd7» | app", `printf '«q8ZkPw2LmN4rT6vXb3Yc5Hd7»\n' | app`, "echo q8ZkPw2LmN4rT6vXb3Yc5Hd7 x | app", "echo a.b.q8ZkPw2LmN4rT6vXb3Yc5Hd7 | app", "echo q8ZkPw2LmN4rT6vXb3Yc5Hd7 | base64", "echo q8ZkPw2LmN4rT6vXb3Yc5Hd7 | sha256sum"}},
		{"a here-string", "kinit", verdict.Password, []string{"kinit app <<< «walrus7»", "cat <<< walrus7"}},
		{"an account in a here-string", "user", verdict.Password, []string{"chpasswd <<< app:«walrus7»", "sudo chpasswd <<< 'app:«q8ZkPw2LmN4rT6vXb3Yc5Hd7»'"}},
		{"a here-document", "kinit", verdict.Password, []string{"kinit app <<EOF\n«walrus7»\nignored7\nEOF\nid", "kinit <<'X' && id\n«walrus7»\nX", "kinit <<EOF\n$PW\nEOF", "kinit <<EOF\nwalrus7", "cat <<EOF\nwalrus7\nEOF", "kinit <<\nwalrus7"}},
		{"accounts in a here-document", "chpasswd", verdict.Password, []string{"chpasswd <<EOF\napp:«walrus7»\nweb:«walrus8»\nEOF"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			for _, line := range tt.lines {
				checkSpots(t, line, tt.name, tt.class, (*Text).SearchScript)
			}
		})
	}
}

// checkSpots checks that a search hands out the secrets between « and » in a text.
func checkSpots(t *testing.T, marked, name string, as verdict.NameClass, search func(*Text)) {
	t.Helper()
	text, marks := sample.Marked(marked)
	var want []spotted
	for _, at := range marks {
		want = append(want, spotted{at[0], at[1], name, as})
	}
	if got := spot(t, text, search); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %s, want %s", text, show(text, got), show(text, want))
	}
}

// TestEscapes checks the value of a word with quotes and escapes inside of it, and the part of
// the text that it is.
func TestEscapes(t *testing.T) {
	for line, want := range map[string][2]string{
		`app --password wal\ rus7`:          {"wal rus7", `wal\ rus7`},
		`app --password="wal\"rus7" x`:      {`wal"rus7`, `wal\"rus7`},
		`app --password=wal'rus 7' x`:       {"walrus 7", `wal'rus 7`},
		"app --password=wal\\\nrus7 x":      {"walrus7", "wal\\\nrus7"},
		`app --password 'wal\rus7'`:         {`wal\rus7`, `wal\rus7`},
		`app --password walrus\;7; id`:      {"walrus;7", `walrus\;7`},
		`app --password walrus7&& id; x`:    {"walrus7", "walrus7"},
		`app --password "walrus7`:           {"walrus7", "walrus7"},
		`id; (app --password walrus7)| cat`: {"walrus7", "walrus7"},
	} {
		f, _ := search(line)
		if got := f.spots; len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestSearchLines checks where commands begin in a text that is no script.
func TestSearchLines(t *testing.T) {
	for rule, texts := range map[string][]string{
		"a script":         {"#!/bin/sh -e\napp -x\napp --password «walrus7»", "#!/usr/bin/env bash\n# app --password walrus7"},
		"the first line":   {"#!/usr/bin/env -S app --password «walrus7»\nselect 1", "#!/usr/bin/python3 app --password walrus7"},
		"long options":     {"run app --password «walrus7»", "# app --password walrus7", "app -password walrus7"},
		"a crontab":        {"*/5 * * * * /bin/app -x -password «walrus7»", "@daily root /bin/app -password «walrus7»", "0 1 * * * app /bin/app -password «walrus7»", "5 0 * * * app -password «walrus7»", "0 3 * jan mon-fri app -password «walrus7»", "5 0 1 app -password walrus7"},
		"a Dockerfile":     {"RUN app -password «walrus7»", "COPY app -password walrus7"},
		"a unit":           {"ExecStart=-/bin/app -password «walrus7»", "Exec=app -password «walrus7»", "Start=/bin/app -password «walrus7»", "Start=app -password walrus7"},
		"an alias":         {"alias x='app -password «walrus7»'"},
		"a known program":  {"vault -password «walrus7»", "  - vault -password «walrus7»", "walrus -password walrus7"},
		"an item":          {"  - app --password «walrus7»"},
		"a line of Nagios": {"  command_line   app -password «walrus7»"},
		"a line of NRPE":   {"command[check_x]=app -password «walrus7»"},
		"a line of Squid":  {"auth_param basic program /lib/x -password «walrus7»"},
		"a line of Zabbix": {"UserParameter=x.y,app -password «walrus7»"},
		"a key of YAML":    {"command: app -password «walrus7»", "  - shell: \"app -password «walrus7»\"", "run: 'app -password «walrus7»'", "walrus: app -password walrus7", "command:app -password walrus7"},
		"a block of YAML":  {"script: |\n  app -x\n  # app -password walrus7\n  app -password «walrus7»\nother:\n  app -password walrus7", "run: >-\n  app -password «walrus7»"},
		"a list of words": {`["app", "--password", "«walrus7»"]`, `entrypoint: [app, -password, «walrus7»]`, "test: ['CMD', 'app', '--password', '«walrus7»']", `["app", "--user", "walrus7"]`, `["a b", "--password", "walrus7"]`, `["app", "--password", "wal\"rus7"]`,
			"entrypoint: [app, --password, «walrus7»]", `command: [ "app", --password, '«walrus7»' ]`, "command: [app, --verbose, --password=«walrus7»]", "args: [--verbose, --password, «walrus7»]", `args: ["--host=x", "--password=«walrus7»"]`, "- [app, --password, «walrus7»]", "x = [app, --password, «walrus7»]",
			"command: [sh, -c, 'app --password «walrus7»']", "command: [sh, -c, app --password «walrus7»]", `RUN ["app", "--password", "«walrus7»"]`, `{"cmd": ["app", "--password", "«walrus7»"], "x": ["y", "--z"]}`, "x: [\n  \"app\",\n  \"--password\",\n  \"«walrus7»\"\n]", "x = ['app', '-x',\n  '--password', '«walrus7»',\n]",
			"app --password «walrus7» [x, -y]", "x [app, --password «walrus7»", `RUN [ "$x" = "a,-b" ] && app --password «walrus7»`, "x: [\n  app,\n  --password,\n  «walrus7»\n]", "x: [app, --user, walrus7]", "x: [--password, --user]"},
		"a list of items": {"command:\n  - app\n  - --password\n  - «walrus7»", "- app\n- '--password'\n- \"«walrus7»\"\nx: y", "args:\n  - --verbose\n  - --password\n  - «walrus7»\nenv:\n  - otter77", "x:\n  - app\n  - --password\n  -\n  - otter77", "x:\n  - app\n  - --password\ny:\n- otter77", "x:\n  - --password\n  - --user\n  - walrus7", "x:\n  - a b\n  - --password\n  - walrus7", "x:\n  - password\n  - walrus7"},
		"an element of XML": {"<command>app -password «walrus7»</command>", "<script><![CDATA[app -password «walrus7» run]]></script>", "<script><![CDATA[app -password «walrus7»]]></script>", "<script>\n  <![CDATA[\napp -x\napp -password «walrus7»\n]]>\n</script>", `<script><![CDATA[echo "</b>"; app -password «walrus7»]]></script>`, "<walrus>app -password walrus7</walrus>", "<command>app -password walrus7",
			"<command>app --password «walrus7»</command>", "  <x y='z'> <exec>app --password=«walrus7»</exec> </x>", "<args><![CDATA[--password «walrus7»]]></args>", "app --password «walrus7»]]></x>", "<x>\n  app --password «walrus7»</x>"},
		"a member of JSON": {`{"cmd": "app -password «walrus7»"}`, `{"run" : "app -password «walrus7»", "run": "app -password «walrus8»"}`, `{"walrus": "app -password walrus7"}`, `{"cmd": ["app -password walrus7"]}`, `{"cmd", "app -password walrus7"}`},
	} {
		t.Run(rule, func(t *testing.T) {
			for _, text := range texts {
				checkSpots(t, text, "password", verdict.Password, (*Text).SearchLines)
			}
		})
	}
}

// TestSearchWord checks a command whose words are elements of a list: only the searched one
// has a position.
func TestSearchWord(t *testing.T) {
	list := []string{"app", "--user", "walrus7", "--password", "otter77"}
	for at, want := range []string{4: "password"} {
		got := spot(t, list[at], func(text *Text) { text.SearchWord(list, at) })
		if len(got) == 1 != (want != "") || want != "" && got[0] != (spotted{0, len(list[at]), want, verdict.Password}) {
			t.Errorf("%s: got %s", list[at], show(list[at], got))
		}
	}
}

// TestBeforeVerb checks the name before each verb of a format.
func TestBeforeVerb(t *testing.T) {
	for _, tt := range []struct {
		format string
		i      int
		want   string
	}{
		{"user=%s pw=%s", 1, "user"}, {"user=%s pw=%s", 2, "pw"}, {"user=%s pw=%s", 3, ""}, {"100%% pw: '%s'", 1, "pw"}, {`"token" = "%s"`, 1, "token"}, {"%s", 1, ""}, {"password %s", 1, "password"}, {"x%", 1, "x"},
	} {
		if got := BeforeVerb(tt.format, tt.i); got != tt.want {
			t.Errorf("verb %d of %s: got %q, want %q", tt.i, tt.format, got, tt.want)
		}
	}
}

// show returns values with their texts.
func show(text string, list []spotted) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s=%q of class %d at %d; ", s.name, text[s.start:s.end], s.class, s.start)
	}
	return b.String()
}
