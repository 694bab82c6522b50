package sandbox

import (
	"slices"
	"strings"
)

// notice is something that the page itself tells one person in a channel, as
// Slackbot does: that a command failed.
type notice struct {
	user, channel, ts, text string
}

// mark is the newest timestamp that a person has read in a channel.
func (p *Page) mark(user, channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read[user][channel]
}

// markRead remembers that a person has seen everything in a channel.
func (p *Page) markRead(user, channel string) {
	newest := ""
	for _, m := range p.w.History(channel) {
		newest = m.TS
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if newest == "" || p.read[user][channel] == newest {
		return
	}
	if p.read[user] == nil {
		p.read[user] = map[string]string{}
	}
	p.read[user][channel] = newest
	p.stir()
}

// unread counts what a person has not read in a channel, and how much of that is
// for them: mentions, and everything in direct messages.
func (u *ui) unread(c Channel) (all, mine int) {
	mark := u.p.mark(u.As, c.ID)
	for _, m := range u.p.w.Messages(c.ID) {
		switch {
		case m.TS <= mark || m.User == u.As || m.reply() && !m.Broadcast:
		case c.IM || u.mentioned(m):
			all, mine = all+1, mine+1
		default:
			all++
		}
	}
	return all, mine
}

func (u *ui) mentioned(m Message) bool {
	text := m.Text + unescaped(m.Blocks)
	return strings.Contains(text, "<@"+u.As+">") || strings.Contains(text, "<!here") || strings.Contains(text, "<!channel") || strings.Contains(text, "<!everyone")
}

// tell leaves a notice for one person in a channel.
func (p *Page) tell(user, channel, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notices = append(p.notices, notice{user, channel, formatTS(p.w.cfg.Now().UnixMicro()), text})
	p.stir()
}

// dismiss takes an ephemeral message or a notice out of a person's sight.
func (p *Page) dismiss(user, ts string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hidden[user+" "+ts] = true
	p.notices = slices.DeleteFunc(p.notices, func(n notice) bool { return n.user == user && n.ts == ts })
	p.stir()
}

func (p *Page) dismissed(user, ts string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hidden[user+" "+ts]
}

func (p *Page) noticesFor(user, channel string) (out []notice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.notices {
		if n.user == user && n.channel == channel {
			out = append(out, n)
		}
	}
	return out
}
