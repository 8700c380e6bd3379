package store

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	taskSubject = "pcat.task"
	taskStream  = "TASKS"
	consumer    = "workers"
)

// Task is work for a worker: units to bring up to date.
type Task struct {
	ID string `json:"id"`
	// Engine is the version of the audit, Epoch and Version are those of the knowledge to
	// use at least. Without Inspect, only declared secrets are collected.
	Engine  string `json:"engine"`
	Epoch   string `json:"epoch"`
	Version uint64 `json:"version"`
	Inspect bool   `json:"inspect"`
	Rules   string `json:"rules,omitempty"` // the digest of the custom rules
	Units   []Want `json:"units"`
}

// Want is a unit of a task, with the digest of the catalog to audit.
type Want struct {
	Unit   string `json:"unit"`
	Digest string `json:"digest"`
	// Head is the catalog, and Part the revision of the part that it replaces if it has none
	// of its own, as of the time of the task. A worker need not ask for them. Nil means that
	// it must.
	Head  *Head  `json:"head,omitempty"`
	Part  uint64 `json:"part,omitempty"`
	Fresh bool   `json:"fresh,omitempty"` // the catalog has no part
	// Tried is set if an earlier audit of the catalog may have ended its worker.
	Tried bool `json:"tried,omitempty"`
	// Retry is set if the unit is a dead letter whose pause is over.
	Retry bool `json:"retry,omitempty"`
	// Seen is the version of the knowledge up to which the catalog was searched, if it lacks
	// nothing but a search for newer secrets, and otherwise 0.
	Seen uint64 `json:"seen,omitempty"`
}

// AddTask adds a task. A task with the ID of one that was added in the last two minutes is
// ignored.
func (s *Store) AddTask(ctx context.Context, t *Task) error {
	_, err := s.js.Publish(ctx, taskSubject, s.sealJSON(taskSubject, t), jetstream.WithMsgID(t.ID))
	return full(err)
}

// Delivery is a task that was delivered to a worker. It is delivered again unless Done or
// Drop succeeds.
type Delivery struct {
	Task
	// Count is the number of deliveries of the task, including this one.
	Count int

	message jetstream.Msg
	store   *Store
}

// NextTask returns the next task, or nil if there is none for some time, or the connection
// is another one.
func (s *Store) NextTask(ctx context.Context, wait time.Duration) (*Delivery, error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	limited, forget := s.Connected(limited)
	defer forget()
	m, err := s.tasks.Next(jetstream.FetchContext(limited))
	if err != nil {
		if ctx.Err() == nil && limited.Err() != nil || errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoMessages) {
			return nil, nil //nolint:nilnil // there is none
		}
		return nil, err
	}
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	d := &Delivery{Count: int(meta.NumDelivered), message: m, store: s}
	if err := s.openJSON(taskSubject, m.Data(), &d.Task); err != nil {
		return nil, errors.Join(err, m.Term())
	}
	return d, nil
}

// Done removes the task. It waits until the server knows, for a few seconds: a server that
// was killed may have forgotten the delivery, and then does not answer.
func (d *Delivery) Done(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, min(5*time.Second, d.store.ackWait))
	defer cancel()
	ctx, forget := d.store.Connected(ctx)
	defer forget()
	return d.message.DoubleAck(ctx)
}

// Retry gives the task back, to be delivered again after some time.
func (d *Delivery) Retry(delay time.Duration) error {
	if delay <= 0 {
		return d.message.Nak()
	}
	return d.message.NakWithDelay(delay)
}

// Progress keeps the server from giving the worker up.
func (d *Delivery) Progress() error { return d.message.InProgress() }

// AckWait returns the time after which a worker without progress is given up.
func (s *Store) AckWait() time.Duration { return s.ackWait }

// Pending returns the number of tasks that were not delivered, and of tasks that a worker
// has.
func (s *Store) Pending(ctx context.Context) (waiting, delivered int, err error) {
	info, err := s.tasks.Info(ctx)
	if err != nil {
		return 0, 0, err
	}
	return int(info.NumPending), info.NumAckPending, nil
}

// Tasks returns all tasks that are not done.
func (s *Store) Tasks(ctx context.Context) ([]*Task, error) {
	stream, err := s.js.Stream(ctx, taskStream)
	if err != nil {
		return nil, err
	}
	var list []*Task
	state := stream.CachedInfo().State
	for n := state.FirstSeq; n <= state.LastSeq && n > 0; n++ {
		m, err := stream.GetMsg(ctx, n)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t := new(Task)
		if s.openJSON(taskSubject, m.Data, t) == nil {
			list = append(list, t)
		}
	}
	return list, nil
}
