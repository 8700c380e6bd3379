package fallback

import (
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Cache has the answers of the last run, in a file. It is safe for concurrent use.
//
// The file is one message of AES-256-GCM: nobody without the private key of the node
// reads it, adds an answer, or learns which calls it has. The key of each file is
// derived by HKDF from the private key and from a new random salt. Answers are found
// by a keyed hash of the node, the environment, the function and the arguments. The
// file is replaced atomically, with mode 0600, and has no plain text on its way.
type Cache struct {
	file string
	key  *Key

	mu      sync.Mutex
	entries map[address]entry
	changed bool
}

// address is a keyed hash of a call.
type address [sha256.Size]byte

// MarshalText implements [encoding.TextMarshaler].
func (a address) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, a[:]), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *address) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(a)) {
		return ErrDamaged
	}
	_, err := hex.Decode(a[:], text)
	return err
}

// entry is an answer: encoded, with the Unix time of the call.
type entry struct {
	Address address `json:"address"`
	Time    int64   `json:"time"`
	Value   []byte  `json:"value"`
}

// Bounds of the file. The oldest answers make room for new ones.
const (
	maxFile    = 32 << 20
	maxEntries = 10_000
	maxValue   = 1 << 20  // of one answer
	maxValues  = 16 << 20 // of all answers
)

// A file is the magic text, the name of the key, a salt, and the sealed list of entries. The name, a hash,
// distinguishes another key from a damaged file.
const (
	magic    = "pcat answers 1\n"
	nameSize = 8
	saltSize = 32
	headSize = len(magic) + nameSize + saltSize
)

// Errors of [OpenCache] after which the cache is empty, and of answers.
var (
	// ErrOtherKey means that the file was encrypted with the key of another
	// node, or with one that was replaced.
	ErrOtherKey = errors.New("the answers are encrypted with another key")
	// ErrDamaged means that the file is no cache, or is damaged.
	ErrDamaged = errors.New("the file is damaged, or no cache of answers")
	// errNoAnswer means that the cache does not have the answer to a call.
	errNoAnswer = errors.New("there is no answer of an earlier run")
)

// OpenCache reads the cache in a file, which does not have to exist. A file that others
// can read is refused. If the error is [ErrOtherKey] or [ErrDamaged], the cache is
// empty, and [Handler.Save] replaces the file.
func OpenCache(file string, key *Key) (*Cache, error) {
	c := &Cache{file: file, key: key, entries: map[address]entry{}}
	if info, err := os.Stat(filepath.Dir(file)); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: filepath.Dir(file), Err: errors.New("not a directory")}
	}
	entries, err := c.read()
	if errors.Is(err, ErrOtherKey) || errors.Is(err, ErrDamaged) {
		c.changed = true
		return c, err
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		c.entries[e.Address] = e
	}
	return c, nil
}

// read returns the answers in the file.
func (c *Cache) read() ([]entry, error) {
	info, err := os.Lstat(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, errors.New("not a regular file")
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("mode %04o: others can read or change the file; delete it, or use chmod 600", mode.Perm())
	case info.Size() > maxFile:
		return nil, ErrDamaged
	}
	f, err := os.Open(c.file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	sealed, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	text, err := c.key.open(sealed)
	if err != nil {
		return nil, err
	}
	var entries []entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, ErrDamaged // its text is not shown
	}
	return entries, nil
}

// address returns the address of an encoded call.
func (h *catalogHandler) address(call []byte) address {
	if h.o.Cache == nil {
		return address{}
	}
	return h.o.Cache.key.address([]byte(h.node), []byte(h.environment), call)
}

