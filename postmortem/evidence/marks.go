package evidence

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// markRow is the height of one row of labels above the lines.
const markRow = vg.Length(labelSize * 1.35)

// maxMarkRows bounds them: what does not fit is a line without a label.
const maxMarkRows = 4

// placedMark is a mark with the row that its label stands in, from 0 at the
// bottom; -1: it has no room.
type placedMark struct {
	Mark

	row int
}

// placed lays the labels of the marks out in rows so that none covers another,
// and gives how many rows that takes.
func (p Picture) placed(data draw.Canvas) (marks []placedMark, rows int) {
	inside := slices.DeleteFunc(slices.Clone(p.Marks), func(m Mark) bool { return m.At.Before(p.Start) || m.At.After(p.End) })
	slices.SortStableFunc(inside, func(a, b Mark) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	label, span := style(labelSize), p.End.Sub(p.Start).Seconds()
	ends := make([]vg.Length, maxMarkRows)
	for i := range ends {
		ends[i] = data.Min.X - vg.Inch
	}
	for _, m := range inside {
		width := label.Width(m.Label) + vg.Points(10)
		x := markX(data, data.X(m.At.Sub(p.Start).Seconds()/span), label.Width(m.Label))
		place := placedMark{Mark: m, row: -1}
		for row := range ends {
			if x >= ends[row] {
				place.row, ends[row] = row, x+width
				rows = max(rows, row+1)
				break
			}
		}
		marks = append(marks, place)
	}
	return marks, rows
}

// markX is where a label begins: right at its line, or before the edge.
func markX(data draw.Canvas, line, width vg.Length) vg.Length {
	return min(line, data.Max.X-width)
}

func drawMarks(data draw.Canvas, marks []placedMark, toX func(float64) vg.Length) {
	label := style(labelSize)
	label.Color = red()
	stroke := draw.LineStyle{Color: red(), Width: vg.Points(1.25), Dashes: []vg.Length{vg.Points(5), vg.Points(3)}}
	for _, m := range marks {
		x := toX(seconds(m.At))
		top := data.Max.Y + markRow*vg.Length(max(m.row, 0))
		data.StrokeLine2(stroke, x, data.Min.Y, x, top)
	}
	for _, m := range marks { // above all lines, which would cross their letters out
		if m.row < 0 {
			continue
		}
		width := label.Width(m.Label)
		x, y := markX(data, toX(seconds(m.At)), width), data.Max.Y+markRow*vg.Length(m.row)
		data.FillPolygon(color.White, []vg.Point{{X: x, Y: y}, {X: x + width, Y: y}, {X: x + width, Y: y + markRow}, {X: x, Y: y + markRow}})
		data.FillText(label, vg.Point{X: x, Y: y + vg.Points(1)}, m.Label)
	}
}
