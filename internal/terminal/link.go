package terminal

// Link returns text as a hyperlink to an address, by the sequence OSC 8. It returns the text
// itself if the address or the text is empty. The address is a valid URL, which contains no
// hidden characters.
func Link(address, text string) string {
	if address == "" || text == "" || Line(address) != address {
		return text
	}
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}
