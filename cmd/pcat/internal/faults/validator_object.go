package faults

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// objects checks every Object in the parameters against its type.
func (c *validation) objects(given *pcore.Hash) error {
	for k, v := range given.All() {
		name, _ := k.(pcore.String)
		at := c.resource.Ref().Parameter(string(name))
		listed := c.listed.Has(string(name))
		err := pcore.Walk(v, func(cur *pcore.Cursor) error {
			o, ok := cur.Value().(*pcore.Object)
			switch {
			case !ok:
			case listed || cur.Secret():
				c.secretObject(at, o)
			default:
				c.object(at.Join(cur.Path()), o)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// object checks the attributes of an Object against its type. A nested Object is
// checked separately against its own type.
func (c *validation) object(at catalog.Location, o *pcore.Object) {
	if t := c.objectType(o); t != nil {
		c.mismatch(at, t.Name()+" initializer", t.InitType(), c.typed(o.Attributes()))
	}
}

// secretObject reports that an Object inside a secret is invalid. Its location
// in the secret and its attributes are secret, too.
func (c *validation) secretObject(at catalog.Location, o *pcore.Object) {
	t := c.objectType(o)
	if t != nil && pcore.Mismatch("", t.InitType(), c.typed(o.Attributes())) != nil {
		c.found(at, "contains a secret that is not an instance of "+t.Name())
	}
}

// objectType returns the type of an Object if a module defines it, or nil.
func (c *validation) objectType(o *pcore.Object) *pcore.ObjectType {
	if _, known := o.Type().(*pcore.ObjectType); known {
		return nil // the decoder has checked types of the language
	}
	name := strings.ToLower(o.TypeName())
	t, err := c.modules.ResolveType(name)
	switch {
	case errors.Is(err, typeexpr.ErrUnknownType):
		return nil
	case err != nil:
		c.fail("type "+name, err)
		return nil
	}
	object, _ := t.(*pcore.ObjectType)
	return object
}

// typed replaces the Objects in v whose type the decoder knew only by name by
// Objects of the types defined in modules.
func (c *validation) typed(v pcore.Value) pcore.Value {
	to, err := pcore.Rewrite(v, func(cur *pcore.Cursor) (pcore.Value, error) {
		if o, ok := cur.Value().(*pcore.Object); ok {
			if t := c.objectType(o); t != nil {
				return pcore.NewObject(t, o.Attributes()), nil
			}
		}
		return cur.Value(), nil
	})
	if err != nil {
		return v // unreachable: the function returns no error
	}
	return to
}
