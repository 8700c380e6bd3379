package detect

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
)

// structured finds tokens in S[from:to] whose parts tell them, not a long prefix:
// those of three parts between dots, those with a mark in the middle.
func (t *Text) structured(has *contained, from, to int) {
	s := t.S
	for at := from; has.byte('.'); {
		i := strings.Index(s[at:to], "eyJ")
		if i < 0 {
			break
		}
		start := at + i
		end := start + t.tables().run(s[start:], dotted)
		at = max(end, start+3)
		if end-start > 40 && (start == 0 || !isAlnum(s[start-1]) && s[start-1] != '.' && s[start-1] != '_' || behindEscape(s, start)) && isJWT(s[start:end]) {
			t.found("provider-token/jwt", start, end, rule.Certain)
		}
	}
	if has.byte('.') {
		t.snowflakes(from, to)
	}
	for i := range t.tokens().marks {
		t.marked(&t.tokens().marks[i], has, from, to)
	}
}

// snowflakes finds the tokens of bots of Discord in S[from:to]: the base64 of the
// digits of a number, which begins with M, N or O, six characters of a time, a
// signature.
func (t *Text) snowflakes(from, to int) {
	s, in := t.S, t.tokens().base64
	for at := from; ; {
		i := strings.IndexByte(s[at:to], '.')
		if i < 0 {
			return
		}
		i += at
		at = i + 1
		if i+34 > len(s) || s[i+7] != '.' {
			continue
		}
		start := i
		for start > 0 && i-start < 30 && in[s[start-1]] {
			start--
		}
		end := i + 8 + t.tables().run(s[i+8:min(len(s), i+60)], base64u)
		if n := end - i - 8; n >= 27 && n <= 38 && i-start >= 23 && i-start <= 28 && s[start] >= 'M' && s[start] <= 'O' && random(s[start:i]) && random(s[i+8:end]) {
			t.found("provider-token/discord-bot", start, end, rule.Likely)
			at = end
		}
	}
}

// marked is the form of tokens that have a mark somewhere in them.
type marked struct {
	id   string
	mark string
	// before is how many characters may stand before the mark, in those that
	// follow.
	before int
	in     alphabet
	// fits reports whether a token has the form: it has [minToken] bytes or
	// more.
	fits  func(token string) bool
	table *table // of in
}

// markedForms are the tokens that a mark of few characters tells, together with
// their length and alphabet.
func markedForms() []marked {
	return []marked{
		{id: "sendgrid", mark: "SG.", before: 0, in: dotted, fits: func(w string) bool {
			list := strings.Split(w, ".")
			return len(list) == 3 && len(list[1]) == 22 && len(list[2]) == 43 && spread(w)
		}},
		{id: "huggingface", mark: "hf_", before: 0, in: letter, fits: func(w string) bool { return len(w) == 3+34 && spread(w) && mixedCase(w[3:]) }},
		{id: "dropbox", mark: "sl.", before: 0, in: base64u, fits: func(w string) bool { return len(w) >= 130 && len(w) <= 160 && spread(w) }},
		{id: "resend", mark: "re_", before: 0, in: alnum + "_", fits: func(w string) bool {
			return len(w) == 3+8+1+24 && w[11] == '_' && spread(w)
		}},
		{id: "terraform-cloud", mark: ".atlasv1.", before: 14, in: base64u, fits: func(w string) bool {
			a, b, _ := strings.Cut(w, ".atlasv1.")
			return len(a) == 14 && len(b) >= 60 && len(b) <= 70 && spread(w)
		}},
		{id: "telegram-bot", mark: ":AA", before: 10, in: base64u, fits: func(w string) bool {
			a, b, _ := strings.Cut(w, ":")
			return len(a) >= 8 && len(a) <= 10 && isNumber(a) && len(b) == 35 && spread(b)
		}},
		{id: "azure-client-secret", mark: "Q~", before: 4, in: wide, fits: func(w string) bool {
			i := strings.Index(w, "Q~")
			return i == 4 && w[3] >= '0' && w[3] <= '9' && len(w) == 40 && spread(w)
		}},
		{id: "openai", mark: "T3BlbkFJ", before: 120, in: base64u, fits: func(w string) bool {
			return strings.HasPrefix(w, "sk-") && len(w) >= 48 && spread(w)
		}},
		{id: "mailchimp", mark: "-us", before: 32, in: digits10, fits: func(w string) bool {
			return len(w) > 35 && isHex(w[:32]) && w[32] == '-' && spread(w[:32])
		}},
		{id: "twilio", mark: "SK", before: 0, in: hexadec, fits: func(w string) bool { return len(w) == 34 && spread(w[2:]) }},
		{id: "airtable", mark: "pat", before: 0, in: alnum + ".", fits: func(w string) bool {
			return len(w) == 82 && w[17] == '.' && isHex(w[18:]) && spread(w)
		}},
		{id: "azure-key", mark: "JQQJ9", before: 84, in: alnum, fits: func(w string) bool { return len(w) >= 84 && len(w) <= 88 && spread(w) }},
		{id: "azure-devops", mark: "AZDO", before: 80, in: alnum, fits: func(w string) bool { return len(w) == 84 && spread(w) }},
		{id: "replicate", mark: "r8_", before: 0, in: alnum, fits: func(w string) bool { return len(w) == 40 && spread(w) && mixedCase(w[3:]) }},
		{id: "firecrawl", mark: "fc-", before: 0, in: hexadec, fits: func(w string) bool { return len(w) == 35 && spread(w[3:]) }},
		{id: "nuget", mark: "oy2", before: 0, in: lower, fits: func(w string) bool { return len(w) == 46 && random(w) }},
		{id: "grafana-api-key", mark: "eyJrIjoi", before: 0, in: base64b, fits: isGrafanaKey},
		{id: "cloudflare-tunnel", mark: "eyJhIjoi", before: 0, in: base64b, fits: isTunnelToken},
		{id: "hashicorp-vault", mark: "s.", before: 0, in: alnum, fits: func(w string) bool {
			digits, small, capital, _ := count(w[2:])
			return len(w) == 26 && digits > 0 && small > 3 && capital > 3 && random(w[2:])
		}},
		{id: "elevenlabs", mark: "sk_", before: 0, in: hexadec, fits: func(w string) bool { return len(w) == 51 && spread(w[3:]) }},
		{id: "voyage", mark: "pa-", before: 0, in: base64u, fits: func(w string) bool { return len(w) == 46 && random(w[3:]) && mixedCase(w[3:]) }},
		{id: "k3s", mark: "::server:", before: 67, in: alnum + ":", fits: isJoinToken},
		{id: "k3s", mark: "::node:", before: 67, in: alnum + ":", fits: isJoinToken},
		{id: "azure-function-key", mark: "AzFu", before: 48, in: base64u, fits: func(w string) bool { return len(w) >= 54 && len(w) <= 56 && spread(w) }},
		{id: "azure-search-key", mark: "AzSe", before: 48, in: alnum, fits: func(w string) bool { return len(w) == 52 && spread(w) }},
		{id: "azure-storage-key", mark: "+ASt", before: 80, in: base64b, fits: func(w string) bool { return strings.HasSuffix(w, "==") && len(w) == 88 && spread(w) }},
	}
}

