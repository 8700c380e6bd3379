package verdict

import "strings"

// CutScheme removes the scheme from the value of an Authorization header. It returns the rest
// and the length of the scheme.
func CutScheme(name, value string) (rest string, n int, ok bool) {
	if !strings.Contains(strings.ToLower(name), "authorization") && !strings.HasPrefix(strings.ToLower(name), "auth") {
		return "", 0, false
	}
	first, rest, found := strings.Cut(value, " ")
	if !found {
		return "", 0, false
	}
	switch strings.ToLower(first) {
	case "bearer", "token", "apikey", "splunk", "basic", "key", "bot", "genie-token", "geniekey", "api-token", "apitoken", "sso-key", "digest", "negotiate", "ntlm":
		return strings.TrimSpace(rest), len(first) + 1, true
	}
	return "", 0, false
}

// EncoderPrefix returns the length of the prefix that marks a value as a plain-text password:
// `{noop}X` of Spring, `{PLAIN}X` of Dovecot.
func EncoderPrefix(value string) int {
	if value == "" || value[0] != '{' {
		return 0
	}
	for _, mark := range []string{"{noop}", "{plain}", "{clear}", "{cleartext}"} {
		if len(value) > len(mark) && strings.EqualFold(value[:len(mark)], mark) {
			return len(mark)
		}
	}
	return 0
}
