// Package leak tests that no output of the module contains a secret. It plants a
// canary wherever a catalog can declare a secret, obtains values and errors from
// the module's packages, and formats them in every way.
package leak
