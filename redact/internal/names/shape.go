package names

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/secret"
)

// kind is the kind of a shape.
type kind uint8

const (
	hostShape kind = iota + 1
	mailShape
	ipv4Shape
	ipv6Shape
	macShape
)

func (k kind) String() string { return [...]string{"", "host", "mail", "ipv4", "ipv6", "mac"}[k] }

// address returns the nth address that replaces others: of the ranges for documentation, and
// of one for benchmarks when these are used up. After that, an IPv4 address becomes an IPv6 address
// of a range that replaces no others.
func (k kind) address(n int) string {
	const perNet = 254
	nets := []string{"192.0.2", "198.51.100", "203.0.113"}
	switch {
	case k == ipv4Shape && n <= len(nets)*perNet:
		return fmt.Sprintf("%s.%d", nets[(n-1)/perNet], (n-1)%perNet+1)
	case k == ipv4Shape && n < 1<<17:
		return netip.AddrFrom4([4]byte{198, byte(18 + n>>16), byte(n >> 8), byte(n)}).String()
	case k == ipv4Shape:
		return documented(4, n)
	case k == ipv6Shape:
		return documented(0, n)
	case n <= 255:
		return fmt.Sprintf("00:00:5e:00:53:%02x", n)
	default:
		return fmt.Sprintf("02:00:%02x:%02x:%02x:%02x", 0x5e+n>>24, n>>16&255, n>>8&255, n&255)
	}
}

// documented returns the nth address of a network of the IPv6 range for documentation.
func documented(net byte, n int) string {
	a := [16]byte{0: 0x20, 1: 0x01, 2: 0x0d, 3: 0xb8, 5: net}
	binary.BigEndian.PutUint64(a[8:], uint64(n))
	return netip.AddrFrom16(a).String()
}

// shape is a part of a text that looks like a name.
type shape struct {
	kind       kind
	start, end int
	text       string // normalized: equal for equal names
	at         string // of a mail address, as the text spells it
}

