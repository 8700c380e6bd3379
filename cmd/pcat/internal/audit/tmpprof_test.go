package audit
import ("testing";"bytes";"strings";"github.com/spf13/cobra";"github.com/pcatdev/pcat/cmd/pcat/internal/cli")
func TestTmpProf(t *testing.T){
 var out, errs bytes.Buffer
 cmd := NewCmd(cli.Streams(strings.NewReader(""), &out, &errs))
 r := &cobra.Command{Use:"pcat"}; r.AddCommand(cmd); r.SetArgs([]string{"audit","/tmp/rb/report.json"})
 err := r.ExecuteContext(t.Context()); t.Log(err, out.String()[:min(200,out.Len())], errs.String())
}
