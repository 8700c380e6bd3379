// Package syntax parses the Puppet expression language: type expressions, values, statements, functions, type aliases and EPP templates.
//
// The language is that of Puppet 7.23: the parser accepts and rejects the same
// texts, and its trees have the same structure as the reference's.
//
// # Map
//
//   - The methods of [Config] parse programs, expressions, templates and the
//     heads of definitions, with limits and leniency; [ParseProgram] and
//     [ParseEPP] use its zero value.
//   - ast.go defines the tree: [Node], [Expr] and one struct per construct.
//   - check.go finds constructs that are well formed but not allowed, such as a
//     value that is computed and dropped.
//   - [Locator] converts the offsets of nodes to lines and columns; [Anchor]
//     returns the offset at which an error about a node is reported.
//   - [Error] and [ErrorList] describe errors and their locations.
//
// Internally, scanner.go, number.go, quote.go, heredoc.go and template.go
// produce tokens; parser.go, expression.go and definition.go build trees from
// them by precedence climbing; manifest.go recognizes the constructs that only
// have a meaning when a catalog is compiled (resources, classes, nodes,
// collectors, relationships) and reports one error for each.
//
// # Limits
//
// Parsing takes time linear in the size of the text. The height of a tree is
// limited (see [Config]), so that a program that recurses over a tree cannot
// run out of stack.
package syntax
