package function

import "github.com/pcatdev/pcat/pcore"

// describe returns the reference's message for a call that no signature accepts.
// If the arguments contain unwrapped secrets, it generalizes their types, so
// that the message does not reveal the values.
func (f *Function) describe(c *Call, args []pcore.Value) string {
	types := make([]pcore.Type, len(args), len(args)+1)
	for i, v := range args {
		if types[i] = pcore.InferDetailed(v); c.clear {
			types[i] = pcore.Generalize(types[i])
		}
	}
	if c.Block != nil {
		types = append(types, c.Block.Signature().Type())
	}
	var given pcore.Type = pcore.NewTupleType(types, nil)
	if len(types) == 0 {
		given = pcore.InferDetailed(pcore.NewArray())
	}
	var signatures []pcore.NamedCallable
	for _, s := range f.Signatures() {
		signatures = append(signatures, s.named())
	}
	return pcore.DescribeSignatures(f.Name, signatures, given)
}

func (s *Signature) named() pcore.NamedCallable {
	n := pcore.NamedCallable{Type: s.Type()}
	for _, p := range s.Params {
		n.Params = append(n.Params, p.Name)
	}
	if s.Block != nil {
		n.Block = s.Block.Name
	}
	return n
}
