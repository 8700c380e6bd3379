// Package validate holds a catalog against the modules that it was compiled
// with: the parameters of each class and defined type against their declared
// types, and each Object against its Object type.
//
// A catalog that was edited, resolved, or compiled with other modules shows
// here what the compiler would have refused, in the compiler's words. What no
// module defines is passed over: types of Puppet itself are written in Ruby.
//
//	validate.go   Validator, and the parameters of a resource
//	object.go     Objects
package validate
