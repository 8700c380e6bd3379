package audit_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// terms returns the terms of a severity: "high a credential, +1 the account is root".
func terms(f *audit.Finding) string {
	var list []string
	for i, t := range f.SeverityTerms() {
		if i == 0 {
			list = append(list, t.Severity.String()+" "+t.Reason)
		} else {
			list = append(list, fmt.Sprintf("%+d %s", t.Steps, t.Reason))
		}
	}
	return strings.Join(list, ", ")
}

func TestSeverity(t *testing.T) {
	const (
		isRoot     = ", +1 the account is root"
		isAdmin    = ", +1 the account is an administrator"
		isReplica  = ", +1 the account can copy all data"
		isCommand  = ", +1 every user of the node can see the command in the list of processes"
		isReadable = ", +1 every user of the node can read the file"
		chosen     = "high a credential"
		known      = "high a password that everyone knows"
	)
	tests := []struct{ sample, want string }{
		// Somebody chose these.
		{"Class[app]/db_password: {alnum:20}", chosen},
		{"Class[app]/db_password: walrus", chosen},
		{"Class[wls]/db_password: Weblogic#12", chosen},
		{"Class[app]/mysql_password: Database#9", chosen},
		{"Class[app]/db_password: P@ssw0rd2023", chosen},
		{"Class[app]/db_password: Sysadm1n#", chosen},
		{"Class[snmp]/ro_community: w4lrus-net", chosen},
		{"File[/srv/README.md]/content: The password is `password: Tr0mbone-walrus-41`.\n", chosen},
		// Everyone knows these.
		{"Class[app]/db_password: changeme", known},
		{"Class[app]/mysql_root_password: changeme", known + isRoot},
		{"Class[snmp]/rw_community: private", known},
		{"Class[snmp]/ro_community: public", known + ", -1 the community string allows reading only"},
		// Roles.
		{"Class[app]/root_password: walrus", chosen + isRoot},
		{"Class[app]/rootpw: {alnum:20}", chosen + isRoot},
		{"Class[app]/sa_password: {alnum:20}", chosen + isRoot},
		{"Class[app]/keystone_admin_password: {alnum:20}", chosen + isAdmin},
		{"Class[app]/adminPassword: {alnum:20}", chosen + isAdmin},
		{"Class[app]/administration_password: {alnum:20}", chosen},
		{"Class[app]/grassroots_password: {alnum:20}", chosen},
		{"Class[app]/replication_password: {alnum:20}", chosen + isReplica},
		{"Class[app]/users: json:{\"root\":{\"password\":\"{alnum:20}\"}}", chosen + isRoot},
		{"Class[app]/users: json:{\"shop\":{\"password\":\"{alnum:20}\"}}", chosen},
		{"User[root]/password: walrus", chosen + isRoot},
		{"Mysql_user[root@localhost]/password: {alnum:20}", chosen + isRoot},
		{"Postgresql::Server::Role[replicator]/password: {alnum:20}", chosen + isReplica},
		{"Class[app]/x: json+:{\"user\":\"root\",\"password\":\"{alnum:20}\"}", chosen + isRoot},
		{"Class[app]/x: json+:{\"db_user\":\"admin\",\"db_password\":\"{alnum:20}\"}", chosen + isAdmin},
		{"Class[app]/x: json+:{\"user\":\"root\",\"db_password\":\"{alnum:20}\"}", chosen},
		{"File[/root/.my.cnf]/content: [client]\nuser=root\npassword={alnum:20}\n", chosen + isRoot},
		{"File[/root/.my.cnf]/content: [admin]\nuser=root\n\n[client]\nuser=app\npassword={alnum:20}\n", chosen},
		{"File[/etc/x]/content: username root\n\nrequirepass {alnum:20}\n", chosen},
		{"File[/etc/x]/content: enable secret {alnum:20}\n", chosen + isAdmin},
		{"File[/etc/x]/content: url = mysql://root:{alnum:20}@db/x\n", chosen + isRoot},
		{"Exec[x]/environment: MYSQL_ROOT_PWD={alnum:20}", chosen + isRoot},
		{"Exec[x]/environment/0: X_ROOT_PW=Qx7vKw92LmPz4TnBv81 ;; Class[app]/db_password!: Qx7vKw92LmPz4TnBv81", "high a copy of a Sensitive value" + isRoot},
		// Exposures.
		{"File[/etc/x]/x: json+:{\"mode\":\"0644\",\"content\":\"db_password={alnum:20}\\n\"}", chosen + isReadable},
		{"File[/etc/x]/x: json+:{\"mode\":\"0640\",\"content\":\"db_password={alnum:20}\\n\"}", chosen},
		{"File[/etc/x]/x: json+:{\"mode\":\"u=rw,go=r\",\"content\":\"db_password={alnum:20}\\n\"}", chosen + isReadable},
		{"File[/etc/x]/x: json+:{\"mode\":\"u=rw,g=r,o=\",\"content\":\"db_password={alnum:20}\\n\"}", chosen},
		{"File[/etc/x]/x: json+:{\"mode\":\"a=r,o-r\",\"content\":\"db_password={alnum:20}\\n\"}", chosen},
		{"File[/etc/x]/x: json+:{\"mode\":\"0600,+r\",\"content\":\"db_password={alnum:20}\\n\"}", chosen},
		{"File[/etc/x]/x: json+:{\"mode\":\"+r\",\"content\":\"db_password={alnum:20}\\n\"}", chosen + isReadable},
		{"File[/etc/x]/x: json+:{\"mode\":\"4755\",\"content\":\"db_password={alnum:20}\\n\"}", chosen + isReadable},
		{"File[/etc/x]/content: db_password={alnum:20}\n", chosen},
		{"Exec[x]/command: mysql -u app -p{alnum:20} -e 'select 1'", chosen + isCommand},
		{"Exec[x]/command: mysql -uroot -p{alnum:20} -e 'select 1'", chosen + isRoot},
		{"Exec[x]/environment: PGPASSWORD={alnum:20}", chosen},
		{"@@Class[app]/db_password: {alnum:20}", chosen + ", +1 the resource is exported to other nodes"},
		// Kinds.
		{"File[/etc/shadow.x]/x: json+:{\"mode\":\"0644\",\"content\":\"root:$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/:1:0:::::\\n\"}", "medium a password hash, which has to be guessed"},
		{"Class[app]/access_key_id: AKIAQ4TZ6YBXK7P2WMNE", "medium the ID of a key, which is no secret by itself"},
	}
	for _, tt := range tests {
		documents, _ := sampleCatalogs(t, tt.sample)
		var got []string
		for _, f := range run(t, documents...).Findings {
			if f.Rule == "exported-secret" {
				continue
			}
			got = append(got, terms(&f))
			list := f.SeverityTerms()
			if last := list[len(list)-1].Severity; last != f.Severity {
				t.Errorf("%s\nhas severity %s, and the terms end with %s", tt.sample, f.Severity, last)
			}
		}
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s\nhas %q, want %q", tt.sample, got, tt.want)
		}
	}
}

