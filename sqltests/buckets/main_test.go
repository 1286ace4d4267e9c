package buckets

import (
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
