// Command go runs a client of Go's world against the server at DSN.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	runs := map[string]func(dsn string) error{"gorm": runGORM, "migrate": runMigrate}
	if err := runs[os.Args[1]](os.Getenv("DSN")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func say(what string, values ...any) {
	for i, v := range values {
		if err, ok := v.(error); ok {
			values[i] = err.Error()
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		text = []byte(err.Error())
	}
	fmt.Printf("%s: %s\n", what, text)
}
