module github.com/houston-sre/houston

go 1.26
