// Package richdata has the types of rich data, values that are marked by the keys
// `__ptype` and `__pvalue` in JSON, MessagePack and YAML.
package richdata
