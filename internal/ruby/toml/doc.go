// Package toml reads TOML 1.1 and writes it like the function to_toml of the
// puppetlabs-stdlib module.
package toml
