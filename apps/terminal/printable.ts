/** Bidirectional controls, and control characters except those for layout. */
// oxlint-disable-next-line no-control-regex -- control characters are what this removes
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
const layout = /[\t\n]/g
const replacement = "\u{fffd}"

/**
 * Text of several lines made safe to print: its own line breaks stay, so that a help text or a stack trace remains
 * readable.
 */
export const printableLines = (text: string): string => text.replace(obeyed, replacement)

/**
 * Text from a repository made safe to print on one line: control characters (including escape sequences) and
 * bidirectional overrides could repaint the terminal or hide its contents.
 */
export const printable = (text: string): string => printableLines(text).replace(layout, replacement)
