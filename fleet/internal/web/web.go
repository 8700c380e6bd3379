// Package web serves the state of a fleet to monitoring: `/healthz` and `/metrics`, without
// names and without findings.
package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Status is the state of a fleet in numbers.
type Status struct {
	// Units is the number of nodes by feed. Stale is the number of nodes whose last catalog is
	// not audited yet, or not for the newest secrets. Dead is the number of nodes whose audit
	// was given up.
	Units       map[string]int `json:"units"`
	Stale, Dead int
	// Settled is set if all last catalogs are audited.
	Settled bool
	// Waiting is the age of the oldest catalog that is not audited; 0 if there is none.
	Waiting time.Duration
	// Findings is the number of findings by severity, Failed the number of unreadable catalogs.
	Findings map[string]int
	Failed   int
	// Knowledge is the version of the secrets of the fleet, Terms their number.
	Knowledge uint64
	Terms     int
	// Stored is the size of the stored catalogs in bytes, also of superseded ones, and Limit
	// its upper bound.
	Stored, Limit int64
	// Leading is set if this process coordinates the fleet. Only the coordinating process
	// knows the other numbers.
	Leading bool
	// Err is why the process is not healthy, or nil.
	Err error
}

// Handler returns a handler for `/healthz` and `/metrics`. status is called for each
// request and must be safe for concurrent use.
func Handler(status func() Status, commands *Commands) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), &numbers{status: status})
	if commands != nil {
		registry.MustRegister(commands.seconds)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if err := status().Err; err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok") // the client is gone
	})
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

// numbers collects the metrics of a status.
type numbers struct{ status func() Status }

// The metrics. Their names are a promise.
func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pcatd_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector]. The metrics are described when they are
// collected.
func (n *numbers) Describe(chan<- *prometheus.Desc) {}

// Collect implements [prometheus.Collector].
func (n *numbers) Collect(to chan<- prometheus.Metric) {
	s := n.status()
	gauge := func(name, help string, value float64) {
		to <- prometheus.MustNewConstMetric(describe(name, help), prometheus.GaugeValue, value)
	}
	gauge("leading", "1 if this process coordinates the fleet.", truth(s.Leading))
	if !s.Leading {
		return
	}
	nodes := describe("nodes", "Nodes with a catalog, by feed.", "feed")
	for feed, count := range s.Units {
		to <- prometheus.MustNewConstMetric(nodes, prometheus.GaugeValue, float64(count), feed)
	}
	findings := describe("findings", "Findings that are not gone, by severity.", "severity")
	for severity, count := range s.Findings {
		to <- prometheus.MustNewConstMetric(findings, prometheus.GaugeValue, float64(count), severity)
	}
	gauge("settled", "1 if the last catalogs of all nodes are audited.", truth(s.Settled))
	gauge("stale_nodes", "Nodes whose last catalog is not audited yet, or not for the newest secrets.", float64(s.Stale))
	gauge("waiting_seconds", "Age of the oldest catalog that is not yet audited.", s.Waiting.Seconds())
	gauge("dead_nodes", "Nodes whose audit was given up; see pcatd dead list.", float64(s.Dead))
	gauge("failed_catalogs", "Catalogs that cannot be read.", float64(s.Failed))
	gauge("secrets", "Secrets that the fleet knows.", float64(s.Terms))
	gauge("knowledge_version", "Version of the secrets that the fleet knows.", float64(s.Knowledge))
	gauge("stored_bytes", "Size of the stored catalogs, also of superseded ones.", float64(s.Stored))
	gauge("stored_bytes_limit", "Upper bound of the size of the stored catalogs.", float64(s.Limit))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
