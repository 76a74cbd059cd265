import { root, uriOf } from "./sarifLocation.ts"

interface Replacement {
  readonly startLine: number
  readonly removed: number
  readonly added: ReadonlyArray<string>
}

/** The changed places of a unified diff of one file, in the lines of the original. */
const replacementsOf = (diff: string): ReadonlyArray<Replacement> => {
  const found: Array<{ startLine: number; removed: number; added: Array<string> }> = []
  let line = 0
  let open = false
  for (const text of diff.split("\n")) {
    const start = /^@@ -(\d{1,7})/.exec(text)?.[1]
    if (start !== undefined) line = Number(start)
    const isChange = line > 0 && (text.startsWith("-") || text.startsWith("+"))
    if (isChange && !open) found.push({ startLine: line, removed: 0, added: [] })
    open = isChange
    const current = found.at(-1)
    if (isChange && current !== undefined) {
      if (text.startsWith("+")) current.added.push(text.slice(1))
      else current.removed++
    }
    if (line > 0 && start === undefined && !text.startsWith("+")) line++
  }
  return found
}

/** A proven patch in SARIF's form (3.55): whole lines removed and inserted. */
export const sarifFix = (file: string, diff: string): object => ({
  description: {
    text: "The rules were run on the result: the finding is gone, and no new finding of medium severity or above appeared.",
  },
  artifactChanges: [
    {
      artifactLocation: { uri: uriOf(file), uriBaseId: root },
      replacements: replacementsOf(diff).map(({ startLine, removed, added }) => ({
        deletedRegion: { startLine, startColumn: 1, endLine: startLine + removed, endColumn: 1 },
        ...(added.length === 0 ? {} : { insertedContent: { text: `${added.join("\n").toWellFormed()}\n` } }),
      })),
    },
  ],
})
