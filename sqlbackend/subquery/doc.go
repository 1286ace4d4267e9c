// Package subquery plans and runs queries within a statement by themselves: scalar subqueries that depend on no row
// before the statement is planned, correlated ones and LATERAL derived tables for each row that they are asked of.
// What it needs of a session is an interface of its own.
package subquery
