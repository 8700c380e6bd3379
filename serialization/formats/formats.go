// Package formats has all formats. [Default] finds one by its name, media type, extension or
// content; [RichJSON] and its like return one, with its decoders, encoders and cursors.
//
// [JSONValue] and [MessagePackValue] are fields of Go structs that encoding/json and msgpack/v5
// read and write.
package formats

import (
	"bytes"
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
	"github.com/pcatdev/pcat/serialization/internal/msgpack"
	"github.com/pcatdev/pcat/serialization/internal/tabulated"
	"github.com/pcatdev/pcat/serialization/internal/yaml"
)

// Default returns a registry of all formats. Among formats with the same content
// detection, the rich format comes first, because it also reads the others.
func Default() *serialization.Registry {
	r, err := serialization.NewRegistry(all()...)
	if err != nil {
		panic(err) //nolint:forbidigo // the formats are constants of the program, which a test goes over
	}
	return r
}

func all() []serialization.Format {
	return []serialization.Format{
		RichMessagePack(),
		RichJSON(),
		MessagePack(),
		JSON(),
		StringifiedJSON(),
		YAML(),
		TabulatedJSON(),
		TabulatedMessagePack(),
	}
}

// RichMessagePack is rich data as MessagePack, which agents prefer: "rich-msgpack".
func RichMessagePack() serialization.Format {
	return onMessagePack(dataconv.Rich, serialization.Format{
		Name:       "rich-msgpack",
		Doc:        "rich data as MessagePack, preferred by agents",
		MediaTypes: []string{"application/vnd.puppet.rich+msgpack"},
		Extensions: []string{".rich.msgpack"},
	})
}

// RichJSON is rich data as JSON, the format of catalogs in files and caches:
// "rich-json".
func RichJSON() serialization.Format {
	return onJSON(dataconv.Rich, serialization.Format{
		Name:       "rich-json",
		Doc:        "rich data as JSON, the cache of agents",
		MediaTypes: []string{"application/vnd.puppet.rich+json"},
		Extensions: []string{".rich.json"},
	})
}

// MessagePack is plain MessagePack, with rich values as text: "msgpack".
func MessagePack() serialization.Format {
	return onMessagePack(dataconv.Plain, serialization.Format{
		Name:       "msgpack",
		Doc:        "plain MessagePack, rich values as text",
		MediaTypes: []string{"application/x-msgpack", "application/msgpack"},
		Extensions: []string{".msgpack", ".mpk"},
	})
}

// JSON is plain JSON, with rich values as text: "json".
func JSON() serialization.Format {
	return onJSON(dataconv.Plain, serialization.Format{
		Name:       "json",
		Doc:        "plain JSON, rich values as text",
		MediaTypes: []string{"application/json", "text/json"},
		Extensions: []string{".json"},
	})
}

// StringifiedJSON is plain JSON with nested secrets redacted, as PuppetDB receives
// it: "stringified-json".
func StringifiedJSON() serialization.Format {
	return onJSON(dataconv.Stringified, serialization.Format{
		Name:       "stringified-json",
		Doc:        "plain JSON with nested secrets hidden, as PuppetDB stores it",
		Extensions: []string{".stringified.json"},
	})
}

// YAML is rich data as YAML: "yaml".
func YAML() serialization.Format {
	return serialization.Format{
		Name:       "yaml",
		Wire:       "yaml",
		Text:       true,
		Doc:        "rich data as YAML, for reading and editing",
		Rich:       true,
		MediaTypes: []string{"application/yaml", "text/yaml", "application/x-yaml"},
		Extensions: []string{".yaml", ".yml"},
		Sniff:      looksLikeYAML,
		Decode:     yaml.Decode,
		Append:     yaml.Append,
		NewDecoder: yaml.NewDecoder,
		NewEncoder: yaml.NewEncoder,
		NewReader:  yaml.NewReader,
		NewWriter:  yaml.NewWriter,
	}
}

// TabulatedJSON is the tabulated protocol of Pcore as JSON, which writes repeated
// values once: "tabulated-json".
func TabulatedJSON() serialization.Format {
	return onTabulated(tabulated.JSON, looksLikeJSON, serialization.Format{
		Doc:        "the tabulated protocol of Pcore as JSON, repeated values written once",
		Extensions: []string{".tabulated.json"},
	})
}

