// Package deferred makes the calls that the Deferred values of a catalog stand
// for, as the agent does before it applies the catalog.
//
//	Resolver   what resolves: providers, facts, policy, limits
//	Run        one pass over a catalog, a catalog.Transform
//	Ahead      the same with several resources at a time
//	Stored     how an agent spells the catalog that it stores
//	Failure    a call that could not be made, and where it stands
//	Policy     which functions may be called
//	Table      a provider: answers that are known beforehand
//	Providers  several of them, one after the other
//	Event      what a trace is told about each call
//
// # Order
//
// Parameters are resolved in the order of the catalog. Inside a value, what is
// deepest is resolved first, from left to right: the arguments of a call before
// the call. Arrays, the values of hashes and what a Sensitive holds are
// entered; the keys of hashes and the attributes of Objects are not, as in the
// reference, unless [Resolver.InKeys] and [Resolver.InObjects] say so. A name
// that begins with `$` reads a variable and digs into it by the arguments; an
// agent knows only `$facts`. A Binary is a text to the functions, and what they
// make of it a Binary again.
//
// The calls of different resources do not depend on each other, and [Ahead] makes
// them at the same time. What is told about them keeps the order of the catalog.
// A call that depends on nothing but its arguments and the facts is not made
// again when an equal one was made before.
//
// # Secrets
//
// The result of a parameter that is a Sensitive is stored in clear and its name
// listed in sensitive_parameters, as Puppet does. Beyond that, a secret stays
// one here, where the reference loses it:
//
//   - A function that knows nothing of Sensitive gets the secret in clear and
//     its result is Sensitive: Deferred('join', [['a', Sensitive('b')], ':'])
//     gives Sensitive('a:b'). The reference gives the text
//     `a:Sensitive [value redacted]`, or an error.
//   - The result of any call with a secret among its arguments is Sensitive,
//     also when the function takes it out, as unwrap does.
//   - A Sensitive whose content turns out to be Sensitive is one Sensitive. To the
//     reference it is two, of which the outer one is taken away.
//
// [Resolver.Faithful] turns this off.
//
// # Failures
//
// A call that fails or is refused is a [Failure]; all others are made
// nevertheless. A call fails, too, when it reads facts and there are none
// ([ErrNeedsFacts]), and when its result cannot be written ([ErrUnwritable]). It
// stays in its place as a Deferred, with those of its arguments resolved that
// could be. Errors and the trace give only types about a call with secrets.
package deferred
