// Package program keeps plans of statements for their next runs. A statement is found by its text, in which parameters
// take the place of literals, by the kinds of these, and by what else its plan depends on. Of the plan it is known
// which of its literals come from which parameter, so that another plan is made of it by other values: nothing is
// parsed, bound or analysed for that. What of the plan depends on tables is made again by whoever runs it.
package program
