package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// device handles a line of the configuration of a network device, and reports whether it
// contains a secret: `username admin privilege 15 password 0 X`, `crypto isakmp key X
// address …`.
func (t directives) device(keyword string, words []word) bool {
	if !isDevice(keyword) {
		return false
	}
	found := false
	if before := t.S[max(0, words[0].start-reach):words[0].start]; keyword == "key" && len(words) <= 3 && (strings.Contains(before, "radius server ") || strings.Contains(before, "tacacs server ")) {
		found = t.deviceSecret(keyword, words, len(words)-1)
	}
	for i := range len(words) - 1 {
		low := strings.ToLower(words[i].text)
		if !isMark(low) || i == 0 && !leads(low) || i == 1 && keyword == "crypto" { // `crypto key generate`
			continue
		}
		at := i + 1
		for at < len(words) && isQualifier(words[at].text, at+1 == len(words)) {
			at++
		}
		if at < len(words) && low == "priv" && at == i+1 && !strings.HasPrefix(words[at].text, "0x") ||
			at < len(words) && isMark(strings.ToLower(words[at].text)) {
			continue
		}
		if at < len(words) {
			found = t.deviceSecret(keyword, words, at) || found
		}
	}
	return found
}

// leads reports whether the secret may directly follow a keyword at the beginning of a
// line.
func leads(keyword string) bool {
	switch keyword {
	case "key-string", "pre-shared-key", "wpa-psk":
		return true
	}
	return false
}

// isQualifier reports whether a word specifies the form or the role of the following
// secret: `password 7 X`, `priv aes 128 X`, `ascii 0 X`.
func isQualifier(s string, last bool) bool {
	if last {
		return len(s) == 1 && alphabet.IsNumber(s)
	}
	switch strings.ToLower(s) {
	case "level", "encrypted", "plaintext", "ciphertext", "cipher", "simple", "local", "remote", "ascii", "hex", "clear", "aes", "des", "3des", "aes-128", "aes-192", "aes-256", "128", "192", "256":
		return true
	}
	return len(s) <= 2 && alphabet.IsNumber(s)
}

// deviceSecret handles the word at a position of a line of a device.
func (t directives) deviceSecret(keyword string, words []word, at int) bool {
	w := words[at]
	if line := t.S[words[0].start:words[len(words)-1].end]; t.kind == source || keyword != "crypto" && alphabet.IsLatin(strings.TrimRight(w.text, ".")) && len(words) > 4 && verdict.IsProse(line) {
		return false // a sentence about passwords
	}
	as := verdict.Password
	switch keyword {
	case "ip", "line", "server", "authentication", "peer":
		as = verdict.Token
	}
	t.given(words[at-1].text, w.start, w.end, as)
	return true
}

// behindMark handles the word after the name of a secret, among other unquoted words, as in
// the configuration languages of network devices: `configure radius primary shared-secret
// X`. The word must look like a secret, because such a name occurs in sentences, too.
func (t directives) behindMark(words []word) {
	if t.kind != settings || len(words) < 3 {
		return
	}
	for i := 1; i+1 < len(words); i++ {
		w := words[i]
		if w.quoted || !isOption(strings.TrimPrefix(w.text, "-")) || w.text != "cipher" && !t.sortOf(strings.TrimPrefix(w.text, "-")).Open() {
			continue
		}
		at := i + 1
		for at+1 < len(words) && isQualifier(words[at].text, false) {
			at++
		}
		if next := words[at]; !next.quoted && !strings.HasPrefix(next.text, "-") && !strings.HasPrefix(next.text, "/") && !strings.ContainsAny(next.text, "=(){}[],") && !strings.HasSuffix(next.text, "?") && !verdict.IsTermed(next.text) {
			t.given(w.text, next.start, next.end, verdict.Token)
		}
		i = at
	}
}

// isMarked reports whether s contains the end of a word that may precede a secret: `…
// shared-secret X`, `… -bindPassword X`.
func isMarked(s string) bool {
	return mentions(s, "assword ", "ecret ", "cipher ", "pass ", "plaintext ", "Key ")
}

// forDevice reports whether a command configures a network device.
func (t directives) forDevice() bool {
	first, _, _ := strings.Cut(t.S, " ")
	return isDevice(first)
}

// isDevice reports whether a keyword begins lines of network devices and routing daemons
// that contain a secret somewhere.
func isDevice(keyword string) bool {
	switch keyword {
	case "ntp", "failover", "vtp", "ikev1", "ikev2", "pre-shared-key", "wpa-psk", "snmp-server", "local-user",
		"enable", "username", "neighbor", "tacacs-server", "radius-server", "tacacs", "radius", "ip", "ipv6",
		"standby", "vrrp", "isis", "key", "key-string", "crypto", "ppp", "area", "authentication", "line",
		"password", "peer", "server":
		return true
	}
	return false
}

// isMark reports whether a word of such a line precedes a secret.
func isMark(word string) bool {
	switch word {
	case "password", "secret", "key", "key-string", "authentication-key", "authentication-string", "community",
		"pre-shared-key", "wpa-psk", "text", "md5", "sha", "sha1", "sha256", "cipher", "priv":
		return true
	}
	return false
}
