// Package sample expands the templates of the samples that test what an audit
// finds, so that the repository contains no token.
//
// The notation of samples belongs here; the samples lie beside their rules.
package sample

import (
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// alphabets are the sets of characters by the names that templates call them.
var alphabets = map[string]string{
	"lower":     digits + lower,
	"upper":     digits + upper,
	"letters":   lower + upper,
	"digits":    "123456789",
	"base32":    upper + "234567",
	"bech32":    "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	"base64":    digits + lower + upper + "+/",
	"base64url": digits + lower + upper + "-_",
	"crypt":     digits + lower + upper + "./",
}

var template = regexp.MustCompile(`\{([A-Za-z0-9]+)(?::(\d+))?\}`)

// Expand replaces the templates of a sample: `{alnum:20}` by 20 letters and
// digits, likewise for the other alphabets, `{uuid}`, and `{crc62}` by the
// checksum that GitHub appends. Equal samples have equal expansions.
func Expand(sample string) string {
	h := fnv.New64()
	_, _ = h.Write([]byte(sample))
	d := drawer{rand.New(rand.NewPCG(h.Sum64(), 1))} //nolint:gosec // no secret depends on it
	return checksums(d.expand(sample))
}

// Marked removes the marks « and » from a sample and returns the positions of
// the texts between them.
func Marked(sample string) (text string, spans [][2]int) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(sample, "«")
		b.WriteString(before)
		if !found {
			return b.String(), spans
		}
		secret, after, _ := strings.Cut(rest, "»")
		spans = append(spans, [2]int{b.Len(), b.Len() + len(secret)})
		b.WriteString(secret)
		sample = after
	}
}

type drawer struct{ *rand.Rand }

func (d drawer) expand(s string) string {
	return template.ReplaceAllStringFunc(s, func(m string) string {
		part := template.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[2])
		if text, ok := d.draw(part[1], n); ok {
			return text
		}
		return m
	})
}

// json returns the base64 of a template of JSON.
func (d drawer) json(text string) string {
	return base64.StdEncoding.EncodeToString([]byte(d.expand(text)))
}

func (d drawer) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

func (d drawer) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.IntN(256))
	}
	return b
}

// draw returns the text for a template, or false if there is none of that name.
func (d drawer) draw(name string, n int) (string, bool) {
	if alphabet := alphabets[name]; alphabet != "" {
		return d.of(alphabet, n), true
	}
	switch name {
	case "alnum": // with a digit, an upper-case and a lower-case letter
		return d.of(digits+lower+upper, n-min(n, 3)) + d.of(digits, min(n, 1)) + d.of(lower, min(max(n-1, 0), 1)) + d.of(upper, min(max(n-2, 0), 1)), true
	case "hex":
		return hex.EncodeToString(d.bytes((n + 1) / 2))[:n], true
	case "HEX":
		return strings.ToUpper(hex.EncodeToString(d.bytes((n + 1) / 2))[:n]), true
	case "b64": // of n bytes
		return base64.StdEncoding.EncodeToString(d.bytes(n)), true
	case "b64u":
		return base64.RawURLEncoding.EncodeToString(d.bytes(n)), true
	case "b64text":
		return base64.StdEncoding.EncodeToString([]byte("Kestrel-" + d.of(digits, 4))), true
	case "b64pair":
		return base64.StdEncoding.EncodeToString([]byte("deploy:Kestrel-" + d.of(digits, 6))), true
	case "uuid":
		h := hex.EncodeToString(d.bytes(16))
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:], true
	case "pw":
		return d.of(upper, 1) + d.of(lower, 5) + d.of("!#%^*", 1) + d.of(digits, 4) + d.of(lower, 2), true
	case "tunnel": // of Cloudflare
		return d.json(`{"a":"{hex:32}","t":"{uuid}","s":"{b64:32}"}`), true
	case "grafanakey":
		return d.json(`{"k":"{alnum:32}","n":"puppet","id":1}`), true
	case "sshrsa":
		return base64.StdEncoding.EncodeToString(append([]byte("\x00\x00\x00\x07ssh-rsa\x00\x00\x00\x03\x01\x00\x01\x00\x00\x01\x01\x00"), d.bytes(256)...)), true
	case "sshed":
		return base64.StdEncoding.EncodeToString(append([]byte("\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"), d.bytes(32)...)), true
	}
	return "", false
}

// checksums replaces each `{crc62}` by the CRC-32, in base 62, of the text
// between the last underscore and it.
func checksums(s string) string {
	for {
		i := strings.Index(s, "{crc62}")
		if i < 0 {
			return s
		}
		sum := crc32.ChecksumIEEE([]byte(s[strings.LastIndexByte(s[:i], '_')+1 : i]))
		const base62 = digits + upper + lower
		var b [6]byte
		for k := len(b) - 1; k >= 0; k-- {
			b[k] = base62[sum%62]
			sum /= 62
		}
		s = s[:i] + string(b[:]) + s[i+len("{crc62}"):]
	}
}
