package token_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/token"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/test/sample"
)

var values = verdict.NewValues(verdict.NewVocabulary(verdict.Names{}))

// find returns the tokens in a text, and the parts of the text that they are.
func find(s string) (tokens []token.Token, parts []string) {
	has := alphabet.ContainedIn(s)
	token.Text{S: s, Bytes: []byte(s), Has: &has, Values: values}.Find(func(f token.Token) {
		tokens = append(tokens, f)
		parts = append(parts, s[f.Start:f.End])
	})
	return tokens, parts
}

// TestFind checks which token is found in a text, one rule at a time. The text is a template
// of package sample, with the token between « and ».
func TestFind(t *testing.T) {
	const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3YWxydXMifQ." // {"alg":"HS256"}, {"sub":"walrus"}
	for _, tt := range []struct {
		rule string
		text string
		id   string // of the token, or "" for none
		as   rule.Confidence
	}{
		{"a prefix", "use «glpat-{base64url:20}» here", "gitlab-pat", rule.Likely},
		{"a prefix with a blank", "auth: «FlyV1 fm2_{base64:90}»", "flyio", rule.Likely},
		{"the second of two shapes of a prefix", "«xoxb-{digits:12}-{digits:13}-{alnum:24}»", "slack", rule.Certain},
		{"a literal in the middle", "key=«{hex:32}-us12»", "mailchimp", rule.Likely},
		{"a short prefix", "«SG.{base64url:22}.{base64url:43}»", "sendgrid", rule.Likely},
		{"a token in a URL", "https://«discord.com/api/webhooks/{digits:18}/{base64url:68}»", "discord-webhook", rule.Likely},
		{"a sure shape", "id «AKIA{base32:16}»", "aws-access-key", rule.Certain},
		{"after an escape", `x\n«glpat-{base64url:20}»`, "gitlab-pat", rule.Likely},
		{"after a letter", "xglpat-{base64url:20}", "", 0},
		{"before a letter", "glptt-{hex:40}x", "", 0},
		{"too short", "glptt-{hex:39}", "", 0},
		{"too long", "glptt-{hex:41}", "", 0},
		{"few different characters", "glptt-" + strings.Repeat("ab", 20), "", 0},
		{"a placeholder", "glpat-{base64url:12}xxxxxxxx", "", 0},
		{"an ellipsis", "glrt-{base64url:20}......{base64url:4}", "", 0},
		{"an example of documentation", "AKIA" + "IOSFODNN7EXAMPLE", "", 0},
		{"the end of an example", "AKIA{base32:9}EXAMPLE", "", 0},

		{"a checksum", "«ghp_{alnum:30}{crc62}»", "github-pat", rule.Certain},
		{"a wrong checksum", "ghp_{alnum:36}", "", 0},
		{"random and varied characters", "«s.{alnum:24}»", "hashicorp-vault", rule.Likely},
		{"words instead of random characters", "s.onlyLettersAsInTheNameOf", "", 0},
		{"without an underscore before it", "«live_{hex:35}»", "lob", rule.Likely},
		{"with an underscore before it", "pk_live_{hex:35}", "", 0},
		{"a token of a tunnel", "«{tunnel}»", "cloudflare-tunnel", rule.Likely},
		{"not the JSON of a tunnel", "eyJhIjoi{alnum:150}", "", 0},
		{"a key of Grafana", "«{grafanakey}»", "grafana-api-key", rule.Likely},

		{"a JSON Web Token", "bearer «" + jwt + "{base64url:43}»", "jwt", rule.Certain},
		{"an encrypted JSON Web Token", "«eyJhbGciOiJkaXIifQ..{base64url:16}.{base64url:32}.{base64url:22}»", "jwt", rule.Certain},
		{"a JSON Web Token after an escape", `\n«` + jwt + `{base64url:43}»`, "jwt", rule.Certain},
		{"a JSON Web Token after a letter", "x" + jwt + "{base64url:43}", "", 0},
		{"two parts", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3YWxydXMifQ", "", 0},
		{"a header without an algorithm", "eyJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ3YWxydXMifQ.{base64url:43}", "", 0},
		{"a payload that is no JSON", "eyJhbGciOiJIUzI1NiJ9.d2FscnVz.{base64url:43}", "", 0},
		{"a short signature", jwt + "{base64url:12}", "", 0},

		{"a bot of Discord", "«MTk4NjIyNDgzNDcxOTI1MjQ4.{alnum:6}.{base64url:38}»", "discord-bot", rule.Likely},
		{"an ID with another beginning", "aTk4NjIyNDgzNDcxOTI1MjQ4.{alnum:6}.{base64url:38}", "", 0},
		{"a short timestamp", "MTk4NjIyNDgzNDcxOTI1MjQ4.{alnum:5}.{base64url:38}", "", 0},
		{"names with dots", "walrus.granite.bramble.cellar.otter.badger.marmot", "", 0},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			text, marks := sample.Marked(sample.Expand(tt.text))
			tokens, parts := find(text)
			if tt.id == "" {
				if len(tokens) > 0 {
					t.Errorf("%q is a token of %s in %s", parts, tokens[0].ID, text)
				}
				return
			}
			want := token.Token{ID: tt.id, Start: marks[0][0], End: marks[0][1], Confidence: tt.as}
			if len(tokens) != 1 || tokens[0] != want {
				t.Errorf("got %v, want %v in %s", tokens, want, text)
			}
		})
	}
}

// TestFindKnown checks the sample and the similar text of each row of the table of tokens.
func TestFindKnown(t *testing.T) {
	for columns := range knowledge.Tokens.Rows(5) {
		text, marks := sample.Marked(sample.Expand(columns[3]))
		tokens, parts := find(text)
		if !slices.ContainsFunc(tokens, func(f token.Token) bool { return f.ID == columns[0] && f.Start == marks[0][0] && f.End == marks[0][1] }) {
			t.Errorf("%s %s: found %q in %s", columns[0], columns[1], parts, text)
		}
		if other := sample.Expand(columns[4]); other != "" {
			if tokens, parts := find(other); len(tokens) > 0 {
				t.Errorf("%s %s: found %q in %s", columns[0], columns[1], parts, other)
			}
		}
	}
}

// TestFindSeveral checks that the tokens of a text are found at their positions, however
// much text is between them.
func TestFindSeveral(t *testing.T) {
	for _, gap := range []int{1, 40, 400} {
		between := strings.Repeat(" walrus", gap)
		text, marks := sample.Marked(sample.Expand("«glptt-{hex:40}»" + between + " «sgp_{hex:40}»" + between + " «{hex:32}-us7»" + between))
		tokens, _ := find(text)
		slices.SortFunc(tokens, func(a, b token.Token) int { return a.Start - b.Start })
		if got, want := fmt.Sprint(positions(tokens)), fmt.Sprint(marks); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func positions(tokens []token.Token) (list [][2]int) {
	for _, f := range tokens {
		list = append(list, [2]int{f.Start, f.End})
	}
	return list
}

// TestSpread checks that placeholders have too few different characters.
func TestSpread(t *testing.T) {
	for text, want := range map[string]bool{
		"q8ZkPw2LmN4rT6vX": true, "abcdefgh": true, "aab": false, "abc": true, "aaaaaaaabbbbbbbb": false, "q8ZkPw2LmNxXxXxXrT6v": false, "q8Zk......PwLmN4": false,
	} {
		if got := token.Spread(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
