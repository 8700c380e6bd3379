package verdict

import (
	"strings"
	"testing"
)

// TestShapes checks the predicates for the shape of a value: the first list has it, and the
// second one is similar.
func TestShapes(t *testing.T) {
	for name, tt := range map[string]struct {
		is      func(string) bool
		yes, no []string
	}{
		"code": {
			IsCode,
			[]string{"await", "Walrus.", "config['token']", "$x[:token]", "get_token()", "$obj->token", "k => v", "Walrus::Otter", "self.config.token"},
			[]string{"walrus", "Walrus7.", "x['y", "walrus(7)!", "walrus::7", "Walrus.otter", ".walrus", "walrus.7"},
		},
		"prose": {
			IsProse,
			[]string{"walrus otter badger", "the key, of 2 doors"},
			[]string{"walrus otter", "walrus 7 8 9", ""},
		},
		"sentence": {
			testNames.IsSentence,
			[]string{"walrus badger otter.", "walrus badger password otter", "walrus badger otter:", strings.Repeat("walrus ", 11)},
			[]string{"walrus badger otter", "walrus", "walrus 7 8 9."},
		},
		"passphrase": {
			IsPassphrase,
			[]string{"walrus granite bramble", "correct horse battery staple"},
			[]string{"Walrus granite bramble", "walrus granite", "walrus granite br", "walrus granite brmbl", "walrus  granite bramble", "walrus granite password", strings.Repeat("walrus ", 20)},
		},
		"joined phrase": {
			IsPhrase,
			[]string{"walrus-granite-bramble", "Walrus_Granite_Bramble", "walrus.granite.bramble"},
			[]string{"walrus granite bramble", "walrus-granite_bramble", "vault-agent-token", "walrus", "walrus-granite-b7amble"},
		},
		"dotted phrase": {
			IsDottedPhrase,
			[]string{"walrus.granite.bramble"},
			[]string{"walrus.granite.com", "org.granite.bramble", "javax.walrus.granite", "walrus.granite"},
		},
		"chosen by rules": {
			isChosen,
			[]string{"Granite_bramble46", "Walrus#Otter7"},
			[]string{"Granite46", "granite_bramble46", "Granite_bramble", "Granite_1234567", "G#r!a$n%ite_46", "Security_Team2024"},
		},
		"name of a secret": {
			IsNameOfSecret,
			[]string{"oidc-client-secret-ref", "db-credentials", "oidc-client-secret"},
			[]string{"client-secret", "walrus-client-secret", "credentials", strings.Repeat("db-", 22) + "ref"},
		},
		"UUID": {
			IsUUID,
			[]string{"0f1e2d3c-4b5a-4697-8a7b-6c5d4e3f2a1b", "0F1E2D3C-4B5A-4697-8A7B-6C5D4E3F2A1B"},
			[]string{"0f1e2d3c4b5a46978a7b6c5d4e3f2a1b", "0f1e2d3c-4b5a-4697-8a7b-6c5d4e3f2a1g", "0f1e2d3c-4b5a-4697-8a7b6-c5d4e3f2a1b"},
		},
		"base64": {
			IsBase64,
			[]string{"d2FscnVz", "d2FscnU=", "d2Fsc-_+/w=="},
			[]string{"", "==", "d2F===", "d2F scn", "d2F.scn"},
		},
		"host": {
			IsHost,
			[]string{"db", "db.example.com", "db_1.example-2.com"},
			[]string{"", "db..example", ".example", "db example", "db.éxample", strings.Repeat("x", 64), strings.Repeat("db.", 90) + "x"},
		},
		"below a root directory": {
			IsRooted, []string{"/etc/x", "/secrets/x"}, []string{"etc/x", "/walrus/x", "/etc"},
		},
		"machine made": {
			IsMachineMade,
			[]string{"walrus7", "Walrus!", "aQfXkWmZrTvBnHsL", "qkzxvwjhgfmpbtrd", "\xff", "w4lrus-0tter"},
			[]string{"walrus", "walrus otter", "WalrusOtter", "user-2024-profile", "walrus-otter", "2031", "customer_id_v2"},
		},
		"random": {
			IsRandom,
			[]string{"q8ZkPw2LmN4rT6vX", "4f9a1c7e2b4d6f80", "qkzxvwjhgfmpbtrd", "Zk7pQ32v"},
			[]string{"Zk7pQ3", "walrusbadgerotter", "LDAPSettingsInfo", "11111111111111111111", "abcdefabcdefabcdef", "walrus-2024-otter", "größeÜberlänge", "aaaaaaaaaaaaaaa1"},
		},
		"printed characters": {
			IsPrinted,
			[]string{`X3~q$v^m&A(7|k?Z)9!e*B{w}Y.t;G,p>H<d@J#c%L`},
			[]string{"X3~q$v^m&A(7|k?Z)9!e*B", "walrus otter badger granite bramble cellar", "X3~q$v^m&A(7|k?Z)9!e*B{w}Y.t;G,p>H<d@J#c\n%L"},
		},
		"default password": {
			testValues.IsDefault,
			[]string{"letmein", "mot_de_passe", "p@ssw0rd!!", "welcome02", "puppetlabs01", "insecure-key", "mysecretvalue", "appuser", "foo123", "s3cre7"},
			[]string{"walrus", "walrus-granite", "mysecretwalrusbadger", "password20310405", "puppetlabs20310405", "walrususer/{x}"},
		},
		"says nothing": {
			testValues.SaysNothing,
			[]string{"my-very-secret-api-key", "password", "your_key", "secure"},
			[]string{"walrus", "my-walrus-key", "very-long", "secret-20310405", "secret/key"},
		},
		"filler": {testValues.IsFiller, []string{"your", "the", "backup"}, []string{"walrus", "password7"}},
		"termed": {IsTermed, []string{"Security_Team2024", "vault.walrus"}, []string{"Granite_bramble46"}},
	} {
		t.Run(name, func(t *testing.T) { expect(t, tt.is, tt.yes, tt.no) })
	}
}

