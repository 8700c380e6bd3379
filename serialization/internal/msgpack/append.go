package msgpack

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// bigBits returns a number as an unsigned 64-bit integer.
func bigBits(v pcore.BigInteger) (uint64, error) {
	i := v.Big()
	if !i.IsUint64() {
		return 0, fmt.Errorf("%w: MessagePack integers range from -2**63 to 2**64-1", serialization.ErrRange)
	}
	return i.Uint64(), nil
}
