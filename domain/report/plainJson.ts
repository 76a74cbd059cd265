/** What JSON leaves as it is and a terminal obeys: DEL, C1 with its escape sequences, separators, changes of direction. */
const obeyed = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** The same JSON with nothing in it that a terminal obeys; a parser reads the same value. */
export const plainJson = (json: string): string => json.replace(obeyed, escaped)
