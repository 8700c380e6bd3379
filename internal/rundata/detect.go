package rundata

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/jsonwire"
)

// Kind is the kind of a document.
type Kind string

// The kinds of documents. Each is the member `document` of its catalogs.
const (
	Report    Kind = "report"
	Events    Kind = "events"
	Facts     Kind = "facts"
	Resources Kind = "resources" // rows of resources of catalogs
)

// Key is the key of the member of a catalog that names the kind of its document.
const Key = "document"

// Document is a document that is no catalog. It is immutable.
type Document struct {
	kind  Kind
	yaml  bool
	lines bool // a list of log lines, without the report

	command bool // a command for PuppetDB, whose payload is the document
}

// Kind returns the kind of the document.
func (d *Document) Kind() Kind { return d.kind }

// Wire returns the syntax of the document: "json" or "yaml".
func (d *Document) Wire() string {
	if d.yaml {
		return "yaml"
	}
	return "json"
}

// Detect returns the document that begins with head, or nil for any other.
func Detect(head []byte) *Document {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	at := jsonwire.SkipBlanks(head, 0)
	if at == len(head) {
		return nil
	}
	if head[at] != '{' && head[at] != '[' {
		return detectYAML(head)
	}
	isList := head[at] == '['
	if isList {
		if at = jsonwire.SkipBlanks(head, at+1); at == len(head) || head[at] != '{' {
			return nil
		}
	}
	keys, payload, cut := jsonKeys(head, at)
	kind := kindOf(keys)
	command := kind == "" && !isList && payload >= 0 && slices.Contains(keys, "command")
	if command {
		keys, _, cut = jsonKeys(head, payload)
		kind = kindOf(keys)
	}
	if cut && slices.Equal(keys, []string{"name", "values"}) { // many facts, and no timestamp yet
		kind = Facts
	}
	if kind == "" && isList {
		kind = rowKind(keys)
	}
	if n := factsAmong(keys); kind == "" && !isList && n >= fewestAsked && (n == len(keys) || bytes.Contains(head, []byte(`"family"`)) && slices.Contains(keys, "os")) {
		kind = Facts // of `facter -j os memory`
	}
	if kind == "" {
		return nil
	}
	return &Document{kind: kind, lines: isList && kind == Report && isLogLine(keys), command: command}
}

// jsonKeys returns the keys of the object at a position, as far as it is there, and the position of the object
// with the key `payload`, or -1. cut is set if the value of the last key is not there completely.
func jsonKeys(head []byte, at int) (keys []string, payload int, cut bool) {
	payload = -1
	for {
		var more bool
		if at, more = jsonwire.Next(head, at); !more {
			return keys, payload, false
		}
		key, _, value := jsonwire.Key(head, at)
		if value < 0 {
			return keys, payload, false
		}
		keys = append(keys, string(key))
		if string(key) == "payload" && value < len(head) && head[value] == '{' {
			payload = value
		}
		if at = jsonwire.ValueEnd(head, value); at < 0 || at >= len(head) {
			return keys, payload, true
		}
	}
}

// tags are the kinds by the tags of YAML.
var tags = map[string]Kind{
	"!ruby/object:Puppet::Transaction::Report": Report,
	"!ruby/object:Puppet::Node::Facts":         Facts,
}

// detectYAML is Detect for YAML: by the tag of the document, or the keys of a map without one.
func detectYAML(head []byte) *Document {
	var keys []string
	tag, isMap := eachMember(head, func(key, _ string) bool {
		keys = append(keys, strings.TrimPrefix(key, ":"))
		return true
	})
	kind := tags[tag]
	if tag == "" && isMap {
		kind = kindOf(keys)
	}
	if kind == "" || kind == Resources || kind == Events {
		return nil
	}
	return &Document{kind: kind, yaml: true}
}

// kindOf returns the kind of a document, or of the rows of one, that has the given keys.
func kindOf(keys []string) Kind {
	has := func(all ...string) bool {
		for _, k := range all {
			if !slices.Contains(keys, k) {
				return false
			}
		}
		return true
	}
	switch {
	case has("edges") || has("catalog"):
		return ""
	case has("report_format"), has("logs", "transaction_uuid"), has("resource_events"), has("resource_statuses"):
		return Report
	case has("resource_title", "resource_type", "status"), has("resource_title", "new_value"):
		return Events
	case has("type", "title", "parameters"):
		return Resources
	case has("certname", "facts"): // also a row of inventory, which can have resources
		return Facts
	case has("resources"):
		return ""
	case has("certname", "name", "value"), has("name", "value", "environment"),
		has("name", "values", "timestamp"), has("certname", "values"):
		return Facts
	}
	if factsAmong(keys) >= fewFacts {
		return Facts
	}
	return ""
}

// factsAmong returns the number of common facts among keys.
func factsAmong(keys []string) (n int) {
	for _, k := range keys {
		if slices.Contains(commonFacts[:], k) {
			n++
		}
	}
	return n
}

// The number of common facts that a document of facts has at least: one of any syntax, and one in JSON that has only common
// facts, or that of the operating system, as facter prints the facts that it is asked for.
const (
	fewFacts    = 3
	fewestAsked = 2
)

// commonFacts are names of facts that every node has.
var commonFacts = [...]string{
	"aio_agent_version", "architecture", "augeas", "clientcert", "clientversion", "disks", "dmi", "facterversion", "filesystems",
	"fips_enabled", "fqdn", "hostname", "hypervisors", "identity", "interfaces", "ipaddress", "is_virtual", "kernel",
	"kernelmajversion", "kernelrelease", "kernelversion", "load_averages", "memory", "memorysize", "mountpoints", "netmask",
	"networking", "operatingsystem", "os", "osfamily", "partitions", "processors", "puppetversion", "ruby", "rubyversion",
	"selinux", "ssh", "system_uptime", "timezone", "uptime", "virtual",
}
