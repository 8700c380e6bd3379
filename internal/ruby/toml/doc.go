// Package toml reads TOML 1.1 and writes it like the function to_toml of the
// puppetlabs-stdlib module.
//
// The TOML of Puppet functions belongs here, and of configuration files written in it.
package toml
