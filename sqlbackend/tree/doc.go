// Package tree walks the plans and expressions of go-mysql-server and gives expressions other types.
package tree
