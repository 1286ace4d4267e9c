// Package accounts decides who may connect, and which statements they may run. It has accounts with their passwords'
// hashes and privileges, the statements that change them, and the privileges that other statements need. It is pure:
// it reads no store and knows no session.
package accounts
