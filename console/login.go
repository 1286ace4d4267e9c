package console

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// logIn is a user who has logged in, with connections of its own. The session is the one that the user's statements
// run in; the page's own statements run in other connections.
type logIn struct {
	cookie, key string
	user        string
	began       time.Time
	last        atomic.Int64 // when the last request came; Unix nanoseconds
	context     context.Context
	cancel      context.CancelFunc

	own, side, following, kill *sql.DB

	turn    chan struct{} // the running statement holds it
	session *sql.Conn     // nil: none yet, or it is gone
	number  uint64        // of the session's connection
	streams chan struct{} // feeds hold a place
}

// How many connections a log-in has at most: one for the user's statements, one to end them, and these.
const (
	maxSide  = 3
	maxFeeds = 3
)

// secret is a random text that nobody can guess.
func secret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// cookieName distinguishes the cookies of the servers of one machine: cookies don't depend on ports.
func cookieName(host string) string {
	_, port, _ := net.SplitHostPort(host)
	return "sqlfdb_console_" + port
}

// peer is where a request comes from.
func peer(r *http.Request) net.Addr {
	if a, err := net.ResolveTCPAddr("tcp", r.RemoteAddr); err == nil {
		return a
	}
	return &net.TCPAddr{IP: net.IPv4zero}
}

// silent is a log of the driver's that nobody reads.
type silent struct{}

// Print implements mysql.Logger.
func (silent) Print(...any) {}

// begin logs a user in.
func (c *Console) begin(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct{ User, Password string }
	if err := json.Unmarshal(body, &asked); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	select {
	case c.logging <- struct{}{}:
		defer func() { <-c.logging }()
	default:
		fail(w, http.StatusTooManyRequests, errors.New("others are logging in: try again"))
		return
	}
	l, err := c.open(r, asked.User, asked.Password)
	if err != nil {
		status := http.StatusUnauthorized
		if !errors.As(err, new(*mysql.MySQLError)) {
			status = http.StatusServiceUnavailable
		}
		fail(w, status, err)
		return
	}
	if before := c.find(r); before != nil {
		c.forget(before)
	}
	if !c.remember(l) {
		l.end()
		fail(w, http.StatusServiceUnavailable, errors.New("the server is closing"))
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName(r.Host), Value: l.cookie, Path: "/", HttpOnly: true,
		Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode})
	answer(w, map[string]string{"key": l.key, "user": l.user, "version": c.options.Version})
}

// open makes the connections of a log-in. The first of them shows whether the password is right.
func (c *Console) open(r *http.Request, user, password string) (*logIn, error) {
	config := mysql.NewConfig()
	config.User, config.Passwd = user, password
	// The driver sends passwords only where it knows that nobody reads along, as on a socket.
	config.Net = "unix"
	client, encrypted := peer(r), r.TLS
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return c.options.Dial(ctx, client, encrypted)
	}
	config.Logger, config.CheckConnLiveness, config.InterpolateParams = silent{}, false, true
	config.Timeout, config.WriteTimeout = patience, patience
	config.ConnectionAttributes = "program_name:sqlfdb console"
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	l := &logIn{cookie: secret(), key: secret(), user: user, began: time.Now(),
		turn: make(chan struct{}, 1), streams: make(chan struct{}, maxFeeds)}
	l.context, l.cancel = context.WithCancel(context.Background())
	for place, most := range map[**sql.DB]int{&l.own: 1, &l.side: maxSide, &l.following: maxFeeds, &l.kill: 1} {
		*place = sql.OpenDB(connector)
		(*place).SetMaxOpenConns(most)
		(*place).SetConnMaxIdleTime(time.Minute)
	}
	l.touch()
	if err := l.connect(r.Context()); err != nil {
		l.end()
		return nil, err
	}
	return l, nil
}

// connect makes the session, if there is none.
func (l *logIn) connect(ctx context.Context) error {
	if l.session != nil {
		return nil
	}
	session, err := l.own.Conn(ctx)
	if err != nil {
		return err
	}
	if err := session.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&l.number); err != nil {
		return errors.Join(err, session.Close())
	}
	l.session = session
	return nil
}

// end ends the log-in's running statements, and its connections.
func (l *logIn) end() {
	l.cancel()
	for _, db := range []*sql.DB{l.own, l.side, l.following, l.kill} {
		// It waits for the driver, which may wait for the server.
		go func() { _ = db.Close() }()
	}
	l.turn <- struct{}{} // the running statement has ended, and no other begins
	if l.session != nil {
		_ = l.session.Close()
	}
}

func (l *logIn) touch() { l.last.Store(time.Now().UnixNano()) }

// find is the log-in of a request; nil if there is none.
func (c *Console) find(r *http.Request) *logIn {
	cookie, err := r.Cookie(cookieName(r.Host))
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.logIns[cookie.Value]
	if l == nil || subtle.ConstantTimeCompare([]byte(r.Header.Get(keyHeader)), []byte(l.key)) != 1 ||
		c.over(l, time.Now()) {
		return nil
	}
	return l
}

// over reports whether a log-in has lasted as long as it may.
func (c *Console) over(l *logIn, now time.Time) bool {
	idle := len(l.turn) == 0 && now.Sub(time.Unix(0, l.last.Load())) > c.options.Idle
	return idle || now.Sub(l.began) > longest
}

// remember keeps a log-in, and ends the one that was idle the longest if there are too many.
func (c *Console) remember(l *logIn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	if len(c.logIns) >= maxLogIns {
		var idle *logIn
		for _, one := range c.logIns {
			if idle == nil || one.idler(idle) {
				idle = one
			}
		}
		delete(c.logIns, idle.cookie)
		go idle.end()
	}
	c.logIns[l.cookie] = l
	return true
}

// idler reports whether a log-in should end before another one: it runs nothing and the other does, or else it had
// its last request earlier.
func (l *logIn) idler(than *logIn) bool {
	if a, b := len(l.turn), len(than.turn); a != b {
		return a < b
	}
	return l.last.Load() < than.last.Load()
}

// forget ends a log-in.
func (c *Console) forget(l *logIn) {
	c.mu.Lock()
	_, there := c.logIns[l.cookie]
	delete(c.logIns, l.cookie)
	c.mu.Unlock()
	if there {
		go l.end()
	}
}

// endIdle ends log-ins that are over.
func (c *Console) endIdle() {
	round := time.NewTicker(min(time.Minute, c.options.Idle/2))
	defer round.Stop()
	for {
		select {
		case <-c.ended:
			return
		case <-round.C:
		}
		var over []*logIn
		c.mu.Lock()
		for _, l := range c.logIns {
			if c.over(l, time.Now()) {
				over = append(over, l)
			}
		}
		c.mu.Unlock()
		for _, l := range over {
			c.forget(l)
		}
	}
}

// failure is an error as the page shows it.
type failure struct {
	Number  uint16 `json:"number,omitempty"`
	State   string `json:"state,omitempty"`
	Message string `json:"message"`
}

func failureOf(err error) failure {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return failure{Number: e.Number, State: strings.TrimRight(string(e.SQLState[:]), "\x00"), Message: e.Message}
	}
	return failure{Message: err.Error()}
}
