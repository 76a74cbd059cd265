import { resultLimits } from "../finding/ResultLimits.ts"
import { maskedText } from "../detection/secrets/masked.ts"
import { boundedText } from "../finding/boundedText.ts"
import type { Excerpt } from "./Excerpt.ts"
import type { Quote } from "../finding/Review.ts"
import { visible } from "../finding/visible.ts"

/** A shorter quote occurs everywhere and proves nothing. */
const shortest = 4

/** The quote at the nearest line where it occurs; undefined if no line contains it verbatim. */
export const standing = ({ from, lines }: Excerpt, { line, text }: Quote): Quote | undefined => {
  const wanted = text.trim()
  if (wanted.length < shortest || wanted.includes("\n")) return undefined
  let found: number | undefined
  for (const [index, shown] of lines.entries()) {
    if (!shown.includes(wanted)) continue
    const at = from + index
    if (found === undefined || Math.abs(at - line) < Math.abs(found - line)) found = at
  }
  return found === undefined ? undefined : { line: found, text: boundedText(wanted, resultLimits.note) }
}

/** A model's text as a report shows it: of limited length, without secrets and invisible characters. */
export const said = (text: string, length: number = resultLimits.message): string =>
  maskedText("", visible(boundedText(text.trim(), length)))
