package slack

import "testing"

func TestFilesComeFromSlackAlone(t *testing.T) {
	t.Parallel()
	f := NewFetcher(FetcherConfig{APIURL: "http://127.0.0.1:8081/api/"})
	for address, want := range map[string]bool{
		"https://files.slack.com/files-pri/T1-F1/download/a.png": true,
		"http://127.0.0.1:8081/files/F1/a.png":                   true,
		"http://files.slack.com/a.png":                           false,
		"https://files.slack.com:8443/a.png":                     false,
		"https://slack.com.evil.example/a.png":                   false,
		"https://evilslack.com/a.png":                            false,
		"https://user@files.slack.com/a.png":                     false,
		"http://169.254.169.254/latest/meta-data":                false,
		"http://127.0.0.1:9090/a.png":                            false,
		"https://127.0.0.1:8081/a.png":                           false,
		"file:///etc/passwd":                                     false,
		"":                                                       false,
		"://":                                                    false,
	} {
		if _, got := f.slacks(address); got != want {
			t.Errorf("fetch from %q: got %t, want %t", address, got, want)
		}
	}
}
