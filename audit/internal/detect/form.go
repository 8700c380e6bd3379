package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/token"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
)

// issuers finds the tokens that providers issue, by their form.
type issuers struct{ *Text }

func (t issuers) search() {
	if isSealed(t.S) {
		return
	}
	text := token.Text{S: t.S, Bytes: t.Bytes(), Has: &t.has, Values: t.values(), Features: t.features}
	t.scanner.current = t.Text
	text.Find(t.scanner.onToken)
}

// issued emits a hit for a token.
func (t *Text) issued(k token.Token) {
	t.named("provider-token/"+k.ID, k.Start, k.End, "", t.S[k.Start:k.End], k.Confidence)
}

// isSealed reports whether s consists of one armoured encrypted message. Its base64 is
// random, so among many messages it contains the prefix of every token by chance.
func isSealed(s string) bool {
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, pemBegin) {
		return false
	}
	for _, kind := range []string{"PKCS7", "CMS"} {
		body, begins := strings.CutPrefix(s, "-----BEGIN "+kind+"-----")
		body, ends := strings.CutSuffix(body, "-----END "+kind+"-----")
		if begins && ends && !strings.Contains(body, "-----") {
			return true
		}
	}
	return false
}

// crypts are the password hashes with the name of their method: the prefix, and the minimum
// length of the digest at the end.
var crypts = []struct {
	prefix string
	least  int
}{
	{"$1$", 22}, {"$5$", 43}, {"$6$", 86}, {"$7$", 40}, {"$2a$", 53}, {"$2b$", 53}, {"$2y$", 53}, {"$2x$", 53}, {"$y$", 43}, {"$gy$", 43},
	{"$apr1$", 22}, {"$md5$", 22}, {"$md5,", 22}, {"$sha1$", 28}, {"$argon2i$", 20}, {"$argon2d$", 20}, {"$argon2id$", 20}, {"$scrypt$", 20}, {"$pbkdf2$", 20},
	{"$pbkdf2-sha256$", 40}, {"$pbkdf2-sha512$", 80}, {"$P$", 31}, {"$H$", 31}, {"$S$", 52}, {"$ml$", 40}, {"$8$", 40}, {"$9$", 40}, {"$bcrypt-sha256$", 50},
	{"$shiro1$", 30}, {"$PBKDF2", 30}, {"$krb5", 60}, {"$sm3$", 40}, {"$3$$", 32},
}

// braced are the prefixes of RFC 2307 and of Dovecot.
var braced = []string{"{SSHA}", "{SHA}", "{SMD5}", "{SSHA256}", "{SSHA512}", "{SSHA384}", "{CRYPT}", "{MD5}", "{PBKDF2", "{SHA512-CRYPT}", "{SHA256-CRYPT}",
	"{BLF-CRYPT}", "{ARGON2", "{PLAIN-MD5}", "{CRAM-MD5}", "{MD5-CRYPT}", "{NT}", "{LANMAN}", "{SCRAM-SHA-", "{crypt}", "{ssha}", "{ssha512}", "{ssha256}", "{ssha1}", "{smd5}", "{CLEARTEXT}", "{PLAIN}", "{SHA512}", "{SHA256}"}

// grub is the prefix of password hashes of GRUB, which contain no dollar.
const grub = "grub.pbkdf2.sha512."

// spelled are other hashes that begin with the name of the method.
var spelled = []struct {
	prefix string
	fits   func(string) bool
}{
	{"SCRAM-SHA-256$", func(w string) bool { return strings.Count(w, ":") >= 2 && len(w) > 60 }},
	{"SCRAM-SHA-1$", func(w string) bool { return strings.Count(w, ":") >= 2 && len(w) > 40 }},
	{"pbkdf2_sha256$", func(w string) bool { return strings.Count(w, "$") >= 3 && len(w) > 50 }},
	{"pbkdf2_sha1$", func(w string) bool { return strings.Count(w, "$") >= 3 && len(w) > 40 }},
	{"pbkdf2:sha", func(w string) bool { return strings.Count(w, "$") == 2 && len(w) > 60 }},
	{"scrypt:", func(w string) bool { return strings.Count(w, "$") == 2 && len(w) > 60 }},
	{"bcrypt_sha256$", func(w string) bool { return len(w) > 60 }},
	{"argon2$argon2", func(w string) bool { return len(w) > 60 }},
}

// hashes finds password hashes that contain the name of their method.
type hashes struct{ *Text }

func (t hashes) search() {
	if !t.has.Has('$') && !t.has.Has('{') && !t.has.Has('.') {
		return
	}
	s := t.S
	if strings.IndexByte(s, '$') >= 0 {
		for at := 0; ; {
			i := strings.IndexByte(s[at:], '$')
			if i < 0 {
				break
			}
			at = t.cryptAt(at + i)
		}
		for _, f := range spelled {
			for i := range t.occurrences(f.prefix) {
				if end := i + alphabet.CryptHash.Run(s[i:]); f.fits(s[i:end]) {
					t.found("password-hash", i, end, rule.Certain)
				}
			}
		}
	}
	for i := range t.occurrences(grub) {
		if end := i + alphabet.Crypt.Run(s[i:]); end-i > 150 {
			t.found("password-hash", i, end, rule.Certain)
		}
	}
	t.bracedHashes()
}

