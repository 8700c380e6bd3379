// Package function is what functions of the Puppet language are, and how they
// are found and called:
//
//	Function, Dispatch   a function and the ways to call it
//	Signature, Param     what a dispatch accepts; ParseSignature reads one
//	Effects              what a call does beyond computing a value
//	Registry, Finder     functions by name
//	Env                  the world around calls: variables, files, policy, log
//	Call                 one call, as the implementation sees it
//	Block                a lambda given to a call
//	Jump                 break, next and return
//	Tree                 files of modules and of folders that may be read
//	Text                 what a value is in an interpolated string
//
// A function is made of Go code by a [Dispatch] for each signature that it has:
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
// [Env.Call] finds it, asks [Env.Allow] whether its effects are allowed, and
// calls the first dispatch whose signature accepts the arguments. When none
// does, the error says why in the words of the reference.
//
// # Secrets
//
// A Sensitive is an argument as any other, and no error tells what it holds.
// [Env.KeepSecrets] opens it for functions that know nothing of it, and makes
// their result a secret; see [Function.HandlesSensitive].
//
// The functions that the language comes with are those of package stdlib.
package function
