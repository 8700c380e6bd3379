package gen

import (
	"bytes"
	"compress/gzip"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// secrets makes the secrets of a catalog: its own, and some of its fleet.
func (g *generator) secrets(fleet uint64) {
	shared := &generator{Rand: rand.New(rand.NewPCG(fleet, 0x666c_6565)), valid: g.valid}
	all := make([]string, 6)
	for i := range all {
		all[i] = shared.secret()
	}
	for range 1 + g.IntN(4) {
		g.hidden = append(g.hidden, g.secret())
	}
	g.hidden = append(g.hidden, pick(g, all), pick(g, all))
}

// secret makes a secret, from a PIN to a private key.
func (g *generator) secret() string {
	if g.valid {
		return g.token(alnum, 12+g.IntN(24))
	}
	switch g.IntN(26) {
	case 0:
		return g.token("0123456789", 1+g.IntN(6))
	case 1:
		return pick(g, []string{"changeme", "password", "secret", "root", "true", "production", "hunter2", ""})
	case 2:
		return pick(g, words) + "-" + pick(g, words) + "-" + pick(g, words)
	case 3:
		return g.token(alnum, 6) + `"\'` + g.token(alnum, 4)
	case 4:
		return "Pä$$wörd-" + g.token(alnum, 5) + "-é😀"
	case 5:
		return "AKIA" + g.token("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
	case 6:
		return "ghp_" + g.token(alnum, 36)
	case 7:
		return "xoxb-" + g.token("0123456789", 12) + "-" + g.token("0123456789", 12) + "-" + g.token(alnum, 24)
	case 8:
		return g.privateKey()
	case 9:
		return "$6$" + g.token(alnum, 8) + "$" + g.token(alnum, 86)
	case 10:
		return "eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+g.token(alnum, 9)+`"}`)) + "." + g.token(alnum, 43)
	case 11:
		return "https://app:" + g.token(alnum, 12) + "@db.example.com:5432/x?y=1"
	case 12:
		return g.token(hexes, 32)
	case 13:
		return g.token(hexes, 64)
	case 14:
		return base64.StdEncoding.EncodeToString([]byte(g.token(alnum, 20)))
	case 15:
		return "Server=db;User Id=sa;Password=" + g.token(alnum, 14) + ";"
	case 16:
		return "hvs." + g.token(alnum, 24)
	case 17:
		return "glpat-" + g.token(alnum, 20)
	case 18:
		return g.token(alnum, 10) + "\n" + g.token(alnum, 10)
	case 19:
		return g.token(lower, 8) + " " + g.token(lower, 8) + "%" + g.token(lower, 3) + "&" + g.token(lower, 3)
	case 20:
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", g.Uint32(), g.IntN(1<<16), g.IntN(1<<12), g.IntN(1<<12), g.Uint64()>>16)
	case 21:
		return "SG." + g.token(alnum, 22) + "." + g.token(alnum, 43)
	}
	return g.token(alnum, 8+g.IntN(24))
}

func (g *generator) privateKey() string {
	kind := pick(g, []string{"RSA ", "", "EC ", "OPENSSH "})
	var b strings.Builder
	fmt.Fprintf(&b, "-----BEGIN %sPRIVATE KEY-----\n", kind)
	for range 2 + g.IntN(6) {
		b.WriteString(g.token(alnum+"+/", 64) + "\n")
	}
	fmt.Fprintf(&b, "%s==\n-----END %sPRIVATE KEY-----\n", g.token(alnum, 22), kind)
	return b.String()
}

// copyOf returns a secret in one of many encodings, some of them nested.
func (g *generator) copyOf(secret string) string {
	text := secret
	for range 1 + g.IntN(8)/6 {
		text = g.spell(text)
	}
	return text
}

func (g *generator) spell(text string) string {
	n := g.IntN(22)
	if g.valid { // such as every redaction can follow
		n = pick(g, []int{0, 2, 3, 4, 6, 8, 21})
	}
	switch n {
	case 0:
		return base64.StdEncoding.EncodeToString([]byte(text))
	case 1:
		return base64.RawURLEncoding.EncodeToString([]byte(g.token(alnum, g.IntN(4)) + text))
	case 2:
		return hex.EncodeToString([]byte(text))
	case 3:
		return strings.ToUpper(hex.EncodeToString([]byte(text)))
	case 4:
		return url.QueryEscape(text)
	case 5:
		return url.PathEscape(text)
	case 6:
		b, _ := json.Marshal(map[string]any{"password": text, "n": 1}) // no value of these types is refused
		return string(b)
	case 7:
		return "---\ndb:\n  password: '" + strings.ReplaceAll(text, "'", "''") + "'\n"
	case 8:
		return "prefix " + text + " suffix"
	case 9:
		return strings.ToLower(text)
	case 10:
		return base32.StdEncoding.EncodeToString([]byte(text))
	case 11:
		return fmt.Sprintf("https://user:%s@example.com/", url.PathEscape(text))
	case 12:
		return "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+text))
	case 13:
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(text)) // a bytes.Buffer refuses nothing
		_ = z.Close()
		return base64.StdEncoding.EncodeToString(b.Bytes())
	case 14:
		return strings.Join(strings.Split(text, ""), "\\x00")
	case 15:
		var b strings.Builder
		for _, c := range text {
			fmt.Fprintf(&b, "\\u%04x", c)
		}
		return b.String()
	case 16:
		return strings.ReplaceAll(text, `"`, "&quot;")
	}
	return text
}

func (g *generator) command(hidden string) string {
	switch g.IntN(7) {
	case 0:
		return "/usr/bin/mysql -u root -p" + hidden + " -e 'select 1'"
	case 1:
		return "curl -H 'Authorization: Bearer " + hidden + "' https://example.com/"
	case 2:
		return "PGPASSWORD='" + hidden + "' psql -h db && echo done"
	case 3:
		return "echo " + g.copyOf(hidden) + " | base64 -d | tee /etc/x"
	case 4:
		return "app login --user admin --password \"" + hidden + "\" --verbose"
	case 5:
		return "openssl enc -k " + hidden + " <<EOF\n" + g.word() + "\nEOF"
	}
	return "/bin/true " + g.word()
}

// content makes the content of a file: lines of some configuration language, with a secret in some.
func (g *generator) content() string {
	hidden := func() string {
		if g.oneIn(2) {
			return g.token(alnum, 12)
		}
		return g.copyOf(pick(g, g.hidden))
	}
	var b strings.Builder
	for range g.IntN(9) {
		switch g.IntN(16) {
		case 0:
			fmt.Fprintf(&b, "[%s]\n", pick(g, words))
		case 1:
			fmt.Fprintf(&b, "%s = \"%s\"\n", pick(g, secretKeys), hidden())
		case 2:
			fmt.Fprintf(&b, "%s: %s\n", pick(g, secretKeys), hidden())
		case 3:
			fmt.Fprintf(&b, "# %s\r\n", pick(g, phrases))
		case 4:
			fmt.Fprintf(&b, "export %s=%s\n", strings.ToUpper(pick(g, secretKeys)), hidden())
		case 5:
			fmt.Fprintf(&b, "<%s>%s</%s>\n", "password", hidden(), "password")
		case 6:
			fmt.Fprintf(&b, "{\"%s\": \"%s\", \"x\": [1, 2]}\n", pick(g, secretKeys), hidden())
		case 7:
			fmt.Fprintf(&b, "postgres://app:%s@db/%s\n", hidden(), pick(g, words))
		case 8:
			b.WriteString(g.secret() + "\n")
		case 9:
			fmt.Fprintf(&b, "%s\n", g.command(hidden()))
		case 10:
			fmt.Fprintf(&b, "machine example.com login x password %s\n", hidden())
		case 11:
			fmt.Fprintf(&b, "db_password: &anchor !!str '%s'\nother: *anchor\n", hidden())
		default:
			fmt.Fprintf(&b, "%s %d %s;\n", pick(g, words), g.IntN(1<<20), pick(g, words))
		}
	}
	g.size += b.Len()
	return b.String()
}
