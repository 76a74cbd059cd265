import { visible } from "../finding/visible.ts"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/**
 * Any text as the text of an element or as a quoted attribute; characters that hide or reorder text are made visible.
 */
export const text = (value: string): string => visible(value).replace(/[&<>"']/g, (character) => entities[character]!)

/** Words in backticks as code, everything else as text. */
const inline = (paragraph: string): string =>
  paragraph
    .split(/(`[^`]+`)/)
    .map((piece, index) => (index % 2 === 1 ? `<code>${text(piece.slice(1, -1))}</code>` : text(piece)))
    .join("")

/** Running text with its paragraphs, separated by blank lines. */
export const prose = (value: string): string =>
  value
    .split(/\n[^\S\n]*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => `<p>${inline(paragraph.trim())}</p>`)
    .join("")

/** A link to a web address; anything else, such as a script URL, is text. */
export const link = (url: string, shown = url): string =>
  /^https?:\/\/[!-~]+$/.test(url) ? `<a href="${text(url)}" rel="noreferrer">${text(shown)}</a>` : text(shown)
