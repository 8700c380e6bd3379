package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

const askSubject = "pcat.ask."

// The questions that a reader may ask, too.
const (
	AskReport   = "report"
	AskStatus   = "status"
	AskProcess  = "process"
	AskFindings = "findings"
	AskEvents   = "events"
)

// readable reports whether a location is that of a question of a reader, or of its answer.
func readable(location string) bool {
	subject, found := strings.CutPrefix(location, askSubject)
	subject, _, _ = strings.Cut(subject, "/")
	return found && slices.Contains([]string{AskReport, AskStatus, AskProcess, AskFindings, AskEvents}, subject)
}

// question is a request to the coordinator.
type question struct {
	ID   string   `json:"id"`
	Args []string `json:"args"`
}

// answer is its reply.
type answer struct {
	Err    string `json:"err,omitempty"`
	Data   []byte `json:"data,omitempty"`
	Object *Ref   `json:"object,omitempty"` // in place of Data, if it is large
}

// ErrNobody reports that no coordinator answers.
var ErrNobody = errors.New("no coordinator answers: start pcatd serve, or try again")

// Ask asks the coordinator, and returns its answer. It asks again on another connection.
func (s *Store) Ask(ctx context.Context, subject string, args ...string) ([]byte, error) {
	q := question{Args: args}
	var m *nats.Msg
	for {
		connected, cancel := s.Connected(ctx)
		q.ID = rand.Text()
		var err error
		m, err = s.conn.RequestWithContext(connected, askSubject+subject, s.sealJSON(askSubject+subject, &q))
		again := err != nil && connected.Err() != nil && ctx.Err() == nil
		cancel()
		if again {
			continue
		}
		if errors.Is(err, nats.ErrNoResponders) {
			return nil, ErrNobody
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", subject, err)
		}
		break
	}
	var a answer
	if err := s.openJSON(askSubject+subject+"/"+q.ID, m.Data, &a); err != nil {
		return nil, fmt.Errorf("%s: %w", subject, err)
	}
	switch {
	case a.Err != "":
		return nil, errors.New(a.Err)
	case a.Object == nil:
		return a.Data, nil
	}
	data, err := s.answers.get(ctx, *a.Object)
	if s.key != nil {
		_ = s.answers.remove(ctx, a.Object.Name, a.Object.ID) // else it expires
	}
	return data, err
}

// AskAll asks all processes that answer about a subject, and returns the answers that arrive
// within some time.
func (s *Store) AskAll(ctx context.Context, subject string, wait time.Duration) ([][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	inbox := s.conn.NewInbox()
	sub, err := s.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", subject, err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	q := question{ID: rand.Text()}
	if err := s.conn.PublishRequest(askSubject+subject, inbox, s.sealJSON(askSubject+subject, &q)); err != nil {
		return nil, fmt.Errorf("%s: %w", subject, err)
	}
	var list [][]byte
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil { // the time is over, or nobody answers
			return list, nil
		}
		var a answer
		if s.openJSON(askSubject+subject+"/"+q.ID, m.Data, &a) == nil && a.Err == "" && a.Object == nil {
			list = append(list, a.Data)
		}
	}
}

// safely calls f, and makes a panic of it an error, without the text of the panic.
func safely(f func() ([]byte, error)) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a fault of type %T, please report it", v)
		}
	}()
	return f()
}

// Answer answers the questions about a subject until the context ends. Each is answered in
// a goroutine of its own.
func (s *Store) Answer(ctx context.Context, subject string, reply func(ctx context.Context, args []string) ([]byte, error)) error {
	sub, err := s.conn.Subscribe(askSubject+subject, func(m *nats.Msg) {
		go func() {
			var q question
			if s.openJSON(askSubject+subject, m.Data, &q) != nil {
				_ = m.Respond(nil) // it is not of this fleet, or of another key
				return
			}
			ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
			defer cancel()
			var a answer
			data, err := safely(func() ([]byte, error) { return reply(ctx, q.Args) })
			if err == nil && len(data) > chunkSize/2 {
				a.Object, err = s.answers.put(ctx, q.ID, data)
			} else {
				a.Data = data
			}
			if err != nil {
				a = answer{Err: err.Error()}
			}
			if err := m.Respond(s.sealJSON(askSubject+subject+"/"+q.ID, &a)); err != nil {
				s.log.Warn("an answer was lost", "subject", subject, "error", err)
			}
		}()
	})
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	return s.conn.FlushTimeout(10 * time.Second) // the server knows of it
}