// TabulatedMessagePack is the tabulated protocol of Pcore as MessagePack:
// "tabulated-msgpack".
func TabulatedMessagePack() serialization.Format {
	return onTabulated(tabulated.MessagePack, looksTabulated, serialization.Format{
		Doc:        "the tabulated protocol of Pcore as MessagePack",
		Extensions: []string{".tabulated.msgpack"},
	})
}

// onTabulated is a format whose content is well-formed in another one, too.
func onTabulated(flavour tabulated.Flavour, sniff func([]byte) bool, f serialization.Format) serialization.Format {
	f.Name, f.Wire = flavour.String(), flavour.String()
	f.Rich, f.Canonical = true, true
	f.Text = flavour == tabulated.JSON
	f.ByNameOnly = true
	f.Sniff = sniff
	f.Decode = flavour.Decode
	f.Append = flavour.Append
	f.NewDecoder = flavour.NewDecoder
	f.NewEncoder = flavour.NewEncoder
	f.NewReader = flavour.NewReader
	f.NewWriter = flavour.NewWriter
	return f
}

func onJSON(mode dataconv.Mode, f serialization.Format) serialization.Format {
	f.Wire, f.Text, f.Canonical = "json", true, true
	f.Rich = mode == dataconv.Rich
	f.Sniff = looksLikeJSON
	f.Decode = json.Decode
	f.NewDecoder = json.NewDecoder
	f.NewReader = json.NewReader
	f.Append = func(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
		return json.Append(dst, v, mode, o)
	}
	f.NewEncoder = func(w io.Writer, o serialization.EncodeOptions) serialization.Encoder {
		return json.NewEncoder(w, mode, o)
	}
	f.NewWriter = func(w io.Writer, o serialization.EncodeOptions) serialization.Writer {
		return json.NewWriter(w, mode, o)
	}
	return f
}

func onMessagePack(mode dataconv.Mode, f serialization.Format) serialization.Format {
	f.Wire, f.Canonical = "msgpack", true
	f.Rich = mode == dataconv.Rich
	f.Sniff = looksLikeMessagePack
	f.Decode = msgpack.Decode
	f.NewDecoder = msgpack.NewDecoder
	f.NewReader = msgpack.NewReader
	f.Append = func(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
		return msgpack.Append(dst, v, mode, o)
	}
	f.NewEncoder = func(w io.Writer, o serialization.EncodeOptions) serialization.Encoder {
		return msgpack.NewEncoder(w, mode, o)
	}
	f.NewWriter = func(w io.Writer, o serialization.EncodeOptions) serialization.Writer {
		return msgpack.NewWriter(w, mode, o)
	}
	return f
}

// looksLikeJSON reports whether head begins with a JSON object or array, as
// every document worth detecting does.
func looksLikeJSON(head []byte) bool {
	i := jsonwire.SkipBlanks(head, 0)
	return i < len(head) && (head[i] == '{' || head[i] == '[')
}

// looksLikeMessagePack reports whether head begins with a map or an array. No
// ASCII text begins like that, and hardly any text in UTF-8.
func looksLikeMessagePack(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	kind := mpwire.First(head[0]).Kind
	return kind == mpwire.Array || kind == mpwire.Map
}

// looksTabulated reports whether head begins with an extension type, as every
// value of the tabulated protocol except a scalar does.
func looksTabulated(head []byte) bool {
	return len(head) > 0 && mpwire.First(head[0]).Kind == mpwire.Ext
}

// looksLikeYAML reports whether head begins with a document marker, or with a
// line that is a key and a colon or an element of a list.
func looksLikeYAML(head []byte) bool {
	if bytes.HasPrefix(head, []byte("---")) || bytes.HasPrefix(head, []byte("%YAML")) {
		return true
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return bytes.HasPrefix(line, []byte("- ")) || bytes.HasSuffix(line, []byte(":")) || bytes.Contains(line, []byte(": "))
	}
	return false
}
