// Package leak tests that no road prints a secret: it plants a canary in every
// place where a catalog can declare one, drives the module's packages to all the
// values and errors they give out, and prints those in every way there is.
package leak
