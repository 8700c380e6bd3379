package cli

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/s2"
)

// Remotes finds inputs that are not files, such as the catalogs in a database.
type Remotes interface {
	// Named reports whether an argument names such inputs. A file of that name is read as ./NAME.
	Named(arg string) bool
	// List returns the inputs that an argument names. one reports whether it names a single one.
	List(ctx context.Context, arg string) (inputs []Remote, one bool, err error)
}

// Remote is an input that is not a file.
type Remote struct {
	Name string // for messages
	Node string // the node whose catalog it is; the name of an output file below a directory
	// Read returns the content, of at most limit bytes.
	Read func(ctx context.Context, limit int64) ([]byte, error)
}

// BadRemote returns an [Error] with code [ExitBadInput] about an input that is not a file.
// Its text is that of err: a name of a file in it is another one, such as that of a
// certificate.
func BadRemote(name string, err error) error {
	return &Error{Code: ExitBadInput, File: name, Err: err}
}

// remoteData is the content of a Remote. It is read once, and kept in memory for commands
// that need it several times: so all of them see the same, and nothing is written to a
// temporary file. It is safe for concurrent use.
type remoteData struct {
	Remote
	mu     sync.Mutex
	packed []byte // compressed; nil before it was read
}

// read returns the content. Only a successful read is kept.
func (r *remoteData) read(ctx context.Context, limit int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packed != nil {
		return s2.Decode(nil, r.packed)
	}
	data, err := r.Read(ctx, limit)
	if err != nil {
		return nil, err
	}
	r.packed = s2.Encode(nil, data)
	return data, nil
}

// addRemotes adds the inputs of an argument.
func (x *expansion) addRemotes(ctx context.Context, arg string) error {
	inputs, one, err := x.flags.Remotes.List(ctx, arg)
	if err != nil {
		return err
	}
	if len(inputs) == 0 {
		return x.flags.Nothing(arg, "no catalog was found")
	}
	for _, r := range inputs {
		key := "\x00" + r.Name // a file can have this name, too
		if x.seen[key] {
			continue
		}
		x.seen[key] = true
		x.sources = append(x.sources, Source{Name: r.Name, Found: !one, streams: x.streams, maxSize: x.maxSize, remote: &remoteData{Remote: r}})
	}
	return nil
}

// Remote reports whether the source is not a file or standard input.
func (src Source) Remote() bool { return src.remote != nil }

// Node returns the name of the node whose catalog a remote source is, otherwise nothing.
func (src Source) Node() string {
	if src.remote == nil {
		return ""
	}
	return src.remote.Node
}

// FileName returns the name of an output file for a remote source: CERTNAME.json.
func (src Source) FileName() string { return url.PathEscape(src.Node()) + ".json" }

// Dir returns the directory of the source: the current one if it is not a file.
func (src Source) Dir() string {
	if src.Remote() || src.Name == Stdin {
		return "."
	}
	return filepath.Dir(src.Name)
}

// remoteContent returns the content of a remote source, which is never written to a temporary file.
func (in *Input) remoteContent() (*Content, error) {
	var all bytes.Buffer
	if _, err := all.ReadFrom(in); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	data := all.Bytes()
	in.streams.expect(int64(len(data)))
	return &Content{in: in, at: bytes.NewReader(data), size: int64(len(data)), data: func() []byte { return data }, close: in.Close}, nil
}
