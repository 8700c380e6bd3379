// Package token finds the tokens that providers issue, by their form: a prefix or another
// literal, alphabets, lengths, and checksums (token.go, shape.go), or parts between dots
// (structured.go). The forms are in the table of tokens of package knowledge.
package token
