// Package address has the grammar that all addresses of catalogs share: parameters and
// certnames belong here. The meaning of parameters belongs to the owners of the addresses.
package address

import (
	"fmt"
	"net/url"
	"strings"
)

// Parse splits parameters at "&". A "+" is no space, and an "=" in a value needs no
// escape, so that a query can be written as it is, but for "&" and "%", which are %26 and
// %25.
func Parse(query string) (map[string]string, error) {
	values := map[string]string{}
	if query == "" {
		return values, nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		text, err := url.PathUnescape(value)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w; write %% as %%25", name, err)
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("parameter %s is given twice; write & in a query as %%26", name)
		}
		values[name] = text
	}
	return values, nil
}

// Escape reverses the unescaping of [Parse].
func Escape(value string) string {
	return strings.NewReplacer("%", "%25", "&", "%26").Replace(value)
}

// EscapeNode returns the text of a certname in an address.
func EscapeNode(name string) string {
	return strings.NewReplacer("%", "%25", "?", "%3F").Replace(name)
}

// IsCertname reports whether Puppet accepts a certname: printable ASCII without a slash, in
// lower case. It is safe as an element of a path.
func IsCertname(name string) bool {
	invalid := func(r rune) bool { return r < ' ' || r > '~' || r == '/' || r >= 'A' && r <= 'Z' }
	return name != "" && name != "." && name != ".." && strings.IndexFunc(name, invalid) < 0
}
