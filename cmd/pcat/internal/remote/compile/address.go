package compile

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/address"
)

// Scheme begins each address, before a colon.
const Scheme = "compile"

// Address names catalogs that are compiled from a repository. The zero value names all
// nodes of the working tree; [ParseAddress] makes one of its text:
//
//	compile:[CERTNAME][?ref=REF&repo=DIR&dir=DIR&facts=PATH&environment=NAME]
type Address struct {
	// Node is the certname of one node. Empty means all nodes with facts.
	Node string
	// Ref is a branch, tag or commit. Empty and "." mean the working tree.
	Ref string
	// Repo is a directory in a Git repository. Empty means the default.
	Repo string
	// Dir is the directory of the environment below the root of the repository. Empty means the default.
	Dir string
	// Facts are a file or a directory, or "puppetdb:" with a query. Empty means the default.
	Facts string
	// Environment is the name of the environment. Empty means the default.
	Environment string
}

// IsAddress reports whether a text begins like an address: with the scheme and a colon.
func IsAddress(text string) bool { return strings.HasPrefix(text, Scheme+":") }

// parameterNames are the parameters of an address.
func parameterNames() []string { return []string{"dir", "environment", "facts", "ref", "repo"} }

// ParseAddress parses the text of an address.
func ParseAddress(text string) (Address, error) {
	rest, ok := strings.CutPrefix(text, Scheme+":")
	if !ok {
		return Address{}, fmt.Errorf("%q is not an address, which has compile: in front", text)
	}
	node, query, _ := strings.Cut(rest, "?")
	values, err := address.Parse(query)
	if err != nil {
		return Address{}, err
	}
	for name, value := range values {
		if !slices.Contains(parameterNames(), name) {
			return Address{}, fmt.Errorf("compile: has no parameter %q; parameters: %s", name, strings.Join(parameterNames(), ", "))
		}
		if value == "" {
			return Address{}, fmt.Errorf("parameter %s is empty; is a variable unset?", name)
		}
	}
	a := Address{Ref: values["ref"], Repo: values["repo"], Dir: values["dir"], Facts: values["facts"], Environment: values["environment"]}
	if a.Node, err = url.PathUnescape(node); err != nil {
		return Address{}, err
	}
	if a.Node != "" && !address.IsCertname(a.Node) {
		return Address{}, fmt.Errorf("%q is not a certname, which is printable ASCII in lower case without a slash", a.Node)
	}
	return a, checkEnvironment(a.Environment)
}

// checkEnvironment returns an error for a name that Puppet does not accept.
func checkEnvironment(name string) error {
	invalid := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	if strings.IndexFunc(name, invalid) >= 0 {
		return errors.New("environment " + name + ": Puppet accepts only letters, digits and _; a branch is named with ref=")
	}
	return nil
}

// String returns the text of the address. [ParseAddress] accepts it.
func (a Address) String() string {
	var b strings.Builder
	b.WriteString(Scheme + ":" + address.EscapeNode(a.Node))
	begin := "?"
	for _, p := range [][2]string{{"ref", a.Ref}, {"repo", a.Repo}, {"dir", a.Dir}, {"facts", a.Facts}, {"environment", a.Environment}} {
		if p[1] != "" {
			b.WriteString(begin + p[0] + "=" + address.Escape(p[1]))
			begin = "&"
		}
	}
	return b.String()
}
