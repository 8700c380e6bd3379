package syntax

import "errors"

// endOfInput is the message of an error that more text could resolve.
const endOfInput = "Syntax error at end of input"

// Incomplete reports whether err indicates that a text ends too early: in the
// middle of an expression, a string, a heredoc or a comment. An interactive
// prompt can then ask for another line.
func Incomplete(err error) bool {
	var first *Error
	if !errors.As(err, &first) {
		return false
	}
	switch first.Issue {
	case "UNCLOSED_QUOTE", "UNCLOSED_MLCOMMENT", "HEREDOC_WITHOUT_TEXT", "HEREDOC_WITHOUT_END_TAGGED_LINE":
		return true
	}
	return first.Message == endOfInput
}
