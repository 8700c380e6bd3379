package typeexpr

import "github.com/pcatdev/pcat/pcore"

func builtinType(name string) (pcore.Type, error) { return nil, ErrUnknownType }
