// Package console serves a page that shows a server: its collections, how statements are planned, changes as they come,
// and what the server does. Who looks at it logs in as a user of the server, and each log-in has SQL connections of its
// own, so the page shows and does what that user may.
//
// A log-in is a cookie, which scripts can't read, and a key that only the page has: it sends it in a header. Other
// pages know neither, and other servers of the same machine, whom browsers show cookies too, don't know the key.
package console
