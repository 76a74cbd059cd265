/**
 * Characters that JSON leaves unescaped and a terminal interprets: DEL, C1 with its escape sequences, separators,
 * bidirectional controls.
 */
const obeyed = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Equivalent JSON without anything that a terminal interprets. */
export const plainJson = (json: string): string => json.replace(obeyed, escaped)
