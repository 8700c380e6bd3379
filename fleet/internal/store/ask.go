package store

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const askSubject = "pcat.ask."

// The questions that a reader may ask, too.
const (
	AskReport   = "report"
	AskStatus   = "status"
	AskProcess  = "process"
	AskFindings = "findings"
	AskEvents   = "events"
	AskChunk    = "chunk" // of a large answer
)

// readable reports whether a location is that of a question of a reader, or of its answer.
func readable(location string) bool {
	subject, found := strings.CutPrefix(location, askSubject)
	subject, _, _ = strings.Cut(subject, "/")
	return found && slices.Contains([]string{AskReport, AskStatus, AskProcess, AskFindings, AskEvents, AskChunk}, subject)
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
	if s.Reads() {
		return s.askObject(ctx, *a.Object)
	}
	data, err := s.answers.get(ctx, *a.Object)
	_ = s.answers.remove(ctx, a.Object.Name, a.Object.ID) // else it expires
	return data, err
}

// askObject asks for the chunks of a large answer: a reader has no access to the storage.
func (s *Store) askObject(ctx context.Context, r Ref) ([]byte, error) {
	var sealed []byte
	for n, next := uint32(0), uint64(1); n < r.Chunks; n++ {
		chunk, err := s.Ask(ctx, AskChunk, r.ID, strconv.FormatUint(next, 10))
		if err != nil {
			return nil, err
		}
		if len(chunk) < 8 {
			return nil, ErrMissing
		}
		sealed, next = append(sealed, chunk[8:]...), binary.BigEndian.Uint64(chunk)
	}
	return s.unpack(objectLocation(answersBucket, r.Name), sealed)
}

// Chunk answers [AskChunk]: with the next position, and the first chunk of an answer from a
// position on.
func (s *Store) Chunk(ctx context.Context, args []string) ([]byte, error) {
	if len(args) != 2 || strings.ContainsAny(args[0], ".*> ") {
		return nil, errors.New("chunk: give the answer and a position")
	}
	position, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("chunk: %w", err)
	}
	m, err := s.answers.stream.GetMsg(ctx, position, jetstream.WithGetMsgSubject(s.answers.chunks(args[0])))
	if err != nil {
		return nil, fmt.Errorf("chunk: %w", err)
	}
	return append(binary.BigEndian.AppendUint64(nil, m.Sequence+1), m.Data...), nil
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

// inline is the largest answer that is one message, which has it in Base64.
const inline = chunkSize + 8

// Answer answers the questions about a subject until the context ends. Each is answered in
// a goroutine of its own.
func (s *Store) Answer(ctx context.Context, subject string, reply func(ctx context.Context, args []string) ([]byte, error)) error {
	sub, err := s.conn.Subscribe(askSubject+subject, func(m *nats.Msg) {
		if !strings.HasPrefix(m.Reply, "_INBOX") { // a reader must not write elsewhere by this process
			return
		}
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
			if err == nil && len(data) > inline {
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
	return s.flush(ctx)
}
