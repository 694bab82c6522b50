module github.com/houston-sre/houston

go 1.26

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/slack-go/slack v0.36.0 // indirect
)
