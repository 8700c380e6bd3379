package verdict

import (
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// isTypeName reports whether s is a type of the Puppet language: `Sensitive[String[1]]`.
func isTypeName(s string) bool {
	name, rest, found := strings.Cut(s, "[")
	if !found || !strings.HasSuffix(rest, "]") {
		return false
	}
	switch name {
	case "Sensitive", "String", "Optional", "Variant", "Enum", "Pattern", "Array", "Hash", "Integer", "Type", "Regexp", "Struct", "Tuple", "NotUndef", "Deferred":
		return true
	}
	return false
}

// isPattern reports whether s is a regular expression: it has two of their operators, or an
// unambiguous one.
func isPattern(s string) bool {
	if !strings.ContainsAny(s, `.[\(])^|`) {
		return false
	}
	marks := 0
	for _, part := range []string{".*", ".+", "[^", "[-1]", "[*]", "[?", `\S`, `\s`, `\w`, `\d`, "(?", "[a-z", "[A-Z", "[0-9", "a-zA-Z", "A-Za-z", "a-z0-9", "A-Z0-9", "a-f0-9", "0-9a-f", "]{", ")$", "^(", "]+", "]*"} {
		if strings.Contains(s, part) {
			marks++
		}
	}
	for _, part := range []string{`\|`, `\(`, `\)`, `\%(`, `\<`, "|^"} { // of Vim and of grep
		marks += min(strings.Count(s, part), 2)
	}
	return marks >= 2 || strings.Contains(s, ".*") && (len(s) > 24 && !IsRandom(s) || !mixed(s)) || strings.Contains(s, "[-1].") || strings.Contains(s, "[*].") || strings.Contains(s, `\S+`) || strings.Contains(s, `\w+`) || strings.Contains(s, `\d+`)
}

// isTag reports whether s begins with the end of an element of HTML, or with an element that has
// attributes or no content: the text of a label, which another element follows.
func isTag(s string) bool {
	rest, ok := strings.CutPrefix(s, "<")
	if !ok {
		return false
	}
	name, isEnd := strings.CutPrefix(rest, "/")
	n := 0
	for n < len(name) && alphabet.IsAlnum(name[n]) {
		n++
	}
	if n == 0 || !alphabet.IsLetter(name[0]) {
		return false
	}
	after := name[n:]
	if isEnd {
		return after == "" || after[0] == '>'
	}
	return strings.HasPrefix(after, "/>") || strings.HasPrefix(after, " ") && strings.Contains(after, "=")
}

// isSelector reports whether s is a CSS selector: `input#user_password`,
// `meta[name='csrf-token']`.
func isSelector(s string) bool {
	i := strings.IndexAny(s, "#.[")
	if i <= 0 || i+1 >= len(s) {
		return false
	}
	switch s[:i] {
	case "input", "button", "div", "form", "span", "a", "meta", "label", "select", "textarea", "body", "section":
		return s[i] == '[' && s[len(s)-1] == ']' || s[i] != '[' && alphabet.IsLatinName(s[i+1:])
	}
	return false
}

// withoutJoints removes the separators between the words of an identifier.
func withoutJoints(r rune) rune {
	if r == '-' || r == '_' {
		return -1
	}
	return r
}

// mixed reports whether s has letters of both cases, and punctuation that is rare in
// patterns.
func mixed(s string) bool {
	_, lower, upper, _ := alphabet.Count(s)
	return lower > 0 && upper > 0 && strings.ContainsAny(s, "!#%&@=:;~") && !strings.ContainsAny(s, "/$")
}

// isVersion reports whether s is a version or a range of versions: `^7.0.3`, `>= 9.0`, `~>
// 1.2`, `8.1~alpha1`, `2:1.14-3ubuntu1`.
func isVersion(s string) bool {
	rest := strings.TrimLeft(s, "^~<>=v! ")
	if rest == "" || rest[0] < '0' || rest[0] > '9' || strings.IndexByte(rest, '.') < 1 {
		return false
	}
	dots, numbers := 0, 0
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune(".-~+:_", r) }) {
		stem := strings.TrimRight(part, "0123456789")
		switch stem {
		case "":
			numbers++
		case "alpha", "beta", "a", "b", "rc", "pre", "dev", "post", "p", "r", "git", "svn", "ds", "dfsg", "deb", "ubuntu", "el", "fc", "bpo", "build", "snapshot", "final",
			"ga", "x", "release", "lts", "RELEASE", "SNAPSHOT", "Final", "GA", "RC", "M":
		default:
			for w := range strings.FieldsFuncSeq(part, unicode.IsDigit) { // `1ubuntu3`, `deb12u1`
				switch w {
				case "ubuntu", "build", "deb", "el", "rc", "b", "a", "ds", "u", "nmu":
				default:
					return false
				}
			}
		}
		dots++
	}
	return dots >= 2 && numbers >= 1 && (numbers >= 2 || rest != s) && len(s) < 40 && !IsHost(rest) || dots >= 2 && numbers >= 2 && len(s) < 40
}

// isTime reports whether s is a date with a time, as in RFC 3339 or with a blank between
// them.
func isTime(s string) bool {
	const shortHash = 12
	if basic, build, _ := strings.Cut(s, "-"); isBasicTime(basic) && len(build) <= shortHash && (build == "" || alphabet.IsHex(build)) {
		return true // also of a build: `20260312T101522Z-9f2c1ab`
	}
	if len(s) < 16 || len(s) > 40 || s[4] != '-' || s[7] != '-' || s[10] != 'T' && s[10] != ' ' || s[13] != ':' {
		return false
	}
	return alphabet.IsNumber(s[:4]) && alphabet.IsNumber(s[5:7]) && alphabet.IsNumber(s[8:10]) && alphabet.IsNumber(s[11:13]) && alphabet.IsNumber(s[14:16])
}

