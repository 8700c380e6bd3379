// Package toml reads TOML 1.1, and writes it like the function to_toml of the
// module puppetlabs-stdlib.
package toml