// put keeps an answer, unless it cannot be encoded or is too large.
func (c *Cache) put(at address, v pcore.Value, now time.Time, codec Codec) {
	text, err := codec.Encode(v)
	if err != nil || len(text) > maxValue {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[at] = entry{at, now.Unix(), text}
	c.changed = true
}

// get returns an answer and its age. A clock that was set back makes an answer useless, not young.
func (c *Cache) get(at address, most time.Duration, now time.Time, codec Codec) (pcore.Value, time.Duration, error) {
	c.mu.Lock()
	e, ok := c.entries[at]
	c.mu.Unlock()
	if !ok {
		return nil, 0, errNoAnswer
	}
	age := now.Sub(time.Unix(e.Time, 0))
	switch {
	case age < -maxAhead:
		return nil, 0, errors.New("the last answer is from the future; check the clock")
	case age > most:
		return nil, 0, fmt.Errorf("the last answer is %s old, more than %s", age.Round(time.Second), most)
	}
	v, err := codec.Decode(e.Value)
	if err != nil {
		return nil, 0, fmt.Errorf("the last answer cannot be read: %w", err)
	}
	return v, max(0, age), nil
}

// Save writes the cache, if an answer is new. Answers that are older than any rule uses
// them, or dated in the future, are dropped.
func (h *Handler) Save() error {
	if h.o.Cache == nil {
		return nil
	}
	longest := time.Duration(0)
	for _, r := range h.o.Policy.rules {
		if r.OnFailure == Keep {
			longest = max(longest, r.MaxAge)
		}
	}
	now := h.now()
	return h.o.Cache.save(now.Add(-longest), now.Add(maxAhead))
}

// maxAhead is how far a clock can differ: an answer that is dated later is useless.
const maxAhead = time.Minute

// save writes the answers from one time to another, with those that another run has saved meanwhile.
func (c *Cache) save(since, until time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.changed {
		return nil
	}
	others, err := c.read()
	if err != nil && !errors.Is(err, ErrOtherKey) && !errors.Is(err, ErrDamaged) {
		return err
	}
	for _, e := range others {
		if own, ok := c.entries[e.Address]; e.Time <= until.Unix() && (!ok || own.Time < e.Time) {
			c.entries[e.Address] = e
		}
	}
	text, err := json.Marshal(c.latest(since, until))
	if err != nil {
		return err
	}
	sealed, err := c.key.seal(text)
	if err != nil {
		return err
	}
	if err := replace(c.file, sealed); err != nil {
		return err
	}
	c.changed = false
	return nil
}

// latest returns the answers from one time to another, within the bounds of the file.
func (c *Cache) latest(since, until time.Time) []entry {
	all := make([]entry, 0, len(c.entries))
	for _, e := range c.entries {
		if e.Time >= since.Unix() && e.Time <= until.Unix() {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), bytes.Compare(a.Address[:], b.Address[:]))
	})
	size := 0
	for i, e := range all { // the newest first
		if size += len(e.Value); i == maxEntries || size > maxValues {
			return all[:i]
		}
	}
	return all
}

// replace writes a file beside name, and renames it when it is complete.
func replace(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Key encrypts a [Cache]. Make one with [ParseKey]. Printing it does not show it.
type Key struct {
	derive func(salt []byte, purpose string, n int) ([]byte, error) // a closure hides the secret from reflection
	name   [nameSize]byte
	index  func() []byte // the key of addresses
}

// newKey returns a key derived from a secret.
func newKey(secret []byte) (*Key, error) {
	k := &Key{derive: func(salt []byte, purpose string, n int) ([]byte, error) {
		return hkdf.Key(sha256.New, secret, salt, "pcat answers: "+purpose, n)
	}}
	name, err := k.derive(nil, "name", nameSize)
	if err != nil {
		return nil, err
	}
	copy(k.name[:], name)
	index, err := k.derive(nil, "addresses", sha256.Size)
	if err != nil {
		return nil, err
	}
	k.index = func() []byte { return index }
	return k, nil
}

// String returns a text without the key.
func (k *Key) String() string { return "key of a cache [redacted]" }

// GoString returns a text without the key.
func (k *Key) GoString() string { return k.String() }

// address returns the keyed hash of parts.
func (k *Key) address(parts ...[]byte) (a address) {
	mac := hmac.New(sha256.New, k.index())
	for _, part := range parts {
		_, _ = fmt.Fprintf(mac, "%d\n", len(part)) // a hash accepts everything
		mac.Write(part)
	}
	mac.Sum(a[:0])
	return a
}

// seal returns a file with an encrypted text. Its head is authenticated with it.
func (k *Key) seal(text []byte) ([]byte, error) {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	head := slices.Concat([]byte(magic), k.name[:], salt)
	aead, nonce, err := k.cipher(salt)
	if err != nil {
		return nil, err
	}
	return aead.Seal(head, nonce, text, head), nil
}

// open returns the text of a file.
func (k *Key) open(file []byte) ([]byte, error) {
	if len(file) < headSize || string(file[:len(magic)]) != magic {
		return nil, ErrDamaged
	}
	if !bytes.Equal(file[len(magic):len(magic)+nameSize], k.name[:]) {
		return nil, ErrOtherKey
	}
	aead, nonce, err := k.cipher(file[headSize-saltSize : headSize])
	if err != nil {
		return nil, err
	}
	text, err := aead.Open(nil, nonce, file[headSize:], file[:headSize])
	if err != nil {
		return nil, ErrDamaged
	}
	return text, nil
}

// cipher returns the cipher and the nonce of the file with a salt. Each file has keys of its own, so
// that a nonce is never used twice.
func (k *Key) cipher(salt []byte) (cipher.AEAD, []byte, error) {
	const keySize, nonceSize = 32, 12
	derived, err := k.derive(salt, "file", keySize+nonceSize)
	if err != nil {
		return nil, nil, err
	}
	block, err := aes.NewCipher(derived[:keySize])
	if err != nil {
		return nil, nil, err
	}
	aead, err := cipher.NewGCM(block)
	return aead, derived[keySize:], err
}
