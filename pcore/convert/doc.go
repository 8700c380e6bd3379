// Package convert makes values of other values: the String formats, which are
// how every value becomes text.
package convert
