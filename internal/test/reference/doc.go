// Package reference checks with the Puppet and the Ruby of this machine that
// they accept pcat's output. It only contains tests, which are skipped if
// Debian's puppet-agent and ruby-msgpack are not installed; `.ci/run` installs
// them.
//
//   - apply_test.go: puppet apply --noop accepts catalogs that pcat converted
//     and redacted
//   - agent_test.go: Puppet's formats read pcat's output like Puppet's own
//   - rules_test.go: the audit finds the wrong code of each rule, as compiled by
//     Puppet, and nothing in the right code
//   - hiera_test.go: Puppet makes class parameters Sensitive by the options that
//     the audit writes
//   - lookup_test.go: Puppet looks up the same values in random data of Hiera
//   - types_test.go: Puppet says of its own resource types what is recorded
//   - codec_test.go: Ruby's json and msgpack agree with pcat about any value
//   - native_test.go: Puppet reads the types and values of Go programs
//   - effects_test.go: what Puppet changes on a node when a catalog changes, as
//     recorded for package diff
//   - puppet_test.go, server_test.go: shared helpers for catalogs and programs
//
// The vectors in package conformance compare pcat with recorded answers of
// Puppet; this package runs Puppet itself. puppet apply --noop does not change
// the machine, but it inspects packages, users and files, and runs the `unless`
// commands of the catalogs.
//
// The program in questions compares pcat with any release of Puppet or OpenVox.
//
// Every test that runs Puppet itself belongs here.
package reference
