// Package assign finds names and values with a separator between them: `k = v`, `"k": "v"`,
// `<k>v</k>`.
//
//	Assignment  a name and its value (assignment.go)
//	Text        a text to search (assign.go)
//
// A separator has a name before it and a value after it, perhaps on the next line
// (value.go). The section, object or list around them may give a meaning to the name
// (context.go). Elements of XML are in xml.go. The members `name` and `value` of one object
// are an assignment, too (pair.go).
package assign
