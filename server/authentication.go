package server

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/server/secure"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
)

// authentication authenticates the clients, with the admission behind it.
type authentication struct {
	admission *admission
	backend   *sqlbackend.Backend

	failed failures
	// refusals is the log of log-ins that are refused.
	refusals *logrus.Logger

	mu sync.Mutex
	// remembered are passwords of caching_sha2_password that were right, by the hash that they were checked against.
	remembered map[string][]byte
}

// maxRemembered bounds them: beyond it all are forgotten, and checked whole at the next log-in.
const maxRemembered = 4096

// DefaultAuthMethodDescription implements mysql.AuthServer.
func (s *authentication) DefaultAuthMethodDescription() mysql.AuthMethodDescription {
	return mysql.MysqlNativePassword
}

// AuthMethods implements mysql.AuthServer. The first stands for accounts that there are not, too.
func (s *authentication) AuthMethods() []mysql.AuthMethod {
	any := anybody{}
	return []mysql.AuthMethod{
		authMethod{mysql.NewMysqlNativeAuthMethod(s, any), s, accounts.Native},
		authMethod{mysql.NewSha2CachingAuthMethod(s, s, any), s, accounts.Sha2},
	}
}

// anybody lets an account be looked for by authMethod.
type anybody struct{}

// HandleUser implements mysql.UserValidator.
func (anybody) HandleUser(string, net.Addr) bool { return true }

// authMethod is one of the methods by which clients show that they know a password.
type authMethod struct {
	mysql.AuthMethod
	server *authentication
	plugin string
}

// HandleUser implements mysql.AuthMethod: the account's method is the one. A name that nobody has is refused as a wrong
// password is, and so is a password that would be sent where others may read it.
func (m authMethod) HandleUser(c *mysql.Conn, user string) bool {
	plain := true
	if s := secured(c); s != nil {
		// Encryption is below the protocol's implementation, and a socket of this machine needs none.
		if _, encrypted := s.State(); encrypted || s.Local() {
			c.Capabilities |= mysql.CapabilityClientSSL
			plain = false
		}
	}
	a, err := m.server.account(user, c.RemoteAddr())
	if err != nil || a == nil || a.Plugin == accounts.Sha2 && plain {
		return m.plugin == accounts.Native
	}
	return m.plugin == a.Plugin
}

// HandleAuthPluginData implements mysql.AuthMethod.
func (m authMethod) HandleAuthPluginData(c *mysql.Conn, user string, salt, answer []byte,
	remote net.Addr) (mysql.Getter, error) {
	wire := wireOf(c)
	data, err := m.check(c, user, salt, answer, remote)
	if err != nil {
		m.server.slow(user, remote, err)
		return nil, err
	}
	m.server.failed.end(user + "@" + hostOf(remote))
	if wire == nil {
		return data, nil
	}
	if err := m.server.admission.logIn(wire, user); err != nil {
		return nil, err
	}
	wire.check = func(user string, answer []byte) error {
		_, err := m.recheck(user, salt, answer, remote)
		return err
	}
	return data, nil
}

// slow logs a log-in that is refused, and keeps its answer back where others were refused before.
func (s *authentication) slow(user string, remote net.Addr, err error) {
	var refused *mysql.SQLError
	if !errors.As(err, &refused) || refused.Num != mysql.ERAccessDeniedError {
		return
	}
	count, pause := s.failed.next(user+"@"+hostOf(remote), time.Now())
	s.refusals.WithFields(logrus.Fields{"user": fmt.Sprintf("%.80s", user), "peer": remote.String(), "in_a_row": count}).
		Warn("a log-in is refused")
	time.Sleep(pause)
}

// check checks the password of a new connection.
func (m authMethod) check(c *mysql.Conn, user string, salt, answer []byte, remote net.Addr) (mysql.Getter, error) {
	a, err := m.server.account(user, remote)
	if err != nil {
		return nil, err
	}
	refused := denied(user, remote, len(answer) > 0)
	if a == nil {
		return nil, refused
	}
	plain := c.Capabilities&mysql.CapabilityClientSSL == 0
	if a.Plugin == accounts.Sha2 && plain {
		return nil, mysql.NewSQLError(mysql.ERAccessDeniedError, mysql.SSAccessDeniedError,
			"%s: the account's caching_sha2_password needs an encrypted connection", refused.Message)
	}
	if a.RequireTLS {
		if s := secured(c); s != nil {
			if _, encrypted := s.State(); !encrypted {
				return nil, refused
			}
		}
	}
	data, err := m.AuthMethod.HandleAuthPluginData(c, user, salt, answer, remote)
	switch {
	case errors.As(err, new(*mysql.SQLError)):
		sql.StatusVariables.IncrementGlobal("Aborted_connects", 1)
		return nil, refused
	case err != nil:
		return nil, err
	case a.Locked:
		return nil, mysql.NewSQLError(errLocked, "HY000", "Access denied for user %s. Account is locked.",
			spelled(user, remote))
	case a.Expired:
		return nil, mysql.NewSQLError(errExpired, "HY000", "Your password has expired. To log in you must change it using a "+
			"client that supports expired passwords: ALTER USER … IDENTIFIED BY sets another one")
	}
	return data, nil
}

