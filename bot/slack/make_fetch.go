package slack

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// maxFile is the largest captured file that is kept, in bytes.
const maxFile = 32 << 20

// FetcherConfig of a [Fetcher]. All is required but HTTP.
type FetcherConfig struct {
	Client *Client
	Files  *bot.Files
	// Token is the bot's; it is sent to Slack's hosts and to APIURL's only.
	Token  string
	APIURL string
	HTTP   *http.Client // nil: one of its own; redirects are never followed
}

// Fetcher stores the files of captured messages: it asks files.info where they
// are and fetches them with the bot's token
// (https://docs.slack.dev/messaging/working-with-files). Nothing is made public
// for it. Fetching twice stores the same, so it needs no look.
type Fetcher struct {
	config FetcherConfig
	http   http.Client
}

// NewFetcher makes a Fetcher.
func NewFetcher(config FetcherConfig) *Fetcher {
	if config.HTTP == nil {
		config.HTTP = newHTTPClient()
	}
	client := *config.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Fetcher{config: config, http: client}
}

// Make fetches one file; the digest of its bytes is its id.
func (f *Fetcher) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	_, id, ok := incidents.ParseFetchTarget(work.Effect.Target)
	if !ok {
		return bot.Made{}, lost("the effect names no file")
	}
	info, _, _, err := f.config.Client.API().GetFileInfoContext(ctx, id, 0, 0)
	switch CodeOf(err) {
	case "":
	case "file_not_found", "file_deleted":
		return bot.Made{}, lost("the file is not there any more, or Houston may not see it")
	}
	if err != nil {
		return bot.Made{}, failure(err)
	}
	switch {
	case info.IsExternal:
		return bot.Made{}, lost("the file is kept outside of Slack")
	case int64(info.Size) > maxFile:
		return bot.Made{}, lost("the file is larger than 32 MB")
	}
	digest, err := f.download(ctx, info)
	if err != nil {
		return bot.Made{}, err
	}
	return bot.Made{ID: digest, Shown: 1}, nil
}

func (f *Fetcher) download(ctx context.Context, info *slackgo.File) (string, error) {
	target, ok := f.slacks(firstOf(info.URLPrivateDownload, info.URLPrivate))
	if !ok {
		return "", lost("the file is at a host that is not Slack's")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return "", lost("the file's address can not be read")
	}
	req.Header.Set("Authorization", "Bearer "+f.config.Token)
	resp, err := f.http.Do(req)
	if err != nil {
		return "", failure(fmt.Errorf("fetch a file: %w", withoutURL(err)))
	}
	defer func() { _ = resp.Body.Close() }()
	got, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch status := resp.StatusCode; {
	case status >= 300 && status < 400, status == http.StatusUnauthorized, status == http.StatusForbidden:
		return "", lost("Slack does not hand the file out; install the app again with the scopes that `houston manifest` lists")
	case status == http.StatusNotFound || status == http.StatusGone:
		return "", lost("the file is not there any more")
	case status != http.StatusOK:
		return "", &bot.Failure{Reason: fmt.Sprintf("Slack answered HTTP %d", status)}
	case got == "text/html" && info.Mimetype != "text/html": // a page to sign in on
		return "", lost("Slack gave a page instead of the file")
	}
	digest, err := f.config.Files.Save(resp.Body, maxFile)
	switch {
	case errors.Is(err, bot.ErrTooLarge):
		return "", lost("the file is larger than 32 MB")
	case err != nil:
		return "", &bot.Failure{Reason: "the file could not be stored", Err: err}
	}
	return digest, nil
}

// slacks gives an address to fetch from when its host is one of Slack's over
// HTTPS, or the one that Slack's API is configured at.
func (f *Fetcher) slacks(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.User != nil {
		return "", false
	}
	if api, err := url.Parse(f.config.APIURL); err == nil && api.Host != "" && u.Host == api.Host && u.Scheme == api.Scheme {
		return u.String(), true
	}
	slacks := u.Scheme == "https" && (u.Port() == "" || u.Port() == "443") && strings.HasSuffix(u.Hostname(), ".slack.com")
	return u.String(), slacks
}

// lost is the failure of a file that no further try can fetch.
func lost(reason string) *bot.Failure { return &bot.Failure{Reason: reason, Terminal: true} }
