import { resultLimits } from "./ResultLimits.ts"

/** A text too long to show, with a mark in place of its middle. */
export const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text
  const tail = Math.floor((length - 1) / 3)
  return `${text.slice(0, length - 1 - tail)}…${text.slice(-tail)}`.toWellFormed()
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/**
 * A text for people within `length`: words as long as only hostile names are shortened first, then the whole. Reads no
 * further than what it shows, except for words of that length.
 */
export const boundedText = (text: string, length: number): string => {
  if (text.length <= resultLimits.name) return text.toWellFormed()
  let shown = ""
  let at = 0
  while (at < text.length && shown.length <= length) {
    let end = at
    while (end < text.length && !isSpace(text.charCodeAt(end))) end++
    shown += shortened(text.slice(at, end), resultLimits.name)
    for (at = end; at < text.length && isSpace(text.charCodeAt(at)) && at - end <= length; at++);
    shown += text.slice(end, at)
  }
  if (at >= text.length && shown.length <= length) return shown.toWellFormed()
  return `${shown.slice(0, length - 1)}…`.toWellFormed()
}
