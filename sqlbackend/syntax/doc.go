// Package syntax makes the engine's parser read MySQL's SQL. It translates texts that the engine's parser refuses,
// refuses statements that would be planned wrongly, and rewrites syntax trees for the planner.
package syntax
