package detect

import "strings"

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
