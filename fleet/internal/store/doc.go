// Package store keeps the data of a fleet in NATS JetStream.
//
//	Store   a connection; it is a [feed.Sink]
//	Head    the newest catalog of a unit
//	Part    the state of the audit of a unit
//	Task    work for workers, and Delivery a task that one of them has
//	State   which knowledge is current
//	Dead    a unit whose audit failed, or ended its worker
//
// A unit is a node in a feed. Subjects and keys contain only the key of a unit, which
// does not show its name. All values are encrypted for their location, except events.
package store
