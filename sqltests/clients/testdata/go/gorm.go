package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
)

// The models as they begin.

type Company struct {
	ID   uint
	Name string `gorm:"size:80;uniqueIndex"`
}

type User struct {
	gorm.Model
	Name      string         `gorm:"size:100;not null;index:by_name"`
	Email     string         `gorm:"size:120;unique"`
	Age       *int           `gorm:"check:age_positive,age > 0"`
	Nick      string         `gorm:"size:20"`
	Settings  map[string]any `gorm:"serializer:json;type:json"`
	Born      time.Time      `gorm:"type:date"`
	CompanyID *uint
	Company   *Company   `gorm:"constraint:OnUpdate:CASCADE,OnDelete:SET NULL"`
	Cards     []Card     `gorm:"constraint:OnDelete:CASCADE"`
	Languages []Language `gorm:"many2many:user_languages"`
	ManagerID *uint
	Manager   *User
}

type Card struct {
	ID     uint64
	Number string `gorm:"type:varchar(30)"`
	UserID uint
}

type Language struct {
	Code string `gorm:"primaryKey;size:5"`
	Name string
}

// Later adds, widens and drops.
type later struct {
	gorm.Model
	Name     string         `gorm:"size:200;not null;default:nobody;index:by_name_score,priority:1"`
	Email    string         `gorm:"size:120;unique"`
	Score    float64        `gorm:"type:decimal(10,2);default:1.5;index:by_name_score,priority:2"`
	Settings map[string]any `gorm:"serializer:json;type:json"`
}

func (later) TableName() string { return "users" }

