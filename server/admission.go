package server

import (
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/server/secure"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// admission decides which connections are accepted: how many, how many of one user, and how long one may take to log
// in. Connections that have not logged in have a limit of their own, so that they keep out nobody who would log in.
type admission struct {
	log         *logrus.Logger
	descriptors int // that connections may use
	began       time.Time
	encryption  secure.Options
	memory      *hold.Process // that counts incoming bytes; nil for none

	mu      sync.Mutex
	open    map[*commandConn]string // the user, or empty before the log-in
	users   map[string]int          // connections of each user
	waiting []*commandConn          // not logged in, the oldest first
	logged  time.Time               // when something was logged last
	silent  int                     // lines that were left out since
}

// maxWaiting is how many connections may stand between the greeting and the log-in. Behind them the oldest is closed.
const maxWaiting = 128

// logPause is the least time between two lines about refused connections.
const logPause = 5 * time.Second

func newAdmission(log *logrus.Logger) *admission {
	// The store has its files open, and the server needs descriptors for other files that it reads.
	return &admission{log: log, began: time.Now(), descriptors: max(8, descriptorLimit()/2),
		open: map[*commandConn]string{}, users: map[string]int{}}
}

// MySQL's errors for connections that are refused.
const (
	errTooManyConnections = 1040
	errTooManyOfUser      = 1203
)

func tooMany() *mysql.SQLError {
	return mysql.NewSQLError(errTooManyConnections, "08004", "Too many connections")
}

// globalNumber is the value of a global variable.
func globalNumber(name string) int64 {
	_, v, ok := sql.SystemVariables.GetGlobal(name)
	if !ok {
		return 0
	}
	switch v := v.(type) {
	case int64:
		return v
	case uint64:
		return int64(min(v, math.MaxInt64))
	}
	return 0
}

// greet admits a connection that has not logged in yet; false if there is no room for it.
func (a *admission) greet(c *commandConn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) >= maxWaiting || len(a.open) >= a.descriptors && len(a.waiting) > 0 {
		oldest := a.waiting[0]
		a.note(fmt.Sprintf("%d connections have not logged in; the oldest, from %s, is closed", len(a.waiting),
			oldest.RemoteAddr()))
		a.forget(oldest)
		_ = oldest.Conn.Close()
	}
	if len(a.open) >= a.descriptors {
		sql.StatusVariables.IncrementGlobal("Connection_errors_max_connections", 1)
		a.note(fmt.Sprintf("%d connections are as many as the limit of descriptors allows; one from %s is refused",
			len(a.open), c.RemoteAddr()))
		return false
	}
	a.open[c] = ""
	sql.StatusVariables.IncrementGlobal("Threads_created", 1)
	a.waiting = append(a.waiting, c)
	if limit := globalNumber("connect_timeout"); limit > 0 {
		_ = c.Conn.SetReadDeadline(time.Now().Add(time.Duration(limit) * time.Second))
	}
	return true
}

// logIn lets a user in whose password is right. One connection beyond max_connections is root's.
func (a *admission) logIn(c *commandConn, user string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	in := len(a.open) - len(a.waiting)
	if most := int(globalNumber("max_connections")); in > most || in == most && user != accounts.RootUser {
		sql.StatusVariables.IncrementGlobal("Connection_errors_max_connections", 1)
		a.note(fmt.Sprintf("%d connections are max_connections; one of %s from %s is refused", in, user, c.RemoteAddr()))
		return tooMany()
	}
	if most := int(globalNumber("max_user_connections")); most > 0 && a.users[user] >= most {
		return mysql.NewSQLError(errTooManyOfUser, "42000",
			"User %s already has more than 'max_user_connections' active connections", user)
	}
	a.forget(c)
	a.open[c] = user
	a.users[user]++
	_ = c.Conn.SetReadDeadline(time.Time{})
	return nil
}

// leave forgets a connection that ends.
func (a *admission) leave(c *commandConn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(c)
}

// forget takes a connection out of all counts.
func (a *admission) forget(c *commandConn) {
	user, ok := a.open[c]
	if !ok {
		return
	}
	delete(a.open, c)
	if user != "" {
		if a.users[user]--; a.users[user] == 0 {
			delete(a.users, user)
		}
		return
	}
	for i, w := range a.waiting {
		if w == c {
			a.waiting = append(a.waiting[:i:i], a.waiting[i+1:]...)
			return
		}
	}
}

// note logs a line, unless one was logged a moment ago.
func (a *admission) note(line string) {
	if time.Since(a.logged) < logPause {
		a.silent++
		return
	}
	if a.silent > 0 {
		line += fmt.Sprintf(" (and %d times more before)", a.silent)
	}
	a.logged, a.silent = time.Now(), 0
	a.log.Warn(line)
}

// admitting takes connections for the protocol's implementation, which stops for good at the first error of Accept.
type admitting struct {
	net.Listener
	admission *admission
}

// Pauses after an error of Accept: as long as the machine or the process has no descriptor, it comes at once again.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
)

// Accept implements net.Listener. Only the end of the listener is an error.
func (l admitting) Accept() (net.Conn, error) {
	pause := firstPause
	for {
		c, err := l.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		if err != nil {
			sql.StatusVariables.IncrementGlobal("Connection_errors_accept", 1)
			l.admission.mu.Lock()
			l.admission.note("a connection can't be taken: " + err.Error())
			l.admission.mu.Unlock()
			time.Sleep(pause)
			pause = min(2*pause, lastPause)
			continue
		}
		pause = firstPause
		wire := newCommandConn(secure.New(c, l.admission.encryption), l.admission)
		if !l.admission.greet(wire) {
			_ = c.SetWriteDeadline(time.Now().Add(firstPause))
			_, _ = c.Write(errorPacket(0, tooMany()))
			_ = c.Close()
			continue
		}
		return wire, nil
	}
}
