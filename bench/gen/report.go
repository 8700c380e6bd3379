package gen

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Report writes the report of an agent on resources like those of Catalog, as Puppet's
// to_json does. One resource in four was changed, and one changed file in twelve shows a
// password in its difference. Edited has no effect, and types are always core ones. The
// error is the error of w.
func Report(w io.Writer, o Options) error {
	o.CoreTypes = true
	g := newGenerator(w, o)
	g.report()
	g.flush()
	return g.err
}

// The members of a report around the lists of log lines and of statuses.
const (
	reportHead = `,"time":"2026-11-29T05:21:27.151618139+00:00","configuration_version":1795929686,` +
		`"transaction_uuid":"dff99fa7-907c-487c-9df0-0b80c3e500e1","report_format":12,"puppet_version":"8.11.0","status":"changed",` +
		`"transaction_completed":true,"noop":false,"noop_pending":false,"environment":"production","logs":[`
	reportMetrics = `],"metrics":{"time":{"name":"time","label":"Time","values":[["file","File",0.137193669],["total","Total",41.325036955]]}},` +
		`"resource_statuses":{`
	reportTail = `},"corrective_change":false,"catalog_uuid":"7b2d7f1e-7a53-4b3c-9d0e-3f1f0f8a2c11","cached_catalog_status":"not_used",` +
		`"catalog_format":2,"code_id":null,"job_id":null}`
)

// report writes a report. Its log lines are before its statuses, and are generated together with
// them.
func (g *generator) report() {
	var logs []byte
	var class string
	for i := 0; !g.reported(i, len(logs)); i++ {
		if i%25 == 0 {
			class = fmt.Sprintf("profile::%s%d", g.pick(words), i/25)
		}
		r := g.reportedResource(i, class)
		g.comma(i)
		g.status(r)
		if r.changed() {
			g.buf, logs = logs, g.buf
			g.logs(r)
			g.buf, logs = logs, g.buf
		}
	}
	statuses := g.buf
	g.buf = nil
	g.raw(`{"host":`).text(g.node()).raw(reportHead)
	g.buf = append(g.buf, strings.TrimPrefix(string(logs), ",")...)
	g.raw(reportMetrics)
	g.buf = append(g.buf, statuses...)
	g.raw(reportTail)
}

// reported reports whether a report with so many resources, and log lines of a length, is complete.
func (g *generator) reported(resources, logs int) bool {
	if g.Resources > 0 {
		return resources >= g.Resources
	}
	return len(g.buf)+logs >= g.Size
}

// reportedResource is a resource of a report, with its event if it was changed.
type reportedResource struct {
	typ, title, class string
	line              int
	property          string   // that was changed, or empty
	old, new          string   // its values
	output            []string // log lines before the message of the event
}

func (r *reportedResource) changed() bool { return r.property != "" }

func (r *reportedResource) ref() string { return r.typ + "[" + r.title + "]" }

func (r *reportedResource) message() string {
	switch {
	case r.typ == "Exec":
		return "executed successfully"
	case r.old == "absent":
		return "created"
	default:
		return fmt.Sprintf("%s changed '%s' to '%s'", r.property, r.old, r.new)
	}
}

// tags returns the tags of the resource, and those of an event of it.
func (r *reportedResource) tags() []string {
	_, last, _ := strings.Cut(r.class, "::")
	return []string{strings.ToLower(r.typ), "class", r.class, "profile", last}
}

func (g *generator) reportedResource(i int, class string) *reportedResource {
	word := g.pick(words)
	r := &reportedResource{class: class, line: g.rand.IntN(400) + 1}
	r.typ, r.title, _ = g.named(i, word)
	if !g.oneIn(4) {
		return r
	}
	r.property, r.old, r.new = "ensure", "absent", "present"
	switch r.typ {
	case "File":
		r.property, r.old, r.new = "content", g.checksum(), g.checksum()
		r.output = []string{g.difference(r.title)}
	case "Package":
		r.old, r.new = g.version(), g.version()
	case "Service":
		r.old, r.new = "stopped", "running"
	case "Exec":
		r.property, r.old, r.new = "returns", "notrun", "0"
		for range g.rand.IntN(8) {
			r.output = append(r.output, fmt.Sprintf("%s: %s, %d of %d", g.pick(words), g.pick(phrases), g.rand.IntN(100), g.rand.IntN(1<<20)))
		}
	}
	return r
}

