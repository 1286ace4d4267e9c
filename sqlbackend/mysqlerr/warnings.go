package mysqlerr

import "github.com/dolthub/go-mysql-server/sql"

// ForgetWarnings keeps so many of the statement's warnings, the first ones.
func ForgetWarnings(ctx *sql.Context, kept int) {
	if all := ctx.Session.Warnings(); len(all) > kept {
		ctx.Session.ClearWarnings()
		for _, w := range all[:kept] {
			ctx.Session.Warn(w)
		}
	}
}
