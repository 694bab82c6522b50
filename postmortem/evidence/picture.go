package evidence

import (
	"bytes"
	"fmt"
	"image/color"
	"sort"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// The size of a picture in pixels. Slack shows a preview about half as wide, so
// the letters are twice as large as a page would have them.
const (
	pictureWidth  = 1000
	pictureHeight = 600
	dpi           = 96

	titleSize = 17 // points
	labelSize = 14

	maxTitleLines = 2
)

// Mark is a moment of the incident, shown as an upright line.
type Mark struct {
	At    time.Time
	Label string
}

// Picture is what is drawn: lines over some time, and the moments that matter
// in it. The same picture gives the same bytes.
type Picture struct {
	Title      string
	Under      string // what stands below the title: what time this is
	Start, End time.Time
	Zone       *time.Location // of the times along the axis
	Lines      []Line
	Left       string // said below the lines of those that are left out; empty: none are
	Marks      []Mark // only those between Start and End are shown
}

// Line is one series, in pieces: a piece ends where values are missing.
type Line struct {
	Name   string // empty: there is nothing to tell it apart from
	Pieces [][]Point
}

// Point is a value at a time.
type Point struct {
	At    time.Time
	Value float64
}

// lineColors are told apart by people who see colours differently, on white
// (Okabe and Ito, https://jfly.uni-koeln.de/color/).
func lineColors() []color.Color {
	return []color.Color{
		color.NRGBA{0x00, 0x72, 0xB2, 0xFF},
		color.NRGBA{0xD5, 0x5E, 0x00, 0xFF},
		color.NRGBA{0x00, 0x9E, 0x73, 0xFF},
		color.NRGBA{0xCC, 0x79, 0xA7, 0xFF},
		color.NRGBA{0x56, 0xB4, 0xE9, 0xFF},
		color.NRGBA{0xE6, 0x9F, 0x00, 0xFF},
	}
}

func ink() color.Color   { return color.NRGBA{0x1D, 0x1C, 0x1D, 0xFF} }
func faint() color.Color { return color.NRGBA{0xDD, 0xDD, 0xDD, 0xFF} }
func red() color.Color   { return color.NRGBA{0xB0, 0x00, 0x20, 0xFF} }

// PNG draws the picture.
func (p Picture) PNG() ([]byte, error) {
	width, height := vg.Length(pictureWidth)*vg.Inch/dpi, vg.Length(pictureHeight)*vg.Inch/dpi
	image := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	p.draw(draw.New(image))
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(&b); err != nil {
		return nil, fmt.Errorf("encode a chart: %w", err)
	}
	return b.Bytes(), nil
}

// draw lays the picture out from the top: title, marks, lines, their names.
func (p Picture) draw(all draw.Canvas) {
	margin := vg.Points(12)
	c := draw.Crop(all, margin, -margin, margin, -margin)
	title, label := style(titleSize), style(labelSize)
	y := c.Max.Y
	for _, line := range wrap(title, p.Title, c.Max.X-c.Min.X, maxTitleLines) {
		y -= title.Font.Size * 1.3
		c.FillText(title, vg.Point{X: c.Min.X, Y: y}, line)
	}
	y -= label.Font.Size * 1.4
	c.FillText(label, vg.Point{X: c.Min.X, Y: y}, fit(label, p.Under, c.Max.X-c.Min.X))
	below := p.names(c, label)
	body := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: c.Min.X, Y: c.Min.Y + below}, Max: vg.Point{X: c.Max.X - vg.Points(8), Y: y - vg.Points(8)},
	}}
	p.body(body)
}

