package audit_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

func TestFix(t *testing.T) {
	rules, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	at := func(path pcore.Path) catalog.Location { return catalog.Location{Path: path} }
	password := pcore.Path{}.Key("password")
	for _, tt := range []struct {
		name string
		f    audit.Finding
		want string
	}{
		{
			"a value", audit.Finding{Rule: "plain-secret-parameter", Type: "Mysql::Db", Title: "app", Parameter: "password", At: at(password)},
			"password => Sensitive(lookup('profile::app::password'))",
		},
		{
			"a class", audit.Finding{Rule: "plain-secret-parameter", Type: "Class", Title: "Profile::Db", Parameter: "password", At: at(password)},
			"class profile::db (Sensitive[String] $password)",
		},
		{
			"a weak value of a class", audit.Finding{Rule: "weak-secret", Type: "Class", Title: "Profile::Db", Parameter: "password", At: at(password)},
			"class profile::db (Sensitive[String[12]] $password)",
		},
		{
			"a shared secret of a class", audit.Finding{Rule: "secret-reuse", Type: "Class", Title: "Profile::Db", Parameter: "token", At: at(password)},
			"token => $secrets[$trusted['certname']]",
		},
		{
			"part of a value of a class", audit.Finding{Rule: "plain-secret-parameter", Type: "Class", Title: "Profile::Db", Parameter: "settings", Name: "password", At: at(pcore.Path{}.Key("settings").Key("password"))},
			"class profile::db (Sensitive $settings)",
		},
		{
			"a file of a module", audit.Finding{Rule: "secret-in-content", Type: "File", Title: "/etc/shop/mail.yaml", Parameter: "content", File: "/etc/puppetlabs/code/modules/shop/manifests/web/init.pp"},
			"content => Sensitive(epp('shop/mail.yaml.epp', $parameters))",
		},
		{
			"a file with the name of a placeholder", audit.Finding{Rule: "secret-in-content", Type: "File", Title: "/etc/PARAMETERS.TYPE", Parameter: "content", File: "/etc/puppetlabs/code/modules/shop/manifests/web/init.pp"},
			"content => Sensitive(epp('shop/PARAMETERS.TYPE.epp', $parameters))",
		},
		{
			"a file with another name", audit.Finding{Rule: "secret-in-content", Type: "File", Title: "/etc/it's ‹secret›", Parameter: "content", File: "site.pp"},
			"content => Sensitive(epp('profile/app.conf.epp', $parameters))",
		},
		{
			"a text of another type", audit.Finding{Rule: "secret-in-content", Type: "Concat::Fragment", Title: "db", Parameter: "content", File: "/etc/puppetlabs/code/modules/shop/manifests/web/init.pp"},
			"content => Sensitive(epp('shop/app.conf.epp', $parameters))",
		},
		{
			"an event", audit.Finding{Rule: "secret-in-report", Type: "Rabbitmq_user", Title: "app", Parameter: "password", Name: "password", At: at(password.Key("desired_value"))},
			"password => Sensitive(lookup('password'))",
		},
		{
			"a part of an event", audit.Finding{Rule: "secret-in-report", Type: "App", Title: "a", Parameter: "settings", Name: "password", At: at(pcore.Path{}.Key("settings").Key("new_value").Key("password"))},
			"settings => { 'password' => Sensitive(lookup('password')) }",
		},
		{
			"the event of a command", audit.Finding{Rule: "secret-in-report", Type: "Exec", Title: "a", Parameter: "returns", Part: true, At: at(pcore.Path{}.Key("returns").Key("message"))},
			"command => Sensitive(\"…${secret.unwrap}…\")",
		},
		{
			"an entry", audit.Finding{Rule: "plain-secret-parameter", Type: "App", Title: "a", Parameter: "settings", Name: "password", At: at(pcore.Path{}.Key("settings").Key("db").Key("password"))},
			"settings => { 'password' => Sensitive(lookup('profile::app::password')) }",
		},
		{
			"an element", audit.Finding{Rule: "plain-secret-parameter", Type: "App", Title: "a", Parameter: "passwords", Name: "passwords", At: at(pcore.Path{}.Key("passwords").Index(0))},
			"passwords => Sensitive(lookup('profile::app::passwords'))",
		},
		{
			"part of a text", audit.Finding{Rule: "sensitive-reuse-open", Type: "File", Title: "/etc/app", Parameter: "content", Part: true, At: at(pcore.Path{}.Key("content"))},
			`content => Sensitive("…${secret.unwrap}…")`,
		},
		{
			"a URL", audit.Finding{Rule: "url-credentials", Type: "Vcsrepo", Title: "/srv/app", Parameter: "source", Part: true},
			"source => 'https://git.example.com/app.git'",
		},
		{
			"a URL in a file", audit.Finding{Rule: "url-credentials", Type: "File", Title: "/etc/app", Parameter: "content", Part: true},
			`content => Sensitive("…${secret.unwrap}…")`,
		},
		{
			"a rule of a family", audit.Finding{Rule: "provider-token/github-pat", Type: "File", Title: "/etc/token", Parameter: "content"},
			"content => Sensitive(lookup('profile::app::token'))",
		},
		{
			"an exported resource", audit.Finding{Rule: "exported-secret", Type: "Mysql::Db", Title: "app", Parameter: "exported", Name: "password"},
			"Mysql::Db <<| |>> { password => Sensitive(lookup('profile::app::password')) }",
		},
		{
			"an exported file", audit.Finding{Rule: "exported-secret", Type: "File", Title: "/etc/app", Parameter: "exported", Name: "content"},
			"File <<| |>> { content => Sensitive(lookup('profile::app::content')) }",
		},
		{
			"an exported title", audit.Finding{Rule: "exported-secret", Type: "File", Title: "/etc/app", Parameter: "exported", Name: "title"},
			"file { 'a title without the secret': parameter => Sensitive($secret) }",
		},
		{
			"a title", audit.Finding{Rule: "sensitive-in-title", Type: "Mysql::Db", Title: "app", Parameter: "title", Element: audit.InTitle},
			"mysql::db { 'a title without the secret': parameter => Sensitive($secret) }",
		},
		{
			"a copy in a title", audit.Finding{Rule: "copied-secret", Type: "Mysql::Db", Title: "app", Parameter: "title", Element: audit.InTitle},
			"mysql::db { 'a title without the secret': parameter => Sensitive($secret) }",
		},
		{
			"a command that is a title", audit.Finding{Rule: "secret-in-command", Type: "Exec", Title: "run", Parameter: "title", Element: audit.InTitle},
			`exec { 'a title without the secret': command => Sensitive("…${secret.unwrap}…") }`,
		},
		{
			"a copy in a tag", audit.Finding{Rule: "copied-secret", Type: "Mysql::Db", Title: "app", Parameter: "tags", Element: audit.InTag},
			"tag => 'a_tag_without_the_secret'",
		},
		{"a copy in an edge", audit.Finding{Rule: "copied-secret", Parameter: "target", Element: audit.InEdge}, ""},
		{"no resource", audit.Finding{Rule: "sensitive-in-title"}, ""},
		{"no parameter", audit.Finding{Rule: "private-key", Type: "File", Title: "x"}, ""},
		{"no name of a parameter", audit.Finding{Rule: "private-key", Type: "File", Title: "x", Parameter: "a b"}, ""},
		{"no rule of pcat", audit.Finding{Rule: "mine", Type: "File", Title: "x", Parameter: "content"}, ""},
	} {
		r := audit.Report{Rules: rules}
		if got := r.Fix(&tt.f); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The fix of an exported resource names the parameter with the secret, not the name of the
// secret in its text.
func TestFixOfExported(t *testing.T) {
	r := run(t, `{"name":"n","resources":[{"type":"File","title":"/etc/nagios/web01.cfg","exported":true,"parameters":{"content":"password=Xw4tNq7vRk\n"}}],"edges":[]}`)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == "exported-secret" {
			if got := r.Fix(f); got != "File <<| |>> { content => Sensitive(lookup('profile::app::content')) }" {
				t.Errorf("got %q", got)
			}
			return
		}
	}
	t.Errorf("not found: %+v", r.Findings)
}

// Each program has a sample, whose file no earlier row takes.
func TestSetting(t *testing.T) {
	programs := 0
	for row := range knowledge.Fixes.Rows(5) {
		programs++
		f := audit.Finding{Rule: "secret-in-content", Type: "File", Title: row[4], Parameter: "content", Name: "password", Part: true}
		if got, want := f.Setting(), row[0]+": "+strings.ReplaceAll(row[3], "NAME", "password"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", row[4], got, want)
		}
	}
	if programs < 30 {
		t.Errorf("%d programs", programs)
	}
	for _, f := range []audit.Finding{
		{Type: "File", Title: "/etc/app.conf", Parameter: "content", Part: true},
		{Type: "File", Title: "/etc/grafana/grafana.ini", Parameter: "content"}, // the whole file is secret
		{Type: "Notify", Title: "/etc/grafana/grafana.ini", Parameter: "message", Part: true},
	} {
		if got := f.Setting(); got != "" {
			t.Errorf("%s: %s", f.Title, got)
		}
	}
}
