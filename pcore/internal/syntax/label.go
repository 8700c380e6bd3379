package syntax

import "strings"

// label returns the name of a kind of node in messages.
func label(n Node) string {
	switch n := n.(type) {
	case *Block:
		return "Block Expression"
	case *Undef:
		return "'undef' expression"
	case *Default:
		return "'default' expression"
	case *Boolean:
		return "Boolean"
	case *Integer:
		return "Literal Integer"
	case *Float:
		return "Literal Float"
	case *String:
		return "String"
	case *ConcatenatedString:
		return "Double Quoted String"
	case *TextExpression:
		return "Expression in Interpolated String"
	case *Heredoc:
		return "'@(" + n.Syntax + ")' expression"
	case *Regexp:
		return "Regular Expression"
	case *QualifiedName:
		return "Name"
	case *QualifiedReference:
		return "Type-Name"
	case *Variable:
		return "Variable"
	case *Array:
		return "Array Expression"
	case *Hash:
		return "Hash Expression"
	case *KeyedEntry:
		return "Hash Entry"
	case *Unary:
		switch n.Op {
		case OpNot:
			return "'not' expression"
		case OpMinus:
			return "Unary Minus"
		}
		return "Unfold"
	case *Binary:
		return "'" + string(n.Op) + "' expression"
	case *Assignment:
		return "'" + string(n.Op) + "' expression"
	case *Parenthesized:
		return "Parenthesized Expression"
	case *Access:
		return "'[]' expression"
	case *Call:
		return "Function Call"
	case *MethodCall:
		return "Method call"
	case *Lambda:
		return "Lambda"
	case *Parameter:
		return "Parameter Definition"
	case *If:
		return "'if' statement"
	case *Unless:
		return "'unless' Statement"
	case *Case:
		return "'case' statement"
	case *CaseOption:
		return "Case Option"
	case *Selector:
		return "Selector Expression"
	case *SelectorEntry:
		return "Selector Option"
	case *FunctionDefinition:
		return "Function Definition"
	case *TypeAlias:
		return "Type Alias"
	case *TypeMapping:
		return "Type Mapping"
	case *EPP:
		return "Epp Template"
	case *RenderString:
		return "Epp Text"
	case *Render:
		return "Epp Interpolated Expression"
	case *Definition:
		if n.Kind == "class" {
			return "Host Class Definition"
		}
		return "'define' expression"
	}
	return "Program"
}

// aLabel returns the label of a node with its article.
func aLabel(n Node) string {
	text := label(n)
	if strings.ContainsRune("aeiouyAEIOUY", rune(strings.TrimPrefix(text, "'")[0])) {
		return "an " + text
	}
	return "a " + text
}

// upper returns text with its first letter as a capital.
func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
