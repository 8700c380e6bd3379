package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pcatdev/pcat/fleet/internal/feed"
	"github.com/pcatdev/pcat/fleet/internal/seal"
)

// fill stores a value of each kind.
func fill(t *testing.T, s *Store) {
	t.Helper()
	noError := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	random := make([]byte, 2*chunkSize)
	chacha := rand.NewChaCha8([32]byte{})
	_, _ = chacha.Read(random) // never fails
	for i, data := range []string{"1", "2", secret, string(random)} {
		for round := range 3 {
			put(t, s, feed.Catalog{Feed: "test", Node: fmt.Sprint("n", i), Produced: time.Date(2026, 1, 1, 0, round, 0, 0, time.UTC), Data: []byte(fmt.Sprint(data, round))})
		}
		unit := s.Unit("test", fmt.Sprint("n", i))
		_, err := s.PutPart(t.Context(), unit, &Part{Digest: "d", Epoch: "e", Data: []byte(data)}, 0)
		noError(nil, err)
		noError(nil, s.PutFindings(t.Context(), unit, map[string]string{"first_seen": data[:1]}, 0))
		noError(nil, s.Event(t.Context(), "new", fmt.Sprint(i), fmt.Appendf(nil, `{"n":%d}`, i)))
		noError(nil, s.AddTask(t.Context(), &Task{ID: fmt.Sprint(i), Units: []Want{{Unit: unit}}}))
	}
	noError(nil, s.Remove(t.Context(), "test", "n1"))
	noError(nil, s.PutDead(t.Context(), &Dead{Unit: s.Unit("test", "n0"), Feed: "test", Node: "n0", Reason: "because", Time: time.Now().UTC()}))
	noError(nil, s.PutDays(t.Context(), []string{"2026-01-01"}))
	g, err := s.PutSegment(t.Context(), "id", random)
	noError(nil, err)
	_, err = s.PutState(t.Context(), &State{Engine: "x", Epoch: "e", Version: 7, Segments: []Segment{g}}, 0)
	noError(nil, err)
}

// contents returns everything that is stored, as it can be read.
func contents(t *testing.T, s *Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(key string, v any, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all[key] = string(text)
	}
	ctx := t.Context()
	var heads []*Head
	add("heads", nil, s.eachHead(ctx, func(h *Head) { heads = append(heads, h) }))
	for _, h := range heads {
		unit := s.Unit(h.Feed, h.Node)
		if !h.Gone {
			data, err := s.Document(ctx, h)
			add("document "+unit, data, err)
		}
		p, _, err := s.pasts(ctx, unit)
		add("pasts "+unit, nil, err)
		for i := range p.List {
			data, err := s.PastDocument(ctx, &p.List[i])
			add(fmt.Sprint("past ", i, " ", unit), data, err)
			p.List[i].Object = Ref{}
		}
		add("pasts "+unit, p, nil)
		part, _, err := s.Part(ctx, unit)
		add("part "+unit, part, err)
		if part != nil {
			add("part data "+unit, part.Data, nil)
		}
		var record json.RawMessage
		_, err = s.Findings(ctx, unit, &record)
		add("findings "+unit, record, err)
		h.Object, h.Arrived = Ref{}, h.Arrived.UTC()
		add("head "+unit, h, nil)
	}
	dead, err := s.DeadLetters(ctx)
	add("dead", dead, err)
	var days []string
	err = s.Days(ctx, &days)
	add("days", days, err)
	state, _, err := s.State(ctx)
	for i, g := range state.Segments {
		data, err := s.Segment(ctx, g)
		add("segment", data, err)
		state.Segments[i].Object = Ref{}
	}
	add("state", state, err)
	n := 0
	add("events", nil, s.readEvents(ctx, time.Time{}, 0, false, func(m jetstream.Msg, arrived time.Time) error {
		meta, err := m.Metadata()
		add(fmt.Sprint("event ", n), []any{m.Subject(), meta.Sequence.Stream, arrived.UTC(), string(m.Data())}, err)
		n++
		return nil
	}))
	return all
}

func equal(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 25 {
		t.Errorf("only %d values", len(want))
	}
	keys := maps.Clone(got)
	maps.Copy(keys, want)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if got[key] != want[key] {
			t.Errorf("%s: got %.300s, want %.300s", key, got[key], want[key])
		}
	}
}

