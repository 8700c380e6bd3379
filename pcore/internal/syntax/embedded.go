package syntax

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// CheckEmbedded returns an error if text is not well formed in the given
// language of a heredoc, such as json in @(TAG:json). It checks json, base64,
// pp and epp, also as the last part of a name joined with +, and accepts any
// other language. The parser calls it for heredocs without interpolation.
func CheckEmbedded(language, text string) error { return Config{}.checkEmbedded(language, text) }

func (c Config) checkEmbedded(language, text string) error {
	switch language[strings.LastIndexByte(language, '+')+1:] {
	case "json":
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return fmt.Errorf("JSON syntax checker: Cannot parse invalid JSON string. %w", err)
		}
	case "base64":
		text = strings.Map(func(r rune) rune {
			if isBlank(r) || strings.ContainsRune("\r\n?", r) {
				return -1
			}
			return r
		}, text)
		if _, err := base64.StdEncoding.Strict().DecodeString(text); err != nil {
			return errors.New("Base64 syntax checker: Cannot parse invalid Base64 string")
		}
	case "pp":
		if err := c.embedded(func() error { _, err := c.ParseProgram("", text); return err }); err != nil {
			return fmt.Errorf("PP syntax checker: %w", err)
		}
	case "epp":
		if err := c.embedded(func() error { _, err := c.ParseEPP("", text); return err }); err != nil {
			return fmt.Errorf("EPP syntax checker: %w", err)
		}
	}
	return nil
}

// embedded calls parse with the nesting level of heredocs increased by one.
func (c *Config) embedded(parse func() error) error {
	if c.level++; c.level > maxHeredocs {
		return fmt.Errorf("heredocs are nested more than %d deep", maxHeredocs)
	}
	return parse()
}

// heredoc checks the text of a heredoc that has no interpolations.
func (c *checker) heredoc(n *Heredoc) {
	text, ok := n.Text.(*String)
	if !ok || n.Syntax == "" {
		return
	}
	if err := c.config.checkEmbedded(n.Syntax, text.Value); err != nil {
		c.at(text, "ILLEGAL_"+strings.ToUpper(n.Syntax[strings.LastIndexByte(n.Syntax, '+')+1:]),
			"Invalid produced text having syntax: '%s'. %s", n.Syntax, err)
	}
}
