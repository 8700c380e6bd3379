// Package web serves the state of a process to monitoring: `/healthz` and `/metrics`, without
// names of nodes and without findings.
//
//	Handler   answers monitoring and, by another handler, readers of findings
//	Door      who may read what
//	Commands  counts the commands of compilers
package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/fleet/internal/health"
	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// Group is a group of findings. The owner is empty if it is unknown.
type Group struct{ Severity, Owner string }

// Status is the state of a fleet in numbers.
type Status struct {
	// Units is the number of nodes by feed. Stale is the number of nodes whose last catalog is
	// not audited yet, or not for the newest secrets. Dead is the number of nodes whose audit
	// was given up.
	Units       map[string]int `json:"units"`
	Stale, Dead int
	// Settled is set if all last catalogs are audited.
	Settled bool
	// Waiting is the age of the oldest catalog that is not audited; 0 if there is none. Idle is
	// the time since a catalog was audited while some wait.
	Waiting, Idle time.Duration
	// Findings is the number of findings by group, Failed the number of unreadable catalogs.
	Findings map[Group]int
	Failed   int
	// Accepted is the number of accepted findings, and Decisions that of the decisions that
	// accept findings, by their use.
	Accepted  int
	Decisions map[string]int
	// Knowledge is the version of the secrets of the fleet, Terms their number.
	Knowledge uint64
	Terms     int
	// Stored is the size of the stored catalogs in bytes, also of superseded ones, and Limit
	// its upper bound.
	Stored, Limit int64
	// Leading is set if this process coordinates the fleet. Only the coordinating process
	// knows the other numbers.
	Leading bool
	// Err is why the process cannot coordinate, or nil.
	Err error
}

// Process is a process as monitoring sees it. Only Health is required. Its functions are
// called for each request, and must be safe for concurrent use.
type Process struct {
	Health *health.Monitor
	// Status is the state of the fleet. Nil is for a worker.
	Status func() Status
	// Refuses reports whether the storage takes no new catalogs for a reason. Nil is for a
	// worker.
	Refuses func(store.Refusal) bool
	// Worker is the progress of the workers in the process.
	Worker func() work.Progress
	// Commands counts the commands of compilers. Nil means that there are none.
	Commands *Commands
	// Findings answers readers of findings, whom the Door lets in. Nil is for a worker.
	Findings http.Handler
	Door     *Door
}

// Handler returns a handler for `/healthz` and `/metrics` of a process, and for all other paths if there
// are findings.
//
// The answer to `/healthz` is "ok", or has status 503 and is "degraded" with one problem on
// each further line.
func Handler(p Process) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &numbers{p})
	if p.Commands != nil {
		registry.MustRegister(p.Commands.seconds)
	}
	door := p.Door
	if door == nil {
		door = &Door{}
	}
	mux := http.NewServeMux()
	if p.Findings != nil {
		mux.Handle("GET /", door.findings(p.Findings))
	}
	mux.Handle("GET /metrics", door.monitoring(promhttp.HandlerFor(registry, promhttp.HandlerOpts{})))
	mux.Handle("GET /healthz", door.monitoring(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		problems := p.Health.Problems()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if len(problems) == 0 {
			_, _ = fmt.Fprintln(w, "ok") // the client is gone
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintln(w, "degraded") // as above
		for _, one := range problems {
			_, _ = fmt.Fprintln(w, one)
		}
	})))
	return mux
}

// Commands counts the commands that compilers send, and how long they take. It is safe for
// concurrent use.
type Commands struct{ seconds *prometheus.HistogramVec }

// NewCommands returns a Commands without any.
func NewCommands() *Commands {
	return &Commands{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "pcatd_terminus_command_seconds", Help: "Time until a command of a compiler is answered, by outcome.",
		Buckets: []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10},
	}, []string{"outcome"})}
}

// Observe counts a command.
func (c *Commands) Observe(outcome string, took time.Duration) {
	c.seconds.WithLabelValues(outcome).Observe(took.Seconds())
}

// numbers collects the metrics of a process.
type numbers struct{ Process }

// The metrics. Their names are a promise.
func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pcatd_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector]. The metrics are described when they are
// collected.
func (n *numbers) Describe(chan<- *prometheus.Desc) {}

