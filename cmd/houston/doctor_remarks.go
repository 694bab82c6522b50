package main

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot/slack/setup"
)

// oneLine is an error's text without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// remarks looks at valid values that may not be what was meant.
func (c Config) remarks(now time.Time) []finding {
	return []finding{c.zoneRemark(now), c.addressRemark(), c.webhookRemark(), c.apiRemark(), c.bridgeRemark(), c.runbookRemark(), c.templatesRemark()}
}

func (c Config) zoneRemark(now time.Time) finding {
	const check = "time_zone"
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil { // what Validate has taken can be loaded
		return finding{Check: check, Status: setup.Failing, Message: oneLine(err), Fix: "write a name such as Europe/Berlin"}
	}
	return finding{Check: check, Status: setup.Fine, Message: fmt.Sprintf("%s, where it is %s", c.TimeZone, now.In(zone).Format("15:04"))}
}

func (c Config) addressRemark() finding {
	const check = "public_url"
	overHTTP := c.Slack.SigningSecret != ""
	switch {
	case c.PublicURL == "" && overHTTP:
		return finding{
			Check: check, Status: setup.Warning, Message: "is empty, so that nobody can see here whether Slack is given the right address",
			Fix: "write the address under which people and Slack reach Houston",
		}
	case c.PublicURL == "":
		return finding{Check: check, Status: setup.Fine, Message: "is empty; with Socket Mode none is needed"}
	case insecure(c.PublicURL) && overHTTP:
		return finding{Check: check, Status: setup.Warning, Message: c.PublicURL + " is not https, and Slack delivers to https only", Fix: "write the https address"}
	default:
		return finding{Check: check, Status: setup.Fine, Message: c.PublicURL + " (not called)"}
	}
}

func (c Config) webhookRemark() finding {
	const check = "webhook.token"
	if c.Webhook.Token == "" {
		return finding{
			Check: check, Status: setup.Warning, Message: "is empty: every alert is refused",
			Fix: "write a long random word, and the same in Alertmanager's webhook_configs under http_config",
		}
	}
	return finding{Check: check, Status: setup.Fine, Message: "is set"}
}

func (c Config) apiRemark() finding {
	switch {
	case c.Web.Auth == "none":
		return finding{Check: "web.auth", Status: setup.Fine, Message: "everybody on this machine may use the API"}
	case c.Web.Token == "":
		return finding{Check: "web.token", Status: setup.Warning, Message: "is empty: the API refuses everybody", Fix: "write a long random word, unless nobody needs the API"}
	default:
		return finding{Check: "web.token", Status: setup.Fine, Message: "is set"}
	}
}

func (c Config) bridgeRemark() finding {
	const check = "bridge"
	address := map[string]string{"jitsi": c.Bridge.Jitsi.URL, "link": c.Bridge.Link.URL}[c.Bridge.Provider]
	switch {
	case address == "":
		return finding{Check: check, Status: setup.Fine, Message: "incidents get no video call"}
	case insecure(address):
		return finding{
			Check: check, Status: setup.Warning, Message: address + " is not https: browsers refuse camera and microphone there",
			Fix: "write the https address",
		}
	default:
		return finding{Check: check, Status: setup.Fine, Message: fmt.Sprintf("%s at %s (not called)", c.Bridge.Provider, address)}
	}
}

// insecure reports plain http to another machine.
func insecure(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "http" && !loopback(u.Host+":0") && !loopback(u.Host)
}
