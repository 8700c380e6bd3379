package assign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/test/sample"
)

var names = verdict.NewVocabulary(verdict.Names{})

// find returns the assignments in a text of a kind: "settings", "program" or "text", or the
// path of a file with settings.
func find(text, kind string) (list []assign.Assignment) {
	a := assign.Text{S: text, Names: names, IsProgram: kind == "program", IsSettings: kind != "program" && kind != "text", File: func() string { return kind }}
	a.Find(func(a assign.Assignment) { list = append(list, a) })
	slices.SortStableFunc(list, func(a, b assign.Assignment) int { return a.Start - b.Start })
	return list
}

// TestRules checks which values a text assigns to the names of secrets, one rule at a time.
// The values are between « and » in a text, in the order of the names. Texts without such
// marks assign nothing.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		kind  string
		names string
		class verdict.NameClass
		texts []string
	}{
		{"an equals sign", "settings", "db_password", verdict.Password, []string{
			"db_password = «walrus»", "db_password=«walrus»", "db_password := «walrus»", "db_password ?= «walrus»", "db_password += «walrus»", "db_password => «walrus»", "  db_password = «walrus»  ",
			"db_password =", "= walrus", "db_password", "db_user = walrus", "db_password_file = walrus",
		}},
		{"an operator that compares", "settings", "", 0, []string{"db_password == walrus", "db_password != walrus", "db_password <= walrus", "db_password =~ walrus"}},
		{"a comparison with a header", "settings", "http_x_auth_token", verdict.Token, []string{`if ($http_x_auth_token != "«walrus»")`, `if ($http_x_auth_token == "«walrus»")`, "if ($http_x_auth_token == walrus)", `if ($http_x_user == "walrus")`, `== "walrus"`}},
		{"a comparison in a program", "program", "", 0, []string{`if (auth_token == "walrus")`}},
		{"a colon", "settings", "db_password", verdict.Password, []string{
			"db_password: «walrus»", "- db_password: «walrus»", `db_password:"«walrus»"`, "db_password:walrus", "db_password::walrus", "db_password://walrus", "password_policy: walrus",
		}},
		{"quotes around the name", "settings", "db_password", verdict.Password, []string{`"db_password": "«walrus»"`, `'db_password' => '«walrus»'`, `"db_password":"«walrus»"`, `{"a": 1, "db_password": «walrus»}`}},
		{"a map in braces", "settings", "db_password db_password", verdict.Password, []string{
			"- {db_password: «walrus»}", "{db_password: «walrus»}", "x: {db_password: «walrus»}", "- {user: app, db_password: «walrus»}", "- {db_password: «walrus», user: app}", "- {db_password: «walrus»,user: app}", "- { db_password: «walrus» }", "- {x: {db_password: «walrus»}}",
			"- {x: {db_password: «walrus»}, y: {db_password: «otter», port: 80}}", "- [{db_password: «walrus»}, {db_password: «otter»}]", "- {db_password: «walrus»} # x", "- {db_password: «wal{r}us»}", "- {db_password: «walrus otter badger», user: app}",
			"x: {user: app,\n  db_password: «walrus»}", "x: {\n  db_password: «walrus» }\n", "x: {\n  y: {\n    db_password: «walrus»}}", "x: {\n  db_password: «walrus»\n}", "[{x: y,\n  db_password: «walrus»}]",
			"db_password: «walrus}»", "x: {y: z}\ndb_password: «walrus}»", "- {db_password: «${x}»}", `- {db_password: "«wal}rus»"}`, "x: {\n  db_password: «walrus}»\n}\n", "x: {\n  y: {\n    db_password: «walrus}»\n  }\n}", "x: {\n  db_password = «walrus}»\n}",
		}},
		{"escaped quotes", "settings", "db_password", verdict.Password, []string{`"{\"db_password\": \"«walrus»\"}"`}},
		{"an index", "settings", "db_password", verdict.Password, []string{`$conf["db_password"] = '«walrus»';`, "$conf{db_password} = '«walrus»';", "$db_password = '«walrus»'", "@db_password = '«walrus»'"}},
		{"a path of names", "settings", "example.com/db_password", verdict.Password, []string{"example.com/db_password: «walrus»"}},
		{"an assignment in a string", "settings", "db_password", verdict.Password, []string{`env = ["db_password=«walrus»"]`, `- "db_password=«walrus»"`}},
		{"an assignment in a string of a program", "program", "db_password", verdict.Token, []string{`run("db_password=«walrus»")`}},
		{"a name after other text", "text", "db_password", verdict.Password, []string{"connect with db_password=«walrus» and go", "export db_password=«walrus»", "go (db_password=«walrus»)", "GET x?db_password=«walrus»&x=1", "go (db_password=«wal(r)us»)", "user=x,db_password=,uid=0"}},
		{"the end of a prompt", "text", "", 0, []string{`"Password: "`, `echo "Password:", x`, `grep '^password=' /etc/x`, `read -p "Password:"`}},
		{"the result of a test", "text", "", 0, []string{"test 1 PASS: walrus", "12 PASS = walrus"}},
		{"a comment", "settings", "", 0, []string{"# db_password = walrus", "// db_password = walrus", "; db_password = walrus", "/* db_password = walrus */", "/*\ndb_password = walrus\n*/"}},
		{"after a comment", "settings", "db_password", verdict.Password, []string{"/*\nx\n*/\ndb_password = «walrus»", "# x\ndb_password = «walrus»"}},
		{"a sentence", "text", "", 0, []string{"Password: changes every quarter. See: wiki", "the owner knows the new password: ask them"}},
		{"a sentence of one word", "text", "Password", verdict.Password, []string{"Password: «walrus»", "Password: «walrus otter badger»"}},
		{"an ambiguous name", "settings", "key", verdict.Hint, []string{"key = «walrus»"}},
		{"a harmless name", "settings", "", 0, []string{"public_key = walrus", "/etc/db_password = walrus"}},

		{"a bare value with more behind it", "settings", "db_password", verdict.Password, []string{
			"db_password = «walrus otter»", "db_password = «walrus» # x", "db_password = «walrus» ; x", "db_password = «walrus» // x", "db_password = «walrus» <!-- x", "db_password = «walrus» --x", "db_password = «walrus» -Dx", "db_password = «walrus» -Xx", "db_password = «walrus» x=1", `db_password = «walrus» \`,
			"db_password = «walrus»,", "db_password = «walrus»;", "db_password = {x}", "db_password = [x", "db_password = '«walrus»", "db_password = «{noop}walrus»",
		}},
		{"a quoted value", "settings", "db_password", verdict.Password, []string{`db_password = "«walrus otter»" x`, "db_password = `«walrus»`", "db_password = `walrus otter`", `db_password = u"«walrus»"`, `db_password = r'«walrus»'`, `db_password = """«walrus»"""`, `db_password: !!str "«walrus»"`, "db_password: &pw «walrus»"}},
		{"an empty or a long value", "settings", "", 0, []string{"db_password = ", `db_password = ""`, "db_password = " + strings.Repeat("x", 1100), "db_password = " + strings.Repeat("x", 1100) + "=y"}},
		{"a block of YAML", "settings", "db_password", verdict.Password, []string{"db_password: |\n  «walrus»\n", "db_password: >-\n  «walrus»\nx: y", "db_password: |2 # x\n  «walrus»", "db_password: |\n  walrus\n  otter", "db_password: |\nwalrus", "db_password: |", "db_password: |\n\n"}},
		{"a here-document", "settings", "db_password", verdict.Password, []string{"db_password = <<EOT\n«walrus»\nEOT", "db_password = <<-EOT\n  «walrus»\n  EOT", "db_password = <<EOT\nwalrus\notter\nEOT"}},
		{"a string of several lines", "settings", "db_password", verdict.Password, []string{"db_password = \"\"\"\n«walrus»\"\"\"", "db_password = '''\n«walrus»\n'''", "db_password = '''\nwalrus\notter\n'''"}},
		{"an attribute of LDIF", "settings", "userPassword", verdict.Password, []string{"userPassword: «walrus»", "userPassword;lang-en:: walrus!"}},
		{"an account", "settings", "user", verdict.Token, []string{"user=app:«walrus»", "login=app%«walrus»", "DB_USER=app:«walrus»", "user=app", "user=app:", "user=/x/y:z", "owner=app:walrus"}},

		{"a pair in brackets", "settings", "DB_PASSWORD", verdict.Password, []string{
			`define('DB_PASSWORD', '«walrus»');`, `{"DB_PASSWORD", "«walrus»"}`, `Environment.SetEnvironmentVariable("DB_PASSWORD", "«walrus»", x)`,
			`define(DB_PASSWORD, 'walrus');`, `define('DB_PASSWORD', walrus);`, `define('DB_PASSWORD', 'walrus', x);`, `define('DB_USER', 'walrus');`, `'DB_PASSWORD', 'walrus'`, `('DB_PASSWORD', '«app-secret»')`, `define('DB_PASSWORD', '«app-secret»')`, `$x = array('DB_PASSWORD', 'walrus');`,
		}},
		{"a pair of Erlang", "settings", "password", verdict.Password, []string{`{password, <<"«walrus»">>}`, `{user, <<"walrus">>}`}},
		{"a pair of Perl", "settings", "DatabasePassword", verdict.Password, []string{`Set($DatabasePassword , '«walrus»');`}},
		{"a call", "settings", "password", verdict.Password, []string{`password("«walrus»")`, `x { password('«walrus»') };`, `user("walrus")`, `password ("walrus")`, `password("walrus" x)`, `x.password("walrus")`, `$x->password("walrus")`, `X::password("walrus")`, `a.b.password("walrus")`}},
		{"a call in a program", "program", "", 0, []string{`password("walrus")`}},

		{"an element of XML", "settings", "password", verdict.Password, []string{
			"<password>«walrus»</password>", "<db:password>«walrus»</db:password>", "<password x='y'>\n  «walrus»\n</password>", "<password><![CDATA[«walrus»]]></password>", "<password>\n  <![CDATA[«walrus»]]>\n</password>",
			"<password></password>", "<password/>walrus</x>", "<!password>walrus</x>", "<user>walrus</user>", "<password>walrus", "password>walrus</x>",
		}},
		{"an attribute with the name", "settings", "password", verdict.Password, []string{`<property name="db/password">«walrus»</property>`, `<add Name='password'>«walrus»</add>`, `<property name=password>walrus</property>`, `<property name="user">walrus</property>`}},
		{"an element inside one of a secret", "settings", "pre-shared-key", verdict.Password, []string{"<pre-shared-key><key>«walrus»</key></pre-shared-key>"}},
		{"a name and a value of XML", "settings", "password", verdict.Password, []string{"<x><name>password</name><value>«walrus»</value></x>", "<password><value>«walrus»</value></password>", "<x><name>user</name><value>walrus</value></x>"}},

		{"a name before a value", "settings", "db_password", verdict.Password, []string{
			"name: db_password\nvalue: «walrus»", `{"name": "db_password", "value": "«walrus»"}`, "- name: db_password\n  value: «walrus»\n- name: x\n  value: y",
			"name: db_password\n\nvalue: walrus", "- name: db_password\n- value: walrus", `{"name": "db_password"}, {"value": "walrus"}`, "name: db_user\nvalue: walrus",
		}},
		{"a value before a name", "settings", "db_password", verdict.Password, []string{"value: «walrus»\nname: db_password", `{"value": "«walrus»", "name": "db_password"}`, "name: x\nvalue: walrus\nname: db_password"}},
		{"a type of a field", "settings", "password", verdict.Password, []string{`{"type": "password", "value": "«walrus»"}`}},
		{"a name in camel case", "settings", "SmtpPassword", verdict.Password, []string{"name: SmtpPassword\nvalue: «walrus»"}},
		{"a value in an object", "settings", "db_password", verdict.Password, []string{`"db_password": {"value": "«walrus»"}`, "db_password:\n  value: «walrus»", "variable \"db_password\" {\n  type = string\n  default = \"«walrus»\"\n}", `"db_user": {"value": "walrus"}`}},

		{"a member of a container", "settings", "ana bo", verdict.Token, []string{"tokens: {ana: «walrus», bo: «otter»}", "tokens:\n  ana: «walrus»\n  bo: «otter»\ncy: badger", "[tokens]\nana = «walrus»\nbo = «otter»\n[x]\ncy = badger", "tokens {\n ana = «walrus»\n bo = «otter»\n}\n cy = x"}},
		{"an attribute in a container", "settings", "", 0, []string{"tokens:\n  username: walrus", "tokens: {url: walrus}"}},
		{"the data of a Secret", "settings", "ana", verdict.Token, []string{"kind: Secret\ndata:\n  ana: «walrus»", `{"kind": "Secret", "data": {"ana": "«walrus»"}}`, "kind: ConfigMap\ndata:\n  ana: walrus"}},

		{"a list in a line", "settings", "api_tokens api_tokens", verdict.Token, []string{`api_tokens = ["«walrus»", '«otter»']`, `api_tokens: ["«walrus»",\n"«otter»"]`, `api_tokens = ["walrus" => "otter"]`, `api_tokens = [walrus, otter]`}},
		{"a list of a language", "settings", "api_tokens api_tokens", verdict.Token, []string{
			"$api_tokens = array('«walrus»', '«otter»');", "$x['api_tokens'] = Array(\n  \"«walrus»\",\n  '«otter»',\n);", "array('api_tokens' => array('«walrus»', '«otter»'))", "my @api_tokens = ('«walrus»', '«otter»');", `$api_tokens = @("«walrus»", "«otter»")`,
			`api_tokens = List.of("«walrus»", "«otter»");`, `String[] api_tokens = {"«walrus»", "«otter»"};`, `api_tokens = new String[] { "«walrus»" };`, `api_tokens := []string{"«walrus»", "«otter»"}`, `api_tokens = set(["«walrus»"])`, `api_tokens = frozenset({"«walrus»", "«otter»"})`,
			`api_tokens = array("walrus" => "otter")`, `api_tokens = ("walrus" + x)`, "api_tokens = []string{",
		}},
		{"a list of words", "settings", "api_tokens api_tokens", verdict.Token, []string{
			"api_tokens = %w[«walrus» «otter»]", "api_tokens = %W(«walrus»\n  «otter»)", "@api_tokens = qw/«walrus» «otter»/;", "api_tokens=(«walrus» '«otter»')", `api_tokens=("«walrus»" "«otter»")`, "api_tokens=(\n«walrus»\n)", "api_tokens=('«walrus»', '«otter»')", "api_tokens=()", "api_tokens=(uid=walrus)",
		}},
		{"a list of a language in a program", "program", "api_tokens api_tokens", verdict.Token, []string{"$api_tokens = array('«walrus7»', '«otter7»');", "api_tokens = %w[«walrus7» «otter7»]", "api_tokens=('«walrus7»', '«otter7»')", "api_tokens = %w[walrus otter]", "api_tokens = List.of('WALRUS')"}},
		{"a list of passwords", "settings", "passwords passwords", verdict.Token, []string{"passwords = array('«walrus»', '«otter»')"}},
		{"bare elements that look random", "settings", "api_tokens", verdict.Token, []string{"api_tokens = [«q8ZkPw2LmN4rT6vX», walrus]", "api_tokens = [q8Zk{x}]"}},
		{"bare elements in a program", "program", "", 0, []string{"api_tokens = [q8ZkPw2LmN4rT6vX, walrus]"}},
		{"a list below a name", "settings", "passwords passwords", verdict.Token, []string{"passwords:\n  - «walrus»\n  - \"«otter»\"\n", "passwords:\n- «walrus»\n- «otter»\nx: y\n- badger", "passwords:\n  - user: x"}},

		{"a key after its purpose", "settings", "key", verdict.Token, []string{"api key = «walrus»", "set api key = «walrus»"}},
		{"a key in a section", "settings", "key", verdict.Token, []string{"[api]\nkey = «walrus»", "api:\n  key: «walrus»", "api {\n  key = «walrus»\n}"}},
		{"a key of TACACS+", "/etc/tac_plus.conf", "key", verdict.Password, []string{"key = «walrus»"}},
		{"a community of SNMP", "/etc/snmp/snmpd.conf", "community", verdict.Password, []string{"community: «walrus»"}},
		{"an enable secret", "settings", "enable", verdict.Password, []string{"vars:\n  enable: «walrus»"}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			for _, marked := range tt.texts {
				text, marks := sample.Marked(marked)
				var want, got []string
				for i, name := range strings.Fields(tt.names)[:len(marks)] {
					want = append(want, fmt.Sprintf("%s=%s at %d of class %d", name, text[marks[i][0]:marks[i][1]], marks[i][0], tt.class))
				}
				for _, a := range find(text, tt.kind) {
					got = append(got, fmt.Sprintf("%s=%s at %d of class %d", a.Name, a.Value, a.Start, a.Class))
					if text[a.Start:a.End] != a.Value {
						t.Errorf("%q: %s is at %q", text, a.Value, text[a.Start:a.End])
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q: got %q, want %q", text, got, want)
				}
			}
		})
	}
}

// TestKinds checks how the text separates a name and a value.
func TestKinds(t *testing.T) {
	for text, want := range map[string]assign.Assignment{
		"db_password = walrus":          {},
		`db_password = "walrus"`:        {Quoted: true},
		"use db_password = walrus x":    {Inline: true},
		`use --db_password="walrus" x`:  {Quoted: true, Inline: true},
		"<password>walrus</password>":   {Quoted: true},
		"- export db_password = walrus": {},
	} {
		list := find(text, "text")
		if len(list) != 1 || list[0].Quoted != want.Quoted || list[0].Inline != want.Inline || list[0].Value != "walrus" {
			t.Errorf("%q: got %+v", text, list)
		}
	}
}

// TestDecoded checks values whose text is escaped or encoded.
func TestDecoded(t *testing.T) {
	for text, want := range map[string][2]string{
		`db_password = "wal\"rus"`:              {`wal"rus`, `wal\"rus`},
		"<password>wal&amp;rus</password>":      {"wal&rus", "wal&amp;rus"},
		"db_password = wal&amp;rus":             {"wal&rus", "wal&amp;rus"},
		"userPassword:: d2FscnVz":               {"walrus", "d2FscnVz"},
		`header = "x" Authorization: Basic x7y`: {"Basic x7y", "Basic x7y"},
	} {
		list := find(text, "settings")
		if len(list) != 1 || list[0].Value != want[0] || text[list[0].Start:list[0].End] != want[1] {
			t.Errorf("%q: got %+v", text, list)
		}
	}
}

// TestUnveil checks the delimiters and the encoding that are removed from a value.
func TestUnveil(t *testing.T) {
	for value, want := range map[string]string{
		`<<"walrus">>`: "walrus", `"walrus"`: "walrus", "'walrus'": "walrus", "{xor}KD4zLSos": "walrus", "{XOR}KD4zLSos": "walrus",
		"walrus": "walrus", `"wal"rus"`: `"wal"rus"`, "{xor}": "{xor}", "{xor}walrus!": "{xor}walrus!", "{xor}oKCg": "{xor}oKCg", `<<"walrus`: `<<"walrus`,
	} {
		a := assign.Assignment{Value: value, Start: 7, End: 7 + len(value)}
		if a.Unveil(); a.Value != want {
			t.Errorf("%s: got %q, want %q", value, a.Value, want)
		}
		if i := strings.Index(value, want); i >= 0 && (a.Start != 7+i || a.End != 7+i+len(want)) {
			t.Errorf("%s: %q is at %d to %d", value, want, a.Start-7, a.End-7)
		}
	}
}

// TestCutUser checks the secret in an account.
func TestCutUser(t *testing.T) {
	for _, tt := range []struct{ value, separator, want string }{
		{"app:walrus", ":", "walrus"}, {"app:walrus@db", ":", "walrus"}, {"app%walrus", "%", "walrus"}, {"db1/app,walrus", ",", "walrus"},
		{"walrus", ":", ""}, {":walrus", ":", ""}, {"/x:walrus", ":", ""}, {"app:&walrus", ":", ""}, {"$app,walrus", ",", ""},
	} {
		a := assign.Assignment{Value: tt.value, Start: 7, End: 7 + len(tt.value)}
		if ok := a.CutUser(tt.separator); ok != (tt.want != "") || a.Account != ok || ok && (a.Value != tt.want || tt.value[a.Start-7:a.End-7] != tt.want) {
			t.Errorf("%s: got %+v", tt.value, a)
		}
	}
}

// TestEnclosing checks the name of the section or object around a position.
func TestEnclosing(t *testing.T) {
	for text, want := range map[string]string{
		"[ironic]\nx = ^y": "ironic", "database:\n  x: ^y": "database", "a:\n  b:\n    c: d\n  x: ^y": "a", "list:\n- x: ^y": "list", "x {\n  a { b = c }\n  d = ^e\n}": "x", "\"x\": {\n\"y\": ^1}": "x", "x = ^y": "", "x: ^y": "",
	} {
		before, after, _ := strings.Cut(text, "^")
		a := assign.Text{S: before + after, Names: names}
		if got := a.Enclosing(len(before)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
