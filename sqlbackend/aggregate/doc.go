// Package aggregate answers COUNT, MIN, MAX, SUM, AVG, DISTINCT and GROUP BY from entries and counters where these
// suffice. It reads value by value, from the ends of an index, in pieces, or group by group.
package aggregate
