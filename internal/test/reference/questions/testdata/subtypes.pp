# Aliases that are assignable to the recursive ones, and are not recursive, see restate.go.
type Questions::Data     = String
type Questions::RichData = Regexp
type Questions::Tree     = Array[Integer]
type Questions::Json     = String
