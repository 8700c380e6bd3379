package yaml_test
import ("testing";"os";"github.com/pcatdev/pcat/serialization/yaml";"github.com/pcatdev/pcat/serialization";"bytes")
func TestProf(t *testing.T) {
	data, _ := os.ReadFile("/tmp/ones.yaml")
	r := yaml.NewReader(bytes.NewReader(data[:1000000:1000000]), serialization.DecodeOptions{})
	_ = r
	r = yaml.NewReader(bytes.NewReader(data), serialization.DecodeOptions{})
	raw, err := r.Raw()
	t.Log(len(raw.Bytes), err)
}
