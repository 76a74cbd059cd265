import { visible } from "../finding/visible.ts"

const oneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim()

const longestRun = (text: string): number => {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** Any text as a code span on one line. */
export const codeSpan = (text: string): string => {
  const line = oneLine(text)
  if (line === "") return "` `"
  const fence = "`".repeat(longestRun(line) + 1)
  return line.startsWith("`") || line.endsWith("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`
}

/** Any text as a fenced code block; `language` is one of ours. */
export const codeBlock = (text: string, language: string): string => {
  const lines = visible(text.replace(/\r\n?/g, "\n"))
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

const alphanumeric = /[\p{L}\p{N}]/u

/** Escapes possible markup in a word of running text. Underscores inside a word are harmless and stay readable. */
const escapeWord = (word: string): string => {
  const escaped = word
    .replace(/[\\`*<|~$]|&(?=[#A-Za-z])|\](?=[([:])/g, "\\$&")
    .replace(/_+/g, (run, offset: number, whole: string) => {
      const inside = alphanumeric.test(whole.charAt(offset - 1)) && alphanumeric.test(whole.charAt(offset + run.length))
      return inside ? run : "\\_".repeat(run.length)
    })
  return escaped.startsWith("#") ? `\\${escaped}` : escaped
}

/** Words that a renderer turns into a link, a mail address or a mention. */
const linking = /@.|:\/\/|www\.|(?:mailto|xmpp):/iu

/** A word of running text; one that would become a link is shown as code, without the surrounding punctuation. */
const inlineWord = (word: string): string => {
  if (!linking.test(word)) return escapeWord(word)
  let start = 0
  let end = word.length
  while (start < end && "(\"'[".includes(word[start]!)) start++
  while (end > start && ".,;:!?)\"']".includes(word[end - 1]!)) end--
  return escapeWord(word.slice(0, start)) + codeSpan(word.slice(start, end)) + escapeWord(word.slice(end))
}

/** What would start a list, a quotation, a rule, a heading or a link definition at the beginning of a line. */
const escapeLineStart = (line: string): string => {
  if (/^[-+>=[]/.test(line)) return `\\${line}`
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
}

/**
 * Running text on one line of Markdown. Words in backticks become code; nothing else in it is markup, and nothing
 * becomes a link. Takes time linear in the text.
 */
export const inline = (text: string): string => {
  const parts: Array<string> = []
  const push = (part: string): void => {
    // Two adjacent code spans would be read as one.
    if (part.startsWith("`") && parts.at(-1)?.endsWith("`") === true) parts.push(" ")
    if (part !== "") parts.push(part)
  }
  for (const [index, piece] of oneLine(text)
    .split(/(`[^`]+`)/)
    .entries()) {
    const isCode = index % 2 === 1 && piece.slice(1, -1).trim() !== ""
    if (isCode) push(codeSpan(piece.slice(1, -1)))
    else for (const word of piece.split(/( )/)) push(word === " " ? word : inlineWord(word))
  }
  return escapeLineStart(parts.join(""))
}

/** Running text with its paragraphs, separated by blank lines. */
export const paragraphs = (text: string): ReadonlyArray<string> =>
  text
    .split(/\n[^\S\n]*\n/)
    .map(inline)
    .filter((paragraph) => paragraph !== "")

/** A URL as a link; anything else as code. */
export const link = (url: string): string => (/^https?:\/\/[!-;=?-~]+$/.test(url) ? `<${url}>` : codeSpan(url))

/** A URL unchanged if nothing in it is markup, so that it can be copied from the raw text; otherwise as `link`. */
export const bareUrl = (url: string): string =>
  /^https?:\/\/[A-Za-z0-9.:/_+-]*[A-Za-z0-9/]$/.test(url) && escapeWord(url) === url ? url : link(url)
