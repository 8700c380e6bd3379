package folder

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// headSize is the number of bytes that are examined to detect a format.
const headSize = 64 << 10

// identify returns the node of a document, which is the name of its catalog. It is empty if the document has none or
// cannot be read. is reports whether the document is a catalog, or could be one that cannot be read: then the audit
// reports the error.
func identify(path string, data []byte) (node string, is bool) {
	node, found, head, err := begin(path, data)
	switch {
	case err == nil:
		return node, found
	case found: // it begins like a catalog
		return node, true
	}
	_, named := formats.Default().ByExtension(compress.TrimExtension(path))
	if errors.Is(err, serialization.ErrTrailing) { // after another document, as in JSON Lines
		return "", named
	}
	return "", named || jsonObject.Match(head)
}

// jsonObject matches the beginning of a JSON object with a member, or of a list of them.
var jsonObject = regexp.MustCompile(`^\s*(\[\s*)?\{\s*"`)

// begin reads a document until it knows its name.
func begin(path string, data []byte) (node string, found bool, head []byte, err error) {
	body, err := compress.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", false, nil, err
	}
	defer body.Close()
	head = make([]byte, headSize)
	n, err := io.ReadFull(body, head)
	if head = head[:n]; err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", false, head, err
	}
	form, err := formats.Default().Detect("auto", head, compress.TrimExtension(path))
	if err != nil {
		return "", false, head, err
	}
	reader := catalog.NewReader(io.MultiReader(bytes.NewReader(head), body), form, serialization.DecodeOptions{AllowUnknownTypes: true})
	several := len(head) > 0 && !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) // could be a list of catalogs
	names := map[string]bool{}
	for part, err := range reader.Parts() {
		switch {
		case !found && (errors.Is(err, catalog.ErrNotCatalog) || errors.Is(err, catalog.ErrShape)):
			return "", false, head, nil
		case err != nil:
			return node, found, head, err
		case part.Kind == catalog.PartResource, part.Kind == catalog.PartEdge, part.Catalog, part.Key == "resources":
			found = true
		}
		if name := reader.Header().Name(); name != "" {
			names[name] = true
			node = name
		}
		if found && node != "" && !several {
			return node, true, head, nil
		}
	}
	if len(names) > 1 { // a list of catalogs is known by its file
		return "", true, head, nil
	}
	return node, found, head, nil
}

// stem returns the name of a file without its directories and its extensions.
func stem(path string) string {
	name := filepath.Base(compress.TrimExtension(path))
	for _, form := range formats.Default().Formats() {
		for _, extension := range form.Extensions {
			if at := len(name) - len(extension); at > 0 && strings.EqualFold(name[at:], extension) {
				return name[:at]
			}
		}
	}
	return name
}

// errChanged reports that a file changed while it was read.
var errChanged = errors.New("the file changed while it was read")

// errLarge reports a file above the limit.
var errLarge = errors.New("the file is larger than the limit")

// load reads a file that was seen as info.
func load(path string, info fs.FileInfo, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if now, err := f.Stat(); err != nil || !same(info, now) {
		return nil, errors.Join(err, errChanged)
	}
	if info.Size() > limit {
		return nil, errLarge
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, info.Size()+1)); err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !same(info, now) || int64(data.Len()) != info.Size() {
		return nil, errors.Join(err, errChanged)
	}
	return data.Bytes(), nil
}

// same reports whether a file is unchanged.
func same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
