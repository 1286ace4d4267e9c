// Package syntax makes the engine's parser read what MySQL reads: it translates texts that the engine's refuses,
// refuses what would be planned wrongly, and rewrites syntax trees for the planner.
package syntax
