// Shapes that Slack does not know. Where the types let one pass, the compiler
// says that the directive above it is not used: then they check nothing.
import type { HomeView, KnownBlock, ModalView } from "@slack/types";

// @ts-expect-error there is no such block
export const noBlock: KnownBlock = { type: "shout", text: "fire" };

// @ts-expect-error a header is plain text
export const noHeader: KnownBlock = { type: "header", text: { type: "mrkdwn", text: "*fire*" } };

// @ts-expect-error an input needs a label
export const noInput: KnownBlock = { type: "input", element: { type: "plain_text_input", action_id: "title" } };

// @ts-expect-error a button has no colour but these two
export const noButton: KnownBlock = { type: "actions", elements: [{ type: "button", action_id: "a", style: "blue", text: { type: "plain_text", text: "A" } }] };

// @ts-expect-error a modal needs a title
export const noModal: ModalView = { type: "modal", blocks: [] };

// @ts-expect-error a home tab has no title
export const noHome: HomeView = { type: "home", title: { type: "plain_text", text: "Home" }, blocks: [] };
