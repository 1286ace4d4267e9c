// Package harness is what the tests below sqltests share: servers over fresh stores, in this process or in their own,
// connections to them, the built command, and the questions that every test asks at its end.
package harness
