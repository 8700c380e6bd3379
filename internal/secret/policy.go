package secret

import (
	"strings"
	"unicode"
)

// MinFollowed is the length in bytes of the shortest secret whose copies are
// searched for. Shorter ones appear in other text by chance.
const MinFollowed = 6

// Reason is why a secret is not followed. It is empty if the secret is followed.
type Reason string

// The reasons.
const (
	TooShort  Reason = "too short"          // below [MinFollowed] bytes
	TooCommon Reason = "an ordinary word"   // or a short number, or one or two characters repeated
	KeyOnly   Reason = "a key of a secret"  // such as `password`
	NameOnly  Reason = "a name in a secret" // of a file, a host or an account, beside secrets
	Comment   Reason = "a comment"          // of a file that is secret as a whole
)

// Judge returns why the copies of a text cannot be searched for, or "" if they can. held
// are the secrets that [Vocabulary.Held] returns.
func Judge(text string, held map[string]bool) Reason {
	if len(text) < MinFollowed {
		return TooShort
	}
	if lower := strings.ToLower(text); IsOrdinary(lower) || isWritten(lower) || isMonotonous(text) || isShortNumber(text) || held[text] {
		return TooCommon
	}
	if isComment(text) {
		return Comment
	}
	return ""
}

// IsSecretKey reports whether a key of a secret Hash is a secret itself: not a name, whose
// words are longer than the runs of letters in a token.
func IsSecretKey(key string) bool {
	const leastWord = 3
	letters, runs := 0, 0
	before := ' '
	for _, r := range key {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(r) {
				runs++
			}
		}
		before = r
	}
	return letters < leastWord*runs && Traceable(key)
}

// IsOnlyName reports whether a text under a key of a secret Hash is the name of a file, a host
// or an account that is no secret itself: `/etc/ssl/key.pem`, or `www-data` under `owner`. The
// texts of a secret Array have no key.
func IsOnlyName(key, text string) bool {
	return isPlace(text) || namesAccount(key) && !Traceable(text)
}

// isComment reports whether a text consists of comments: each line begins with a mark of a
// comment and a blank, and has several words.
func isComment(text string) bool {
	const fewWords = 4 // with the mark
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && (!isCommentLine(line) || len(strings.Fields(line)) < fewWords) {
			return false
		}
	}
	return true
}

// isCommentLine reports whether a line begins with the mark of a comment in a
// configuration file, and a blank.
func isCommentLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"#", "//", ";", "*", "--"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.HasPrefix(strings.TrimLeft(rest, "#/;*-"), " ")
		}
	}
	return false
}

// isMonotonous reports whether a text has fewer than three different
// characters, or consists of fewer than eight digits.
func isMonotonous(text string) bool {
	if len(text) < minDigits && strings.Trim(text, "0123456789") == "" {
		return true
	}
	first := rune(-1)
	second := rune(-1)
	for _, r := range text {
		switch {
		case r == first || r == second:
		case first < 0:
			first = r
		case second < 0:
			second = r
		default:
			return false
		}
	}
	return true
}

// IsOrdinary reports whether a word, in lower case, is common in catalogs: values
// and names of Puppet, names of accounts and services, and placeholders for
// secrets.
func IsOrdinary(word string) bool {
	switch word {
	case "absent", "audit", "before", "content", "default", "directory", "disabled", "enable", "enabled",
		"ensure", "environment", "exported", "external", "exports", "fact", "false", "file", "force", "global",
		"group", "groups", "hidden", "installed", "internal", "latest", "locked", "managed", "manual", "masked",
		"message", "missing", "notify", "optional", "options", "package", "parameters", "present", "primary",
		"private", "protected", "provider", "public", "purged", "recurse", "replace", "replica", "require",
		"required", "restart", "running", "secondary", "service", "source", "standard", "started", "stopped",
		"strict", "subscribe", "target", "template", "unknown", "unless", "unmanaged", "value", "values",
		"version",
		"account", "admin", "administrator", "anonymous", "apache", "backup", "cassandra", "client", "cluster",
		"config", "consul", "daemon", "database", "debian", "docker", "elastic", "elasticsearch", "example",
		"grafana", "graphite", "guest", "haproxy", "icinga", "jenkins", "kibana", "kubernetes", "localhost",
		"logstash", "manager", "master", "mongodb", "mysql", "nagios", "nobody", "operator", "oracle", "postgres",
		"postgresql", "prometheus", "puppet", "puppetdb", "rabbitmq", "redhat", "redis", "remote", "replication",
		"rsyslog", "server", "splunk", "system", "tomcat", "ubuntu", "vagrant", "wildfly", "windows", "worker",
		"zabbix", "zookeeper",
		"develop", "development", "integration", "production", "staging", "testing",
		"changeit", "changeme", "credential", "credentials", "foobar", "letmein", "passphrase", "passwd",
		"password", "qwerty", "secret", "secrets", "sensitive", "string", "token", "tokens", "username",
		"friday", "monday", "saturday", "sunday", "thursday", "tuesday", "wednesday", "minute", "minutes",
		"seconds":
		return true
	}
	return false
}

// isWritten reports whether text, in lower case, is part of a word that forms and maskers
// write around values, so it cannot be kept out of the output.
func isWritten(text string) bool {
	return len(text) <= longestWritten && strings.Contains(writtenWords, text) && !strings.Contains(text, "\n")
}

// longestWritten is the length in bytes of the longest of writtenWords.
const longestWritten = len("-----begin pkcs7-----")

// writtenWords are the words that are always written, in lower case and one per line:
// members of catalogs, including PuppetDB's; kinds of resources and types built into
// Puppet; keys and types of rich data; and the fixed parts of replacements.
const writtenWords = `
api_version
catalog_format
catalog_uuid
certname
classes
code_id
compilable_type
data_hash
defined_type
document_type
exported
job_id
parameters
producer_timestamp
recursive_metadata
relationship
resources
sensitive_parameters
transaction_uuid

augeas
filebucket
mailalias
maillist
scheduled_task
selboolean
selmodule
ssh_authorized_key
sshkey
yumrepo

__ptype
__pvalue
arguments
attributes
binary
default
deferred
integer
localref
local_ref
pcore::
regexp
semverrange
sensitive
symbol
timespan
timestamp

-----begin pkcs7-----
-----begin cms-----
-----end pkcs7-----
-----end cms-----
digest-
node_decrypt
pseudonym-
redacted-
-by-pcat
`
