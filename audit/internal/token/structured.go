package token

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// structured finds tokens in S[from:to] that are recognized by their parts between dots,
// not by a prefix.
func (t *finder) structured(from, to int) {
	s := t.S
	for at := from; t.Has.Has('.') && t.Features.May("eyJ"); {
		i := strings.Index(s[at:to], "eyJ")
		if i < 0 {
			break
		}
		start := at + i
		end := start + alphabet.Dotted.Run(s[start:])
		at = max(end, start+3)
		if end-start > 40 && (start == 0 || !alphabet.IsAlnum(s[start-1]) && s[start-1] != '.' && s[start-1] != '_' || behindEscape(s, start)) && isJWT(s[start:end]) {
			t.yield(Token{"jwt", start, end, rule.Certain})
		}
	}
	if t.Has.Has('.') {
		t.snowflakes(from, to)
	}
}

// snowflakes finds tokens of Discord bots in S[from:to]: the base64 of a decimal ID, which
// begins with M, N or O; six characters of a timestamp; a signature.
func (t *finder) snowflakes(from, to int) {
	s, in := t.S, alphabet.Base64URL.Table()
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
		end := i + 8 + alphabet.Base64URL.Run(s[i+8:min(len(s), i+60)])
		if n := end - i - 8; n >= 27 && n <= 38 && i-start >= 23 && i-start <= 28 && s[start] >= 'M' && s[start] <= 'O' && verdict.IsRandom(s[start:i]) && verdict.IsRandom(s[i+8:end]) {
			t.yield(Token{"discord-bot", start, end, rule.Likely})
			at = end
		}
	}
}

// isGrafanaKey reports whether w is a legacy API key of Grafana: base64 of JSON with a key,
// a name and an organisation ID.
func isGrafanaKey(w string) bool {
	var v struct {
		K, N string
		ID   int
	}
	return json.Unmarshal(unpadded(w), &v) == nil && len(v.K) >= 24 && Spread(v.K) && v.ID > 0
}

// isTunnelToken reports whether w is the token of a Cloudflare tunnel: base64 of JSON with
// an account, a tunnel and a secret.
func isTunnelToken(w string) bool {
	var v struct{ A, T, S string }
	return json.Unmarshal(unpadded(w), &v) == nil && alphabet.IsHex(v.A) && verdict.IsUUID(v.T) && len(v.S) >= 16
}

func unpadded(s string) []byte {
	b, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return b
}

// isJWT reports whether s is a JSON Web Token: a JSON header that names an algorithm, a
// JSON payload, and a signature.
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
