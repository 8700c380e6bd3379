package alert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	problem atomic.Pointer[string]             // why the process is not healthy
	sent    map[model.Fingerprint]*model.Alert // that Alertmanager considers active
}

// New returns a Sender. It fails for an address or a file that cannot be used.
func New(o Options) (*Sender, error) {
	if err := CheckSource(o.SourceURL); err != nil {
		return nil, err
	}
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

// CheckSource returns an error if the address of a line of a manifest cannot be used.
func CheckSource(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(strings.NewReplacer("{path}", "path", "{line}", "1", "{environment}", "production").Replace(address))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("--source-url: not the address of a web page; for example: https://git.example.com/control/blob/main/{path}#L{line}")
	case !strings.Contains(address, "{path}"):
		return errors.New("--source-url: {path} is missing, for the path of the manifest")
	}
	return nil
}

// Changed says that findings changed. It returns at once.
func (s *Sender) Changed() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// The reasons why a process is not healthy.
const (
	notRead = "the findings cannot be read: see the log"
	notSent = "no Alertmanager accepts the alerts: see the log"
)

// Healthy returns an error while no Alertmanager accepts the alerts, or the findings cannot be
// read.
func (s *Sender) Healthy() error {
	if problem := s.problem.Load(); problem != nil {
		return errors.New(*problem)
	}
	return nil
}

// fault sets the reason why the process is not healthy. If it is empty, the process is.
func (s *Sender) fault(problem string) {
	if problem == "" {
		s.problem.Store(nil)
		return
	}
	s.problem.Store(&problem)
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
		gathering, err := s.send(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.Error("alerts were not sent", "error", err)
			pause = min(retry, s.Interval)
		}
		// Gathering is at most a tenth of the work of a fleet in which each second changes something.
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(10*gathering, s.Interval)):
		}
	}
}

// message is an alert to send.
type message struct {
	*model.Alert

	over bool // it is no longer needed
}

// at returns the alert as it is sent at a time.
func (m *message) at(now time.Time, interval time.Duration) *model.Alert {
	a := *m.Alert
	if a.StartsAt.After(now) { // the clock was set, or is that of another machine
		a.StartsAt = now
	}
	if a.EndsAt = now; !m.over {
		a.EndsAt = now.Add(4 * interval)
	}
	return &a
}

// send sends the alerts that are needed, and those that no longer are. It returns the time that
// gathering took.
func (s *Sender) send(ctx context.Context) (gathering time.Duration, err error) {
	if !s.Leads() {
		clear(s.sent) // the process that leads sends them
		s.fault("")
		return 0, nil
	}
	start := time.Now()
	repairs, err := Gather(ctx, s.Records, s.Severity)
	gathering = time.Since(start)
	if err != nil {
		if ctx.Err() == nil {
			s.fault(notRead)
		}
		return gathering, err
	}
	active := make(map[model.Fingerprint]*model.Alert, len(repairs))
	var list []message
	for _, r := range repairs {
		a := s.alert(r)
		active[a.Fingerprint()] = a
		list = append(list, message{a, false})
	}
	for id, a := range s.sent {
		if active[id] == nil {
			list = append(list, message{a, true})
		}
	}
	if err := s.post(ctx, list); err != nil {
		if ctx.Err() == nil {
			s.fault(notSent)
		}
		maps.Copy(s.sent, active) // they may have arrived
		return gathering, err
	}
	s.fault("")
	s.sent = active
	return gathering, nil
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

// post sends alerts to all servers at once. It fails if none of them has all alerts.
func (s *Sender) post(ctx context.Context, list []message) error {
	results := make([]error, len(s.servers))
	var all sync.WaitGroup
	for i, server := range s.servers {
		all.Go(func() { results[i] = s.postTo(ctx, server, list) })
	}
	all.Wait()
	if !slices.Contains(results, nil) {
		return errors.Join(results...)
	}
	for _, err := range results {
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("an Alertmanager did not accept alerts", "error", err)
		}
	}
	return nil
}

// postTo sends alerts to a server. A request that it refuses does not prevent the others.
func (s *Sender) postTo(ctx context.Context, server *receiver.Receiver, list []message) error {
	var errs []error
	for part := range slices.Chunk(list, batch) {
		now := time.Now()
		alerts := make([]*model.Alert, len(part))
		for i := range part {
			alerts[i] = part[i].at(now, s.Interval)
		}
		body, err := json.Marshal(alerts)
		if err == nil {
			err = server.Post(ctx, "application/json", body)
		}
		if err == nil {
			continue
		}
		errs = append(errs, explain(err))
		if _, refused := errors.AsType[*receiver.RefusedError](err); !refused {
			break // the server does not answer, and each request would wait for it
		}
	}
	return errors.Join(errs...)
}

// shown is the number of bytes of an answer that the log shows.
const shown = 200

// explain adds the reason that Alertmanager gives. It can quote alerts, which contain no secrets;
// the answer of a proxy is another one, and could quote the address.
func explain(err error) error {
	refused, ok := errors.AsType[*receiver.RefusedError](err)
	if !ok || refused.Status/100 != 4 || refused.Status == http.StatusUnauthorized || refused.Status == http.StatusNotFound {
		return err
	}
	if kind, _, _ := mime.ParseMediaType(refused.MediaType); kind != "application/json" {
		return err
	}
	return fmt.Errorf("%w: %q", err, strings.ToValidUTF8(string(refused.Answer[:min(shown, len(refused.Answer))]), "\ufffd"))
}