func (g *generator) checksum() string {
	return fmt.Sprintf("{sha256}%016x%016x%016x%016x", g.rand.Uint64(), g.rand.Uint64(), g.rand.Uint64(), g.rand.Uint64())
}

// difference returns a unified difference of a file in which one to three lines next to each other
// are others.
func (g *generator) difference(path string) string {
	const context = 3
	lines := strings.SplitAfter(strings.TrimSuffix(g.content(), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	from := g.rand.IntN(len(lines))
	to := min(len(lines), from+1+g.rand.IntN(3))
	first, last := max(0, from-context), min(len(lines), to+context)
	changed := make([]string, to-from)
	for i := range changed {
		changed[i] = fmt.Sprintf("%s %d %s;\n", g.pick(words), g.rand.IntN(1<<20), g.pick(words))
	}
	if g.oneIn(12) {
		changed[0] = "password = " + g.secret() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n--- %s\t2026-11-29 05:20:42.511241060 +0000\n+++ /tmp/puppet-file20261129-10955-%s\t2026-11-29 05:21:27.200972796 +0000\n",
		path, strconv.FormatInt(g.rand.Int64N(1<<30), 36))
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", first+1, last-first, first+1, last-first)
	for _, part := range []struct {
		sign  string
		lines []string
	}{{" ", lines[first:from]}, {"-", lines[from:to]}, {"+", changed}, {" ", lines[to:last]}} {
		for _, line := range part.lines {
			b.WriteString(part.sign + line)
		}
	}
	return b.String()
}

// logs writes the log lines of a changed resource, each with a comma before it.
func (g *generator) logs(r *reportedResource) {
	source := "/Stage[main]/" + resourceName(r.class) + "/" + r.ref() + "/" + r.property
	for _, message := range append(r.output, r.message()) {
		g.raw(`,{"level":"notice","message":`).text(message).raw(`,"source":`).text(source)
		g.raw(`,"tags":`).list(append([]string{"notice"}, r.tags()...))
		g.raw(`,"time":`).time().location(r).raw(`}`)
	}
}

// status writes the status of a resource, with its reference as the key.
func (g *generator) status(r *reportedResource) {
	g.text(r.ref()).raw(`:{"title":`).text(r.title).location(r).raw(`,"resource":`).text(r.ref()).raw(`,"resource_type":`).text(r.typ)
	g.raw(`,"provider_used":null,"containment_path":`).list([]string{"Stage[main]", resourceName(r.class), r.ref()})
	g.raw(`,"evaluation_time":` + strconv.FormatFloat(float64(1e6+g.rand.IntN(1e8))/1e9, 'f', -1, 64) + `,"tags":`).list(r.tags()).raw(`,"time":`).time()
	n := 0
	if r.changed() {
		n = 1
	}
	g.raw(fmt.Sprintf(`,"failed":false,"failed_to_restart":false,"changed":%t,"out_of_sync":%t,"skipped":false,"change_count":%d,"out_of_sync_count":%d,"events":[`,
		r.changed(), r.changed(), n, n))
	if r.changed() {
		g.raw(`{"audited":false,"property":`).text(r.property).raw(`,"previous_value":`).text(r.old).raw(`,"desired_value":`).text(r.new)
		g.raw(`,"historical_value":null,"message":`).text(r.message()).raw(`,"name":`).text(r.property + "_changed")
		g.raw(`,"status":"success","time":`).time().raw(`,"redacted":null,"corrective_change":false}`)
	}
	g.raw(`],"corrective_change":false}`)
}

func (g *generator) location(r *reportedResource) *generator {
	_, last, _ := strings.Cut(r.class, "::")
	return g.raw(`,"file":"/etc/puppetlabs/code/environments/production/modules/profile/manifests/` + last + `.pp","line":` + strconv.Itoa(r.line))
}

func (g *generator) time() *generator {
	return g.text(fmt.Sprintf("2026-11-29T05:%02d:%02d.%09d+00:00", g.rand.IntN(60), g.rand.IntN(60), g.rand.IntN(1e9)))
}

// resourceName returns the name of a class as it is in references.
func resourceName(class string) string {
	parts := strings.Split(class, "::")
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "::")
}
