// Package reference asks the Puppet and the Ruby of this machine whether they take what pcat writes.
// It holds tests only, which are skipped where Debian's puppet-agent and ruby-msgpack are not
// installed: `.ci/run` installs them.
//
//   - apply_test.go: puppet apply --noop takes catalogs that pcat converted and redacted
//   - agent_test.go: Puppet's formats read what pcat writes as what Puppet wrote itself
//   - codec_test.go: Ruby's json and msgpack agree with pcat about any value
//   - puppet_test.go, server_test.go: the catalogs and programs that they use
//
// The vectors in package conformance hold pcat against answers that Puppet gave once; here it is
// asked again. puppet apply --noop changes nothing on the machine, but it looks: at packages, users
// and files, and it runs the `unless` commands of the catalogs.
package reference
