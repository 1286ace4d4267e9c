// Package console serves a page that shows a server: its collections, how statements are planned, changes as they
// come, and the server's figures. A person logs in as a user of the server, and each log-in has SQL connections of
// its own. So the page has the rights of that user.
//
// A log-in is a cookie, which scripts can't read, and a key that only the page has and sends in a header. Other pages
// know neither. Other servers of the same machine, which get the cookie from browsers too, don't know the key.
package console
