// Package function defines functions of the Puppet language, and looks them up
// and calls them:
//
//	Function, Dispatch   a function, and the implementations of its signatures
//	Signature, Param     the arguments that a dispatch accepts
//	Effects              side effects and hidden inputs of a function
//	Registry, Finder     lookup of functions by name
//	Env                  variables, files, policy, limits and log for calls
//	Call                 one call, as seen by the implementation
//	Block                a lambda passed to a call
//	Budget, Memory       limits on the work and the memory of calls
//	Tree                 readable files in modules and folders
//
// A [Function] has one [Dispatch] for each of its signatures:
//
//	function.Function{
//		Name: "greet",
//		Doc:  "Returns a greeting.",
//		Dispatches: []function.Dispatch{{
//			Text: "String name, Integer[1] times? >> String",
//			Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) { … },
//		}},
//	}
//
// [Env.Call] looks the function up, asks [Env.Allow] for permission, and runs
// the first dispatch whose signature accepts the arguments. If none does, the
// error has the same text as in Puppet.
//
// # Secrets
//
// A Sensitive is an ordinary argument, and no error message contains its value.
// With [Env.KeepSecrets], a function that does not handle Sensitive values
// receives them unwrapped, and its result becomes a Sensitive; see
// [Function.HandlesSensitive].
//
// Package stdlib implements the built-in functions of the language.
package function
