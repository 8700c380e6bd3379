package sensitive

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// MinLen is the length in bytes from which on a secret is followed through a
// catalog. What is shorter stands in other text by chance.
const MinLen = 6

// Reason tells why a secret is not followed.
type Reason string

// The reasons.
const (
	TooShort  Reason = "too short"         // below MinLen
	TooCommon Reason = "an ordinary word"  // or a number, or one or two characters over and over
	KeyOnly   Reason = "a key of a secret" // such as `password`
)

// judge returns why a text cannot be followed, and "" when it can.
func judge(text string, names map[string]bool) Reason {
	if len(text) < MinLen {
		return TooShort
	}
	if lower := strings.ToLower(text); isOrdinary(lower) || names[lower] || isWritten(lower) || isMonotonous(text) {
		return TooCommon
	}
	return ""
}

// isMonotonous reports whether a text has fewer than three different
// characters, or is a number of fewer than eight digits.
func isMonotonous(text string) bool {
	if len(text) < 8 && strings.Trim(text, "0123456789") == "" {
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

// learn notes the words that a catalog is made of, in lower case: to replace them
// would take the catalog apart.
func (s *secrets) learn(h *catalog.Header) {
	add := func(name string) { s.names[strings.ToLower(name)] = true }
	add(h.Name())
	add(h.Environment())
	for _, class := range slices.Concat(h.Classes(), h.Tags()) {
		if strings.Trim(class, "abcdefghijklmnopqrstuvwxyz0123456789_:") != "" {
			continue // no name of a class
		}
		add(class)
		for part := range strings.SplitSeq(class, "::") {
			add(part)
		}
	}
}

// isOrdinary reports whether a word, in lower case, is one that stands in
// catalogs everywhere: values and names of Puppet, names of accounts and
// services, and what people write where a secret is to be filled in.
func isOrdinary(word string) bool {
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

// isWritten reports whether a text, in lower case, stands in one of the words that
// are written around values: it cannot be kept out of what is written.
func isWritten(text string) bool {
	return len(text) <= longestWritten && strings.Contains(writtenWords, text) && !strings.Contains(text, "\n")
}

// longestWritten is the length in bytes of the longest of writtenWords.
const longestWritten = len("-----begin pkcs7-----")

// writtenWords are, in lower case and one on each line: the members of catalogs, of
// PuppetDB's, too; kinds of resources, and types that come with Puppet; what rich
// data consists of; and what stands in place of secrets.
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
