package decisions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/condition"
)

// Rules are names of secrets and custom rules, which change the findings of an audit. All workers of a
// fleet need the same.
type Rules struct {
	Names  audit.Names     `json:"names"`
	Custom condition.Rules `json:"custom"`
}

// maxRules is the maximum size of rules, so that they fit into a message of NATS.
const maxRules = 768 << 10

// Encode returns the stored form of rules, and its digest. Those of nil are empty.
func (r *Rules) Encode() (data []byte, digest string, err error) {
	if r == nil {
		return nil, "", nil
	}
	if data, err = json.Marshal(r); err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(data)
	return data, hex.EncodeToString(sum[:16]), nil
}

// Parse parses the stored form of rules.
func Parse(data []byte) (*Rules, error) {
	if len(data) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	r := new(Rules)
	return r, json.Unmarshal(data, r)
}

// Options returns the options of an audit with the rules, and o.
func (r *Rules) Options(o audit.Options) (audit.Options, error) {
	if r == nil {
		return o, nil
	}
	set, err := r.Custom.Compile(false)
	o.Names, o.Custom = r.Names, set
	return o, err
}

// Settings are the content of [Files]. They are immutable.
type Settings struct {
	Config   *auditconfig.Config
	Baseline *auditconfig.Baseline // nil if there is none
	Rules    *Rules                // nil if there are none

	file, baseline string
	skipped        []string // lines of the file of owners
}

// Files are the files of pcat audit for a fleet. Each may be empty.
type Files struct {
	// Config is a .pcat-audit.yaml, and Baseline a baseline with the fingerprints of the
	// fleet.
	Config, Baseline string
}

// read reads the files. The sum differs if their content does; it is complete without an error.
func (f Files) read(key []byte) (s *Settings, sum [sha256.Size]byte, err error) {
	h := sha256.New()
	read := func(name string) ([]byte, error) {
		data, err := os.ReadFile(name)
		one := sha256.Sum256(data)
		_, _ = fmt.Fprintln(h, name, err, hex.EncodeToString(one[:])) // a hash never fails
		return data, err
	}
	s = &Settings{Config: &auditconfig.Config{}, file: f.Config, baseline: f.Baseline}
	err = errors.Join(s.readConfig(read), s.readBaseline(read, key))
	return s, [sha256.Size]byte(h.Sum(nil)), err
}

func (s *Settings) readConfig(read func(string) ([]byte, error)) error {
	if s.file == "" {
		return nil
	}
	text, err := read(s.file)
	if err != nil {
		return err
	}
	if s.Config, err = auditconfig.Parse(text); err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	if name := s.Config.OwnersFile(s.file); name != "" {
		text, err := read(name)
		if err != nil {
			return err
		}
		owners, skipped := auditconfig.ParseCodeOwners(text)
		s.Config.Owners = *owners
		for _, line := range skipped {
			s.skipped = append(s.skipped, name+": skipped "+line)
		}
	}
	custom, err := condition.Read(s.Config, s.file, nil, read)
	if err != nil {
		return err
	}
	if _, err := custom.Compile(false); err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	for i := range custom.Conditions {
		custom.Conditions[i].Location = "" // other lines are no other rules
	}
	r := &Rules{Names: s.Config.Names, Custom: *custom}
	if len(r.Names.Secret)+len(r.Names.Harmless)+len(custom.Conditions)+len(custom.Files) == 0 {
		return nil
	}
	data, _, err := r.Encode()
	if err == nil && len(data) > maxRules {
		err = fmt.Errorf("%s: its rules and the ones of rule_files have %d bytes; a fleet can have %d", s.file, len(data), maxRules)
	}
	s.Rules = r
	return err
}

func (s *Settings) readBaseline(read func(string) ([]byte, error), key []byte) error {
	if s.baseline == "" {
		return nil
	}
	text, err := read(s.baseline)
	if err != nil {
		return err
	}
	s.Baseline, err = auditconfig.ReadBaseline(bytes.NewReader(text), key)
	switch {
	case errors.Is(err, auditconfig.ErrKey), errors.Is(err, auditconfig.ErrUnkeyed):
		return fmt.Errorf("%s: the baseline has no fingerprints of this fleet: write one with pcatd report --format baseline", s.baseline)
	case err != nil:
		return fmt.Errorf("%s: %w", s.baseline, err)
	}
	return nil
}

// Watch reads files, and reads them again when they change. It is safe for concurrent use.
type Watch struct {
	files    Files
	key      []byte
	log      *slog.Logger
	interval time.Duration
	settings atomic.Pointer[Settings]
	failed   atomic.Bool
	sum      [sha256.Size]byte // of the last attempt
}

// interval is the time between two looks at the files.
const interval = 2 * time.Second

// New reads the files. The key is that of the fingerprints.
func New(f Files, key []byte, log *slog.Logger) (*Watch, error) {
	w := &Watch{files: f, key: key, log: log, interval: interval}
	s, sum, err := f.read(key)
	w.settings.Store(s)
	w.sum = sum
	return w, err
}

// Settings returns the last valid content of the files, always the same until it changes.
func (w *Watch) Settings() *Settings { return w.settings.Load() }

// Healthy returns an error if the files cannot be used as they are now.
func (w *Watch) Healthy() error {
	if w.failed.Load() {
		return errors.New("the files of --config or --baseline cannot be used, and their content before applies: see the log")
	}
	return nil
}

// Run reads the files when they change, until ctx ends.
func (w *Watch) Run(ctx context.Context) {
	t := time.NewTicker(w.interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s, sum, err := w.files.read(w.key)
		if sum == w.sum {
			continue
		}
		w.sum = sum
		if w.failed.Store(err != nil); err != nil {
			w.log.Error("the audit configuration cannot be used", "error", err)
			continue
		}
		w.settings.Store(s)
		w.log.Info("the audit configuration was read again")
	}
}