// openWith starts a server in an empty folder with the key of another one.
func openWith(t *testing.T, key *seal.Key) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Key: key, Dir: t.TempDir(), MaxBytes: 1 << 30, Import: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestExport(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	stream, err := s.js.Stream(t.Context(), eventStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context(), jetstream.WithPurgeSequence(500)); err != nil { // older ones have expired
		t.Fatal(err)
	}
	fill(t, s)
	want := contents(t, s)
	var file bytes.Buffer
	sum, err := s.Export(t.Context(), &file)
	if err != nil || sum != (Contents{Catalogs: 3, Past: 8, Findings: 4, Events: 4}) {
		t.Fatalf("%+v, %v", sum, err)
	}
	if bytes.Contains(file.Bytes(), []byte(secret)) || bytes.Contains(file.Bytes(), []byte("first_seen")) {
		t.Error("the export is not encrypted")
	}
	if got, err := CheckExport(bytes.NewReader(file.Bytes()), s.key); got != sum || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.Import(t.Context(), bytes.NewReader(file.Bytes()), s.key); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("got %v for a storage with a fleet", err)
	}
	other := openWith(t, s.key)
	// An import that is interrupted is begun again; until then, the storage is not used.
	cut := bytes.NewReader(file.Bytes()[:file.Len()/2])
	if err := other.Import(t.Context(), cut, s.key); err == nil {
		t.Error("half of an export is accepted")
	}
	if err := other.claim(t.Context(), true, false); !errors.Is(err, ErrImport) {
		t.Errorf("got %v for half of an import", err)
	}
	if err := other.Import(t.Context(), bytes.NewReader(file.Bytes()), s.key); err != nil {
		t.Fatal(err)
	}
	if err := other.claim(t.Context(), true, false); err != nil {
		t.Error(err)
	}
	equal(t, contents(t, other), want)
	var again bytes.Buffer
	if sum2, err := other.Export(t.Context(), &again); err != nil || sum2 != sum {
		t.Errorf("%+v, %v", sum2, err)
	}
	third := openWith(t, s.key)
	if err := third.Import(t.Context(), &again, s.key); err != nil {
		t.Fatal(err)
	}
	equal(t, contents(t, third), want)
}

func TestDamagedExport(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	for i := range 20 {
		put(t, s, catalogOf(fmt.Sprint("n", i), strings.Repeat(secret, 100)))
	}
	var b bytes.Buffer
	if _, err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	refused := func(name string, data []byte, key *seal.Key) {
		t.Helper()
		_, err := CheckExport(bytes.NewReader(data), key)
		if !errors.Is(err, ErrExport) || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for n := range file {
		if n%7 == 0 || n > len(file)-50 {
			refused(fmt.Sprint("cut at ", n), file[:n], s.key)
			damaged := bytes.Clone(file)
			damaged[n] ^= 4
			if n == len(exportLine)-2 { // a later version
				continue
			}
			refused(fmt.Sprint("damaged at ", n), damaged, s.key)
		}
	}
	refused("longer", append(bytes.Clone(file), 0), s.key)
	refused("another key", file, anotherKey(t))
	refused("nothing", nil, s.key)
}

// After a rotation, everything is as it was, and only the new key opens it. It can be
// interrupted at any time.
func TestRotate(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	fill(t, s)
	want := contents(t, s)
	before := s.key
	fingerprints := before.Derive("fingerprints")
	r := rand.New(rand.NewPCG(1, 1))
	for n := 0; ; n++ {
		key, err := seal.Rotate(KeyFile(dir))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(5*(n+1)))*time.Millisecond)
		err = s.Rotate(ctx, key)
		ended := ctx.Err() != nil
		cancel()
		if err == nil {
			t.Logf("interrupted %d times", n)
			break
		}
		if !ended {
			t.Fatal(err)
		}
		equal(t, contents(t, s), want)
		put(t, s, catalogOf("new", fmt.Sprint(n))) // it works between two attempts
		if err := s.Remove(t.Context(), "test", "new"); err != nil {
			t.Fatal(err)
		}
		for key := range contents(t, s) {
			if strings.Contains(key, s.Unit("test", "new")) {
				want[key] = contents(t, s)[key]
			}
		}
	}
	if err := seal.Retire(KeyFile(dir)); err != nil {
		t.Fatal(err)
	}
	equal(t, contents(t, s), want)
	s.Close()
	if _, err := Open(t.Context(), Options{Key: before, Dir: dir, MaxBytes: 1 << 30}); !errors.Is(err, ErrKey) {
		t.Errorf("got %v for the key before", err)
	}
	s = open(t, dir, Options{})
	if s.key.Rotating() || !s.key.Same(before) || !bytes.Equal(s.key.Derive("fingerprints"), fingerprints) {
		t.Error("it is another fleet")
	}
	equal(t, contents(t, s), want)
	if err := s.damaged(); err != nil {
		t.Error(err)
	}
	// The key before opens nothing that is stored.
	for name := range s.js.StreamNames(t.Context()).Name() {
		stream, err := s.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		state := stream.CachedInfo().State
		for n := state.FirstSeq; n <= state.LastSeq; n++ {
			m, err := stream.GetMsg(t.Context(), n)
			if err != nil {
				continue
			}
			location := strings.Replace(strings.TrimPrefix(m.Subject, "$KV."), ".", "/", 1)
			for _, data := range [][]byte{m.Data, m.Data[min(1, len(m.Data)):]} {
				if _, err := before.Open(location, data); err == nil {
					t.Errorf("the key before opens %s", m.Subject)
				}
			}
		}
	}
	var objects int
	for _, b := range []*bucket{s.catalogs, s.large, s.knowledge} {
		list, err := b.objects.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			objects++
			sealed, err := b.sealed(t.Context(), Ref{Name: o.Name, ID: o.NUID, Chunks: o.Chunks})
			if err != nil || !current(s.box(b.location(o.Name)), b.location(o.Name), sealed) {
				t.Errorf("%s has another key, %v", o.Name, err)
			}
		}
	}
	if objects < 12 {
		t.Errorf("%d objects", objects)
	}
}

