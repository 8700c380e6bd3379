package daemon

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// sample is a metric at one time.
type sample struct {
	labels  labels.Labels
	value   float64
	counter bool
	moment  bool // the value is a time
}

// scrape is all metrics of a process at one time.
type scrape struct {
	at      time.Time
	metrics map[string]sample // by labels
}

// read reads the metrics of addresses. A process that does not answer is down.
func read(t *testing.T, addresses []string) scrape {
	t.Helper()
	s := scrape{at: time.Now(), metrics: map[string]sample{}}
	add := func(name, instance string, value float64, counter bool, pairs []*dto.LabelPair) {
		b := labels.NewBuilder(labels.EmptyLabels()).Set(model.MetricNameLabel, name).Set("instance", instance).Set("job", "pcatd")
		for _, p := range pairs {
			b.Set(p.GetName(), p.GetValue())
		}
		l := b.Labels()
		s.metrics[l.String()] = sample{l, value, counter, strings.HasSuffix(name, "_timestamp_seconds")}
	}
	for _, address := range addresses {
		answer, err := http.Get("http://" + address + "/metrics") //nolint:noctx // it answers at once
		if err != nil {
			add("up", address, 0, false, nil)
			continue
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		add("up", address, 1, false, nil)
		for name, family := range families {
			for _, m := range family.GetMetric() {
				switch family.GetType() {
				case dto.MetricType_COUNTER:
					add(name, address, m.GetCounter().GetValue(), true, m.GetLabel())
				case dto.MetricType_GAUGE:
					add(name, address, m.GetGauge().GetValue(), false, m.GetLabel())
				case dto.MetricType_HISTOGRAM:
					add(name+"_count", address, float64(m.GetHistogram().GetSampleCount()), true, m.GetLabel())
					bucket := func(le string, n uint64) {
						add(name+"_bucket", address, float64(n), true, append(slices.Clone(m.GetLabel()), &dto.LabelPair{Name: new("le"), Value: &le}))
					}
					for _, b := range m.GetHistogram().GetBucket() {
						bucket(strconv.FormatFloat(b.GetUpperBound(), 'g', -1, 64), b.GetCumulativeCount())
					}
					bucket("+Inf", m.GetHistogram().GetSampleCount())
				}
			}
		}
	}
	return s
}

// The times of a timeline: a healthy fleet until something breaks.
const (
	interval = 15 * time.Second
	broke    = 45 * time.Minute
	end      = 3 * time.Hour
)

// timeline continues scrapes of a healthy fleet and of a broken one, as if each remained as it
// was between its two scrapes.
type timeline struct{ series []promql.Series }

func newTimeline(start time.Time, healthy, broken [2]scrape) *timeline {
	h := &timeline{}
	all := maps.Clone(healthy[1].metrics)
	maps.Copy(all, broken[1].metrics)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		one := promql.Series{Metric: all[key].labels}
		phase := func(s [2]scrape, from, to time.Duration) {
			first, known := s[0].metrics[key]
			last, is := s[1].metrics[key]
			if !is {
				return
			}
			if !known && !last.counter {
				first = last
			}
			rate := (last.value - first.value) / s[1].at.Sub(s[0].at).Seconds()
			base := last.value
			switch {
			case last.counter:
				base = first.value
			case last.moment && last.value == 0:
				rate = 0
			case last.moment: // that it advances means that it keeps up with the clock
				base += start.Add(from).Sub(s[1].at).Seconds()
				rate = min(1, max(0, rate*1e9))
			}
			for at := from; at < to; at += interval {
				one.Floats = append(one.Floats, promql.FPoint{T: start.Add(at).UnixMilli(), F: base + rate*(at-from).Seconds()})
			}
		}
		phase(healthy, 0, broke)
		phase(broken, broke, end)
		h.series = append(h.series, one)
	}
	return h
}

// Querier implements [storage.Queryable].
func (h *timeline) Querier(int64, int64) (storage.Querier, error) { return h, nil }

// Select implements [storage.Querier].
func (h *timeline) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	set := &series{at: -1}
	for _, one := range h.series {
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(one.Metric.Get(m.Name)) }) {
			set.list = append(set.list, one)
		}
	}
	slices.SortFunc(set.list, func(a, b promql.Series) int { return labels.Compare(a.Metric, b.Metric) })
	return set
}

// LabelValues implements [storage.Querier].
func (h *timeline) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// LabelNames implements [storage.Querier].
func (h *timeline) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

// Close implements [storage.Querier].
func (h *timeline) Close() error { return nil }

// series is a [storage.SeriesSet].
type series struct {
	list []promql.Series
	at   int
}

// Next implements [storage.SeriesSet].
func (s *series) Next() bool { s.at++; return s.at < len(s.list) }

// At implements [storage.SeriesSet].
func (s *series) At() storage.Series { return promql.NewStorageSeries(s.list[s.at]) }

// Err implements [storage.SeriesSet].
func (s *series) Err() error { return nil }

// Warnings implements [storage.SeriesSet].
func (s *series) Warnings() annotations.Annotations { return nil }

// alerts reads the alert rules.
func alerts(t *testing.T) []rulefmt.Rule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "packaging", "pcatd-alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	groups, errs := rulefmt.Parse(text, false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var list []rulefmt.Rule
	for _, g := range groups.Groups {
		list = append(list, g.Rules...)
	}
	return list
}

// firing returns the alerts that fire before and after the fleet broke.
func firing(t *testing.T, h *timeline, start time.Time) (healthy, broken []string) {
	t.Helper()
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10_000_000, Timeout: time.Minute, LookbackDelta: 5 * time.Minute})
	for _, r := range alerts(t) {
		q, err := engine.NewRangeQuery(t.Context(), h, nil, r.Expr, start, start.Add(end), interval)
		if err != nil {
			t.Fatal(err)
		}
		result := q.Exec(t.Context())
		matrix, err := result.Matrix()
		if err := cmp.Or(result.Err, err); err != nil {
			t.Fatalf("%s: %v", r.Alert, err)
		}
		for _, one := range matrix {
			var since, last int64
			for _, p := range one.Floats {
				if since == 0 || p.T-last > interval.Milliseconds() {
					since = p.T
				}
				if last = p.T; p.T-since < time.Duration(r.For).Milliseconds() {
					continue
				}
				if p.T < start.Add(broke).UnixMilli() {
					healthy = append(healthy, r.Alert)
				} else {
					broken = append(broken, r.Alert)
				}
			}
		}
		q.Close()
	}
	slices.Sort(healthy)
	slices.Sort(broken)
	return slices.Compact(healthy), slices.Compact(broken)
}
