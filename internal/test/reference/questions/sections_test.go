package main

import "testing"

// The recorded answer and Puppet's are the same if their values, texts and logs are, or both are errors.
func TestSameAnswers(t *testing.T) {
	for _, c := range []struct {
		recorded, answered string
		same               bool
	}{
		{`{"expect":{"value":[1],"string":"[1]"}}`, `{"expect":{"string":"[1]","value":[1]}}`, true},
		{`{"expect":{"value":[1],"string":"[1]"}}`, `{"expect":{"value":[2],"string":"[1]"}}`, false},
		{`{"expect":{"value":[1],"string":"[1]"}}`, `{"expect":{"value":[1],"string":"[1.0]"}}`, false},
		{`{"expect":{"value":null}}`, `{"expect":{"error":"x"}}`, false},
		{`{"expect":{"error":"x"}}`, `{"expect":{"error":"in other words"}}`, true},
		{`{"expect":{"value":1}}`, `{"expect":{"value":1},"logs":[["warning","x"]]}`, false},
		{`{"expect":{"value":1},"logs":[["warning","x"]]}`, `{"expect":{"value":1},"logs":[["warning","y"]]}`, false},
		{`{"expect":{"serialize_error":"x","string":"a"}}`, `{"expect":{"serialize_error":"y","string":"a"}}`, true},
		{`{"expect":{"serialize_error":"x"}}`, `{"expect":{"value":1}}`, false},
	} {
		if err := sameAnswers([]byte(c.recorded), []byte(c.answered)); (err == nil) != c.same {
			t.Errorf("%s, %s: got %v, same is %t", c.recorded, c.answered, err, c.same)
		}
	}
}
