// Package rewrite makes of a statement's plan another one that gives the same rows and can be planned better: views
// and derived tables become parts of the queries that read them, conditions go to the tables that they are about,
// EXISTS and IN become what can be looked up. It knows neither how tables are stored nor what an access costs.
package rewrite
