// Package regexps has REGEXP and the functions of regular expressions. ICU's library matches them, in its sandbox and
// with a limit.
package regexps