// TestSeverityFloor checks that no human-made password passes the gate.
func TestSeverityFloor(t *testing.T) {
	for _, password := range []string{"Weblogic#12", "Database#9", "P@ssw0rd2023", "Sysadm1n#", "changeme", "please-change-me", "walrus", "Sommer2024!", "hunter2"} {
		for _, location := range []string{
			"Class[app]/db_password: %s", `Class[app]/x: json:{"smtp":{"password":"%s"}}`, "File[/etc/x]/content: password = %s\n",
			"Exec[x]/command: mysql -u app -p'%s' x", "File[/etc/x]/content: url = https://app:%s@h.example.com/x\n",
		} {
			documents, _ := sampleCatalogs(t, fmt.Sprintf(location, password))
			worst, found := run(t, documents...).Worst()
			if !found || worst < rule.High {
				t.Errorf("%s in %q: the worst finding is %s, found %t", password, location, worst, found)
			}
		}
	}
}

// TestSeverityPage checks the examples of the page.
func TestSeverityPage(t *testing.T) {
	page, err := os.ReadFile("../docs/audit-severity.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		text, ok := strings.CutPrefix(cells[0], "| `")
		if !ok || len(cells) != 2 || !strings.Contains(text, "]/") {
			continue
		}
		n++
		documents, _ := sampleCatalogs(t, strings.TrimSuffix(text, "`"))
		worst, _ := run(t, documents...).Worst()
		if want := strings.TrimSuffix(cells[1], " |\n"); worst.String() != want {
			t.Errorf("%s is %s, want %s", text, worst, want)
		}
	}
	if n < 10 {
		t.Errorf("the page has only %d examples", n)
	}
}
