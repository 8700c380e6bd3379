// Package validate checks a catalog against the modules that it was compiled
// with: the parameters of each class and defined type against their declared
// types, and each Object against its Object type.
//
// For a catalog that was edited, resolved, or compiled with other modules, it
// reports faults that the compiler would have rejected, with the compiler's
// messages. It ignores resources that no module defines: Puppet's own types are
// written in Ruby.
package validate