// body draws axes, lines and marks.
func (p Picture) body(c draw.Canvas) {
	pl := plot.New()
	pl.BackgroundColor = color.White
	pl.X.Min, pl.X.Max = seconds(p.Start), seconds(p.End)
	pl.Y.Min, pl.Y.Max = p.bounds()
	pl.X.Tick.Marker, pl.Y.Tick.Marker = timeTicks{p.Zone}, numberTicks{}
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		axis.Tick.Label.Font, axis.Tick.Label.Color = style(labelSize).Font, ink()
		axis.Color, axis.Tick.Color = ink(), ink()
		axis.Padding = 0
	}
	marks, rows := p.placed(pl.DataCanvas(c))
	c.Max.Y -= vg.Length(rows) * markRow
	data := pl.DataCanvas(c)
	pl.Draw(c)
	toX, toY := pl.Transforms(&data)
	for _, tick := range pl.Y.Tick.Marker.Ticks(pl.Y.Min, pl.Y.Max) {
		data.StrokeLine2(draw.LineStyle{Color: faint(), Width: vg.Points(0.75)}, data.Min.X, toY(tick.Value), data.Max.X, toY(tick.Value))
	}
	for i, line := range p.Lines {
		stroke := draw.LineStyle{Color: lineColors()[i%len(lineColors())], Width: vg.Points(2)}
		for _, piece := range line.Pieces {
			points := make([]vg.Point, 0, len(piece))
			for _, at := range piece {
				points = append(points, vg.Point{X: toX(seconds(at.At)), Y: toY(at.Value)})
			}
			if len(points) == 1 { // one value alone is no line
				data.DrawGlyph(draw.GlyphStyle{Color: stroke.Color, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}, points[0])
				continue
			}
			data.StrokeLines(stroke, data.ClipLinesXY(points)...)
		}
	}
	drawMarks(data, marks, toX)
}

// names draws what the lines are called below everything else, in two columns,
// and gives how much room that takes.
func (p Picture) names(c draw.Canvas, label text.Style) vg.Length {
	var named []Line
	for _, line := range p.Lines {
		if line.Name != "" {
			named = append(named, line)
		}
	}
	rows := (len(named) + 1) / 2
	height, column := label.Font.Size*1.5, (c.Max.X-c.Min.X)/2
	if p.Left != "" {
		c.FillText(label, vg.Point{X: c.Min.X, Y: c.Min.Y}, fit(label, p.Left, c.Max.X-c.Min.X))
		c.Min.Y += height
		rows++
	}
	bottom := c.Min.Y + height*vg.Length((len(named)+1)/2-1)
	for i, line := range named {
		x, y := c.Min.X+column*vg.Length(i%2), bottom-height*vg.Length(i/2)
		stroke := draw.LineStyle{Color: lineColors()[i%len(lineColors())], Width: vg.Points(4)}
		middle := y + label.Font.Size*0.35
		c.StrokeLine2(stroke, x, middle, x+vg.Points(18), middle)
		c.FillText(label, vg.Point{X: x + vg.Points(24), Y: y}, fit(label, line.Name, column-vg.Points(32)))
	}
	return height*vg.Length(rows) + vg.Points(8)
}

func style(points float64) text.Style {
	return text.Style{
		Color: ink(), Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Length(points)),
		XAlign: draw.XLeft, YAlign: draw.YBottom, Handler: plot.DefaultTextHandler,
	}
}

// wrap breaks a text into lines of a width, wherever a line is full: a query has
// few spaces. What is left after most lines is cut.
func wrap(s text.Style, words string, width vg.Length, most int) []string {
	words = oneLine(words)
	var lines []string
	for len(lines) < most-1 && s.Width(words) > width {
		n := fitting(s, words, width, "")
		if n == 0 {
			break
		}
		lines, words = append(lines, string([]rune(words)[:n])), string([]rune(words)[n:])
	}
	return append(lines, fit(s, words, width))
}

// fit cuts a text to a width.
func fit(s text.Style, words string, width vg.Length) string {
	words = oneLine(words)
	if s.Width(words) <= width {
		return words
	}
	return string([]rune(words)[:fitting(s, words, width, "…")]) + "…"
}

// fitting counts the letters of a text that fit in a width with an ending.
func fitting(s text.Style, words string, width vg.Length, ending string) int {
	runes := []rune(words)
	return sort.Search(len(runes), func(n int) bool { return s.Width(string(runes[:n+1])+ending) > width })
}
