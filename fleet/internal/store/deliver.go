package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// handling is how long the handler of an event may take.
const handling = time.Minute

// DeliverEvents calls handle for each event from now on, in order and one at a time, until ctx
// ends. The storage remembers the position under a name, also while no process delivers: the next
// process with the name continues, and of several, one gets each event. An event that handle
// fails for is delivered again after pause, and before all others.
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
		within, cancel := context.WithTimeout(ctx, handling)
		err = handle(within, Event{meta.Sequence.Stream, m.Data()})
		cancel()
		if err != nil {
			err = m.NakWithDelay(pause(meta.NumDelivered))
		} else {
			err = m.DoubleAck(ctx)
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("events: %w", err)
		}
	}
}
