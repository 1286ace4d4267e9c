package sqlbackend

import (
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql/analyzer"
)

// TestMissingRule: what changes a rule that the engine does not have fails, so that NewEngine does after an update of
// the engine that renames one.
func TestMissingRule(t *testing.T) {
	changes := ruleChanges()
	for i := range changes {
		renamed := changes[i]
		renamed.name += "2"
		renamed.with = func(analyzer.RuleFunc) analyzer.RuleFunc { return nil }
		if err := changeRules([]ruleChange{renamed}); err == nil || !strings.Contains(err.Error(), renamed.name) {
			t.Errorf("%s: %v", renamed.name, err)
		}
	}
	if err := sparePlain([]string{"pruneTables2"}); err == nil || !strings.Contains(err.Error(), "pruneTables2") {
		t.Errorf("a rule to be spared: %v", err)
	}
}
