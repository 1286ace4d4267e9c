//go:build !fdb

package harness

import (
	"testing"
)

// buildTags are the tags that the command is built with.
const buildTags = ""

// clusters are the engines whose stores several processes may have open: none without FoundationDB.
var clusters []Engine

func clusterIn(t testing.TB, _ string) string {
	t.Helper()
	t.Fatal("this build knows no cluster")
	return ""
}

func endClusters() {}
