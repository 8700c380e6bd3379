// Package privatekey recognizes private keys by their form: the bytes of a key or a key
// store ([Recognize], in material.go and der.go), and armoured blocks ([Armoured], in
// armour.go).
package privatekey