// Collect implements [prometheus.Collector].
func (n *numbers) Collect(to chan<- prometheus.Metric) {
	m := sender(to)
	m.gauge("problems", "Reasons why the process is degraded; see /healthz.", float64(len(n.Health.Problems())))
	m.counter("clock_jumps_total", "How often the clock of the machine was set while the process ran.", float64(n.Health.Jumps()))
	m.feeds(n.Health.Feeds())
	if n.Worker != nil {
		p := n.Worker()
		for outcome, count := range map[string]uint64{"done": p.Done, "failed": p.Failed, "foreign": p.Foreign} {
			m.counter("worker_tasks_total", "Tasks of the workers in this process, by outcome.", float64(count), "outcome", outcome)
		}
	}
	if n.Refuses != nil {
		for _, why := range store.Refusals() {
			m.gauge("refused", "1 if the storage takes no new catalogs for the reason.", truth(n.Refuses(why)), "reason", string(why))
		}
	}
	if n.Status != nil {
		m.fleet(n.Status())
	}
}

// sender sends metrics.
type sender chan<- prometheus.Metric

// metric sends a value with labels, which are pairs of a name and a value.
func (m sender) metric(kind prometheus.ValueType, name, help string, value float64, labels []string) {
	var names, values []string
	for pair := range slices.Chunk(labels, 2) {
		names, values = append(names, pair[0]), append(values, strings.ToValidUTF8(pair[1], "\ufffd"))
	}
	m <- prometheus.MustNewConstMetric(describe(name, help, names...), kind, value, values...)
}

func (m sender) gauge(name, help string, value float64, labels ...string) {
	m.metric(prometheus.GaugeValue, name, help, value, labels)
}

func (m sender) counter(name, help string, value float64, labels ...string) {
	m.metric(prometheus.CounterValue, name, help, value, labels)
}

// feeds sends the metrics of feeds.
func (m sender) feeds(list []health.FeedState) {
	for i := range list {
		f := &list[i]
		last := 0.0
		if !f.Last.IsZero() {
			last = float64(f.Last.UnixMilli()) / 1000
		}
		m.gauge("feed_last_success_timestamp_seconds", "When the feed delivered a catalog, or found nothing new; 0 before that.", last, "feed", f.Name)
		m.counter("feed_errors_total", "Faults of the feed.", float64(f.Errors), "feed", f.Name)
		for _, outcome := range health.Outcomes() {
			m.counter("catalogs_total", "Catalogs, reports and facts that the feed delivered, by outcome.", float64(f.Catalogs[outcome]), "feed", f.Name, "outcome", string(outcome))
		}
	}
}

// fleet sends the metrics of the whole fleet, if this process coordinates it.
func (m sender) fleet(s Status) {
	m.gauge("leading", "1 if this process coordinates the fleet.", truth(s.Leading))
	if !s.Leading {
		return
	}
	for feed, count := range s.Units {
		m.gauge("nodes", "Nodes with a catalog, by feed.", float64(count), "feed", feed)
	}
	owners := map[string]bool{"": true}
	for g := range s.Findings {
		owners[g.Owner] = true
	}
	for severity := rule.Info; severity <= rule.Critical; severity++ { // also those without a finding, so that the first one is a change
		name := severity.String()
		for owner := range owners {
			m.gauge("findings", "Findings that are not gone, by severity and owner; the owner is empty if it is unknown.", float64(s.Findings[Group{name, owner}]), "severity", name, "owner", owner)
		}
	}
	m.gauge("accepted_findings", "Findings that are accepted, and not in pcatd_findings.", float64(s.Accepted))
	for _, use := range decisions.Uses() {
		m.gauge("decisions", "Acceptances, allowed findings of the configuration, and baselines, by use; see pcatd accept list.", float64(s.Decisions[use]), "use", use)
	}
	m.gauge("settled", "1 if the last catalogs of all nodes are audited.", truth(s.Settled))
	m.gauge("stale_nodes", "Nodes whose last catalog is not audited yet, or not for the newest secrets.", float64(s.Stale))
	m.gauge("waiting_seconds", "Age of the oldest catalog that is not yet audited.", s.Waiting.Seconds())
	m.gauge("idle_seconds", "Time since a catalog was audited while some wait; 0 if none waits.", s.Idle.Seconds())
	m.gauge("dead_nodes", "Nodes whose audit was given up; see pcatd dead list.", float64(s.Dead))
	m.gauge("failed_catalogs", "Catalogs that cannot be read.", float64(s.Failed))
	m.gauge("secrets", "Secrets that the fleet knows.", float64(s.Terms))
	m.gauge("knowledge_version", "Version of the secrets that the fleet knows.", float64(s.Knowledge))
	m.gauge("stored_bytes", "Size of the stored catalogs, also of superseded ones.", float64(s.Stored))
	m.gauge("stored_bytes_limit", "Upper bound of the size of the stored catalogs.", float64(s.Limit))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