// TestUnknown checks which parts of a word remain without words that have no meaning.
func TestUnknown(t *testing.T) {
	for word, want := range map[string]string{
		"mypassword": "", "walruspassword": "walrus", "passwordwalrus": "walrus", "walrus": "walrus", "": "",
		"walruspasswordotter": "walrus otter", strings.Repeat("walrus", 11): strings.Repeat("walrus", 11),
	} {
		if got := testValues.Unknown(word); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if got := Unleet("p0stf1x"); got != "postfix" {
		t.Errorf("got %q", got)
	}
}

// TestSortOfArgument checks that a word with digits and letters of both cases is a password.
func TestSortOfArgument(t *testing.T) {
	for word, want := range map[string]NameClass{"Walrus7": Password, "walrus7": Token, "Walrus": Token, "": Token} {
		if got := ClassOfArgument(word); got != want {
			t.Errorf("%q: got %d, want %d", word, got, want)
		}
	}
}

// TestTerms checks the terms that distinguish values under equal names.
func TestTerms(t *testing.T) {
	for _, tt := range []struct {
		rule string
		c    Candidate
		want []float64 // points, without the strength
	}{
		{"a password in a parameter", Candidate{"walrus", Password, InParameter}, []float64{passwordLocation}},
		{"a password in a text", Candidate{"walrus", Password, InText}, []float64{passwordLocation}},
		{"a password in prose", Candidate{"walrus", Password, InProse}, []float64{proseLocation}},
		{"several words in a text", Candidate{"walrus otter badger", Password, InText}, []float64{passwordLocation, severalWords}},
		{"a passphrase in a text", Candidate{"walrus otter badger", Phrase, InText}, []float64{passwordLocation}},
		{"a token in a parameter", Candidate{"q8ZkPw2LmN4rT6vX", Token, InParameter}, []float64{tokenParameter, drawn}},
		{"a token in a text", Candidate{"q8ZkPw2LmN4rT6vX", Token, InText}, []float64{tokenText, drawn}},
		{"an ambiguous name", Candidate{"q8ZkPw2LmN4rT6vX", Hint, InParameter}, []float64{hintLocation, drawn}},
		{"a token like a name", Candidate{"walrus", Token, InParameter}, []float64{tokenParameter, nameLike}},
		{"a token with common words", Candidate{"vault-agent-walrus", Token, InParameter}, []float64{tokenParameter, nameLike, 2 * commonWord}},
		{"a token with blanks", Candidate{"w4lrus 0tter", Token, InParameter}, []float64{tokenParameter, drawn, blank}},
		{"a token that is a phrase", Candidate{"walrus granite bramble", Token, InParameter}, []float64{tokenParameter}},
	} {
		var got []float64
		for term := range tt.c.Terms {
			if term.Reason != "the value takes about as many guesses, as a power of ten" {
				got = append(got, term.Points)
			}
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
			}
		}
	}
}

// TestAgainstWords checks that the shape and the strength of a value are ignored.
func TestAgainstWords(t *testing.T) {
	for value, want := range map[string]Reason{
		"": Empty, "${x}": Template, "letmein": Common, "ChangeMe!": Placeholder, "/etc/walrus": None, "db.example.com": None, "ab": None, "https://example.com/x": Address,
	} {
		if got := testValues.AgainstWords(Candidate{value, Password, InParameter}); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
