// Command inprocess uses GORM and sqlx on a store in its own process.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/jmoiron/sqlx"
	_ "github.com/sqlfdb/sqlfdb/driver"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Product is a table of GORM's.
type Product struct {
	ID    uint64 `gorm:"primaryKey"`
	SKU   string `gorm:"size:40;uniqueIndex"`
	Price string `gorm:"type:decimal(10,2)"`
	Parts []Part
}

// Part belongs to a product.
type Part struct {
	ID        uint64
	ProductID uint64
	Name      string `gorm:"size:40"`
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	name := "pebble:" + os.Getenv("WORK") + "/store?database=shop"
	db, err := gorm.Open(mysql.New(mysql.Config{DriverName: "sqlfdb", DSN: name}), &gorm.Config{
		TranslateError: true, Logger: logger.Discard,
	})
	must(err)
	must(db.AutoMigrate(&Product{}, &Part{}))
	must(db.AutoMigrate(&Product{}, &Part{}))
	must(db.Create(&Product{SKU: "a", Price: "12.50", Parts: []Part{{Name: "lid"}, {Name: "box"}}}).Error)
	fmt.Println("twice:", db.Create(&Product{SKU: "a", Price: "1"}).Error)
	must(db.Transaction(func(tx *gorm.DB) error {
		return tx.Model(&Product{}).Where("sku = ?", "a").Update("price", "13.75").Error
	}))
	var found Product
	must(db.Preload("Parts").First(&found, "sku = ?", "a").Error)
	fmt.Println(found.SKU, found.Price, len(found.Parts), found.Parts[1].Name)

	x, err := sqlx.Open("sqlfdb", name)
	must(err)
	x = sqlx.NewDb(x.DB, "mysql")
	x.MustExec("CREATE TABLE people (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	x.MustExec("INSERT INTO people (_doc) VALUES (?)", json.RawMessage(`{"_id":"a","name":"Zoë"}`))
	var people []struct {
		ID   string          `db:"_id"`
		Name string          `db:"name"`
		Doc  json.RawMessage `db:"_doc"`
	}
	must(x.Select(&people, "SELECT _id, name, _doc FROM people WHERE name = ?", "Zoë"))
	fmt.Println(people[0].ID, people[0].Name, string(people[0].Doc))
	query, args, err := sqlx.In("SELECT COUNT(*) FROM products WHERE sku IN (?)", []string{"a", "b"})
	must(err)
	var n int
	must(x.Get(&n, query, args...))
	fmt.Println(n)
	must(x.Close())
	all, err := db.DB()
	must(err)
	must(all.Close())
}
