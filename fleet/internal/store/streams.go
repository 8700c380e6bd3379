package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Shares of the data, in thousandths of [Options.MaxBytes].
const (
	shareHeads    = 20
	sharePast     = 20
	shareCatalogs = 500
	shareTasks    = 10
	shareParts    = 120
	shareExtracts = 110
	shareLarge    = 60
	shareState    = 5
	shareLearnt   = 60
	shareFindings = 50
	shareEvents   = 20
	shareDead     = 5
	shareAnswers  = 14
	shareAccepted = 1
)

// begin is create, and waits for a cluster that starts or has lost a server: it does not
// answer some requests, and has no room for a stream.
func (s *Store) begin(ctx context.Context, o Options) error {
	start, connected := time.Now(), time.Now() // since when it waits, and when it was connected last
	for {
		err := s.create(ctx, o)
		if err == nil || s.server != nil || !Unavailable(err) && !crowded(err) {
			return err
		}
		switch {
		case s.conn.IsClosed():
			return cmp.Or(s.Failed(), err)
		case s.conn.IsConnected():
			connected = time.Now()
		case o.Stays:
			start = time.Now() // it counts from the next connection on
		case time.Since(connected) > cmp.Or(o.vanished, vanished):
			return err
		}
		if time.Since(start) > cmp.Or(o.unready, unready) {
			return err
		}
		s.log.Info("the storage in NATS is not ready, trying again", "error", err)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return err
		}
	}
}

// How long begin waits for the storage: in all, as for a cluster that starts, and without a
// connection, as after a server was killed.
const unready, vanished = time.Minute, 10 * time.Second

// create opens the streams. Those that are missing are created, and those of an embedded
// server are adapted to the options.
func (s *Store) create(ctx context.Context, o Options) error {
	share := func(n int64) int64 { return cmp.Or(o.MaxBytes, DefaultMaxBytes) / 1000 * n }
	create := func(err, missing error) bool {
		return s.server != nil && err == nil && o.MaxBytes != 0 || (s.server != nil || o.Create) && errors.Is(err, missing)
	}
	var err error
	if s.Reads() {
		return nil
	}
	// In a cluster, a value that is read directly may be that of a server that is behind. Buckets are created
	// with direct reads, also by a start that was interrupted before it could forbid them. It reports whether
	// the bucket has to be opened again.
	forbidDirect := func(name string) bool {
		if err != nil || o.Replicas <= 1 || !(s.server != nil || o.Create) {
			return false
		}
		stream, failed := s.js.Stream(ctx, name)
		if err = failed; err != nil || !stream.CachedInfo().Config.AllowDirect {
			return false
		}
		c := stream.CachedInfo().Config
		c.AllowDirect = false
		_, err = s.js.UpdateStream(ctx, c)
		return err == nil
	}
	kv := func(name string, n int64, history uint8, ttl time.Duration) jetstream.KeyValue {
		if err != nil {
			return nil
		}
		var kv jetstream.KeyValue
		kv, err = s.js.KeyValue(ctx, name)
		if create(err, jetstream.ErrBucketNotFound) {
			kv, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, MaxBytes: share(n), History: history, TTL: ttl, Replicas: o.Replicas})
		}
		if forbidDirect("KV_" + name) {
			kv, err = s.js.KeyValue(ctx, name)
		}
		return kv
	}
	object := func(name string, n int64, ttl time.Duration) *bucket {
		if err != nil {
			return nil
		}
		b := &bucket{name: name, store: s}
		b.objects, err = s.js.ObjectStore(ctx, name)
		if create(err, jetstream.ErrBucketNotFound) {
			b.objects, err = s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, MaxBytes: share(n), TTL: ttl, Replicas: o.Replicas})
		}
		if forbidDirect("OBJ_" + name) {
			b.objects, err = s.js.ObjectStore(ctx, name)
		}
		if err == nil {
			b.stream, err = s.js.Stream(ctx, "OBJ_"+name)
		}
		return b
	}
	stream := func(c jetstream.StreamConfig) jetstream.Stream {
		if err != nil {
			return nil
		}
		c.Replicas, c.Discard = max(o.Replicas, 1), jetstream.DiscardNew
		var stream jetstream.Stream
		stream, err = s.js.Stream(ctx, c.Name)
		if create(err, jetstream.ErrStreamNotFound) {
			stream, err = s.js.CreateOrUpdateStream(ctx, c)
		}
		return stream
	}
	s.heads = kv("catalogs", shareHeads, 1, 0)
	s.past = kv("past", sharePast, 1, 0)
	s.parts = kv("parts", shareParts, 1, 0)
	s.extracts = kv("extracts", shareExtracts, 1, 0)
	s.dead = kv("dead", shareDead, 1, 0)
	s.accepted = kv("accepted", shareAccepted, 1, 0)
	s.findings = kv("findings", shareFindings, 5, 0)
	s.state = kv("state", shareState, 1, 0)
	s.leader = kv("leader", shareState, 1, leaseTime)
	s.catalogs = object("catalogs", shareCatalogs, 0)
	s.large = object("parts", shareLarge, 0)
	s.knowledge = object("knowledge", shareLearnt, 0)
	s.answers = object(answersBucket, shareAnswers, 10*time.Minute)
	tasks := stream(jetstream.StreamConfig{Name: taskStream, Subjects: []string{taskSubject}, Retention: jetstream.WorkQueuePolicy, MaxBytes: share(shareTasks)})
	stream(jetstream.StreamConfig{Name: eventStream, Subjects: []string{eventSubject + "*"}, MaxBytes: share(shareEvents), MaxAge: eventsKept, Duplicates: time.Hour})
	if err != nil {
		return err
	}
	findings, err := s.js.Stream(ctx, "KV_"+s.findings.Bucket())
	if err != nil {
		return err
	}
	s.created = findings.CachedInfo().Created.UTC()
	s.tasks, err = tasks.Consumer(ctx, consumer)
	if create(err, jetstream.ErrConsumerNotFound) {
		s.tasks, err = tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(o.AckWait, 30*time.Second), MaxDeliver: -1, MaxAckPending: 10000,
		})
	}
	if err == nil {
		err = s.claim(ctx, s.server != nil || o.Create, o.Import)
	}
	if err == nil {
		s.ackWait = s.tasks.CachedInfo().Config.AckWait
	}
	return err
}
