package secret

import (
	"math"
	"testing"
)

func TestIsStrong(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a": false, "12345678": false, "20240115": false, "production": false, "elastic7": false, "icingaweb2": false,
		"php8.2": false, "apache-2.4": false, "PostgreSQL14": false, "hunter2": false, "Summer2024": false, "web-server": false,
		"my-service-account": false, "aaaaaaaaaaaaaaaa": false, "elasticsearch": false, "RedHat": false, "localhost.localdomain": false,
		"profile::monitoring::elasticsearch::server": false, "db01.example.com": false, "/etc/app/secret.key": false,
		"https://example.com/a/b/c": false, "ntp-4821953-739164": false, // short numbers

		"Zx9-qKw4vTz": true, "n7Hq-vL2pX": true, "correct horse battery staple": true, "correct-horse-battery": true, "birch-basil-umber": true,
		"8F14E45FCEEA167A5A36DEDD4BEA2543": true, "tr0ub4dor-and-3": true, "1e9c0b4a-55f0-4f4e-9f4b-0b1d7a1c9f11": true,
		"hT6!kq$w": true, "83920174650": true, "Пароль-Для-Базы-Данных": true, "p4SSw0rd:With:Colons": true,
		"https://u:n7Hqv-vL2pX@example.com/x": true,
	} {
		if got := IsStrong(text); got != want {
			t.Errorf("IsStrong(%q) = %t: 10^%.1f guesses", text, got, Strength(text))
		}
	}
}

func TestIsToken(t *testing.T) {
	for text, want := range map[string]bool{
		"fd0d3f5e-7d4a-4a4b-9c1f-000011112222": true, "pUqJrVyVRj5jsiYEkM/tFQYfWyJIv4s3XkvDwy7Cu5s=": true, "Zx9-qKw4vTz": true,
		"my-service-2-eu-west-1": false, "This file is managed": false, "correct-horse-battery": false, "/opt/consul": false,
		"profile::monitoring::server": false, "db01.example.com": false, "hunter2": false, "production": false,
	} {
		if got := isToken(text); got != want {
			t.Errorf("isToken(%q) = %t: 10^%.1f guesses", text, got, Strength(text))
		}
	}
}

// Every text takes one guess at least.
func FuzzStrength(f *testing.F) {
	f.Add("Zx9-qKw4vTz")
	f.Add("\xff\xfe\u00fc::")
	f.Fuzz(func(t *testing.T, text string) {
		if s := Strength(text); s < 0 || math.IsNaN(s) {
			t.Errorf("Strength(%q) = %g", text, s)
		}
	})
}
