package main

import (
	"bytes"
	"html/template"
)

// bar is the strip above the demo's page: what happens, and the buttons.
type bar struct {
	Words          map[string]string
	Tells          string
	Done, Steps    int
	Playing, Ended bool
	Speed          int
	Slowest        int
	Fastest        int
	Failed         string
	StatusPage     string
	Pages          string
}

var barTemplate = template.Must(template.New("bar").Parse(`<span class="grow" role="status"><strong class="host-done">{{.Done}}/{{.Steps}}</strong> {{.Tells}}{{with .Failed}} <em role="alert">{{.}}</em>{{end}}</span>
{{if not .Ended}}<form data-act method="post" action="host/{{if .Playing}}pause{{else}}play{{end}}"><button class="btn primary host-play">{{if .Playing}}{{.Words.pause}}{{else}}{{.Words.play}}{{end}}</button></form>
<form data-act method="post" action="host/step"><button class="btn host-step">{{.Words.step}}</button></form>
<form data-act data-auto method="post" action="host/speed"><label>{{.Words.speed}} <input type="range" name="speed" min="{{.Slowest}}" max="{{.Fastest}}" value="{{.Speed}}"></label></form>{{end}}
<a href="{{.Pages}}" target="_blank" rel="noopener">{{.Words.pages}}</a>
<a href="{{.StatusPage}}" target="_blank" rel="noopener" class="host-status">{{.Words.status}}</a>`))

// barWords are the bar's words by language.
func barWords(language string) map[string]string {
	if language == "de" {
		return map[string]string{
			"play": "Abspielen", "pause": "Pause", "step": "Nächster Schritt", "speed": "Tempo", "status": "Statusseite", "pages": "Houstons Seiten",
			"begin": "KreditSmart: Ein Makler vermisst seine Angebote, und kein Alarm hat es gemerkt. Spiel die Geschichte ab, oder tippe selbst /incident.",
			"end":   "Das war die Geschichte. Jetzt du: Tippe /incident in einem Kanal.",
		}
	}
	return map[string]string{
		"play": "Play", "pause": "Pause", "step": "Next step", "speed": "Speed", "status": "Status page", "pages": "Houston's pages",
		"begin": "KreditSmart: a broker misses his offers, and no alert has noticed. Play the story, or type /incident yourself.",
		"end":   "That was the story. Now you: type /incident in a channel.",
	}
}

// bar renders the strip in a language.
func (p *player) bar(language, url string) template.HTML {
	p.mu.Lock()
	defer p.mu.Unlock()
	words, steps := barWords(language), p.story.steps()
	b := bar{
		Words: words, Tells: words["begin"], Done: p.next, Steps: len(steps), Playing: p.playing,
		Ended: p.next >= len(steps) && !p.busy, Speed: p.speed, Slowest: slowest, Fastest: fastest,
		Failed: p.failed, StatusPage: url + "/status", Pages: url + "/",
	}
	switch {
	case b.Ended:
		b.Tells = words["end"]
	case p.next > 0:
		b.Tells = steps[p.next-1].tells
	}
	var out bytes.Buffer
	if err := barTemplate.Execute(&out, b); err != nil {
		return "" // the template is tested with every state
	}
	return template.HTML(out.String()) //nolint:gosec // html/template escaped it
}