// isBasicTime reports whether s is a date with a time in the basic format of ISO 8601: `20260312T101522Z`.
func isBasicTime(s string) bool {
	s = strings.TrimSuffix(s, "Z")
	return len(s) == len("20060102T150405") && s[8] == 'T' && alphabet.IsNumber(s[:8]) && alphabet.IsNumber(s[9:])
}

// IsDistinguished reports whether s is a distinguished name or an LDAP filter:
// `cn=admin,dc=example`, `(objectClass=account)`.
func IsDistinguished(s string) bool {
	if len(s) > 4 && s[0] == '(' && s[len(s)-1] == ')' && strings.Contains(s, "=") {
		return true
	}
	n := 0
	for part := range strings.SplitSeq(s, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || value == "" {
			return false
		}
		switch strings.ToLower(name) {
		case "dc", "cn", "ou", "o", "uid", "c", "l", "st", "sn", "emailaddress", "serialnumber", "krbprincipalname":
			n++
		default:
			return false
		}
	}
	return n >= 2
}

// isDuration reports whether s is a number with a unit: `12h`, `30 days`, `86400s`,
// `1.5GB`, `50%`.
func isDuration(low string) bool {
	rest := strings.TrimLeft(low, "0123456789.")
	if len(rest) == len(low) || len(rest) == 0 {
		return false
	}
	switch strings.TrimSpace(rest) {
	case "s", "m", "h", "d", "w", "y", "ms", "us", "ns", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes",
		"hour", "hours", "day", "days", "week", "weeks", "month", "months", "year", "years", "k", "kb", "mb", "gb", "g", "tb",
		"kib", "mib", "gib", "b", "byte", "bytes", "bit", "bits", "%", "x":
		return true
	}
	return false
}

// isEscape reports whether s sets the colours of a terminal: `\e[0;1;30m`, in any notation of the escape.
func isEscape(s string) bool {
	const longest = 4 // bytes of the escape
	before, codes, found := strings.Cut(s, "[")
	codes, closed := strings.CutSuffix(codes, "m")
	return found && closed && len(before) <= longest && codes != "" && strings.Trim(codes, "0123456789;") == ""
}

// isProtocol reports whether s is a version of a protocol for encryption, perhaps the lowest one:
// `TLSv1.2`, `TLSv1.2+`.
func isProtocol(s string) bool {
	version, found := strings.CutPrefix(strings.TrimSuffix(s, "+"), "TLSv")
	if !found {
		version, found = strings.CutPrefix(version, "SSLv")
	}
	return found && version != "" && strings.Trim(version, "0123456789.") == ""
}

// isLocale reports whether s is a locale with its encoding: `de_DE.UTF-8`.
func isLocale(s string) bool {
	language, encoding, found := strings.Cut(s, ".")
	return found && len(language) == len("de_DE") && language[2] == '_' && strings.HasPrefix(strings.ToUpper(encoding), "UTF")
}

// isPort reports whether s is a port with its protocol: `464/tcp`.
func isPort(s string) bool {
	port, protocol, found := strings.Cut(s, "/")
	if !found || !alphabet.IsNumber(port) {
		return false
	}
	switch strings.ToLower(protocol) {
	case "tcp", "udp", "sctp", "dccp", "tcp6", "udp6":
		return true
	}
	return false
}

// IsUUID reports whether s is a UUID in lower or upper case.
func IsUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && alphabet.IsHex(strings.ReplaceAll(s, "-", ""))
}

// isSID reports whether s is the security identifier of an account or a group of Windows:
// `S-1-5-21-1004336348-1177238915-682003330-512`.
func isSID(s string) bool {
	rest, found := strings.CutPrefix(s, "S-1-")
	return found && rest != "" && strings.Trim(rest, "0123456789-") == ""
}

// isUUIDWithin reports whether s is a UUID with a prefix or a suffix: `Q-…-0`.
func isUUIDWithin(s string) bool {
	i := strings.IndexByte(s, '-')
	return len(s) < 48 && i >= 0 && i+37 <= len(s) && IsUUID(s[i+1:i+37])
}

// IsProse reports whether s is a sentence: three words or more, most of which consist of
// letters.
func IsProse(s string) bool {
	n, plainWords := 0, 0
	for w := range strings.FieldsSeq(s) {
		n++
		if alphabet.IsLatin(strings.Trim(w, ".,;:!?()'\"`")) {
			plainWords++
		}
	}
	return n >= 3 && plainWords*3 >= n*2
}

// isIndex reports whether s is a field name with an index, as in forms and item keys:
// `login[Password]`.
func isIndex(s string) bool {
	i := strings.IndexByte(s, '[')
	return i > 0 && s[len(s)-1] == ']' && alphabet.IsLatinName(s[:i]) && alphabet.IsLatinName(s[i+1:len(s)-1])
}

// IsBase64Byte reports whether c is a digit of base64, of either alphabet.
func IsBase64Byte(c byte) bool {
	return alphabet.IsAlnum(c) || c == '+' || c == '/' || c == '-' || c == '_'
}

// IsBase64 reports whether s consists of base64 and its padding.
func IsBase64(s string) bool {
	t := strings.TrimRight(s, "=")
	for i := range len(t) {
		if c := t[i]; !alphabet.IsAlnum(c) && c != '+' && c != '/' && c != '-' && c != '_' {
			return false
		}
	}
	return t != "" && len(s)-len(t) < 3
}
