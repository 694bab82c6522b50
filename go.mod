module github.com/houston-sre/houston

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/gorilla/websocket v1.5.3
	github.com/slack-go/slack v0.36.0
)
