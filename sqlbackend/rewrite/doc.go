// Package rewrite turns a statement's plan into one that gives the same rows and can be planned better. Views and
// derived tables become parts of the queries that read them, conditions move to the tables that they restrict, EXISTS
// and IN become lookups. It knows neither how tables are stored nor what an access costs.
package rewrite