// errExpired is MySQL's error for a password that must be changed.
const errExpired = 1862

// errLocked is MySQL's error for an account that is locked.
const errLocked = 3118

// recheck checks the password by the answer to an earlier challenge.
func (m authMethod) recheck(user string, salt, answer []byte, remote net.Addr) (mysql.Getter, error) {
	challenge := salt[:max(0, len(salt)-1)] // it ends with a zero
	if m.plugin == accounts.Native {
		return m.server.UserEntryWithHash(nil, challenge, user, answer, remote)
	}
	data, state, err := m.server.UserEntryWithCacheHash(nil, challenge, user, answer, remote)
	if err == nil && state != mysql.AuthAccepted {
		err = denied(user, remote, len(answer) > 0)
	}
	return data, err
}

// account is the account of a client; nil if there is none.
func (s *authentication) account(user string, remote net.Addr) (*accounts.Account, error) {
	host := hostOf(remote)
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	a, err := s.backend.Account(context.Background(), accounts.Client{User: user, Address: host, Local: local})
	if err != nil {
		return nil, fmt.Errorf("server: who may connect: %w", err)
	}
	return a, nil
}

// identity is an account as the session's user data.
func identity(a *accounts.Account) mysql.Getter {
	return sql.MysqlConnectionUser{User: a.User, Host: a.Host}
}

// open reports whether an account takes any password: root's, where none was given.
func open(a *accounts.Account) bool { return a.IsRoot() && a.Hash == "" }

// UserEntryWithHash implements mysql.HashStorage.
func (s *authentication) UserEntryWithHash(_ []*x509.Certificate, salt []byte, user string, answer []byte,
	remote net.Addr) (mysql.Getter, error) {
	a, err := s.account(user, remote)
	if err != nil {
		return nil, err
	}
	if a == nil || a.Plugin != accounts.Native || !open(a) && !a.TakesAnswer(salt, answer) {
		return nil, denied(user, remote, len(answer) > 0)
	}
	return identity(a), nil
}

// UserEntryWithPassword implements mysql.PlainTextStorage.
func (s *authentication) UserEntryWithPassword(_ []*x509.Certificate, user, password string,
	remote net.Addr) (mysql.Getter, error) {
	a, err := s.account(user, remote)
	if err != nil {
		return nil, err
	}
	if a == nil || a.Plugin != accounts.Sha2 || !open(a) && !a.TakesPassword(password) {
		return nil, denied(user, remote, true)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.remembered == nil || len(s.remembered) >= maxRemembered {
		s.remembered = map[string][]byte{}
	}
	s.remembered[a.Hash] = accounts.Remembered(password)
	return identity(a), nil
}

// UserEntryWithCacheHash implements mysql.CachingStorage.
func (s *authentication) UserEntryWithCacheHash(_ []*x509.Certificate, salt []byte, user string, answer []byte,
	remote net.Addr) (mysql.Getter, mysql.CacheState, error) {
	a, err := s.account(user, remote)
	if err != nil {
		return nil, mysql.AuthRejected, err
	}
	if a == nil || a.Plugin != accounts.Sha2 {
		return nil, mysql.AuthRejected, nil
	}
	if len(answer) == 0 || len(answer) == 1 && answer[0] == 0 {
		if a.Hash != "" {
			return nil, mysql.AuthRejected, nil
		}
		return identity(a), mysql.AuthAccepted, nil
	}
	s.mu.Lock()
	known := s.remembered[a.Hash]
	s.mu.Unlock()
	if a.Hash != "" && len(known) == len(answer) && mysql.VerifyHashedCachingSha2Password(answer, salt, known) {
		return identity(a), mysql.AuthAccepted, nil
	}
	return nil, mysql.AuthNeedMoreData, nil
}

// secured is the connection where it may be encrypted.
func secured(c *mysql.Conn) *secure.Conn {
	if wire := wireOf(c); wire != nil {
		s, _ := wire.Conn.(*secure.Conn)
		return s
	}
	return nil
}

// denied is MySQL's error for a wrong name or password.
func denied(user string, remote net.Addr, password bool) *mysql.SQLError {
	used := "NO"
	if password {
		used = "YES"
	}
	return mysql.NewSQLError(mysql.ERAccessDeniedError, mysql.SSAccessDeniedError,
		"Access denied for user %s (using password: %s)", spelled(user, remote), used)
}

func spelled(user string, remote net.Addr) string { return "'" + user + "'@'" + hostOf(remote) + "'" }

// hostOf is where a client comes from.
func hostOf(remote net.Addr) string {
	if remote.Network() == "unix" {
		return "localhost"
	}
	host, _, err := net.SplitHostPort(remote.String())
	if err != nil {
		return remote.String()
	}
	return host
}

// protocolListener makes the protocol's implementation authenticate the clients.
func (s *authentication) protocolListener(cfg gms.Config, listening mysql.ListenerConfig,
	events gms.ServerEventListener) (gms.ProtocolListener, error) {
	listening.AuthServer = s
	return gms.MySQLProtocolListenerFactory(cfg, listening, events)
}
