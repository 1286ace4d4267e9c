// Package value turns SQL's values into JSON and back, and compares numbers, texts and rows.
package value
