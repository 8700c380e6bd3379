package verdict

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// isReference reports whether s refers to a secret that is kept elsewhere.
func (v *Values) isReference(s string) bool {
	return !isTransit(s) && (v.references.begins(s) >= 0 || isStored(s) || isMounted(s))
}

// isTransit reports whether s is ciphertext of the transit engine of Vault: `vault:v1:…`. The
// prefix is also that of references: `vault:v1/db#password`.
func isTransit(s string) bool {
	version, text, found := strings.Cut(strings.TrimPrefix(s, "vault:v"), ":")
	return strings.HasPrefix(s, "vault:v") && found && alphabet.IsNumber(version) && IsBase64(text)
}

// isStored reports whether s is the location of a secret in a secret store:
// `gopass:prod/db`, `bao:kv/data/x#password`, `secretref:db-password`. It consists of the
// name of a store, a colon, and the words of a path.
func isStored(s string) bool {
	store, rest, found := strings.Cut(strings.TrimPrefix(s, "!"), ":")
	if !found || len(store) < 3 || len(store) > 20 || len(rest) < 3 || len(rest) > 120 || !alphabet.IsLatinName(strings.ReplaceAll(store, "-", "_")) || store != strings.ToLower(store) {
		return false
	}
	if strings.HasPrefix(rest, "//") && !isStore(store) && !strings.HasSuffix(store, "pass") || strings.Contains(rest, "://") || store == "urn" || store == "unix" {
		return false // a URL or another name
	}
	if !strings.ContainsAny(rest, "/#") && !isStore(store) {
		return false
	}
	words := 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("/#-_.?:", r) }) {
		if stem := strings.TrimRight(part, "0123456789"); len(part)-len(stem) > 2 || stem != "" && !alphabet.IsLatin(stem) || part != strings.ToLower(part) && !alphabet.IsLatin(part) {
			return false
		}
		words++
	}
	return words > 1
}

// isStore reports whether the name of a store says what it keeps, or that it is one.
func isStore(name string) bool {
	return strings.HasSuffix(name, "ref") || strings.Contains(name, "secret") || strings.Contains(name, "vault")
}

// isCiphertext reports whether s is encrypted.
func (v *Values) isCiphertext(s string) bool {
	s = strings.TrimSpace(s)
	if v.ciphertexts.begins(s) >= 0 || isTransit(s) {
		return true
	}
	// Sealed secrets of Bitnami, and the braces of Jenkins and Maven.
	if len(s) > 200 && strings.HasPrefix(s, "Ag") && s[2] >= 'A' && s[2] <= 'D' { // a key of 512 bytes
		return true
	}
	return len(s) > 20 && s[0] == '{' && s[len(s)-1] == '}' && IsBase64(s[1:len(s)-1])
}

// isPublic reports whether s has the prefix of a public value.
func (v *Values) isPublic(s string) bool {
	const short, long = 4, 40 // `age1` may begin a password
	s = strings.TrimSpace(s)
	n := v.publics.begins(s)
	return n > short || n >= 0 && len(s) >= long
}

// isDigest reports whether s has the prefix of a digest. Digests without a prefix are
// recognized by their name.
func (v *Values) isDigest(s string) bool {
	n := v.digests.begins(s)
	return n >= 0 && (s[0] == '{' || alphabet.IsHex(s[n:]) || IsBase64(s[n:]))
}

// isMounted reports whether s is the option that mounts a secret of Podman or Docker by its
// name: `db_password,type=env,target=DB_PASSWORD`.
func isMounted(s string) bool {
	name, how, found := strings.Cut(s, ",")
	return found && IsIdentifier(strings.ReplaceAll(strings.TrimPrefix(name, "source="), "-", "_")) && (strings.HasPrefix(how, "type=") || strings.HasPrefix(how, "target="))
}

// prefixes are prefixes of values, by their first byte in lower case.
type prefixes struct {
	by   [256][]string
	fold bool // ignore case
}

func newPrefixes(fold bool, list ...string) *prefixes {
	p := &prefixes{fold: fold}
	for _, s := range list {
		p.by[s[0]|0x20] = append(p.by[s[0]|0x20], s)
	}
	return p
}

// begins returns the length of the prefix of s that is in the list, or -1.
func (p *prefixes) begins(s string) int {
	if s == "" {
		return -1
	}
	for _, prefix := range p.by[s[0]|0x20] {
		if strings.HasPrefix(s, prefix) || p.fold && len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			return len(prefix)
		}
	}
	return -1
}

// withoutAccount returns the public key behind the account that may log in with it, as clouds write it: `ops:ssh-ed25519 AAAA…`.
func withoutAccount(s string) string {
	account, key, found := strings.Cut(s, ":")
	if !found || !strings.HasPrefix(key, "ssh-") && !strings.HasPrefix(key, "ecdsa-") || !IsName(account) {
		return s
	}
	return key
}
