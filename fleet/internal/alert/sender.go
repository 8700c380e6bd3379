package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/common/model"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/fleet/internal/receiver"
)

// Options are the options of a [Sender].
type Options struct {
	// Servers are the addresses of all Alertmanagers of a cluster, such as
	// http://127.0.0.1:9093.
	Servers []string
	// ClientFile is a file with the settings of HTTP clients of Prometheus (TLS, passwords,
	// tokens), or empty.
	ClientFile string
	// Severity is the lowest severity of the findings that cause an alert.
	Severity rule.Severity
	// SourceURL is the address of a line of a manifest, with {path} and {line}, or empty.
	SourceURL string
	// Leads reports whether this process coordinates the fleet. Only it sends alerts.
	Leads func() bool
	// Records are the findings.
	Records Records
	// Interval is the time between two messages about an alert that is needed. 0 means a
	// minute, and an alert that is not repeated ends after four times as long.
	Interval time.Duration
	Log      *slog.Logger
}

// Name is the name of all alerts.
const Name = "PlainTextSecret"

// Sender sends alerts. Its methods are safe for concurrent use.
type Sender struct {
	Options
	servers []*receiver.Receiver
	changed chan struct{}
	failed  atomic.Bool
	sent    map[model.Fingerprint]*model.Alert // that Alertmanager considers active
}

// New returns a Sender. It fails for an address or a file that cannot be used.
func New(o Options) (*Sender, error) {
	o.Interval = cmp.Or(o.Interval, time.Minute)
	s := &Sender{Options: o, changed: make(chan struct{}, 1), sent: map[model.Fingerprint]*model.Alert{}}
	for _, address := range o.Servers {
		server, err := receiver.New(address, "/api/v2/alerts", o.ClientFile)
		if err != nil {
			return nil, fmt.Errorf("--alertmanager: %w", err)
		}
		s.servers = append(s.servers, server)
	}
	return s, nil
}

// Changed says that findings changed. It returns at once.
func (s *Sender) Changed() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Healthy returns an error while no Alertmanager accepts the alerts.
func (s *Sender) Healthy() error {
	if s.failed.Load() {
		return errors.New("no Alertmanager accepts the alerts: see the log")
	}
	return nil
}

// The times between two messages: after a change, so that the changes of a compile are one
// message, and after a failure.
const (
	together = 500 * time.Millisecond
	retry    = 5 * time.Second
)

// Run sends alerts until ctx ends.
func (s *Sender) Run(ctx context.Context) {
	pause := time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
			pause = together
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		case <-time.After(pause):
		}
		pause = s.Interval
		start := time.Now()
		if err := s.send(ctx, start); err != nil && ctx.Err() == nil {
			s.Log.Error("alerts were not sent", "error", err)
			pause = min(retry, s.Interval)
		}
		// Gathering is at most a tenth of the work of a fleet in which each second changes something.
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(10*time.Since(start), s.Interval)):
		}
	}
}

// send sends the alerts that are needed, and those that no longer are.
func (s *Sender) send(ctx context.Context, now time.Time) error {
	if !s.Leads() {
		clear(s.sent) // the process that leads sends them
		s.failed.Store(false)
		return nil
	}
	repairs, err := Gather(ctx, s.Records, s.Severity)
	if err != nil {
		return err
	}
	active := make(map[model.Fingerprint]*model.Alert, len(repairs))
	var list []*model.Alert
	for _, r := range repairs {
		a := s.alert(r)
		a.EndsAt = now.Add(4 * s.Interval)
		active[a.Fingerprint()] = a
		list = append(list, a)
	}
	for id, a := range s.sent {
		if active[id] == nil {
			a.EndsAt = now
			list = append(list, a)
		}
	}
	err = s.post(ctx, list)
	s.failed.Store(err != nil)
	if err == nil {
		s.sent = active
		return nil
	}
	for id, a := range active { // it may have arrived
		s.sent[id] = a
	}
	return err
}

// alert returns the alert of a repair. Its labels identify it: nothing else belongs there that can
// change while it is needed.
func (s *Sender) alert(r *Repair) *model.Alert {
	a := &model.Alert{
		Labels: model.LabelSet{
			model.AlertNameLabel: Name, "severity": model.LabelValue(r.Severity.String()), "rule": model.LabelValue(r.Rule), "repair": model.LabelValue(r.ID),
		},
		Annotations: model.LabelSet{"nodes": model.LabelValue(strconv.Itoa(r.Nodes))},
		StartsAt:    r.Since,
	}
	set := func(labels model.LabelSet, name model.LabelName, value string) {
		if value != "" {
			labels[name] = model.LabelValue(strings.ToValidUTF8(value, "\ufffd"))
		}
	}
	l := manifest.Locator{SourceURL: s.SourceURL}
	a.GeneratorURL = l.URL(r.Manifest, r.Line)
	set(a.Labels, "owner", r.Owner)
	set(a.Labels, "manifest", r.Manifest)
	set(a.Annotations, "summary", r.Message)
	set(a.Annotations, "location", r.Location)
	set(a.Annotations, "source", l.Line(r.Manifest, r.Line))
	set(a.Annotations, "link", a.GeneratorURL)
	set(a.Annotations, "node", r.Node)
	return a
}

// batch is the number of alerts in one request.
const batch = 500

// post sends alerts to all servers. It fails if none of them has all alerts.
func (s *Sender) post(ctx context.Context, list []*model.Alert) error {
	var errs []error
	for _, server := range s.servers {
		if err := postTo(ctx, server, list); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == len(s.servers) {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		s.Log.Warn("an Alertmanager did not accept alerts", "error", err)
	}
	return nil
}

func postTo(ctx context.Context, server *receiver.Receiver, list []*model.Alert) error {
	for part := range slices.Chunk(list, batch) {
		body, err := json.Marshal(part)
		if err == nil {
			err = server.Post(ctx, "application/json", body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