// cryptAt handles the dollar at i and returns the position to continue at.
func (t hashes) cryptAt(i int) int {
	s := t.S
	if i > 0 && (alphabet.IsAlnum(s[i-1]) || s[i-1] == '$' || s[i-1] == '}') && !strings.HasSuffix(s[:i], "CRYPT}") {
		return i + 1
	}
	for _, c := range crypts {
		if !strings.HasPrefix(s[i:], c.prefix) {
			continue
		}
		w, _, _ := strings.Cut(s[i:i+alphabet.CryptHash.Run(s[i:])], ":")
		w = strings.TrimRight(w, ",")
		end := i + len(w)
		last := w[strings.LastIndexByte(w, '$')+1:]
		if len(last) >= c.least && token.Spread(last) && (strings.Count(w, "$") >= 3 || c.prefix == "$P$" || c.prefix == "$H$" || c.prefix == "$S$") {
			t.found("password-hash", i, end, rule.Certain)
			return end
		}
	}
	return i + 1
}

// bracedHashes finds `{SSHA}…`. Checksums of Puppet are in lower case and are not
// passwords.
func (t hashes) bracedHashes() {
	s := t.S
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '{')
		if i < 0 {
			return
		}
		i += at
		at = i + 1
		if i+1 >= len(s) || !alphabet.IsLetter(s[i+1]) {
			continue
		}
		for _, b := range braced {
			if !strings.HasPrefix(s[i:], b) {
				continue
			}
			n := strings.IndexByte(s[i:min(len(s), i+verdict.MaxName)], '}')
			if n < 0 {
				continue
			}
			from := i + n + 1
			end := from + alphabet.CryptHash.Run(s[from:])
			plainText := b == "{CLEARTEXT}" || b == "{PLAIN}"
			if plainText {
				end = from
				for end < len(s) && end-from < verdict.MaxName && strings.IndexByte(" \t\r\n:\"'", s[end]) < 0 {
					end++
				}
			}
			if w := s[from:end]; plainText && t.isPlain(w) || !plainText && len(w) >= 20 && token.Spread(w) {
				id := "password-hash"
				if plainText {
					id = t.id()
				}
				t.found(id, i, end, rule.Certain)
				at = end
			}
			break
		}
	}
}

// isPlain reports whether a word behind a scheme for plain text is a password.
func (t hashes) isPlain(w string) bool {
	r := t.scanner.against(verdict.Candidate{Value: w, As: verdict.Password, At: verdict.InText})
	return r == verdict.None || r == verdict.Common
}

// knownHash reports whether the value of a password is a digest in a form that other
// digests have, too.
func knownHash(s string) bool {
	switch {
	case len(s) == 41 && s[0] == '*' && alphabet.IsHex(s[1:]): // MySQL
		return true
	case len(s) == 35 && strings.HasPrefix(s, "md5") && alphabet.IsHex(s[3:]): // PostgreSQL
		return true
	case strings.HasPrefix(s, "0x0200") && alphabet.IsHex(s[2:]) && len(s) > 60: // SQL Server
		return true
	case strings.HasPrefix(s, "0x0100") && alphabet.IsHex(s[2:]) && len(s) > 50:
		return true
	}
	return false
}

// makesHash reports whether a function hashes the password that is its first argument.
func makesHash(function string) bool {
	switch function {
	case "password_hash", "hashpw", "hash_password", "make_password", "generate_password_hash":
		return true
	}
	return false
}

// leaks finds the text that Puppet and Ruby print for a Sensitive, and for a Deferred that
// was not resolved. The text is no secret itself. PuppetDB writes it for each rich value, so
// that it counts only inside of a longer text there.
type leaks struct{ *Text }

func (t leaks) search() {
	if !t.has.Has('[') && !t.has.Has('{') && !t.has.Has('<') {
		return
	}
	if i := t.index(pcore.RedactedText); i >= 0 && t.inContent() {
		t.literal("redacted-literal", i, i+len(pcore.RedactedText))
	}
	for _, form := range deferredForms {
		if i := t.index(form); i >= 0 {
			t.literal("deferred-literal", i, i+len(form))
			return
		}
	}
}

// literal emits a hit for S[start:end], or for the whole text if it was written for a value.
func (t leaks) literal(id string, start, end int) {
	if t.unchanged() && (t.isObject || richtext.IsSensitive(t.S)) {
		start, end = 0, len(t.S)
	}
	t.emit(t.Hit(id, start, end, "", rule.Certain))
}

// deferredForms are the first characters of the text of a Deferred, of the Ruby object for
// it, and of its class.
var deferredForms = []string{
	"Deferred({'name' =>", `Deferred({"name" =>`, `Deferred({"name"=>`, "#<Puppet::Pops::Evaluator::DeferredValue",
	"#<Puppet::Pops::Types::PDeferred", "#<Puppet::Pops::Evaluator::Deferred", "#<DeferredValue",
}

// inContent reports whether the text is a part of a file or a command.
func (t leaks) inContent() bool {
	switch t.leaf.Parameter() {
	case "content", "command", "unless", "onlyif", "environment", "line", "value", "changes", "data":
		return true
	}
	return len(t.S) > len(pcore.RedactedText)
}
