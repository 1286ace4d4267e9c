// Package secure encrypts the connections of MySQL clients, below the protocol's implementation: what is above sees
// plain packets, numbered as if nobody had asked for encryption. It knows certificates and the first packets of a
// connection, and nothing else of the protocol.
package secure
