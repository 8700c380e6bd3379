// Package deferred evaluates the Deferred values of a catalog, as an agent does
// before it applies the catalog.
//
//	Resolver       the settings: functions, facts, policy, limits
//	Run            one pass over a catalog, a catalog.Transform
//	AgentSpelling  the spelling of a catalog that an agent has stored
//	Failure        a call that failed, with its location
//	Handler        repeats calls, and decides what happens if they fail
//	Policy         the functions that may be called
//	Table          a provider with prepared answers
//	Providers      several providers in order
//	Event          the trace of one call
//
// # Order
//
// Parameters are resolved in catalog order. Inside a value, resolution is depth
// first, from left to right: the arguments of a call before the call. It covers
// arrays, the values of hashes, and the content of a Sensitive. As in the
// reference, it skips keys of hashes and attributes of Objects, unless
// [Resolver.InKeys] and [Resolver.InObjects] include them. A name that begins
// with `$` reads a variable and looks up the arguments in it; an agent has only
// `$facts`. Functions receive a Binary as a text, and results derived from it
// become a Binary again.
//
// Calls of different resources are independent, and [Resolver.Parallel] makes them
// concurrently. Trace and log keep catalog order. A call that depends only on
// its arguments and the facts is not repeated if an equal call was made before.
//
// # Secrets
//
// If a parameter resolves to a Sensitive, its plain value is stored and its name
// is listed in sensitive_parameters, as Puppet does. In other cases secrets stay
// Sensitive where the reference loses them:
//
//   - A function that does not handle Sensitive values receives the secret, and
//     its result is Sensitive: Deferred('join', [['a', Sensitive('b')], ':'])
//     returns Sensitive('a:b'). The reference returns the text `a:Sensitive
//     [value redacted]`, or an error.
//   - The result of any call with a secret among its arguments is Sensitive,
//     even of a function such as unwrap.
//   - A Sensitive whose content resolves to a Sensitive becomes a single
//     Sensitive. The reference nests them and removes only the outer one.
//
// [Resolver.Faithful] turns this off.
//
// # Agents
//
// Some calls do not work on some agents: the agents of Puppet 8 and OpenVox 8 leave
// calls in arrays and hashes unresolved, and agents before OpenVox 9 cannot call
// functions written in the Puppet language. A run makes these calls as intended.
// [Resolver.Agent] reports them, and with Faithful they fail.
//
// # Failures
//
// A call that fails or is refused is a [Failure]. Calls that do not depend on it
// are still made. A call also fails if it reads facts and there are none
// ([function.ErrNeedsFacts]), or if its result cannot be written ([ErrUnwritable]). The
// failed call remains a Deferred, with its arguments resolved where possible.
// Errors and trace events describe the secrets of a call only by their types.
package deferred
