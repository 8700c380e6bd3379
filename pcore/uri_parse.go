package pcore

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// uriParts contains the components of a URI as written.
type uriParts struct {
	scheme, userinfo, host, port, path, opaque, query, fragment *string
}

func badURI(text string) error {
	return fmt.Errorf("%w (is not URI?): %q", errURI, text)
}

// splitURI parses a URI or a relative reference by RFC 3986.
func splitURI(text string) (uriParts, error) {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return uriParts{}, fmt.Errorf("%w: it must be ASCII only: %q", errURI, text)
		}
	}
	if n := schemeLength(text); n > 0 {
		scheme := text[:n]
		p := uriParts{scheme: &scheme}
		if p.split(text[n+1:]) {
			return p, nil
		}
	}
	var p uriParts
	if !p.split(text) {
		return uriParts{}, badURI(text)
	}
	return p, nil
}

// schemeLength returns the length of the scheme in bytes, or 0 if there is
// none.
func schemeLength(text string) int {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ':':
			return i
		case isLetter(c):
		case i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		default:
			return 0
		}
	}
	return 0
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f' }

// split parses the text after the scheme, or a relative reference.
func (p *uriParts) split(rest string) bool {
	rest, fragment, ok := strings.Cut(rest, "#")
	if ok {
		if !isURIText(fragment, ":@/?") {
			return false
		}
		p.fragment = &fragment
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	if hasQuery {
		p.query = &query
	}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		end := strings.IndexByte(authority, '/')
		if end < 0 {
			end = len(authority)
		}
		path := authority[end:]
		p.path = &path
		return p.splitAuthority(authority[:end]) && isURIText(path, ":@/")
	}
	if !isURIText(rest, ":@/") {
		return false
	}
	if rest == "" || rest[0] == '/' || p.scheme == nil {
		first, _, _ := strings.Cut(rest, "/")
		p.path = &rest
		return p.scheme != nil || !strings.Contains(first, ":")
	}
	opaque := rest
	if hasQuery {
		opaque += "?" + query
		p.query = nil
	}
	p.opaque = &opaque
	return true
}

func (p *uriParts) splitAuthority(text string) bool {
	if info, host, ok := strings.Cut(text, "@"); ok {
		if !isURIText(info, ":") {
			return false
		}
		p.userinfo, text = &info, host
	}
	host, port := text, ""
	hasPort := false
	if strings.HasPrefix(text, "[") {
		end := strings.IndexByte(text, ']')
		if p.scheme == nil || end < 0 || !isIPLiteral(text[1:end]) {
			return false // Ruby does not accept such a host in a relative reference
		}
		host, port = text[:end+1], text[end+1:]
		if port != "" {
			if port, hasPort = strings.CutPrefix(port, ":"); !hasPort {
				return false
			}
		}
	} else if host, port, hasPort = strings.Cut(text, ":"); !isURIText(host, "") {
		return false
	}
	if host != "" || p.scheme != nil { // Ruby keeps an empty host behind a scheme: puppet:///modules/x
		p.host = &host
	}
	if hasPort {
		p.port = &port
	}
	return allDigits(port)
}

func isIPLiteral(text string) bool {
	if future, ok := strings.CutPrefix(text, "v"); ok {
		version, rest, ok := strings.Cut(future, ".")
		return ok && version != "" && strings.Trim(version, "0123456789abcdefABCDEF") == "" &&
			rest != "" && !strings.Contains(rest, "%") && isURIText(rest, ":")
	}
	addr, err := netip.ParseAddr(text)
	return err == nil && addr.Is6() && addr.Zone() == ""
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isURIText reports whether text consists of percent escapes, of the characters
// that RFC 3986 calls unreserved and sub-delims, and of the characters in more.
func isURIText(text, more string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%':
			if i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2]) {
				return false
			}
			i += 2
		case isLetter(c), isDigit(c), strings.IndexByte("-._~!$&'()*+,;=", c) >= 0, strings.IndexByte(more, c) >= 0:
		default:
			return false
		}
	}
	return true
}

