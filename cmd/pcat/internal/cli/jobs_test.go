package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"testing"
)

func numberedSources(n int) []Source {
	sources := make([]Source, n)
	for i := range sources {
		sources[i].Name = strconv.Itoa(i)
	}
	return sources
}

// Results and errors come in order, and not more is done at a time than was asked for.
func TestJobs(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 2, 50} {
			var out bytes.Buffer
			var running, most atomic.Int32
			f := JobFlags{Jobs: jobs}
			err := f.Run(context.Background(), &out, numberedSources(n), func(_ context.Context, src Source, w io.Writer) error {
				now := running.Add(1)
				defer running.Add(-1)
				for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
				}
				if _, err := fmt.Fprintln(w, src.Name); err != nil {
					return err
				}
				if src.Name == "1" || src.Name == "30" {
					return errors.New(src.Name)
				}
				return nil
			})
			want, wantErr := "", ""
			for i := range n {
				want += strconv.Itoa(i) + "\n"
				switch i {
				case 1:
					wantErr = "1"
				case 30:
					wantErr += "\n30"
				}
			}
			if got := fmt.Sprint(err); out.String() != want || err != nil && got != wantErr || err == nil && wantErr != "" {
				t.Errorf("%d jobs on %d: %q, %v", jobs, n, out.String(), err)
			}
			if jobs > 0 && int(most.Load()) > jobs {
				t.Errorf("%d jobs on %d: %d at the same time", jobs, n, most.Load())
			}
		}
	}
}

// A panic comes out where the work was asked for, and ends it.
func TestJobsPanic(t *testing.T) {
	defer func() {
		if p := recover(); p != "5" {
			t.Errorf("got %v", p)
		}
	}()
	f := JobFlags{Jobs: 3}
	err := f.Run(context.Background(), io.Discard, numberedSources(20), func(_ context.Context, src Source, _ io.Writer) error {
		if src.Name == "5" {
			panic(src.Name)
		}
		return nil
	})
	t.Errorf("no panic: %v", err)
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// No work is started while the results are not received.
func TestJobsBrokenOutput(t *testing.T) {
	var begun atomic.Int32
	f := JobFlags{Jobs: 2}
	err := f.Run(context.Background(), closedWriter{}, numberedSources(1000), func(_ context.Context, _ Source, w io.Writer) error {
		begun.Add(1)
		_, err := io.WriteString(w, "x")
		return err
	})
	if !errors.Is(err, io.ErrClosedPipe) || begun.Load() > 900 {
		t.Errorf("%d were begun, %v", begun.Load(), err)
	}
}

// Messages about sources keep their order, regardless of which is done first.
func TestJobsTellInOrder(t *testing.T) {
	tree(t, map[string]string{"a": "1", "b": "2", "c": "3"})
	var log bytes.Buffer
	in := &InputFlags{}
	sources, err := in.Sources(t.Context(), Streams(nil, nil, &log), []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	last := make(chan struct{})
	f := JobFlags{Jobs: 3}
	err = f.Run(context.Background(), io.Discard, sources, func(_ context.Context, src Source, _ io.Writer) error {
		if src.Name == "c" {
			defer close(last)
		} else {
			<-last
		}
		src.Log().Warn("odd", FileKey, src.Name)
		return nil
	})
	const want = "pcat: a: warning: odd\npcat: b: warning: odd\npcat: c: warning: odd\n"
	if err != nil || log.String() != want {
		t.Errorf("%q, %v; want %q", log.String(), err, want)
	}
}

// Several jobs have garbage collected later, but for a large input, and where the user says when.
func TestJobsCollectLater(t *testing.T) {
	defer debug.SetGCPercent(percent())
	for _, tt := range []struct {
		name  string
		jobs  int
		user  string
		large bool
		least int
	}{
		{"several", 2, "", false, jobsShare},
		{"one", 1, "", false, 0},
		{"large input", 2, "", true, largeShare},
		{"the user's word", 2, "70", true, 0}, // Go has heard it already
	} {
		s := Streams(nil, io.Discard, io.Discard)
		s.Getenv = func(string) string { return tt.user }
		sources := numberedSources(2)
		for i := range sources {
			sources[i].streams = s
		}
		f := JobFlags{Jobs: tt.jobs}
		err := f.Run(t.Context(), io.Discard, sources, func(_ context.Context, src Source, _ io.Writer) error {
			if tt.large {
				src.streams.expect(inMemory + 1)
			}
			return nil
		})
		if got := s.memory.least; got != tt.least || err != nil {
			t.Errorf("%s: %d percent at least, %v, want %d", tt.name, got, err, tt.least)
		}
		stop(s)
	}
}
