package assign_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// TestFind checks the name and the value of each form of assignment, and that S[Start:End]
// is the value.
func TestFind(t *testing.T) {
	names := verdict.NewVocabulary(verdict.Names{})
	for text, want := range map[string][]string{
		"db_password = walrus":                                       {"db_password=walrus"},
		"db_password: walrus # of a zoo":                             {"db_password=walrus"},
		`{"db_password": "walrus", "api_token": "otter"}`:            {"db_password=walrus", "api_token=otter"},
		"$db_password => 'walrus',":                                  {"db_password=walrus"},
		"<password>walrus</password>":                                {"password=walrus"},
		`define('DB_PASSWORD', 'walrus');`:                           {"DB_PASSWORD=walrus"},
		"db_password: |\n  walrus\n":                                 {"db_password=walrus"},
		"passwords:\n  - walrus\n  - otter\n":                        {"passwords=walrus", "passwords=otter"},
		"name: db_password\nvalue: walrus\n":                         {"db_password=walrus"},
		"[passwords]\nana = walrus\n":                                {"ana=walrus"},
		`<property name="db_password" /><value>walrus</value>`:       nil,
		"# db_password = walrus":                                     nil,
		"the password: walrus and otter are animals. They like fish": nil,
		"user = walrus":                                              nil,
	} {
		var got []string
		a := assign.Text{S: text, Names: names, IsSettings: true, File: func() string { return "" }}
		a.Find(func(a assign.Assignment) {
			got = append(got, a.Name+"="+a.Value)
			if text[a.Start:a.End] != a.Value {
				t.Errorf("%q: %s is at %q", text, a.Value, text[a.Start:a.End])
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %s", text, fmt.Sprint(got))
		}
	}
}
