package codec

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Within returns err as an *[serialization.Error] relative to the whole input, where offset
// and path are the position of the part in which err occurred; offset is -1 if
// unknown. They are combined with the offset and path of err. It returns nil if
// err is nil.
func Within(err error, offset int64, path pcore.Path) error {
	if err == nil {
		return nil
	}
	var inner *serialization.Error
	if !errors.As(err, &inner) {
		return &serialization.Error{Offset: offset, Path: path, Err: err}
	}
	outer := *inner
	switch {
	case offset > 0 && inner.Offset >= 0:
		outer.Offset += offset
		outer.Line, outer.Column = 0, 0
	case inner.Offset < 0:
		outer.Offset = offset
	}
	outer.Path = append(append(pcore.Path(nil), path...), inner.Path...)
	return &outer
}

// InFormat returns err as an *[serialization.Error] of the wire format with the given name.
// It returns nil if err is nil.
func InFormat(format string, err error) error {
	if err == nil {
		return nil
	}
	var inner *serialization.Error
	if !errors.As(err, &inner) {
		return &serialization.Error{Format: format, Offset: -1, Err: err}
	}
	outer := *inner
	outer.Format = format
	return &outer
}
