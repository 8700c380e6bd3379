// Package toml reads TOML 1.1 and writes it as the function to_toml of the
// puppetlabs-stdlib module does.
package toml
