package incidents

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is one line of an incident's log. Events are never changed: [Amended]
// and [Redacted] are events of their own, and the timeline folds them in.
type Event struct {
	Incident   int64
	Seq        int64     // 1, 2, … within the incident, without gaps
	At         time.Time // when it happened; may be back-dated
	Precision  Precision
	RecordedAt time.Time // when Houston learnt of it
	Actor      Actor
	Data       Data
}

// Data is what an event says. The set is closed: see [Decode].
type Data interface {
	// Type is the name the event is stored under.
	Type() string
	// Entry gives kind and text of the timeline entry; an empty kind means
	// that the event is for Houston only and no entry is shown.
	Entry() (EntryKind, string)
	apply(inc *Incident, e Event)
}

// Decode reads an event's data as it was stored under its type name.
func Decode(name string, raw []byte) (Data, error) {
	switch name {
	case Declared{}.Type():
		return decode[Declared](raw)
	case ChangeLinked{}.Type():
		return decode[ChangeLinked](raw)
	case ChangeFinished{}.Type():
		return decode[ChangeFinished](raw)
	case PageAsked{}.Type():
		return decode[PageAsked](raw)
	case PageTaken{}.Type():
		return decode[PageTaken](raw)
	case PageAnswered{}.Type():
		return decode[PageAnswered](raw)
	case StatusChanged{}.Type():
		return decode[StatusChanged](raw)
	case SeverityChanged{}.Type():
		return decode[SeverityChanged](raw)
	case UpdatePosted{}.Type():
		return decode[UpdatePosted](raw)
	case FactsChanged{}.Type():
		return decode[FactsChanged](raw)
	case BridgeSet{}.Type():
		return decode[BridgeSet](raw)
	case RoleAssigned{}.Type():
		return decode[RoleAssigned](raw)
	case KeyTimeSet{}.Type():
		return decode[KeyTimeSet](raw)
	case Renamed{}.Type():
		return decode[Renamed](raw)
	case Noted{}.Type():
		return decode[Noted](raw)
	case AlertsReceived{}.Type():
		return decode[AlertsReceived](raw)
	case ChannelOpened{}.Type():
		return decode[ChannelOpened](raw)
	case CardPosted{}.Type():
		return decode[CardPosted](raw)
	case EffectFailed{}.Type():
		return decode[EffectFailed](raw)
	case EffectMended{}.Type():
		return decode[EffectMended](raw)
	case RepairAsked{}.Type():
		return decode[RepairAsked](raw)
	case Amended{}.Type():
		return decode[Amended](raw)
	case Redacted{}.Type():
		return decode[Redacted](raw)
	case CaptureShared{}.Type():
		return decode[CaptureShared](raw)
	case CaptureReleased{}.Type():
		return decode[CaptureReleased](raw)
	case FileStored{}.Type():
		return decode[FileStored](raw)
	case FileLost{}.Type():
		return decode[FileLost](raw)
	case ActionWithdrawn{}.Type():
		return decode[ActionWithdrawn](raw)
	case ActionAdded{}.Type():
		return decode[ActionAdded](raw)
	case NoticePublished{}.Type():
		return decode[NoticePublished](raw)
	case NoticeWithdrawn{}.Type():
		return decode[NoticeWithdrawn](raw)
	case DraftReady{}.Type():
		return decode[DraftReady](raw)
	case PostmortemWritten{}.Type():
		return decode[PostmortemWritten](raw)
	case PostmortemMoved{}.Type():
		return decode[PostmortemMoved](raw)
	case PostmortemStaffed{}.Type():
		return decode[PostmortemStaffed](raw)
	case ReviewPlanned{}.Type():
		return decode[ReviewPlanned](raw)
	case ActionChanged{}.Type():
		return decode[ActionChanged](raw)
	case GapAdded{}.Type():
		return decode[GapAdded](raw)
	case GapChanged{}.Type():
		return decode[GapChanged](raw)
	case AlertsCleared{}.Type():
		return decode[AlertsCleared](raw)
	case StillGoingOn{}.Type():
		return decode[StillGoingOn](raw)
	case HeartbeatLost{}.Type():
		return decode[HeartbeatLost](raw)
	case HeartbeatBack{}.Type():
		return decode[HeartbeatBack](raw)
	case SilenceAsked{}.Type():
		return decode[SilenceAsked](raw)
	case SilenceExtended{}.Type():
		return decode[SilenceExtended](raw)
	case SilenceEnded{}.Type():
		return decode[SilenceEnded](raw)
	case ForeignSilence{}.Type():
		return decode[ForeignSilence](raw)
	case ExportAsked{}.Type():
		return decode[ExportAsked](raw)
	case ChartDrawn{}.Type():
		return decode[ChartDrawn](raw)
	case RunbookAttached{}.Type():
		return decode[RunbookAttached](raw)
	case RunbookTicked{}.Type():
		return decode[RunbookTicked](raw)
	case TaskAdded{}.Type():
		return decode[TaskAdded](raw)
	case TaskChanged{}.Type():
		return decode[TaskChanged](raw)
	case ChannelMoved{}.Type():
		return decode[ChannelMoved](raw)
	case ChannelArchived{}.Type():
		return decode[ChannelArchived](raw)
	case ChannelRestored{}.Type():
		return decode[ChannelRestored](raw)
	case ChannelRenamed{}.Type():
		return decode[ChannelRenamed](raw)
	case MergedInto{}.Type():
		return decode[MergedInto](raw)
	case Absorbed{}.Type():
		return decode[Absorbed](raw)
	case Adopted{}.Type():
		return decode[Adopted](raw)
	case Linked{}.Type():
		return decode[Linked](raw)
	case PrivateAsked{}.Type():
		return decode[PrivateAsked](raw)
	case PrivateRefused{}.Type():
		return decode[PrivateRefused](raw)
	case WentPrivate{}.Type():
		return decode[WentPrivate](raw)
	case NudgeAsked{}.Type():
		return decode[NudgeAsked](raw)
	case NudgeClosed{}.Type():
		return decode[NudgeClosed](raw)
	case NudgeDeferred{}.Type():
		return decode[NudgeDeferred](raw)
	default:
		return nil, fmt.Errorf("event type %q is not known to this version", name)
	}
}

func decode[T Data](raw []byte) (Data, error) {
	var data T
	if err := json.Unmarshal(raw, &data); err != nil {
		return nil, fmt.Errorf("decode %s event: %w", data.Type(), err)
	}
	return data, nil
}
