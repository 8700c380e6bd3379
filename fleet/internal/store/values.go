package store

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// box returns the Box for a location. A reader's key opens the answers to its questions; a
// storage that was opened with such a key has no other Box.
func (s *Store) box(location string) *seal.Box {
	if s.key == nil || strings.HasPrefix(location, objectLocation(answersBucket, "")) || readable(location) {
		return s.shared
	}
	return &s.key.Box
}

// sealJSON encrypts a value as JSON.
func (s *Store) sealJSON(location string, v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) //nolint:forbidigo // of texts, numbers, and times that were checked or are of this machine
	}
	return s.box(location).Seal(location, data)
}

// openJSON is the reverse of sealJSON.
func (s *Store) openJSON(location string, sealed []byte, v any) error {
	data, err := s.box(location).Open(location, sealed)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, v) != nil { // the cause may quote the data
		return seal.ErrSealed
	}
	return nil
}

// pack compresses and encrypts data.
func (s *Store) pack(location string, data []byte) []byte {
	return s.seal(location, func(b []byte) []byte { return s.encoder.EncodeAll(data, b) })
}

// seal encrypts what compress appends to an empty buffer.
func (s *Store) seal(location string, compress func([]byte) []byte) []byte {
	b, _ := s.packed.Get().(*[]byte)
	if b == nil {
		b = new([]byte)
	}
	*b = compress((*b)[:0])
	sealed := s.box(location).Seal(location, *b)
	if cap(*b) <= maxPayload {
		s.packed.Put(b)
	}
	return sealed
}

// unpack is the reverse of pack.
func (s *Store) unpack(location string, sealed []byte) ([]byte, error) {
	data, err := s.box(location).Open(location, sealed)
	if err != nil {
		return nil, err
	}
	return s.decompress(data)
}

// decompress is the reverse of the compression of pack.
func (s *Store) decompress(data []byte) ([]byte, error) {
	data, err := s.decoder.DecodeAll(data, nil)
	if err != nil {
		return nil, seal.ErrSealed
	}
	return data, nil
}

// unpackJSON is unpack for a value as JSON.
func (s *Store) unpackJSON(location string, sealed []byte, v any) error {
	data, err := s.unpack(location, sealed)
	if err == nil && json.Unmarshal(data, v) != nil { // the cause may quote the data
		err = seal.ErrSealed
	}
	return err
}

// swap replaces the value of a key that has a revision, or creates it if that is 0. A value
// that was removed does not exist.
func swap(ctx context.Context, kv jetstream.KeyValue, key string, value []byte, revision uint64) (uint64, error) {
	if revision == 0 {
		return kv.Create(ctx, key, value)
	}
	return kv.Update(ctx, key, value, revision)
}
