package stdlib

import (
	"crypto/sha1" //nolint:gosec // likewise
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleAddressFunctions returns functions about addresses of the network.
func moduleAddressFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "enclose_ipv6",
			Doc:        "Returns a list of addresses, each once, with the ones of IPv6 in square brackets. A * stays.",
			Dispatches: one("Variant[String, Array] addresses", encloseIPv6),
		},
		{
			Name: "ip_in_range",
			Doc:  "Reports whether an address, or all addresses of a network, are in a network or in one of several.",
			Dispatches: one("String ipaddress, Variant[String, Array] range >> Boolean", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				address, err := parseNetwork(str(args[0]))
				if err != nil {
					return nil, err
				}
				ranges, ok := args[1].(*pcore.Array)
				if !ok {
					ranges = pcore.NewArray(args[1])
				}
				found := false
				for v := range ranges.Values() {
					s, ok := v.(pcore.String)
					if !ok {
						return nil, errors.New("the address of a network must be a String")
					}
					network, err := parseNetwork(string(s))
					if err != nil {
						return nil, err
					}
					found = found || network.contains(address)
				}
				return pcore.Boolean(found), c.Spend(ranges.Len())
			}),
		},
		{
			Name:       "fqdn_uuid",
			Doc:        "Returns the UUID of a name in the namespace of DNS, of version 5.",
			Dispatches: one("String fqdn", fqdnUUID),
		},
	}
}

func encloseIPv6(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	var result []pcore.Value
	seen := map[string]bool{}
	for v := range flattened(args) {
		if pcore.Is[pcore.Undef](v) {
			continue
		}
		text, ok := v.(pcore.String)
		if !ok {
			return nil, errors.New("an address must be a String")
		}
		if text != "*" {
			network, err := parseNetwork(string(text))
			if err != nil {
				return nil, fmt.Errorf("Wrong argument given %s is not an ip address.", text) //nolint:staticcheck,revive // the reference's words
			}
			if network.Addr().Is6() {
				text = pcore.String("[" + rubyAddress(network.Addr()) + network.zone + "]")
			}
		}
		if err := c.Spend(len(text)); err != nil {
			return nil, err
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			result = append(result, text)
		}
	}
	return pcore.NewArray(result...), nil
}

// network is an address with a prefix: all bits of it for a single address.
type network struct {
	netip.Prefix
	zone string // with its %
}

func (n network) contains(o network) bool {
	return n.Addr().Is4() == o.Addr().Is4() && n.Bits() <= o.Bits() && n.Contains(o.Addr())
}

var (
	addressZone   = lazyregexp.New(`^(.*)(%\w+)$`)
	prefixLength  = lazyregexp.New(`^(?:0|[1-9]+[0-9]*)$`)
	errNoAddress  = errors.New("invalid address")
	errNoNetmask  = errors.New("invalid netmask")
	errBadNetwork = errors.New("invalid length of a prefix")
)

// parseNetwork parses an address as Ruby's IPAddr does: with square brackets or a zone, which
// only IPv6 has, and with a netmask or the length of a prefix.
func parseNetwork(text string) (network, error) {
	text, mask, masked := strings.Cut(text, "/")
	only6 := false
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text, only6 = text[1:len(text)-1], true
	}
	zone := ""
	if m := addressZone.Get().FindStringSubmatch(text); m != nil {
		text, zone, only6 = m[1], m[2], true
	}
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" || only6 && a.Is4() {
		return network{}, errNoAddress
	}
	bits := a.BitLen()
	switch {
	case !masked:
	case prefixLength.Get().MatchString(mask):
		n, err := leadingInteger(pcore.String(mask))
		if err != nil || n > int64(bits) {
			return network{}, errBadNetwork
		}
		bits = int(n)
	default:
		if bits, err = netmask(mask, a); err != nil {
			return network{}, err
		}
	}
	return network{netip.PrefixFrom(a, bits).Masked(), zone}, nil
}

// netmask returns the length of the prefix that a netmask for the address means.
func netmask(text string, a netip.Addr) (int, error) {
	m, err := netip.ParseAddr(text)
	if err != nil || m.Is4() != a.Is4() {
		return 0, errNoNetmask
	}
	bits, ended := 0, false
	for _, b := range m.AsSlice() {
		for i := 7; i >= 0; i-- {
			set := b>>i&1 == 1
			if set && ended {
				return 0, errNoNetmask
			}
			ended = ended || !set
			if set {
				bits++
			}
		}
	}
	return bits, nil
}

var compatible = lazyregexp.New(`^::([0-9a-f]{1,4}):([0-9a-f]{1,4})$`)

// rubyAddress returns the text of an address as Ruby writes it: like Go, but with the address
// of IPv4 in one that is compatible with it.
func rubyAddress(a netip.Addr) string {
	s := a.String()
	if !compatible.Get().MatchString(s) {
		return s
	}
	b := a.As16()
	return fmt.Sprintf("::%d.%d.%d.%d", b[12], b[13], b[14], b[15])
}

// fqdnUUID returns the UUID of RFC 4122 that is made of a name.
func fqdnUUID(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	const namespaceOfDNS = "\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8"
	b := sha1.Sum([]byte(namespaceOfDNS + str(args[0]))) //nolint:gosec // as the standard says
	b[6] = b[6]&0x0f | 0x50
	b[8] = b[8]&0x3f | 0x80
	return pcore.String(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])), nil
}
