// Package webhook sends the events of a fleet to a program by HTTP, as CloudEvents.
package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/history"
	"github.com/pcatdev/pcat/fleet/internal/receiver"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// Options are the options of a [Sender].
type Options struct {
	// URL is the address that receives the events.
	URL string
	// ClientFile is a file with the settings of HTTP clients of Prometheus (TLS, passwords,
	// tokens), or empty.
	ClientFile string
	// Fleet is a name of the fleet that is no secret, and is the same after a restart.
	Fleet string
	// Events delivers events, such as a store.
	Events Events
	// Pause returns the time before another try. Nil means one second, which doubles up to five
	// minutes.
	Pause func(tries uint64) time.Duration
	Log   *slog.Logger
}

// Events delivers events in order, and remembers the position under a name.
type Events interface {
	DeliverEvents(ctx context.Context, name string, handle func(ctx context.Context, e store.Event) error, pause func(tries uint64) time.Duration) error
}

// Sender sends events. Its methods are safe for concurrent use.
type Sender struct {
	Options
	receiver *receiver.Receiver
	failed   atomic.Bool
}

// New returns a Sender. It fails for an address or a file that cannot be used.
func New(o Options) (*Sender, error) {
	r, err := receiver.New(o.URL, "", o.ClientFile)
	if err != nil {
		return nil, fmt.Errorf("--webhook: %w", err)
	}
	if o.Pause == nil {
		o.Pause = pause
	}
	return &Sender{Options: o, receiver: r}, nil
}

// pause doubles with each try.
func pause(tries uint64) time.Duration {
	return min(time.Second<<min(tries-1, 10), 5*time.Minute)
}

// Healthy returns an error while the receiver does not accept an event.
func (s *Sender) Healthy() error {
	if s.failed.Load() {
		return errors.New("the receiver does not accept an event, and the others wait: see the log")
	}
	return nil
}

// name is the name of the position in the storage.
const name = "webhook"

// restart is the time before events are read again after a fault of the storage.
const restart = time.Second

// Run sends events until ctx ends.
func (s *Sender) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.Events.DeliverEvents(ctx, name, s.send, s.Pause); err != nil && ctx.Err() == nil {
			s.Log.Warn("events for the webhook cannot be read", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(restart):
		}
	}
}

// cloudEvent is an event in the JSON format of CloudEvents 1.0.
type cloudEvent struct {
	Version string          `json:"specversion"`
	ID      string          `json:"id"`
	Source  string          `json:"source"`
	Type    string          `json:"type"`
	Time    time.Time       `json:"time"`
	Subject string          `json:"subject,omitempty"`
	Content string          `json:"datacontenttype"`
	Data    json.RawMessage `json:"data"`
}

func (s *Sender) send(ctx context.Context, e store.Event) error {
	var head history.Event
	if err := json.Unmarshal(e.Body, &head); err != nil {
		s.Log.Error("an event cannot be read, and is skipped", "sequence", e.Sequence) // the cause may quote it
		return nil                                                                     //nolint:nilerr // it would never be another one
	}
	body, err := json.Marshal(&cloudEvent{
		Version: "1.0", ID: cmp.Or(e.ID, strconv.FormatUint(e.Sequence, 10)), Source: strings.TrimSuffix("/pcatd/"+s.Fleet, "/"), Type: "pcat.finding." + string(head.Kind), Time: head.Time,
		Subject: head.Fingerprint, Content: "application/json", Data: e.Body,
	})
	if err != nil {
		return err
	}
	err = s.receiver.Post(ctx, "application/cloudevents+json", body)
	if errors.Is(ctx.Err(), context.Canceled) {
		return err // the process ends
	}
	if s.failed.Store(err != nil); err != nil {
		s.Log.Warn("the webhook does not accept an event, and gets it again", "sequence", e.Sequence, "error", err)
	}
	return err
}
