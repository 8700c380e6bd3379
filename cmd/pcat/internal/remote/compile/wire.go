package compile

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxHeader and maxCatalog bound the memory that a process can make pcat allocate, in bytes.
const (
	maxHeader  = 64 << 20
	maxCatalog = 1 << 30
)

// settings are the first request to a process; see compiler.rb.
type settings struct {
	Run            string                     `json:"run"`
	Environment    string                     `json:"environment"`
	Version        string                     `json:"version,omitempty"`
	Hiera          string                     `json:"hiera,omitempty"`
	BaseModulePath string                     `json:"basemodulepath,omitempty"`
	ENC            string                     `json:"enc,omitempty"`
	Eyaml          string                     `json:"eyaml,omitempty"`
	Settings       map[string]string          `json:"settings,omitempty"`
	Stubs          map[string]json.RawMessage `json:"stubs,omitempty"`
	Exported       bool                       `json:"exported"`
	Server         string                     `json:"server,omitempty"`
	Workers        int                        `json:"workers"`
	Isolate        bool                       `json:"isolate"`
	Memory         int64                      `json:"memory"`
	Record         bool                       `json:"record"`
}

// request asks for the catalog of a node.
type request struct {
	Node       string          `json:"node"`
	Facts      json.RawMessage `json:"facts"`
	Extensions json.RawMessage `json:"extensions"`
	External   json.RawMessage `json:"external"`
}

// reply is a message of a process.
type reply struct {
	Reply      string    `json:"reply"` // one of the kinds below
	Node       string    `json:"node"`
	PID        int       `json:"pid"`
	Status     string    `json:"status"`
	Version    string    `json:"version"`
	Messages   []message `json:"messages"`
	ModulePath []string  `json:"modulepath"`
	Bare       bool      `json:"bare"`

	Class   string `json:"class"`
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Pos     int    `json:"pos"`
	Cause   string `json:"cause"`

	Type   string          `json:"type"`
	Filter json.RawMessage `json:"filter"`

	Uses    map[string][]useKind `json:"uses"` // by path; nil if they were not recorded
	Command bool                 `json:"command"`

	body []byte
}

// The kinds of replies.
const (
	replyReady   = "ready"
	replyBegin   = "begin"
	replyCatalog = "catalog"
	replyError   = "error"
	replyEnded   = "ended"
	replyCollect = "collect"
)

// message is one that was logged.
type message struct {
	Level   string `json:"level"`
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

// send writes a request or an answer.
func send(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	_, err = w.Write(append(frame, data...))
	return err
}

// receive reads a reply. The error is [io.EOF] at the end.
func receive(r io.Reader) (*reply, error) {
	header, err := receivePart(r, maxHeader)
	if err != nil {
		return nil, err
	}
	var got reply
	if err := json.Unmarshal(header, &got); err != nil {
		return nil, fmt.Errorf("a reply is not understood: %w", err)
	}
	if got.body, err = receivePart(r, maxCatalog); err != nil {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	return &got, nil
}

func receivePart(r io.Reader, limit uint32) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > limit {
		return nil, fmt.Errorf("a reply of %d bytes is too large", n)
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}