var (
	userPattern   = lazyregexp.New(`^[\p{L}_][\p{L}\d_.-]{0,63}\$?$`)
	hostPattern   = lazyregexp.New(`^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)
	markers       = lazyregexp.New(`\b(?:(?:host|user|group|mail)-\d+|domain-\d+\.invalid)\b`)
	markerPattern = lazyregexp.New(`^(?:(?:(?:host|user|group|mail)-\d+)|(?:(?:host-\d+\.)?domain-\d+\.invalid))$`)
	homes         = lazyregexp.New(`(?:/home/|/Users/|\\Users\\)([\p{L}_][\p{L}\d_.-]*)`)
	sshKeys       = lazyregexp.New(`(?:ssh-[a-z0-9]+|ecdsa-[a-z0-9-]+|^) ?AAAA[A-Za-z0-9+/=]+ +([\p{L}\d_.-]+@[A-Za-z0-9_.-]+)`)
	settings      = lazyregexp.New(`(?m)^[ \t]*["']?([\w.-]+)["']?[ \t]*[=:][ \t]*["']?([\w.@-]+)["']?[;,]?[ \t]*\r?$`)

	mails    = lazyregexp.New(`([A-Za-z0-9_][A-Za-z0-9_.+-]*)(@|%40)([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)
	hosts    = lazyregexp.New(`[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_][A-Za-z0-9_-]*)+`)
	urls     = lazyregexp.New(`[a-z][a-z0-9+]*://(?:[^\s/@"'<>]*@)?([A-Za-z0-9_][A-Za-z0-9_.-]*)`)
	ipv4s    = lazyregexp.New(`\d{1,3}(?:\.\d{1,3}){3}`)
	networks = lazyregexp.New(`\d{1,3}(?:\.\d{1,3}){1,2}\.[%*]`)
	ipv6s    = lazyregexp.New(`[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*|[0-9A-Fa-f]{0,4}::[0-9A-Fa-f:.]*`)
	macs     = lazyregexp.New(`[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}`)
)

// find returns the parts of a text that look like names, in order, without overlaps. If learn is
// set, it notes the names for later calls.
func (s *Set) find(text string, learn bool) []shape {
	if !strings.ContainsAny(text, ".:-") {
		return nil
	}
	dots, colons, dashes := strings.Count(text, "."), strings.Count(text, ":"), strings.Count(text, "-")
	var all []shape
	for start, end := range secret.FindMarkers(text) {
		all = append(all, shape{0, start, end, text[start:end], ""})
	}
	if dots > 0 {
		if strings.Contains(text, "@") || strings.Contains(text, "%40") {
			all = merged(all, s.mails(text, learn))
		}
		if strings.Contains(text, "://") {
			all = merged(all, urlHosts(text))
		}
		all = merged(all, s.hosts(text, learn))
	}
	if colons >= 5 || dashes >= 5 || dots >= 2 {
		all = merged(all, s.macs(text, learn))
	}
	if colons >= 2 {
		all = merged(all, s.ipv6s(text, learn))
	}
	if dots >= 3 {
		all = merged(all, s.ipv4s(text, learn))
	}
	if strings.Contains(text, ".%") || strings.Contains(text, ".*") {
		all = merged(all, networksIn(text))
	}
	return slices.DeleteFunc(all, func(f shape) bool { return f.kind == hostShape && isMarker(f.text) })
}

// merged returns the shapes of two lists in order, without shapes of the second one that overlap
// with some of the first one.
func merged(first, second []shape) []shape {
	if len(first) == 0 || len(second) == 0 {
		return append(first, second...)
	}
	all := make([]shape, 0, len(first)+len(second))
	i := 0
	for _, f := range second {
		for i < len(first) && first[i].end <= f.start {
			all = append(all, first[i])
			i++
		}
		if i == len(first) || f.end <= first[i].start {
			all = append(all, f)
		}
	}
	return append(all, first[i:]...)
}

func (s *Set) mails(text string, learn bool) (all []shape) {
	for _, m := range mails.Get().FindAllStringSubmatchIndex(text, -1) {
		start := afterEscape(text, m[0])
		run := cut(text[m[6]:m[7]])
		host := s.trimmed(run, true)
		if host != "" && start < m[3] {
			local := strings.ToLower(text[start:m[3]])
			all = append(all, shape{mailShape, start, m[6] + len(host), local + "@" + strings.ToLower(host), text[m[4]:m[5]]})
		}
		if learn && len(host) < len(run) {
			s.learnPart(text[start : m[6]+len(run)])
		}
	}
	return all
}

func urlHosts(text string) (all []shape) {
	for _, m := range urls.Get().FindAllStringSubmatchIndex(text, -1) {
		host := strings.ToLower(strings.TrimRight(text[m[2]:m[3]], ".-"))
		if strings.Contains(host, ".") && len(host) <= longestHost && hostPattern.Get().MatchString(host) && !isAddress(host) && !isSpecial(host) {
			all = append(all, shape{hostShape, m[2], m[2] + len(host), host, ""})
		}
	}
	return all
}

func (s *Set) hosts(text string, learn bool) (all []shape) {
	for _, m := range hosts.Get().FindAllStringIndex(text, -1) {
		for start := afterEscape(text, m[0]); start < m[1]; {
			run := cut(text[start:m[1]])
			host := s.trimmed(run, false)
			if host != "" {
				all = append(all, shape{hostShape, start, start + len(host), strings.ToLower(host), ""})
			}
			if learn && len(host) < len(run) && !isAddress(run) {
				s.learnPart(run)
			}
			start += len(run) + 1
		}
	}
	return all
}

// learnPart notes a part of a text that contains a host, or a longer one, if it is in the domain of
// a node that is added later.
func (s *Set) learnPart(text string) {
	list, key := s.list(), " "+text // a shape has no blank
	if s.isNew(key, list) {
		s.partial[list] = append(s.partial[list], key[1:])
	}
}

func (s *Set) macs(text string, learn bool) (all []shape) {
	for _, m := range macs.Get().FindAllStringIndex(text, -1) {
		plain := strings.ToLower(strings.Map(hexDigit, text[m[0]:m[1]]))
		switch {
		case plain == "000000000000" || plain == "ffffffffffff":
		case strings.HasPrefix(plain, "00005e0053") || strings.HasPrefix(plain, "02005e"):
			if learn {
				s.taken[strings.Join([]string{plain[:2], plain[2:4], plain[4:6], plain[6:8], plain[8:10], plain[10:]}, ":")] = true
			}
		case isApart(text, m[0], m[1], ":-"):
			all = append(all, shape{macShape, m[0], m[1], plain, ""})
		}
	}
	return all
}

// hexDigit removes the separators of a hardware address.
func hexDigit(r rune) rune {
	if strings.ContainsRune(":-.", r) {
		return -1
	}
	return r
}

func (s *Set) ipv6s(text string, learn bool) (all []shape) {
	for _, m := range ipv6s.Get().FindAllStringIndex(text, -1) {
		end := m[0] + len(strings.TrimRight(text[m[0]:m[1]], "."))
		if address, ok := s.addressOf(text[m[0]:end], learn); ok && isApart(text, m[0], end, ":") && strings.ContainsAny(text[m[0]:end], "0123456789") {
			all = append(all, shape{ipv6Shape, m[0], end, address, ""})
		}
	}
	return all
}

func (s *Set) ipv4s(text string, learn bool) (all []shape) {
	for _, m := range ipv4s.Get().FindAllStringIndex(text, -1) {
		if address, ok := s.addressOf(text[m[0]:m[1]], learn); ok && isApart(text, m[0], m[1], ".") {
			all = append(all, shape{ipv4Shape, m[0], m[1], address, ""})
		}
	}
	return all
}

// networksIn returns the beginnings of addresses in accounts and access lists: `10.1.%`.
func networksIn(text string) (all []shape) {
	for _, m := range networks.Get().FindAllStringIndex(text, -1) {
		if isApart(text, m[0], m[1], ".") {
			all = append(all, shape{ipv4Shape, m[0], m[1] - 1, text[m[0] : m[1]-1], ""})
		}
	}
	return all
}

// afterEscape returns the start of a match, behind the letter of an escape such as `\n`.
func afterEscape(text string, start int) int {
	if isEscape(text, start+1) && start+1 < len(text) {
		return start + 1
	}
	return start
}

// isApart reports whether a part of a text is no part of a word, or of a longer sequence with
// the same separators.
func isApart(text string, start, end int, separators string) bool {
	if start > 0 && !isEscape(text, start) {
		before := text[start-1]
		if isWord(rune(before)) || before == '.' || strings.IndexByte(separators, before) >= 0 && (start < 2 || isHex(text[start-2])) {
			return false
		}
	}
	if end < len(text) {
		after := text[end]
		if isWord(rune(after)) || strings.IndexByte(separators, after) >= 0 && end+1 < len(text) && isHex(text[end+1]) {
			return false
		}
	}
	return true
}

func isHex(b byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", b) >= 0 }

// addressOf returns the normalized spelling of an address that has to be replaced. If learn is set,
// it notes the ones that stay and could replace others.
func (s *Set) addressOf(text string, learn bool) (string, bool) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.IsLoopback() || a.IsUnspecified() || a.IsMulticast() || a.Is4() && isMask(a.As4()) {
		return "", false
	}
	for _, r := range reserved() {
		if r.Contains(a) {
			if learn {
				s.taken[a.String()] = true
			}
			return "", false
		}
	}
	return a.String(), true
}

// reserved are the ranges whose addresses stay.
var reserved = sync.OnceValue(func() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("0.0.0.0/8"),
	}
})

