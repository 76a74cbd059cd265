/** A change to one file, in the form of a diff. */
export interface Patched {
  readonly text: string
  /** Unified, with the line numbers at which it applies. */
  readonly diff: string
  /** Lines of the original that it changes, from 1; if it only inserts, the line before which it does. */
  readonly from: number
  readonly to: number
}

export const patchLimits = { characters: 20_000, hunks: 10, changedLines: 60, context: 3 } as const

interface Line {
  readonly kind: " " | "-" | "+"
  readonly text: string
}

interface Hunk {
  readonly start: number
  readonly lines: Array<Line>
}

const header = /^@@ -(\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@/

const isBlank = ({ kind, text }: Line): boolean => kind === " " && text.trim() === ""

/** The hunks of a diff of one file; undefined if it is not one, or covers several files. */
const hunksOf = (diff: string): ReadonlyArray<Hunk> | undefined => {
  const hunks: Array<Hunk> = []
  let names = 0
  for (const line of diff.split(/\r?\n/)) {
    const start = header.exec(line)?.[1]
    const current = hunks.at(-1)
    const kind = line.charAt(0) || " "
    if (start !== undefined) hunks.push({ start: Number(start), lines: [] })
    else if (current === undefined) names += Number(line.startsWith("+++ "))
    else if (line.startsWith("--- ") || names > 1) return undefined
    else if (kind === " " || kind === "-" || kind === "+") current.lines.push({ kind, text: line.slice(1) })
    else if (kind !== "\\") return undefined
  }
  // A diff ends in a line break, which is not an empty line of it.
  for (const { lines } of hunks) while (lines.length > 0 && isBlank(lines.at(-1)!)) lines.pop()
  return hunks
}

/** The position of a hunk's old lines: the stated one, or the only other match, since models count badly. */
const placeOf = (lines: ReadonlyArray<string>, start: number, wanted: ReadonlyArray<string>): number | undefined => {
  const isAt = (at: number): boolean => wanted.every((text, index) => lines[at + index]?.trimEnd() === text.trimEnd())
  if (isAt(start - 1)) return start - 1
  let found: number | undefined
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (!isAt(at)) continue
    if (found !== undefined) return undefined
    found = at
  }
  return found
}

/** A text changed according to a unified diff, or why it cannot be. */
export const applyPatch = (file: string, text: string, diff: string): Patched | { readonly reason: string } => {
  if (diff.length > patchLimits.characters) return { reason: "it is too long" }
  const hunks = hunksOf(diff)
  if (hunks === undefined || hunks.length === 0) return { reason: "it is not a unified diff of one file" }
  if (hunks.length > patchLimits.hunks) return { reason: "it has too many hunks" }
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n"
  const lines = text.split(/\r?\n/)
  const result: Array<string> = []
  const shown: Array<string> = []
  let [done, changed, from, to] = [0, 0, Infinity, 0]
  for (const { start, lines: asked } of hunks) {
    const old = asked.flatMap((line) => (line.kind === "+" ? [] : [line.text]))
    if (old.every((line) => line.trim() === "")) return { reason: "one of its hunks does not say where it belongs" }
    const at = placeOf(lines, start, old)
    if (at === undefined) return { reason: "it does not apply" }
    if (at < done) return { reason: "its hunks overlap or are out of order" }
    result.push(...lines.slice(done, at))
    // The context that programs require to apply a diff, unless another hunk has it.
    const lone = hunks.length === 1
    const before = lone ? lines.slice(Math.max(0, at - patchLimits.context), at) : []
    const after = lone ? lines.slice(at + old.length, at + old.length + patchLimits.context) : []
    const now = result.length + 1 - before.length
    const body: Array<string> = []
    done = at
    for (const { kind, text: given } of asked) {
      if (kind !== " ") {
        changed++
        from = Math.min(from, done + 1)
        to = Math.max(to, done + 1)
      }
      const line = kind === "+" ? given : lines[done++]!
      if (kind !== "-") result.push(line)
      body.push(kind + line)
    }
    const context = before.length + after.length
    const added = asked.filter(({ kind }) => kind !== "-").length
    shown.push(
      `@@ -${at + 1 - before.length},${old.length + context} +${now},${added + context} @@`,
      ...before.map((line) => ` ${line}`),
      ...body,
      ...after.map((line) => ` ${line}`),
    )
  }
  if (changed === 0) return { reason: "it changes nothing" }
  if (changed > patchLimits.changedLines) return { reason: "it changes too much" }
  result.push(...lines.slice(done))
  return {
    text: result.join(lineBreak),
    diff: [`--- a/${file}`, `+++ b/${file}`, ...shown, ""].join("\n"),
    from,
    to,
  }
}
