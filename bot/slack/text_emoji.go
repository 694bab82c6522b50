package slack

// emojiOf gives the character of an emoji by Slack's name: those that people
// use while they work on an incident. Others, and a workspace's own, stay
// ":name:", which everybody can read.
func emojiOf(name string) (string, bool) {
	emoji, ok := map[string]string{
		"+1": "👍", "thumbsup": "👍", "-1": "👎", "thumbsdown": "👎", "ok_hand": "👌", "clap": "👏", "pray": "🙏",
		"muscle": "💪", "wave": "👋", "raised_hands": "🙌", "eyes": "👀", "point_up": "☝️", "point_right": "👉",
		"smile": "😄", "slightly_smiling_face": "🙂", "grin": "😁", "joy": "😂", "wink": "😉", "sweat_smile": "😅",
		"thinking_face": "🤔", "cry": "😢", "sob": "😭", "scream": "😱", "disappointed": "😞", "facepalm": "🤦",
		"heart": "❤️", "tada": "🎉", "sparkles": "✨", "100": "💯", "bulb": "💡", "question": "❓", "exclamation": "❗",
		"fire": "🔥", "fire_engine": "🚒", "fire_extinguisher": "🧯", "boom": "💥", "bomb": "💣", "skull": "💀",
		"rotating_light": "🚨", "warning": "⚠️", "no_entry": "⛔", "no_entry_sign": "🚫", "construction": "🚧",
		"red_circle": "🔴", "large_orange_circle": "🟠", "large_yellow_circle": "🟡", "large_green_circle": "🟢",
		"large_blue_circle": "🔵", "white_circle": "⚪", "black_circle": "⚫",
		"white_check_mark": "✅", "heavy_check_mark": "✔️", "x": "❌", "pushpin": "📌", "round_pushpin": "📍",
		"memo": "📝", "lock": "🔒", "unlock": "🔓", "key": "🔑", "link": "🔗", "mag": "🔍", "bell": "🔔", "no_bell": "🔕",
		"chart_with_upwards_trend": "📈", "chart_with_downwards_trend": "📉", "bar_chart": "📊", "calendar": "📅",
		"stopwatch": "⏱️", "hourglass": "⌛", "hourglass_flowing_sand": "⏳", "clock1": "🕐", "alarm_clock": "⏰",
		"bug": "🐛", "wrench": "🔧", "hammer": "🔨", "gear": "⚙️", "rocket": "🚀", "ship": "🚢", "package": "📦",
		"computer": "💻", "iphone": "📱", "telephone_receiver": "📞", "phone": "☎️", "email": "✉️", "speech_balloon": "💬",
		"arrow_up": "⬆️", "arrow_down": "⬇️", "arrow_right": "➡️", "arrow_left": "⬅️", "recycle": "♻️", "zap": "⚡",
		"snail": "🐌", "coffee": "☕", "robot_face": "🤖", "mega": "📣", "loudspeaker": "📢", "moneybag": "💰", "bank": "🏦",
	}[name]
	return emoji, ok
}
