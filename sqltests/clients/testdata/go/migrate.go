package main

import (
	"database/sql"
	"embed"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database/mysql"
	"github.com/golang-migrate/migrate/v4/source/iofs"
)

//go:embed migrations
var migrations embed.FS

func runMigrate(dsn string) error {
	db, err := sql.Open("mysql", dsn+"?multiStatements=true")
	if err != nil {
		return err
	}
	defer db.Close()
	driver, err := mysql.WithInstance(db, &mysql.Config{})
	if err != nil {
		return err
	}
	files, err := iofs.New(migrations, "migrations")
	if err != nil {
		return err
	}
	m, err := migrate.NewWithInstance("iofs", files, "mysql", driver)
	if err != nil {
		return err
	}
	version := func(what string, err error) {
		v, dirty, none := m.Version()
		say(what, err, v, dirty, none)
	}
	version("one", m.Steps(1))
	if _, err := db.Exec("INSERT INTO owners (name) VALUES ('Ann'); INSERT INTO pets (owner_id, name) VALUES (1, 'Rex'), (1, 'Tom')"); err != nil {
		return err
	}
	version("all but the last", m.Migrate(3))
	version("again", m.Migrate(3))
	rows, err := db.Query("SELECT p.full_name, p.kind, o.name FROM pets p JOIN owners o ON o.id = p.owner_id ORDER BY p.id")
	if err != nil {
		return err
	}
	for rows.Next() {
		var pet, kind, owner string
		if err := rows.Scan(&pet, &kind, &owner); err != nil {
			return err
		}
		say("pet", pet, kind, owner)
	}
	err = m.Up()
	say("fails", err != nil)
	version("dirty", nil)
	version("forced", m.Force(3))
	version("back", m.Steps(-1))
	version("down", m.Down())
	return m.Drop()
}