// isMask reports whether an address is a netmask, such as 255.255.255.0.
func isMask(a [4]byte) bool {
	bits := uint32(a[0])<<24 | uint32(a[1])<<16 | uint32(a[2])<<8 | uint32(a[3])
	inverse := ^bits
	return a[0] >= 128 && inverse&(inverse+1) == 0
}

// isAddress reports whether a text is an address or a number.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil || strings.Trim(text, "0123456789.") == ""
}

// longestHost is the length of the longest name of a host.
const longestHost = 253

// cut returns the beginning of a text with dots that may be the name of a host. It ends at a dot.
func cut(text string) string {
	if len(text) <= longestHost {
		return text
	}
	end := strings.LastIndexByte(text[:longestHost+1], '.')
	if end < 0 {
		end = strings.IndexByte(text, '.')
	}
	if end < 0 {
		return text
	}
	return text[:end]
}

// trimmed returns the part of a text with dots that is a host name: up to the last label that
// is a top-level domain, such as web01.example.com of web01.example.com.pem, or the end of a
// domain of a node. After the @ of a mail address, any label is one, except for that of a unit
// of systemd. The text is one of cut.
func (s *Set) trimmed(text string, mail bool) string {
	if len(text) > longestHost {
		return ""
	}
	var ends []int // of the labels
	for start := 0; start <= len(text); start = ends[len(ends)-1] + 1 {
		end := strings.IndexByte(text[start:], '.')
		if end < 0 {
			end = len(text) - start
		}
		if !isLabel(text[start : start+end]) {
			break
		}
		ends = append(ends, start+end)
	}
	lower := strings.ToLower(text)
	for n := len(ends); n >= 2; n-- {
		end := ends[n-1]
		last := ends[n-2] + 1
		least, ok := topLevel()[lower[last:end]]
		ok = ok && n >= least || mail && isMailDomain(text[last:end]) || s.inDomain(lower[:end])
		if ok && !isSpecial(lower[:end]) {
			return text[:end]
		}
	}
	return ""
}

// isLabel reports whether a text of letters, digits, - and _ is a label of a host name.
func isLabel(text string) bool {
	return text != "" && text[0] != '-' && (len(text) == 1 || strings.IndexByte("-_", text[len(text)-1]) < 0)
}

// inDomain reports whether a host is in the domain of a node.
func (s *Set) inDomain(host string) bool {
	start := len(host)
	for range s.depth {
		if start = strings.LastIndexByte(host[:start], '.'); s.own[host[start+1:]] {
			return true
		}
		if start < 0 {
			return false
		}
	}
	return false
}

// isMailDomain reports whether a label can be the last one of the domain of a mail address.
func isMailDomain(label string) bool {
	return len(label) >= 2 && strings.Trim(label, "0123456789-") == label && !units()[label] && !isFileName("."+label)
}

var units = sync.OnceValue(func() map[string]bool {
	return words("service socket timer mount automount target path slice scope device swap")
})

// isFileName reports whether a text is the name of a file, not of a host.
func isFileName(text string) bool {
	for _, end := range []string{".conf", ".cfg", ".ini", ".pem", ".crt", ".key", ".yaml", ".yml", ".json", ".service", ".socket", ".sock", ".log", ".txt", ".erb", ".epp"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

func isMarker(text string) bool {
	return secret.IsMarker(text) || markerPattern.Get().MatchString(text)
}
