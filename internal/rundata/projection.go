package rundata

import (
	"slices"
	"strings"
)

// endpoint describes the rows of an endpoint of PuppetDB, of which a query can select some fields.
type endpoint struct {
	kind Kind
	// fields are the fields of a row.
	fields []string
	// own are fields of which one is enough to recognize the row.
	own []string
	// named are fields that are enough with the name of a node.
	named []string
}

// endpoints are the endpoints whose rows can contain a secret. The rows of catalogs are not among them.
var endpoints = [...]endpoint{
	{
		kind: Report,
		fields: []string{
			"cached_catalog_status", "catalog_uuid", "certname", "code_id", "configuration_version", "corrective_change", "end_time",
			"environment", "hash", "job_id", "logs", "metrics", "noop", "noop_pending", "producer", "producer_timestamp",
			"puppet_version", "receive_time", "report_format", "resource_events", "start_time", "status", "transaction_uuid", "type",
		},
		own: []string{"logs", "resource_events"},
	},
	{
		kind: Events,
		fields: []string{
			"certname", "configuration_version", "containing_class", "containment_path", "corrective_change", "environment", "file",
			"line", "message", "name", "new_value", "old_value", "property", "report", "report_receive_time", "resource_title",
			"resource_type", "run_end_time", "run_start_time", "status", "timestamp",
		},
		own:   []string{"new_value", "old_value", "resource_title"},
		named: []string{"message"},
	},
	{
		kind:   Facts, // of facts and fact-contents
		fields: factFields[:],
		own:    []string{"value"},
	},
	{
		kind: Facts, // of factsets and the inventory
		fields: []string{
			"certname", "environment", "facts", "hash", "producer", "producer_timestamp", "timestamp", "trusted",
		},
		own: []string{"facts", "trusted"},
	},
	{
		kind:   Resources,
		fields: []string{"certname", "environment", "exported", "file", "line", "parameters", "resource", "tags", "title", "type"},
		own:    []string{"parameters"},
		named:  []string{"title"},
	},
}

// factFields are the fields of a row of facts or fact-contents.
var factFields = [...]string{"certname", "environment", "name", "path", "value"}

// logFields are the members of a log line of a report. A list of the lines is an answer of PuppetDB, too.
var logFields = [...]string{"file", "level", "line", "message", "source", "tags", "time"}

// rowKind returns the kind of a list whose first row has the given keys, if PuppetDB returns such rows. Of a projection,
// a row has the selected fields only. A field such as `facts.os.family` is a part of `facts`.
func rowKind(keys []string) Kind {
	if isLogLine(keys) {
		return Report
	}
	fields := make([]string, len(keys))
	for i, key := range keys {
		fields[i], _, _ = strings.Cut(key, ".")
	}
	named := slices.Contains(fields, "certname")
	for i := range endpoints {
		e := &endpoints[i]
		if within(fields, e.fields) && (common(fields, e.own) || named && common(fields, e.named)) {
			return e.kind
		}
	}
	return ""
}

// isLogLine reports whether an object with the given keys is a log line of a report.
func isLogLine(keys []string) bool { return within(logFields[:], keys) && within(keys, logFields[:]) }

// within reports whether all of some keys are fields.
func within(keys, fields []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return !slices.Contains(fields, key) })
}

// common reports whether some of the keys are fields.
func common(keys, fields []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(fields, key) })
}
