// Package mysqlerr gives every error on its way to a client MySQL's number and SQLSTATE.
package mysqlerr
