package cli

import (
	"net/url"
	"strings"
)

// URLHint returns the remedy for a URL in place of a file or a command: the address of the
// catalogs of that server, or how to read a file of another one. It reports false for any
// other text.
func URLHint(text string) (hint string, isURL bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", false
	}
	const downloading = "download it first: curl -fsSo catalog.json URL"
	switch {
	case u.Port() == "8080" || u.Port() == "8081" || strings.HasPrefix(u.Path, "/pdb") || strings.HasPrefix(u.Host, "puppetdb"):
		return "use the address puppetdb://" + u.Host + "/ or puppetdb://" + u.Host + "/CERTNAME", true
	case u.Port() == "8140" || strings.HasPrefix(u.Path, "/puppet/"):
		return "use the address puppetserver://" + u.Host + "/CERTNAME", true
	default:
		return "use an address such as puppetdb: or puppetserver:CERTNAME for a server of Puppet, or " + downloading, true
	}
}

// noURL returns the error for a file with the name of a URL, nil for any other name. The
// message has no user and no password.
func noURL(name string) error {
	hint, isURL := URLHint(name)
	if !isURL {
		return nil
	}
	if u, err := url.Parse(name); err == nil {
		u.User = nil
		name = u.String()
	}
	return Usage("%s: pcat does not read URLs; %s", name, hint)
}
