package verdict

import (
	"net/netip"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// isPath reports whether s is the path of a file.
func isPath(s string) bool {
	if strings.ContainsAny(s, "\n") {
		return false
	}
	if first, rest, found := strings.Cut(s, ","); found && strings.HasPrefix(s, "/") && strings.Contains(rest, "=") {
		s = first // options after the path, as of a mount
	}
	switch {
	case strings.HasPrefix(s, "|/"): // a program that reads a pipe
		program, _, _ := strings.Cut(s[1:], " ")
		return isPath(program)
	case IsRooted(s):
		return !strings.ContainsAny(s, "=#|&;<>")
	case strings.HasPrefix(s, "/") && len(s) > 1:
		// Base64 may begin with `/`, too, but a path has short, readable parts.
		return isPathText(s)
	case strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `\\`):
		return true
	case len(s) > 3 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && alphabet.IsAlnum(s[0]):
		return !strings.ContainsAny(s[2:], `:*?"<>|`)
	case strings.HasPrefix(s, "HKLM\\"), strings.HasPrefix(s, "HKEY_"), strings.HasPrefix(s, "HKCU\\"):
		return true
	}
	for _, ext := range []string{".pem", ".key", ".crt", ".cer", ".txt", ".conf", ".cfg", ".ini", ".yaml", ".yml", ".json", ".xml", ".p12", ".pfx",
		".jks", ".pub", ".sh", ".asc", ".gpg", ".keytab", ".der", ".psk", ".pass", ".passwd", ".secret", ".token", ".env", ".erb", ".epp", ".rb", ".py"} {
		if strings.HasSuffix(s, ext) && len(s) > len(ext) && !strings.ContainsAny(s, " +=!#") {
			return true
		}
	}
	return strings.Count(s, "/") >= 2 && !strings.Contains(s, "//") && isPathText("/"+s)
}

// roots are the first directories of absolute paths.
var roots = []string{"/etc/", "/var/", "/usr/", "/opt/", "/srv/", "/home/", "/root/", "/run/", "/tmp/", "/mnt/", "/media/", "/data/", "/proc/", "/sys/", "/dev/",
	"/lib/", "/boot/", "/bin/", "/sbin/", "/secrets/", "/vault/", "/app/", "/u01/", "/export/", "/nfs/", "/Users/", "/Library/", "/private/", "/snap/"}

// IsRooted reports whether s begins with one of the usual directories below the root.
func IsRooted(s string) bool {
	for _, r := range roots {
		if strings.HasPrefix(s, r) {
			return true
		}
	}
	return false
}

// isPathText reports whether no part between slashes looks random.
func isPathText(s string) bool {
	if strings.ContainsAny(s, " \t+=!#|&;<>") {
		return false
	}
	for part := range strings.SplitSeq(s[1:], "/") {
		if len(part) > 12 && IsRandom(part) {
			return false
		}
	}
	const words = 0.3
	long := 16
	if digits, lower, upper, _ := alphabet.Count(s); min(digits, lower, upper) > 0 {
		long = 8
	}
	return len(s) < long || readable(s) >= words || !IsRandom(strings.ReplaceAll(s, "/", "")) // base64
}

// isAddress reports whether s is a URL, a host name or a network address. URLs with a
// password have a rule of their own.
func isAddress(s string, as NameClass) bool {
	if isURL(strings.TrimLeft(s, "<(`")) {
		return true
	}
	if strings.Contains(s, "@") && !strings.ContainsAny(s, " !#$%^&*") {
		// An email address: the only @ is followed by a domain with a dot.
		local, domain, _ := strings.Cut(s, "@")
		if local != "" && IsHost(domain) && strings.Contains(domain, ".") && domain == strings.ToLower(domain) && alphabet.IsLetter(domain[len(domain)-1]) {
			return true
		}
	}
	if isInternet(s) {
		return true
	}
	host, port, found := strings.Cut(s, ":")
	if found && alphabet.IsNumber(port) && len(port) <= 5 && IsHost(host) && (strings.Contains(host, ".") || host == "localhost") {
		return true
	}
	if IsHost(s) && strings.Count(s, ".") >= 2 && !alphabet.IsNumber(s[strings.LastIndexByte(s, '.')+1:]) && !IsRandom(strings.ReplaceAll(s, ".", "")) && !(as.Open() && s != strings.ToLower(s)) {
		return true
	}
	return s == "localhost" || strings.HasPrefix(s, "unix:") || !as.Open() && IsHost(s) && strings.Count(s, ".") == 1 && !strings.ContainsAny(s, "0123456789") && !isMixed(s[strings.IndexByte(s, '.')+1:])
}

// isURL reports whether s begins with the scheme of a URL.
func isURL(s string) bool {
	i := strings.Index(s, "://")
	return i > 0 && i < 16 && isScheme(s[:i])
}

// isMixed reports whether the letters after the first one are of both cases.
func isMixed(s string) bool {
	_, lower, upper, _ := alphabet.Count(s[min(1, len(s)):])
	return lower > 0 && upper > 0 && !isCamel(s)
}

// isInternet reports whether s is an IPv6 address, with or without a port, or a network
// prefix. IPv4 addresses count as versions.
func isInternet(s string) bool {
	if strings.Count(s, ":") >= 2 {
		if _, err := netip.ParseAddr(s); err == nil {
			return true
		}
		if _, err := netip.ParseAddrPort(s); err == nil {
			return true
		}
	}
	_, err := netip.ParsePrefix(s)
	return err == nil
}

// isPairs reports whether s consists of pairs of hexadecimal digits separated by colons, as
// many as a MAC address or a digest has.
func isPairs(s string) bool {
	const pair = 3 // including its colon
	if (len(s)+1)%pair != 0 {
		return false
	}
	switch (len(s) + 1) / pair {
	case 6, 8, 16, 20, 32:
	default:
		return false
	}
	for i := range len(s) {
		if (s[i] == ':') != (i%pair == pair-1) {
			return false
		}
	}
	return alphabet.IsHex(strings.ReplaceAll(s, ":", ""))
}

func isScheme(s string) bool {
	for i := range len(s) {
		if !alphabet.IsAlnum(s[i]) && s[i] != '+' && s[i] != '-' && s[i] != '.' && s[i] != ':' {
			return false
		}
	}
	return s != "" && !alphabet.IsNumber(s[:1])
}

// IsHost reports whether s has the form of a host name.
func IsHost(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for i := range len(label) {
			if !alphabet.IsAlnum(label[i]) && label[i] != '-' && label[i] != '_' {
				return false
			}
		}
	}
	return true
}

// IsServer reports whether s is the name of a host with its domain, or an IPv4 address, perhaps with a port.
func IsServer(s string) bool {
	const parts, shortest = 4, 2
	host, _, _ := strings.Cut(s, ":")
	dot := strings.LastIndexByte(host, '.')
	if dot < 0 || !IsHost(host) {
		return false
	}
	if alphabet.IsNumber(strings.ReplaceAll(host, ".", "")) {
		return strings.Count(host, ".") == parts-1
	}
	return len(host)-dot > shortest && alphabet.IsLatin(host[dot+1:])
}
