package stdlib

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// All returns the functions of New, whose signatures are not parsed yet.
func All() []function.Function { return functions(pcore.OpenVox8) }
