//go:build fdb

package fdbkv

import (
	"errors"
	"fmt"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// FoundationDB's error codes that have a meaning here (flow/error_definitions.h).
const (
	codeTimedOut           = 1004
	codeTooOld             = 1007
	codeFutureVersion      = 1009
	codeNotCommitted       = 1020
	codeCommitUnknown      = 1021
	codeCancelled          = 1025
	codeTransactionTimeout = 1031
	codeUnreadable         = 1036
	codeProcessBehind      = 1037
	codeDatabaseLocked     = 1038
	codeClusterChanged     = 1039
	codeCommitProxyMemory  = 1042
	codeBatchThrottled     = 1051
	codeGRVProxyMemory     = 1078
	codeOperationCancelled = 1101
	codeTagThrottled       = 1213
	codeProxyTagThrottled  = 1223
	codeKeyOutside         = 2004
	codeInvertedRange      = 2005
	codeTransactionTooBig  = 2101
	codeKeyTooBig          = 2102
	codeValueTooBig        = 2103
	codeBadClusterFile     = 2104
)

func codeOf(err error) int {
	var e fdb.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// translate wraps an error of the binding with the error of kv that it is.
func translate(err error) error {
	if target := meaning(codeOf(err)); target != nil {
		return fmt.Errorf("%w (%w)", target, err)
	}
	return err
}

func meaning(code int) error {
	switch code {
	case codeTooOld:
		return kv.ErrTooOld
	case codeNotCommitted:
		return kv.ErrConflict
	case codeCommitUnknown:
		return kv.ErrUnknownCommit
	case codeUnreadable:
		return kv.ErrUnreadable
	case codeTimedOut, codeFutureVersion, codeTransactionTimeout, codeProcessBehind, codeDatabaseLocked,
		codeClusterChanged, codeCommitProxyMemory, codeBatchThrottled, codeGRVProxyMemory, codeTagThrottled,
		codeProxyTagThrottled:
		return kv.ErrUnavailable
	case codeKeyOutside, codeInvertedRange:
		return kv.ErrReservedKey
	case codeTransactionTooBig:
		return kv.ErrTooLarge
	case codeKeyTooBig:
		return kv.ErrKeyTooLarge
	case codeValueTooBig:
		return kv.ErrValueTooLarge
	}
	return nil
}

// outcome is the error of a commit: an error that may have come after the writes were sent
// leaves open whether they happened.
func outcome(err error) error {
	switch codeOf(err) {
	case codeTimedOut, codeCancelled, codeTransactionTimeout, codeClusterChanged, codeOperationCancelled:
		return fmt.Errorf("%w (%w)", kv.ErrUnknownCommit, err)
	}
	return translate(err)
}
