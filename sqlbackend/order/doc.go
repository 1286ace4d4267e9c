// Package order reads rows in the order that a statement asks for, where that costs less than sorting what has been
// read, and no more of them than its LIMIT takes. It also finds which columns entries give without documents.
package order