// A reader's key opens answers, and nothing else.
func TestReader(t *testing.T) {
	dir := stateDir(t)
	s := open(t, dir, Options{})
	fill(t, s)
	large := make([]byte, 3*chunkSize)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(large) // never fails
	if err := s.Answer(t.Context(), AskReport, func(context.Context, []string) ([]byte, error) { return large, nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.Answer(t.Context(), AskChunk, s.Chunk); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "reader.key")
	if err := s.key.Reader().Create(path); err != nil {
		t.Fatal(err)
	}
	if err := s.key.Reader().Create(path); err == nil {
		t.Error("a file is replaced")
	}
	if _, err := seal.Read(path); !errors.Is(err, seal.ErrReader) {
		t.Errorf("got %v for a reader's key", err)
	}
	key, err := seal.ReadReader(path)
	if err != nil {
		t.Fatal(err)
	}
	address, err := Address(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), Options{Reader: key, URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if text, err := r.Ask(t.Context(), AskReport); !bytes.Equal(text, large) || err != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	// The server refuses everything else.
	for _, name := range []string{"OBJ_answers", "KV_catalogs", "KV_parts", "KV_past", "KV_dead", "OBJ_catalogs", "OBJ_knowledge", "OBJ_parts", "KV_findings", "KV_state", eventStream, taskStream} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := r.js.Stream(ctx, name); err == nil {
			t.Errorf("it can read %s", name)
		}
		cancel()
	}
	for _, subject := range []string{"$JS.API.CONSUMER.CREATE.OBJ_answers", "$JS.API.STREAM.PURGE.OBJ_answers", "$KV.findings.x", "$KV.state.fleet", eventSubject + "new", taskSubject, askSubject + askRoom} {
		if _, err := r.conn.Request(subject, nil, 300*time.Millisecond); err == nil {
			t.Errorf("it can write to %s", subject)
		}
	}
	// Nor does the fleet write where a reader wants.
	unit := s.Unit("test", "n0")
	for _, subject := range []string{askSubject + AskReport, "$JS.API.STREAM.INFO.OBJ_answers", "$JS.API.INFO"} {
		if err := r.conn.PublishRequest(subject, "$KV.catalogs."+unit, r.sealJSON(askSubject+AskReport, &question{ID: "x"})); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Ask(t.Context(), AskReport); err != nil { // they have arrived
		t.Fatal(err)
	}
	if h, _, err := s.Head(t.Context(), unit); h == nil || err != nil {
		t.Errorf("a reader replaced a catalog: %v", err)
	}
	// And the key opens nothing else, if somebody has the bytes.
	var opened []string
	for name := range s.js.StreamNames(t.Context()).Name() {
		stream, err := s.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		state := stream.CachedInfo().State
		for n := state.FirstSeq; n <= state.LastSeq; n++ {
			m, err := stream.GetMsg(t.Context(), n)
			if err != nil {
				continue
			}
			location := strings.Replace(strings.TrimPrefix(m.Subject, "$KV."), ".", "/", 1)
			for _, data := range [][]byte{m.Data, m.Data[min(1, len(m.Data)):]} {
				if _, err := key.Open(location, data); err == nil {
					opened = append(opened, strings.Split(location, "/")[0])
				}
			}
		}
	}
	for _, b := range []*bucket{s.catalogs, s.large, s.knowledge} {
		list, err := b.objects.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			sealed, err := b.sealed(t.Context(), Ref{Name: o.Name, ID: o.NUID, Chunks: o.Chunks})
			if _, opens := key.Open(b.location(o.Name), sealed); opens == nil || err != nil {
				t.Errorf("it opens %s, %v", o.Name, err)
			}
		}
	}
	if len(opened) > 0 {
		t.Errorf("it opens %s", opened)
	}
	other, err := Open(t.Context(), Options{Reader: anotherKey(t).Reader(), URL: address})
	if err == nil {
		other.Close()
		t.Error("the key of another fleet is accepted")
	}
}

// anotherKey returns the key of another fleet.
func anotherKey(t *testing.T) *seal.Key {
	t.Helper()
	key, err := seal.Create(filepath.Join(t.TempDir(), "fleet.key"))
	if err != nil {
		t.Fatal(err)
	}
	return key
}
