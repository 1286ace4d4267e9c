// Package subquery plans and runs queries within a statement separately. It runs scalar subqueries that depend on no
// row before the statement is planned. It runs correlated ones and LATERAL derived tables for each outer row. It uses
// a session through an interface of its own.
package subquery
