// Package enginesuite runs the script tests of go-mysql-server, the SQL engine, over the wire against a server in this
// process. It holds no code but the tests.
//
// testdata/failures.txt lists the assertions that fail, each under its reason. The test fails at a failure that is not
// listed, and at a listed assertion that passes. By default it runs a share of the scripts, drawn by a seed:
//
//	go test ./sqltests/enginesuite -v                          a share; counts for each suite
//	go test ./sqltests/enginesuite -v -share 1                 all scripts
//	go test ./sqltests/enginesuite -share 1 -memory -rewrite   the list again; reasons stay
//
// With -memory each failing script runs on the engine's own memory backend as well. What fails there too needs no
// reason of ours.
package enginesuite