func runGORM(dsn string) error {
	db, err := gorm.Open(mysql.Open(dsn+"?parseTime=true"), &gorm.Config{Logger: logger.Discard, TranslateError: true})
	if err != nil {
		return err
	}
	models := []any{&Company{}, &Language{}, &User{}, &Card{}}
	if err := db.AutoMigrate(models...); err != nil {
		return err
	}
	if err := db.AutoMigrate(models...); err != nil {
		return fmt.Errorf("again: %w", err)
	}
	m := db.Migrator()
	say("there", m.HasTable("user_languages"), m.HasIndex(&User{}, "by_name"), m.HasConstraint(&User{}, "Cards"), m.HasConstraint(&User{}, "Company"),
		m.HasConstraint(&User{}, "age_positive"), m.HasColumn(&User{}, "nick"))

	age, company := 30, &Company{Name: "Acme"}
	ann := User{Name: "Ann", Email: "ann@example.org", Age: &age, Company: company, Born: time.Date(1990, 2, 3, 0, 0, 0, 0, time.UTC),
		Settings: map[string]any{"colour": "red", "sizes": []int{1, 2}}, Cards: []Card{{Number: "1"}, {Number: "2"}},
		Languages: []Language{{"de", "German"}, {"en", "English"}}}
	if err := db.Create(&ann).Error; err != nil {
		return err
	}
	bob := User{Name: "Bob", Email: "bob@example.org", ManagerID: &ann.ID, Born: time.Date(1991, 2, 3, 0, 0, 0, 0, time.UTC), Languages: []Language{{"en", "English"}}}
	if err := db.Create(&bob).Error; err != nil {
		return err
	}
	if err := db.CreateInBatches([]Card{{Number: "3", UserID: bob.ID}, {Number: "4", UserID: bob.ID}, {Number: "5", UserID: bob.ID}}, 2).Error; err != nil {
		return err
	}
	var users []User
	if err := db.Preload("Cards").Preload("Languages", func(tx *gorm.DB) *gorm.DB { return tx.Order("code") }).Joins("Company").Joins("Manager").Order("users.id").Find(&users).Error; err != nil {
		return err
	}
	for _, u := range users {
		who := ""
		if u.Manager != nil {
			who = u.Manager.Name
		}
		say("eager", u.Name, u.Born.Format(time.DateOnly), u.Settings, len(u.Cards), u.Languages, u.Company != nil, who)
	}
	var counts []struct {
		Name string
		N    int
	}
	db.Model(&User{}).Select("users.name, COUNT(cards.id) AS n").Joins("LEFT JOIN cards ON cards.user_id = users.id").Group("users.id").Having("n > ?", 2).Scan(&counts)
	say("grouped", counts)
	negative := -1
	say("check", db.Create(&User{Name: "x", Email: "x", Age: &negative, Born: time.Now()}).Error != nil)
	say("double", errors.Is(db.Create(&User{Name: "x", Email: "ann@example.org", Born: time.Now()}).Error, gorm.ErrDuplicatedKey))
	say("no parent", errors.Is(db.Create(&Card{UserID: 999}).Error, gorm.ErrForeignKeyViolated))
	err = db.Transaction(func(tx *gorm.DB) error {
		tx.Where("1 = 1").Delete(&Card{})
		_ = tx.Transaction(func(inner *gorm.DB) error { // a savepoint
			inner.Model(&User{}).Where("name = ?", "Bob").Update("name", "Robert")
			return errors.New("inner")
		})
		var name string
		tx.Model(&User{}).Select("name").Where("id = ?", bob.ID).Scan(&name)
		say("inside", name)
		return errors.New("no")
	})
	var cards int64
	db.Model(&Card{}).Count(&cards)
	say("rolled back", err, cards)
	db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "email"}}, DoUpdates: clause.AssignmentColumns([]string{"name"})}).
		Create(&User{Name: "Robert", Email: "bob@example.org", Born: time.Now()})
	var one User
	db.Clauses(clause.Locking{Strength: "UPDATE"}).Where("email = ?", "bob@example.org").First(&one)
	say("upserted", one.Name)
	db.Where("JSON_EXTRACT(settings, '$.colour') = ?", "red").First(&one, "name = ?", "Ann")
	var names []string
	db.Model(&User{}).Where("JSON_EXTRACT(settings, '$.colour') = ?", "red").Pluck("name", &names)
	say("by a path", names)
	if err := db.Model(&ann).Association("Languages").Replace([]Language{{"fr", "French"}}); err != nil {
		return err
	}
	say("associated", db.Model(&ann).Association("Languages").Count())

	for range 2 {
		if err := db.AutoMigrate(&later{}); err != nil {
			return fmt.Errorf("later: %w", err)
		}
	}
	for what, err := range map[string]error{"column": m.DropColumn(&User{}, "nick"), "index": m.DropIndex(&User{}, "by_name"), "check": m.DropConstraint(&User{}, "age_positive"),
		"rename": m.RenameColumn(&User{}, "born", "birthday"), "index's name": m.RenameIndex(&later{}, "by_name_score", "renamed")} {
		if err != nil {
			return fmt.Errorf("drop %s: %w", what, err)
		}
	}
	types, err := m.ColumnTypes(&later{})
	if err != nil {
		return err
	}
	for _, t := range types {
		full, _ := t.ColumnType()
		nullable, _ := t.Nullable()
		value, _ := t.DefaultValue()
		unique, _ := t.Unique()
		say("column", t.Name(), full, nullable, value, unique)
	}
	indexes, err := m.GetIndexes(&later{})
	if err != nil {
		return err
	}
	for _, x := range indexes {
		if unique, _ := x.Unique(); unique || strings.HasPrefix(x.Name(), "ren") {
			say("index", x.Name(), x.Columns(), unique)
		}
	}
	var scores []float64
	db.Model(&later{}).Order("id").Pluck("score", &scores)
	say("kept", scores)
	db.Where("name = ?", "Robert").Delete(&later{})
	var n, all int64
	db.Model(&later{}).Count(&n)
	db.Unscoped().Model(&later{}).Count(&all)
	say("soft", n, all)
	db.Delete(company)
	var companies *uint
	db.Table("users").Select("company_id").Where("id = ?", ann.ID).Scan(&companies)
	db.Exec("DELETE FROM user_languages")
	if err := db.Unscoped().Where("name = ?", "Robert").Delete(&later{}).Error; err != nil {
		return err
	}
	db.Model(&Card{}).Count(&cards)
	say("after", companies, cards)
	if err := m.DropTable(&Card{}, "user_languages", &User{}, &Company{}, &Language{}); err != nil {
		return err
	}
	left, err := m.GetTables()
	say("tables", left)
	return err
}
