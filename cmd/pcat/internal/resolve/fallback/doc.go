// Package fallback decides what happens to a catalog if Deferred calls fail, for
// example because the store of its secrets is down.
//
//	Policy   rules for calls: time, retries, and what happens if they fail
//	Rule     one of them, by function, path and resource
//	Handler  makes the calls by the rules; a deferred.Handler
//	Cache    the answers of the last run, in an encrypted file
//	Plan     the catalog without the resources of failed calls, and what depends on them
//
// The first rule that matches a call decides. A call without a rule is made, and
// fails, as without a Handler.
//
// # Equal calls
//
// If a rule matches a call that runs a command or uses the network, an equal call
// of the run gets the same answer or failure. So a store that is down costs its
// time-out once for each secret, and a secret that is replaced meanwhile has one
// value in a catalog.
//
// # Secrets
//
// A default is Sensitive unless its rule says otherwise, and an answer of the last
// run is what it was. The cache has only answers of rules that ask for it; see
// [Cache].
package fallback