// uri returns the URI after applying Ruby's rules for its scheme.
func (p *uriParts) uri() (*URI, error) {
	v := &URI{host: p.host, opaque: p.opaque}
	if p.scheme != nil {
		v.scheme = strings.ToLower(*p.scheme)
	}
	if err := v.setQuery(p.query); err != nil {
		return nil, err
	}
	v.setFragment(p.fragment)
	v.setUserinfo(p.userinfo)
	if err := v.setPort(p.port); err != nil {
		return nil, err
	}
	if p.path != nil {
		v.path = p.path
	} else if v.opaque == nil {
		v.path = new("")
	}
	return v, v.applyScheme()
}

func (v *URI) setUserinfo(info *string) {
	if info == nil || *info == "" {
		return
	}
	user, password, ok := strings.Cut(*info, ":")
	v.user = &user
	if ok {
		v.password = &password
	}
}

func (v *URI) setPort(port *string) error {
	v.port = defaultPort(v.scheme)
	if port == nil || *port == "" {
		return nil
	}
	n, err := strconv.ParseInt(*port, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: the port %s is out of range", errURI, *port)
	}
	v.port = &n
	return nil
}

// setQuery sets the query, and escapes characters that are invalid in it.
func (v *URI) setQuery(query *string) error {
	if query == nil {
		return nil
	}
	text := withoutBreaks(*query)
	for i := range len(text) - min(2, len(text)) {
		if text[i] == '%' && !isHex(text[i+1]) && !isHex(text[i+2]) {
			return fmt.Errorf("%w: invalid percent escape: %s", errURI, text[i:i+3])
		}
	}
	text = percentEncode(text, func(c byte) bool {
		return c == '!' || '$' <= c && c <= '&' || '(' <= c && c <= ';' || c == '=' || '?' <= c && c <= '_' ||
			'a' <= c && c <= '~'
	})
	v.query = &text
	return nil
}

func (v *URI) setFragment(fragment *string) {
	if fragment == nil {
		return
	}
	text := percentEncode(withoutBreaks(*fragment), func(c byte) bool { return '!' <= c && c <= '~' })
	v.fragment = &text
}

func withoutBreaks(text string) string {
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(text)
}

func percentEncode(text string, plain func(byte) bool) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func (v *URI) applyScheme() error {
	switch v.scheme {
	case "file":
		v.user, v.password, v.port = nil, nil, nil
		if v.host == nil || *v.host == "localhost" {
			v.host = new("")
		}
	case "ftp":
		return v.applyFTP()
	case "ldap", "ldaps":
		if v.fragment != nil || v.path == nil {
			return fmt.Errorf("%w: %q is no LDAP URL", errURI, v.Text())
		}
	case "mailto":
		return v.applyMailto()
	}
	return nil
}

func (v *URI) applyFTP() error {
	if v.path == nil {
		return fmt.Errorf("%w: an ftp URI needs a path: %q", errURI, v.Text())
	}
	path := strings.TrimPrefix(*v.path, "/")
	if rest, ok := strings.CutPrefix(path, "%2F"); ok {
		path = "/" + rest
	}
	v.setPath(path)
	if path, code, ok := strings.Cut(*v.path, ";type="); ok {
		v.path, v.typecode = &path, &code
	}
	return nil
}

// applyMailto checks the addresses in the opaque part.
func (v *URI) applyMailto() error {
	if v.opaque == nil && v.query != nil {
		v.opaque = new("?" + *v.query)
	}
	if v.opaque == nil {
		return fmt.Errorf("%w: missing opaque part for mailto URL: %q", errURI, v.Text())
	}
	to, headers, _ := strings.Cut(*v.opaque, "?")
	for addr := range strings.FieldsFuncSeq(to, func(r rune) bool { return r == ',' || r == ';' }) {
		if user, host, ok := strings.Cut(addr, "@"); !ok || user == "" || host == "" || strings.Contains(host, "@") {
			return fmt.Errorf("%w: unrecognised opaque part for mailto URL: %q", errURI, *v.opaque)
		}
	}
	if headers = strings.TrimRight(headers, "&"); headers != "" {
		to += "?" + headers
	}
	v.opaque = &to
	return nil
}

