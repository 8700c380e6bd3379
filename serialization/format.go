package serialization

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Format is one way to write values. Several Formats can share a Wire, such as
// rich and plain JSON.
type Format struct {
	// Name is the name of the format for users: "rich-json".
	Name string
	// Wire is the name of the underlying syntax: "json", "msgpack" or "yaml".
	// Raw bytes of one format are raw bytes of any other format with the same Wire.
	Wire string
	// Doc is a description of one line.
	Doc string
	// Rich indicates that the format represents every value. Other formats convert
	// rich values to text.
	Rich bool
	// Text reports that documents are UTF-8 text; others are binary.
	Text bool
	// Canonical reports that the format spells a value in one way, apart from
	// indentation, so that its bytes can be compared.
	Canonical bool
	// MediaTypes are the media types, the preferred one first.
	MediaTypes []string
	// Extensions are the file name extensions, with their dot: ".rich.json".
	Extensions []string
	// Sniff reports whether head, the beginning of a document, can be of this
	// format. It does not distinguish formats of the same wire format.
	Sniff func(head []byte) bool
	// ByNameOnly indicates that documents of the form are also valid, with
	// other contents, in another format. Such a format is never detected from
	// content alone, only selected by name or file name extension.
	ByNameOnly bool

	// Decode decodes a whole document.
	Decode func(data []byte, o DecodeOptions) (pcore.Value, error)
	// Append appends v to dst as a whole document. If there is an error, it
	// returns dst unchanged.
	Append func(dst []byte, v pcore.Value, o EncodeOptions) ([]byte, error)
	// NewDecoder, NewEncoder, NewReader and NewWriter return a codec that reads
	// from r or writes to w.
	NewDecoder func(r io.Reader, o DecodeOptions) Decoder
	NewEncoder func(w io.Writer, o EncodeOptions) Encoder
	NewReader  func(r io.Reader, o DecodeOptions) Reader
	NewWriter  func(w io.Writer, o EncodeOptions) Writer
}

// Registry finds formats by name, media type, extension and content. Use
// [NewRegistry] to make one. It is immutable and safe for concurrent use.
type Registry struct{ formats []Format }

// NewRegistry returns a registry of formats. If several formats match the
// content of a document, the first one is used. It returns an error if two
// formats have a name, media type or extension in common, or if a format is
// incomplete.
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

// IsJSON reports whether the syntax of the format is JSON, except for the
// tabulated protocol.
func (f Format) IsJSON() bool { return f.Wire == "json" }

// IsMessagePack reports whether the syntax of the format is MessagePack, except
// for the tabulated protocol.
func (f Format) IsMessagePack() bool { return f.Wire == "msgpack" }

// SameWire reports whether raw bytes of one format are raw bytes of the other.
func (f Format) SameWire(other Format) bool { return f.Wire == other.Wire }

func (f *Format) complete() bool {
	return f.Name != "" && f.Wire != "" && f.Sniff != nil && f.Decode != nil && f.Append != nil &&
		f.NewDecoder != nil && f.NewEncoder != nil && f.NewReader != nil && f.NewWriter != nil
}

// Formats returns all formats in the order of registration.
func (r *Registry) Formats() []Format { return slices.Clone(r.formats) }

// Names returns the names of all formats.
func (r *Registry) Names() []string {
	names := make([]string, len(r.formats))
	for i, f := range r.formats {
		names[i] = f.Name
	}
	return names
}

// ByName returns the format with the given name, ignoring case. The error
// matches [ErrFormat] and lists the names.
func (r *Registry) ByName(name string) (Format, error) {
	for _, f := range r.formats {
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%w: %q; use one of %s", ErrFormat, name, strings.Join(r.Names(), ", "))
}

// ByMediaType returns the format with the given media type. Parameters after a
// semicolon are ignored.
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

// ByExtension returns the format with the longest extension that matches the
// file name.
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

// ByContent returns the first format that matches head, the beginning of a
// document, except formats that are ByNameOnly.
func (r *Registry) ByContent(head []byte) (Format, bool) {
	for _, f := range r.formats {
		if !f.ByNameOnly && f.Sniff(head) {
			return f, true
		}
	}
	return Format{}, false
}

// Detect determines the format of a document, in this order: the format called
// name, unless name is empty or "auto"; a format that is ByNameOnly, if the
// extension of file and the content match; the first format that matches the
// content; the format of the extension of file. Formats of one wire format cannot
// be distinguished by content, so the first one registered must also read the
// others. The error matches [ErrFormat].
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
