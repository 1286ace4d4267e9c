// Package mongo makes plain JSON documents of the files of MongoDB's tools: the BSON of
// mongodump, and the extended JSON of mongoexport, versions 1 and 2.
//
// Both give the same plain values: an object id is its digits, a date an ISO 8601
// text in UTC, a number a number with its digits, binary data base64. It reads no
// archive of mongodump, and speaks to no server.
package mongo
