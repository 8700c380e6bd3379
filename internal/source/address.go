package source

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/address"
)

// System is where catalogs come from. Its text is the scheme of an address.
type System string

// The systems.
const (
	PuppetDB     System = "puppetdb"     // the catalogs that servers have stored
	PuppetServer System = "puppetserver" // a catalog that is compiled for the request
	Agent        System = "agent"        // the catalog that the agent on this machine has cached
)

// systems returns all systems.
func systems() []System { return []System{PuppetDB, PuppetServer, Agent} }

// Address names one or more catalogs in a system. The zero value is invalid;
// [ParseAddress] makes one of its text:
//
//	puppetdb:[//HOST[:PORT]/][CERTNAME][?query=QUERY][&what=WHAT[&since=TIME]]
//	puppetserver:[//HOST[:PORT]/][CERTNAME][?environment=NAME]
//	agent:[CERTNAME][?what=WHAT]
//
// Without a certname, an address of PuppetDB or Puppet Server names all active
// nodes in PuppetDB, or the nodes that QUERY selects.
type Address struct {
	System System
	// Host is HOST or HOST:PORT. Empty means the host of the [Settings].
	Host string
	// Insecure sends requests to Host in plain text (tls=no). It is only for
	// PuppetDB, which has a port for that.
	Insecure bool
	// Node is the certname of one node. Empty means several nodes, except for
	// Agent, where it means the certname of the Settings.
	Node string
	// Query selects nodes if Node is empty: PQL, or an AST query of the nodes
	// endpoint, which begins with a bracket.
	Query string
	// Environment is the environment to compile in. Empty means the last
	// environment of the node in PuppetDB, or that of the Settings.
	Environment string
	// What names the documents of a node: of PuppetDB, "reports", "events", "facts" or "resources",
	// and of Agent, "report" or "facts". Empty means its catalog.
	What string
	// Since selects the reports and events from a time on, in ISO 8601. Empty means those of the last
	// run of each node.
	Since string
	// API is "v3" or "v4". Empty means v3 for the node and the environment of
	// the Settings, and v4 for any other, because v3 stores the catalog.
	API string
}

// IsAddress reports whether a text begins like an address: with the name of a
// system and a colon.
func IsAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, ":")
	return ok && slices.Contains(systems(), System(scheme))
}

// parameters are the parameters that addresses of a system can have.
var parameters = map[System][]string{
	PuppetDB:     {"query", "tls", "what", "since"},
	PuppetServer: {"environment", "api", "query"},
	Agent:        {"what"},
}

// The documents of a node besides its catalog, as in [Address.What].
const (
	reports   = "reports"
	events    = "events"
	facts     = "facts"
	resources = "resources"
	report    = "report" // of the agent
)

// documents are the values of What for a system.
var documents = map[System][]string{PuppetDB: {reports, events, facts, resources}, Agent: {report, facts}}

// ParseAddress parses the text of an address.
func ParseAddress(text string) (Address, error) {
	scheme, rest, _ := strings.Cut(text, ":")
	if !IsAddress(text) {
		return Address{}, fmt.Errorf("%q is not an address, which has puppetdb:, puppetserver: or agent: in front", text)
	}
	a := Address{System: System(scheme)}
	rest, query, _ := strings.Cut(rest, "?")
	if err := a.parameters(query); err != nil {
		return Address{}, err
	}
	if authority, found := strings.CutPrefix(rest, "//"); found {
		if strings.Contains(authority, "@") { // also after a slash in a password: other messages repeat the text
			return Address{}, errors.New("an address cannot contain a user or a password; use a client certificate, or a token file")
		}
		a.Host, rest, _ = strings.Cut(authority, "/")
		if err := a.checkHost(); err != nil {
			return Address{}, err
		}
	}
	node, err := url.PathUnescape(rest)
	if err != nil {
		return Address{}, err
	}
	a.Node = node
	return a, a.check()
}

// parameters sets the members that are parameters of the address.
func (a *Address) parameters(query string) error {
	values, err := address.Parse(query)
	if err != nil {
		return err
	}
	for name, value := range values {
		if !slices.Contains(parameters[a.System], name) {
			known := strings.Join(parameters[a.System], ", ")
			if known == "" {
				known = "none"
			}
			return fmt.Errorf("%s: has no parameter %q; parameters: %s", a.System, name, known)
		}
		switch name {
		case "query":
			a.Query = value
		case "what":
			if !slices.Contains(documents[a.System], value) {
				return fmt.Errorf("what=%s: use %s", value, strings.Join(documents[a.System], ", "))
			}
			a.What = value
		case "since":
			a.Since = value
		case "environment":
			a.Environment = value
		case "api":
			a.API = value
		case "tls":
			if value != "yes" && value != "no" {
				return fmt.Errorf("tls=%s: use yes or no", value)
			}
			a.Insecure = value == "no"
		}
	}
	return nil
}

func (a *Address) checkHost() error {
	u, err := url.Parse("https://" + a.Host)
	switch {
	case err != nil || u.Host != a.Host || u.Hostname() == "" || strings.HasSuffix(a.Host, ":") || strings.ContainsAny(a.Host, "#?"):
		return fmt.Errorf("%q is not a host, or a host and a port", a.Host)
	case a.System == Agent:
		return errors.New("agent: is the agent of this machine, and has no host")
	}
	return nil
}

// check returns an error for members that contradict each other, or that are no names.
func (a *Address) check() error {
	switch {
	case a.Node != "" && !address.IsCertname(a.Node):
		return fmt.Errorf("%q is not a certname, which is printable ASCII in lower case without a slash", a.Node)
	case a.Node != "" && a.Query != "":
		return fmt.Errorf("%s: use a certname or a query, not both", a.System)
	case a.Insecure && a.Host == "":
		return errors.New("tls=no needs a host, such as puppetdb://localhost:8080/?tls=no")
	case a.Since != "" && a.What != reports && a.What != events:
		return errors.New("since=TIME needs what=reports or what=events")
	case a.API != "" && a.API != apiV3 && a.API != apiV4:
		return fmt.Errorf("api=%s: use v3 or v4", a.API)
	}
	return nil
}

// The versions of Puppet Server's API for catalogs.
const (
	apiV3 = "v3" // for agents: stores the facts and the catalog
	apiV4 = "v4" // for services: can store nothing
)

// String returns the text of the address. [ParseAddress] accepts it.
func (a Address) String() string {
	var b strings.Builder
	b.WriteString(string(a.System) + ":")
	if a.Host != "" {
		b.WriteString("//" + a.Host + "/")
	}
	b.WriteString(address.EscapeNode(a.Node))
	begin := "?"
	add := func(name, value string) {
		if value != "" {
			b.WriteString(begin + name + "=" + address.Escape(value))
			begin = "&"
		}
	}
	add("environment", a.Environment)
	add("api", a.API)
	add("query", a.Query)
	add("what", a.What)
	add("since", a.Since)
	if a.Insecure {
		add("tls", "no")
	}
	return b.String()
}
