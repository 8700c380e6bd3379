package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// handling is how long the handler of an event may take, and settling how long the answer to the
// storage may take after that.
const (
	handling = time.Minute
	settling = 5 * time.Second
)

// DeliverEvents calls handle for each event from now on, in order and one at a time, until ctx
// ends. The storage remembers the position under a name, also while no process delivers: the next
// process with the name continues, and of several, one gets each event. An event that handle
// fails for is delivered again after pause, and before all others. When ctx ends, the event that is
// handled is left for the next process.
func (s *Store) DeliverEvents(ctx context.Context, name string, handle func(ctx context.Context, e Event) error, pause func(tries uint64) time.Duration) error {
	c, err := s.js.CreateOrUpdateConsumer(ctx, eventStream, jetstream.ConsumerConfig{
		Durable: name, DeliverPolicy: jetstream.DeliverNewPolicy, AckPolicy: jetstream.AckExplicitPolicy, AckWait: handling + 10*time.Second, MaxAckPending: 1, MaxDeliver: -1,
	})
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	messages, err := c.Messages(jetstream.PullMaxMessages(1))
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		m, err := messages.Next()
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) && ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("events: %w", err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		e := Event{meta.Sequence.Stream, m.Data(), m.Headers().Get(jetstream.MsgIDHeader)}
		err = deliver(ctx, m, e, handle, func() time.Duration { return pause(meta.NumDelivered) })
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("events: %w", err)
		}
	}
}

// deliver calls handle for an event, and records the result in the storage.
func deliver(ctx context.Context, m jetstream.Msg, e Event, handle func(ctx context.Context, e Event) error, pause func() time.Duration) error {
	within, cancel := context.WithTimeout(ctx, handling)
	defer cancel()
	err := handle(within, e)
	switch {
	case err != nil && ctx.Err() != nil:
		return m.Nak()
	case err != nil:
		return m.NakWithDelay(pause())
	}
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling) // else it would arrive twice
	defer cancel()
	return m.DoubleAck(settle)
}