// isGrafanaKey tells the API keys that Grafana made before it had service
// accounts: base64 of JSON with a key, a name and the number of an organisation.
func isGrafanaKey(w string) bool {
	var v struct {
		K, N string
		ID   int
	}
	return json.Unmarshal(unpadded(w), &v) == nil && len(v.K) >= 24 && spread(v.K) && v.ID > 0
}

// isTunnelToken tells what a tunnel of Cloudflare runs with: base64 of JSON with
// an account, a tunnel and a secret.
func isTunnelToken(w string) bool {
	var v struct{ A, T, S string }
	return json.Unmarshal(unpadded(w), &v) == nil && isHex(v.A) && isUUID(v.T) && len(v.S) >= 16
}

func unpadded(s string) []byte {
	b, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return b
}

// isJoinToken tells the token with which a node joins a cluster of K3s: the
// digest of the cluster's certificate, the role, a password.
func isJoinToken(w string) bool {
	digest, rest, _ := strings.Cut(w, "::")
	_, key, found := strings.Cut(rest, ":")
	return found && len(digest) == 67 && strings.HasPrefix(digest, "K10") && isHex(digest[3:]) && len(key) >= 8 && spread(key)
}

// maxAround is how many bytes may follow a mark in the middle of a token.
const maxAround = 200

// marked looks for tokens of a form in S[from:to] and tells about those that fit
// it.
func (t *Text) marked(m *marked, has *contained, from, to int) {
	s, skip := t.S, len(m.mark)
	for i := range skip {
		if !has.byte(m.mark[i]) {
			return
		}
	}
	front := t.tokens().dotted
	for at := from; ; {
		i := strings.Index(s[at:to], m.mark)
		if i < 0 {
			return
		}
		i += at
		at = i + skip
		start := i
		for start > 0 && i-start <= m.before && front[s[start-1]] {
			start--
		}
		end := at
		for end < min(to, at+maxAround) && m.table[s[end]] {
			end++
		}
		switch {
		case i-start > m.before:
		case start > 0 && isAlnum(s[start-1]) && isAlnum(s[start]) && !behindEscape(s, start):
		case end < len(s) && isAlnum(s[end]):
		case m.fits(s[start:end]):
			t.found("provider-token/"+m.id, start, end, rule.Likely)
			at = end
		}
	}
}

func mixedCase(s string) bool {
	return s != strings.ToLower(s) && s != strings.ToUpper(s)
}

// isJWT reports whether s is a JSON Web Token: a header that is JSON and names
// an algorithm, a payload that is JSON, a signature.
func isJWT(s string) bool {
	list := strings.Split(strings.TrimRight(s, "."), ".")
	if len(list) != 3 && len(list) != 5 {
		return false
	}
	var header struct {
		Algorithm string `json:"alg"`
	}
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(list[0], "="))
	if err != nil || json.Unmarshal(b, &header) != nil || header.Algorithm == "" {
		return false
	}
	if len(list) == 5 {
		return true
	}
	b, err = base64.RawURLEncoding.DecodeString(strings.TrimRight(list[1], "="))
	return err == nil && json.Valid(b) && len(list[2]) >= 16
}
