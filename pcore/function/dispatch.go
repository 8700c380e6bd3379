package function

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
)

// call runs the first dispatch that accepts the arguments.
func (f *Function) call(c *Call, args []pcore.Value) (pcore.Value, error) {
	if f.Convert != nil {
		var err error
		if args, err = f.Convert(c, args); err != nil {
			return nil, f.wrap(err)
		}
	}
	for i := range f.Dispatches {
		d := &f.Dispatches[i]
		if !d.Signature.Accepts(args, c.Block) {
			continue
		}
		if d.Mismatch != nil {
			return nil, &ArgumentError{Function: f.Name, Message: fmt.Sprintf("'%s' %s", f.Name, d.Mismatch(args))}
		}
		v, err := d.Call(c, args)
		if err != nil {
			return nil, f.wrap(err)
		}
		if v == nil {
			v = pcore.Undef{}
		}
		if r := d.Signature.Return; r != nil && !d.ChecksReturn && !pcore.Contains(r, v) {
			return nil, &Error{Function: f.Name, Err: pcore.Mismatch("the value returned", r, v)}
		}
		return v, nil
	}
	return nil, &ArgumentError{Function: f.Name, Message: f.describe(c, args)}
}

// Accepts reports whether the signature accepts the arguments and the block. A
// nil block means that none is passed.
func (s *Signature) Accepts(args []pcore.Value, block Block) bool {
	least, most := s.Arity()
	if len(args) < least || most >= 0 && len(args) > most {
		return false
	}
	for i, v := range args {
		if !pcore.Contains(s.at(i).Type, v) {
			return false
		}
	}
	return s.acceptsBlock(block)
}

func (s *Signature) acceptsBlock(block Block) bool {
	if block == nil {
		return s.Block == nil || s.Block.Optional
	}
	return s.Block != nil && pcore.Accepts(s.Block.Type, block.Signature().Type())
}

// Type returns the Callable type of the signature.
func (s *Signature) Type() *pcore.CallableType {
	types := make([]pcore.Type, len(s.Params))
	for i, p := range s.Params {
		types[i] = p.Type
	}
	var block pcore.Type
	if s.Block != nil {
		block = s.Block.Type
		if s.Block.Optional {
			block = pcore.NewOptionalType(block)
		}
	}
	return pcore.NewCallableType(pcore.NewTupleType(types, s.size()), block, s.Return)
}

// size returns the bounds of the number of arguments, or nil if every parameter
// takes exactly one.
func (s *Signature) size() *pcore.IntegerType {
	least, most := s.Arity()
	if least == most && least == len(s.Params) && least > 0 {
		return nil
	}
	to := pcore.Bound[int64]{}
	if most >= 0 {
		to = pcore.At(int64(most))
	}
	size, err := pcore.NewIntegerType(pcore.At(int64(least)), to)
	if err != nil {
		return nil // least is never above most
	}
	return size
}
