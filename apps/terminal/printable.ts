/**
 * Text from a repository made safe to print: control characters (escape sequences among them) and bidirectional
 * overrides could repaint the terminal or hide what stands there.
 */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what this removes
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\u{fffd}")
