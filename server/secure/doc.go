// Package secure encrypts the connections of MySQL clients, below the protocol's implementation. That sees plain
// packets, numbered as if the client had not asked for encryption. It knows certificates and the first packets of a
// connection, and nothing else of the protocol.
package secure
