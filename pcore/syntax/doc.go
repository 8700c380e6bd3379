// Package syntax reads and writes the Puppet expression language: type
// expressions, values, statements, functions, type aliases and EPP templates.
//
// The language is that of Puppet 7.23: the same texts are accepted, the same
// texts are refused, and a tree has the shape that the reference gives it.
//
// # Map
//
//   - [ParseProgram], [ParseExpr], [ParseEPP] and [ParseDefinitions] read text;
//     [Config] has the same as methods, with limits and leniency.
//   - ast.go holds the tree: [Node], [Expr] and one struct per construct.
//   - [Validate] finds what is well formed but not allowed, such as a value
//     that is computed and dropped. The Parse functions call it.
//   - [Locator] turns the offsets of nodes into lines and columns, [Anchor]
//     tells where in a node an error about it is reported.
//   - [Error] and [ErrorList] describe what is wrong and where.
//
// Inside, scanner.go, number.go, quote.go, heredoc.go and template.go make
// tokens; parser.go, expression.go and definition.go make trees from them by
// precedence climbing; manifest.go recognizes the constructs that only mean
// something when a catalog is compiled (resources, classes, nodes, collectors,
// relationships) and reports each with one error.
//
// # Limits
//
// Time is linear in the size of the text. The height of a tree is limited (see
// [Config]), so that a program that recurses over a tree cannot run out of
// stack.
package syntax
