package main

import (
	"io"

	"github.com/houston-sre/houston/incidents/sqlstore"
)

// claim takes the database for this process alone where it takes one replica,
// until what it gives is closed: for the commands that serve or migrate.
func (c Config) claim() (io.Closer, error) { return sqlstore.Occupy(string(c.Database)) }
