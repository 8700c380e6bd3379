// Package kind has the words of diff.Kind, which the comparison sets and the report groups by.
package kind

// The kinds of changes.
const (
	Resource    = "resource"
	Rename      = "rename"
	Value       = "value"
	Nested      = "nested"
	Array       = "array"
	Content     = "content"
	Type        = "type"
	Rich        = "rich"
	Deferred    = "deferred"
	Secret      = "secret"
	Sensitivity = "sensitive"
	Relation    = "relation"
	Container   = "container"
	Tags        = "tags"
	Member      = "member"
	Static      = "static"
	Catalog     = "catalog"
)
