package catalog

import "testing"

// TestBelow: a database's folder is below the definitions' bucket, whatever the database is called.
func TestBelow(t *testing.T) {
	for _, c := range []struct{ definitions, database, want string }{
		{"s3://bucket", "shop", "s3://bucket/shop"},
		{"s3://bucket/app/?region=eu-central-1", "shop", "s3://bucket/app/shop?region=eu-central-1"},
		{"file:///srv/data", "my.shop", "file:///srv/data/my.shop"},
		{"file:///srv/data", "..", "file:///srv/data/%252E."},
		{"mem://x", "a/b?ü", "mem://x/a%252Fb%253F%25C3%25BC"},
	} {
		b := Bucket{Address: Below(c.database)}
		if got := b.In(c.definitions); got != c.want {
			t.Errorf("%s in %s is at %s, want %s", c.database, c.definitions, got, c.want)
		}
	}
	b := Bucket{Address: "s3://other/x"}
	if got := b.In("s3://bucket"); got != b.Address {
		t.Errorf("an address of its own is at %s", got)
	}
}
