package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sqlfdb/sqlfdb/prompt"
)

// sqlFlags are named as the mysql client's flags.
type sqlFlags struct {
	dsn, execute, format           string
	host, user, password, database string
	port                           int
	force, ask                     bool
}

func newSQL() *cobra.Command {
	var f sqlFlags
	cmd := &cobra.Command{
		Use:   "sql [-h HOST] [-P PORT] [-u USER] [-p[PASSWORD]] [-e STATEMENTS] [DATABASE]",
		Short: "Run statements on a server: those that you type, those of -e, or of standard input",
		// The flags are the mysql client's: -h is the host, and a password stands right behind -p.
		DisableFlagParsing: true,
	}
	flags := cmd.Flags()
	help := flags.Bool("help", false, "this text")
	flags.StringVar(&f.dsn, "dsn", defaultDSN, "the server, as Go's driver names it; the flags below go before it")
	flags.StringVarP(&f.host, "host", "h", "", "the server's host")
	flags.IntVarP(&f.port, "port", "P", 0, "the server's port")
	flags.StringVarP(&f.user, "user", "u", "", "the user")
	flags.StringVarP(&f.password, "password", "p", "", "the user's password, right behind -p; without one it is asked for")
	flags.BoolVar(&f.ask, "ask-password", false, "ask for the password, as -p alone does")
	flags.StringVarP(&f.database, "database", "D", "", "the current database")
	flags.StringVarP(&f.execute, "execute", "e", "", "statements to run, separated by semicolons")
	flags.StringVar(&f.format, "format", string(prompt.Table), "rows as "+strings.Join(prompt.Formats(), ", "))
	flags.BoolVarP(&f.force, "force", "f", false, "go on behind a statement that fails")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.Parse(joinPassword(args)); err != nil {
			if errors.Is(err, pflag.ErrHelp) || *help {
				return cmd.Help()
			}
			return err
		}
		if *help {
			return cmd.Help()
		}
		return runSQL(cmd, f, flags.Args())
	}
	return cmd
}

// joinPassword spells -pPASSWORD, and -p alone, in a way that pflag reads.
func joinPassword(args []string) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		password, ok := strings.CutPrefix(a, "-p")
		switch {
		case i > 0 && takesValue(args[i-1]):
		case a == "-p" || a == "--password":
			a = "--ask-password"
		case ok:
			a = "--password=" + password
		}
		out = append(out, a)
	}
	return out
}

// takesValue reports whether an argument is a flag whose value is the next one.
func takesValue(arg string) bool {
	switch arg {
	case "-h", "-P", "-u", "-D", "-e", "--dsn", "--host", "--port", "--user", "--database", "--execute", "--format":
		return true
	}
	return false
}

func runSQL(cmd *cobra.Command, f sqlFlags, args []string) error {
	format, err := prompt.ParseFormat(f.format)
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	config, err := f.config(cmd, args)
	if err != nil {
		return err
	}
	err = prompt.Run(cmd.Context(), prompt.Options{
		Server: config, Execute: f.execute, Format: format, Force: f.force,
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), History: historyFile(),
	})
	switch {
	case errors.Is(err, prompt.ErrReported):
		return errReported
	case err != nil:
		fmt.Fprintln(cmd.ErrOrStderr(), prompt.Describe(err, ""))
		return errReported
	}
	return nil
}

// config is the server that the flags name, and the database.
func (f sqlFlags) config(cmd *cobra.Command, args []string) (*mysql.Config, error) {
	config, err := mysql.ParseDSN(f.dsn)
	if err != nil {
		return nil, fmt.Errorf("--dsn %q: %w", f.dsn, err)
	}
	config.InterpolateParams = true
	if f.host != "" || f.port != 0 {
		host, port, err := net.SplitHostPort(config.Addr)
		if err != nil {
			host, port = "127.0.0.1", "3306"
		}
		if f.host != "" {
			host = f.host
		}
		if f.port != 0 {
			port = strconv.Itoa(f.port)
		}
		config.Net, config.Addr = "tcp", net.JoinHostPort(host, port)
	}
	if f.user != "" {
		config.User = f.user
	}
	switch len(args) {
	case 0:
	case 1:
		f.database = args[0]
	default:
		return nil, fmt.Errorf("%q: one database is current at a time; statements go behind -e", args)
	}
	if f.database != "" {
		config.DBName = f.database
	}
	if f.password != "" {
		config.Passwd = f.password
	}
	if f.ask {
		config.Passwd, err = readPassword(cmd)
	}
	return config, err
}

// readPassword asks for a password at the terminal, where it is not shown.
func readPassword(cmd *cobra.Command) (string, error) {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		tty = os.Stdin
	} else {
		defer tty.Close()
	}
	fmt.Fprint(cmd.ErrOrStderr(), "Enter password: ")
	password, err := term.ReadPassword(int(tty.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	if err != nil {
		return "", fmt.Errorf("-p: a password can be asked for at a terminal only: %w", err)
	}
	return string(password), nil
}

// historyFile is where statements that are typed are kept; SQLFDB_HISTORY names another, or none.
func historyFile() string {
	if path, ok := os.LookupEnv("SQLFDB_HISTORY"); ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".sqlfdb_history")
}
