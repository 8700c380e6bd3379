package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/pcatdev/pcat/fleet/internal/seal"
	"github.com/pcatdev/pcat/fleet/internal/store"
)

// Export writes an export of the fleet to a file, and replaces it when the export is complete.
// The fleet can work meanwhile, or not run at all.
func (c Connection) Export(ctx context.Context, path string, log *slog.Logger) (sum store.Contents, err error) {
	s, err := c.Open(ctx, log)
	if err != nil && c.URL == "" {
		s, err = c.openFolder(ctx, err, log)
	}
	if err != nil {
		return sum, err
	}
	defer s.Close()
	err = seal.Replace(path, func(w io.Writer) (err error) {
		sum, err = s.Export(ctx, w)
		return err
	})
	return sum, err
}

// openFolder opens the storage in the state folder of a fleet that does not run. Otherwise it
// returns the reason why the fleet cannot be reached.
func (c Connection) openFolder(ctx context.Context, reason error, log *slog.Logger) (*store.Store, error) {
	key, err := c.key()
	if err != nil || c.State == "" {
		return nil, reason
	}
	if err := checkOwner(c.State); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Options{Key: key, Dir: c.State, Log: log})
	if err != nil && errors.Is(reason, store.ErrNotServed) {
		return nil, err
	}
	if err != nil {
		return nil, reason
	}
	return s, nil
}

var errPlace = errors.New("give --state DIR, or --nats URL and --key-file FILE")

// ImportOptions are the options of [Connection.Import].
type ImportOptions struct {
	// FormerKey is the file with the key of the fleet at the time of the export. Empty means
	// that it was not rotated since.
	FormerKey string
	// MaxStore limits the size of the data, and Replicas is the number of copies in a cluster,
	// as for [Serve].
	MaxStore int64
	Replicas int
	Log      *slog.Logger
}

// Import stores an export in an empty storage, after it was checked as a whole. A state folder
// that is missing is created, with the key of the key file.
func (c Connection) Import(ctx context.Context, path string, o ImportOptions) (sum store.Contents, err error) {
	if c.State == "" && (c.URL == "" || c.KeyFile == "") {
		return sum, errPlace
	}
	key, err := c.key()
	if c.KeyFile == "" && errors.Is(err, fs.ErrNotExist) {
		return sum, fmt.Errorf("there is no key in %s: give the key of the exported fleet with --key-file FILE", c.State)
	}
	if err != nil {
		return sum, err
	}
	former := key
	if o.FormerKey != "" {
		if former, err = seal.Read(o.FormerKey); err != nil {
			return sum, err
		}
		if !former.Same(key) {
			return sum, fmt.Errorf("%s is the key of another fleet", o.FormerKey)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if sum, err = store.CheckExport(f, former); err != nil {
		return sum, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return sum, err
	}
	if c.State != "" {
		if key, err = c.adopt(); err != nil {
			return sum, err
		}
	}
	so := store.Options{Key: key, Create: true, Import: true, MaxBytes: o.MaxStore, Replicas: o.Replicas, Log: o.Log}
	return sum, c.alone(ctx, so, func(ctx context.Context, s *store.Store) error { return s.Import(ctx, f, former) })
}

// adopt makes the state folder one of the fleet with the key file, unless it is one.
func (c Connection) adopt() (*seal.Key, error) {
	if err := os.MkdirAll(c.State, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if c.KeyFile != "" {
		if err := seal.Copy(c.KeyFile, store.KeyFile(c.State)); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	own, err := store.Folder(c.State)
	if err != nil {
		return nil, err
	}
	key, err := c.key()
	if err == nil && !own.Same(key) {
		return nil, fmt.Errorf("%s has the key of another fleet", c.State)
	}
	return key, err
}

// RotateKey replaces the secret of the fleet key that encrypts, and encrypts everything that
// is stored again. No other process may use the storage. If it is interrupted, the fleet
// works with the key file as it is, and the next call continues.
func (c Connection) RotateKey(ctx context.Context, log *slog.Logger) error {
	if c.State == "" && (c.URL == "" || c.KeyFile == "") {
		return errPlace
	}
	key, err := c.key()
	if c.KeyFile == "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no fleet in %s: give the --state of pcatd serve", c.State)
	}
	if err != nil {
		return err
	}
	return c.alone(ctx, store.Options{Key: key, Log: log}, func(ctx context.Context, s *store.Store) error {
		next, err := seal.Rotate(c.keyFile())
		if err != nil {
			return err
		}
		if err := s.Rotate(ctx, next); err != nil {
			return err
		}
		return seal.Retire(c.keyFile())
	})
}

// CreateReader writes the key of a reader to a new file.
func (c Connection) CreateReader(path string) error {
	if c.State == "" && c.KeyFile == "" {
		return errors.New("give --state DIR, or --key-file FILE")
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	return key.Reader().Create(path)
}

// alone calls f with a storage that no other process of the fleet uses.
func (c Connection) alone(ctx context.Context, o store.Options, f func(context.Context, *store.Store) error) error {
	o.Dir, o.URL, o.Credentials, o.Files = c.State, c.URL, c.Credentials, c.TLS
	if o.Dir != "" {
		if err := checkOwner(o.Dir); err != nil {
			return err
		}
	}
	s, err := store.Open(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	processes, err := (&Client{Store: s}).Processes(ctx)
	if err != nil {
		return err
	}
	if len(processes) > 0 {
		var names []string
		for i := range processes {
			names = append(names, processes[i].Name)
		}
		return fmt.Errorf("processes of the fleet run: stop %s", strings.Join(names, ", "))
	}
	lease, err := s.Lead(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(lease.Keep(ctx))
	}()
	err = f(ctx, s)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	cancel(nil)
	<-done
	return errors.Join(err, lease.End(context.WithoutCancel(ctx)))
}
