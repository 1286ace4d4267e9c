// Package value turns SQL's values into JSON and back, and says how numbers, texts and rows of them compare.
package value
