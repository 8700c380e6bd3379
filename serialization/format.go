package serialization

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Format is one form that values can be written in. Wires that have several
// forms, such as rich and plain JSON, have a Format for each, whose Wire is
// the same.
type Format struct {
	// Name is what users call the form: "rich-json".
	Name string
	// Wire names the syntax below the form: "json", "msgpack", "yaml". Raw
	// bytes of one form are raw bytes of any other of the same wire.
	Wire string
	// Doc is one line for people.
	Doc string
	// Rich tells that the form holds every value; others turn rich values
	// into text.
	Rich bool
	// MediaTypes are the names for HTTP, the preferred one first.
	MediaTypes []string
	// Extensions are those of file names, with their dot: ".rich.json".
	Extensions []string
	// Sniff reports whether head, the beginning of a document, can be of
	// this form. Forms of the same wire cannot be told apart by it.
	Sniff func(head []byte) bool
	// ByNameOnly tells that what is written in the form can be read in another
	// one as well, as other data. Such a form is never told by its content
	// alone, only by its name or the extension of a file.
	ByNameOnly bool

	// Decode returns the value of a whole document.
	Decode func(data []byte, o DecodeOptions) (pcore.Value, error)
	// Append appends v as a whole document to dst. In case of an error, dst
	// comes back as it was.
	Append func(dst []byte, v pcore.Value, o EncodeOptions) ([]byte, error)
	// NewDecoder, NewEncoder, NewReader and NewWriter make what their names
	// say.
	NewDecoder func(r io.Reader, o DecodeOptions) Decoder
	NewEncoder func(w io.Writer, o EncodeOptions) Encoder
	NewReader  func(r io.Reader, o DecodeOptions) Reader
	NewWriter  func(w io.Writer, o EncodeOptions) Writer
}

// Registry knows formats by name, media type, extension and content. It is
// immutable and safe for concurrent use; make one with [NewRegistry].
type Registry struct{ formats []Format }

// NewRegistry returns a registry of the formats. The order counts where
// several formats fit. Two formats of the same name, media type or extension,
// and a format that is not complete, are an error.
func NewRegistry(formats ...Format) (*Registry, error) {
	taken := map[string]string{}
	for _, f := range formats {
		if !f.complete() {
			return nil, fmt.Errorf("serialization: the format %q is not complete", f.Name)
		}
		for _, name := range slices.Concat([]string{f.Name}, f.MediaTypes, f.Extensions) {
			name = strings.ToLower(name)
			if other, ok := taken[name]; ok {
				return nil, fmt.Errorf("serialization: the formats %q and %q both claim %q", other, f.Name, name)
			}
			taken[name] = f.Name
		}
	}
	return &Registry{slices.Clone(formats)}, nil
}

func (f *Format) complete() bool {
	return f.Name != "" && f.Wire != "" && f.Sniff != nil && f.Decode != nil && f.Append != nil &&
		f.NewDecoder != nil && f.NewEncoder != nil && f.NewReader != nil && f.NewWriter != nil
}

// Formats returns all formats, in the order in which they were registered.
func (r *Registry) Formats() []Format { return slices.Clone(r.formats) }

// Names returns the names of all formats.
func (r *Registry) Names() []string {
	names := make([]string, len(r.formats))
	for i, f := range r.formats {
		names[i] = f.Name
	}
	return names
}

// ByName returns the format with that name. The error matches [ErrFormat] and
// lists the names there are.
func (r *Registry) ByName(name string) (Format, error) {
	for _, f := range r.formats {
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%w: %q; use one of %s", ErrFormat, name, strings.Join(r.Names(), ", "))
}

// ByMediaType returns the format with that media type; parameters after a
// semicolon do not count.
func (r *Registry) ByMediaType(mediaType string) (Format, bool) {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.TrimSpace(mediaType)
	for _, f := range r.formats {
		for _, m := range f.MediaTypes {
			if strings.EqualFold(m, mediaType) {
				return f, true
			}
		}
	}
	return Format{}, false
}

// ByExtension returns the format with the longest extension that file, the
// name of a file, ends in.
func (r *Registry) ByExtension(file string) (found Format, ok bool) {
	file = strings.ToLower(file)
	longest := 0
	for _, f := range r.formats {
		for _, e := range f.Extensions {
			if len(e) > longest && strings.HasSuffix(file, strings.ToLower(e)) {
				found, ok, longest = f, true, len(e)
			}
		}
	}
	return found, ok
}

// ByContent returns the first format that head, the beginning of a document,
// can be of, but for those that are told by their names only.
func (r *Registry) ByContent(head []byte) (Format, bool) {
	for _, f := range r.formats {
		if !f.ByNameOnly && f.Sniff(head) {
			return f, true
		}
	}
	return Format{}, false
}

// Detect finds the format of a document that is to be read: the one called
// name, if any is named but "auto"; else one that only a name tells, if file has
// its extension; else the first whose content it can be; else the one of the
// extension of file. The forms of one wire cannot be told apart
// by content, and an extension such as .json stands for several of them, so the
// one registered first counts: it must be one that reads the others, too. The
// error matches [ErrFormat].
func (r *Registry) Detect(name string, head []byte, file string) (Format, error) {
	if name != "" && name != "auto" {
		return r.ByName(name)
	}
	named, ok := r.ByExtension(file)
	if ok && named.ByNameOnly && named.Sniff(head) {
		return named, nil
	}
	if f, ok := r.ByContent(head); ok {
		return f, nil
	}
	if ok {
		return named, nil
	}
	return Format{}, fmt.Errorf("%w: neither the content nor the file name identifies it; use one of %s",
		ErrFormat, strings.Join(r.Names(), ", "))
}