// set sets a component from a hash.
func (p *uriParts) set(name string, v Value) error {
	to := map[string]**string{
		"scheme": &p.scheme, "userinfo": &p.userinfo, "host": &p.host, "path": &p.path,
		"query": &p.query, "fragment": &p.fragment, "opaque": &p.opaque,
	}[name]
	switch v := v.(type) {
	case String:
		if to != nil {
			*to = new(string(v))
			return nil
		}
	case Integer:
		if name == "port" && v >= 0 {
			p.port = new(strconv.FormatInt(int64(v), 10))
			return nil
		}
	default:
	}
	return fmt.Errorf("%w: there is no component %s of type %s", errURI, name, Generalize(Infer(v)))
}

// build adapts components that are given separately to their scheme. The path of
// ftp is a path on the server. The query of ldap becomes empty, and mailto is
// rejected: Ruby builds both from parts that cannot be given here.
func (p *uriParts) build() error {
	if p.scheme == nil {
		return nil
	}
	switch strings.ToLower(*p.scheme) {
	case "ftp":
		if p.path == nil {
			return fmt.Errorf("%w: an ftp URI needs a path", errURI)
		}
		path := *p.path
		if rest, ok := strings.CutPrefix(path, "/"); ok {
			path = "%2F" + rest
		}
		p.path = new("/" + path)
	case "ldap", "ldaps":
		p.query = new("")
	case "mailto":
		return fmt.Errorf("%w: a mailto URI is made of its text only", errURI)
	}
	return nil
}

// check validates components that are given separately, by Ruby's rules, which
// are stricter than for a complete text.
func (p *uriParts) check() error {
	bad := func(name string, v *string) error {
		return fmt.Errorf("%w: bad component (expected %s component): %s", errURI, name, *v)
	}
	scheme := ""
	if p.scheme != nil {
		if schemeLength(*p.scheme+":") == 0 {
			return bad("scheme", p.scheme)
		}
		scheme = strings.ToLower(*p.scheme)
	}
	switch {
	case p.userinfo != nil && (scheme == "file" || !isURIText(*p.userinfo, ":")):
		return bad("userinfo", p.userinfo)
	case p.host != nil && !isGivenHost(*p.host):
		return bad("host", p.host)
	case p.path != nil && *p.path != "" && !isGivenPath(*p.path, scheme == "" || scheme == "ftp"):
		return bad("path", p.path)
	case p.opaque != nil:
		return p.checkOpaque(scheme)
	}
	if p.host != nil && strings.Contains(*p.host, ":") && !strings.HasPrefix(*p.host, "[") {
		p.host = new("[" + *p.host + "]")
	}
	return nil
}

// checkOpaque rejects an opaque part together with the components that it
// replaces, and for a file, which always has a host.
func (p *uriParts) checkOpaque(scheme string) error {
	if scheme == "file" || p.host != nil || p.port != nil || p.userinfo != nil || p.path != nil {
		return fmt.Errorf("%w: cannot set opaque with host, port, userinfo or path", errURI)
	}
	if *p.opaque == "" || (*p.opaque)[0] == '/' || !isURIText(*p.opaque, "/?:@[]") {
		return fmt.Errorf("%w: bad component (expected opaque component): %s", errURI, *p.opaque)
	}
	return nil
}

func isGivenHost(host string) bool {
	if strings.Contains(host, ":") {
		return isIPLiteral(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	}
	return host != "" && strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.%") == "" &&
		isURIText(host, "")
}

func isGivenPath(path string, relative bool) bool {
	if path[0] != '/' && !relative {
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ":") && isURIText(path, ":@/")
}
