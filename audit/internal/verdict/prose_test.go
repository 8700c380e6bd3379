package verdict

import (
	"strings"
	"testing"
)

func TestIsSpoken(t *testing.T) {
	for line, want := range map[string]bool{
		"The password is set by the administrator, and must be changed":  true,
		"password failures are permitted before login exits and the":     true,
		"Le mot de passe est défini par l'administrateur et ne peut pas": true,
		"server 192.0.2.1 key walrus":                                    false,
		"set security ike policy p1 pre-shared-key ascii-text walrus":    false,
		"0 3 * * * root mysqldump -u backup -pwalrus shop":               false,
		`echo "the backup of the shop is done" | mail -s done root`:      false,
		"allow from all": false,
		"":               false,
	} {
		if got := IsSpoken(line); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}

func TestIsForPeople(t *testing.T) {
	messages := "home=Startsida\nhelp=Hjälp\nsign_in=Logga in\n"
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"the source of a page of the manual":  {".TH LS 1\n.SH NAME\nls\n", true},
		"the print of a page of the manual":   {"LS(1)   User Commands   LS(1)\n\nNAME\n", true},
		"the help of a program":               {"Usage: ls [OPTION]\n  --all\n", true},
		"a program with a text for its usage": {"#!/bin/sh\nusage() {\n cat <<E\nUsage: x\nE\n}\n", false},
		"translations of gettext":             {"# x\nmsgid \"\"\nmsgstr \"\"\n", true},
		"a list of translations":              {strings.Repeat(messages, 6), true},
		"a list of translations in JSON":      {"{\n" + strings.Repeat("  \"Forgot your password?\": \"Zaboravili ste lozinku?\",\n", 20) + "}\n", true},
		"a list of translations in Japanese":  {strings.Repeat("password: パスワード\n", 20), true},
		"a few of them":                       {messages, false},
		"settings":                            {strings.Repeat("port=8080\nhost=db1\nuser=app\n", 30), false},
		"settings, and then messages":         {strings.Repeat("port=8080\n", 70) + strings.Repeat(messages, 30), false},
		"one line":                            {"LS(1) LS(1)", false},
	} {
		if got := IsForPeople(test.text); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}

func TestPassphrases(t *testing.T) {
	for name, test := range map[string]struct {
		is      func(string) bool
		yes, no []string
	}{
		"spoken": {
			IsSpokenPhrase,
			[]string{"mind the gap please", "grosse pause um zehn", "egy nagy piros kutya", "Ohne Plan kein Bau"},
			[]string{"is required for all users", "set by", "enter your password here", "mind the gap.", "walrus 7 otters here", "stored with great care", strings.Repeat("walrus ", 9) + "otter"},
		},
		"with dots": {
			IsDottedPhrase,
			[]string{"waffles.with.sugar", "mind.the.gap.please", "silesian.coal.and.steel"},
			[]string{"db1.example.com", "app.config.password", "com.walrus.otter", "walrus.otter", "walrus.otter.de", "a.b.c"},
		},
		"in camel case": {
			IsCamelPhrase,
			[]string{"OrangeMonitorAboveTheFridge", "CaballoPilaGrapaCorrecta"},
			[]string{"OrangeMonitor", "orangemonitorabovethefridge", "ABCDEFGHIJKLMNOPQRST", "OrangeMonitorAbove7Fridge"},
		},
		"by rules": {
			FollowsRules,
			[]string{"Tulpenfeld77", "Kaizen_Kobe77", "Wespennest4", "Lach.moewe1"},
			[]string{"tulpenfeld77", "Tulpenfeld", "Tulpe7", "Windows10", "Security_Team2024", "T1234567u"},
		},
	} {
		for _, s := range test.yes {
			if !test.is(s) {
				t.Errorf("%s: %q is none", name, s)
			}
		}
		for _, s := range test.no {
			if test.is(s) {
				t.Errorf("%s: %q is one", name, s)
			}
		}
	}
}

func TestClassOfPair(t *testing.T) {
	for pair, want := range map[string]NameClass{
		"app:stroopwafel5":        Password,
		"app:TurnLeft.Brugge":     Password,
		"app:tee mit honig hilft": Password,
		"app:app":                 Token,
		"nginx:www-data":          Token,
		"1000:1000":               Token,
		"app:abc1":                Token,
	} {
		account, s, _ := strings.Cut(pair, ":")
		if got := ClassOfPair(account, s); got != want {
			t.Errorf("%s: got %d, want %d", pair, got, want)
		}
	}
}
