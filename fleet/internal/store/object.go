package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrMissing reports that an object does not exist, any more or yet.
var ErrMissing = errors.New("the object is missing in the storage")

// Ref refers to an object.
type Ref struct {
	Name string `json:"name"`
	// ID and Chunks are the name and the number of the messages with its content.
	ID     string `json:"id"`
	Chunks uint32 `json:"chunks"`
}

// bucket is an object store whose objects are encrypted, and written once.
type bucket struct {
	name    string
	store   *Store
	objects jetstream.ObjectStore
	stream  jetstream.Stream
}

// answersBucket is the bucket of the answers that are large.
const answersBucket = "answers"

func objectLocation(bucket, name string) string { return "object/" + bucket + "/" + name }

func (b *bucket) location(name string) string { return objectLocation(b.name, name) }

// put stores data under a name that was never used before.
func (b *bucket) put(ctx context.Context, name string, data []byte) (*Ref, error) {
	return b.write(ctx, name, b.store.pack(b.location(name), data))
}

// write stores a sealed value under a name that was never used before.
func (b *bucket) write(ctx context.Context, name string, sealed []byte) (*Ref, error) {
	err := b.store.room(ctx, len(sealed))
	if err != nil {
		return nil, err
	}
	meta := jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}}
	r := &Ref{Name: name, ID: rand.Text(), Chunks: 1}
	if len(sealed) > chunkSize {
		info, failed := b.objects.Put(ctx, meta, bytes.NewReader(sealed))
		if err = failed; err == nil {
			r.ID, r.Chunks = info.NUID, info.Chunks
		}
	} else {
		err = b.putSmall(ctx, meta, r, sealed)
	}
	if err != nil { // its description may be stored without its content, or the reverse
		_ = b.remove(ctx, r.Name, r.ID)
		return nil, full(err)
	}
	return r, nil
}

// putSmall stores an object that consists of one message. The client of JetStream prepares
// for objects of any size, and for an older one of the name, which takes longer.
func (b *bucket) putSmall(ctx context.Context, meta jetstream.ObjectMeta, r *Ref, sealed []byte) error {
	sum := sha256.Sum256(sealed)
	info, err := json.Marshal(&jetstream.ObjectInfo{
		ObjectMeta: meta, Bucket: b.name, NUID: r.ID, Size: uint64(len(sealed)), Chunks: r.Chunks,
		Digest: "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:]),
	})
	if err != nil {
		return err
	}
	if _, err := b.store.js.Publish(ctx, b.chunks(r.ID), sealed); err != nil {
		return err
	}
	_, err = b.store.js.Publish(ctx, b.description(r.Name), info)
	return err
}

// get returns the content of an object.
func (b *bucket) get(ctx context.Context, r Ref) ([]byte, error) {
	sealed, err := b.sealed(ctx, r)
	if err != nil {
		return nil, err
	}
	data, err := b.store.unpack(b.location(r.Name), sealed)
	if err != nil {
		return nil, fmt.Errorf("object %s in %s: %w", r.Name, b.name, err)
	}
	return data, nil
}

// sealed returns the sealed value of an object.
func (b *bucket) sealed(ctx context.Context, r Ref) ([]byte, error) {
	var sealed []byte
	for n, next := uint32(0), uint64(1); n < r.Chunks; n++ {
		// One request for each message, in place of a consumer: a consumer does not survive the
		// failure of its server.
		m, err := b.stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(b.chunks(r.ID)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, ErrMissing
		}
		if err != nil {
			return nil, err
		}
		sealed, next = append(sealed, m.Data...), m.Sequence+1
	}
	return sealed, nil
}

func (b *bucket) description(name string) string {
	return "$O." + b.name + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

func (b *bucket) chunks(id string) string { return "$O." + b.name + ".C." + id }

// remove removes an object, without the mark that the client of JetStream leaves: names
// are not used again, and marks would gather.
func (b *bucket) remove(ctx context.Context, name, id string) error {
	return errors.Join(
		b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.description(name))),
		b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.chunks(id))),
	)
}

// Sweeper removes objects that nothing refers to.
type Sweeper struct {
	store   *Store
	keep    time.Duration
	writing time.Duration
	seen    map[string]time.Time // when an object was first seen without a reference
}

// Sweeper returns a Sweeper that keeps superseded catalogs for some time.
func (s *Store) Sweeper(keep time.Duration) *Sweeper {
	return &Sweeper{store: s, keep: keep, writing: writing, seen: map[string]time.Time{}}
}

// writing is longer than the time between writing an object and referring to it. It is
// measured in this process, so that a clock that jumps deletes nothing.
const writing = 10 * time.Minute

// Sweep removes objects and returns their number.
func (w *Sweeper) Sweep(ctx context.Context) (int, error) {
	s, removed, seen := w.store, 0, map[string]time.Time{}
	for _, job := range []struct {
		bucket *bucket
		live   func(context.Context, map[string]bool) error
	}{
		{s.catalogs, func(ctx context.Context, live map[string]bool) error { return s.liveCatalogs(ctx, w.keep, live) }},
		{s.large, s.liveParts},
		{s.knowledge, s.liveSegments},
	} {
		list, err := job.bucket.objects.List(ctx)
		if errors.Is(err, jetstream.ErrNoObjectsFound) {
			continue
		}
		if err != nil {
			return removed, err
		}
		live := map[string]bool{}
		if err := job.live(ctx, live); err != nil {
			return removed, err
		}
		now := time.Now()
		for _, info := range list {
			if live[info.Name] {
				continue
			}
			id := job.bucket.name + "/" + info.Name
			first, known := w.seen[id]
			if !known {
				first = now
			}
			if now.Sub(first) < w.writing {
				seen[id] = first
				continue
			}
			if err := job.bucket.remove(ctx, info.Name, info.NUID); err != nil {
				return removed, err
			}
			removed++
		}
	}
	w.seen = seen
	return removed, nil
}
