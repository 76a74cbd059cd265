import type { AccessChange, AccessRow, AccessStanding } from "../access/AccessTable.ts"
import * as markdown from "./markdownText.ts"

/** Inside a table a bar ends the cell, in code too. */
const cell = (text: string): string => text.replace(/(?<!\\)\|/g, "\\|")
const codeSpan = (text: string): string => cell(markdown.codeSpan(text))
const inline = (text: string): string => cell(markdown.inline(text))

const words: Record<AccessStanding, string> = {
  guarded: "checked",
  once: "once",
  tied: "tied to the caller",
  open: "**anyone**",
}

/** One line a function: what it can do, who may have it done. */
const lines = (row: AccessRow): ReadonlyArray<string> => {
  const who = new Map<string, Array<string>>()
  for (const effect of row.effects) {
    const name = effect.standing === "open" ? words.open : inline(effect.who)
    const known = who.get(name)
    const what = `${effect.kind === "state" || effect.kind === "call" ? "" : `${effect.kind}: `}${inline(effect.what)}`
    if (known === undefined) who.set(name, [what])
    else if (!known.includes(what)) known.push(what)
  }
  const more = row.more === undefined ? "" : `; ${row.more} more`
  return [...who].map(
    ([name, effects], i) =>
      `| ${i === 0 ? codeSpan(row.function) : ""} | ${effects.join("; ")}${i === who.size - 1 ? more : ""} | ${name} |`,
  )
}

/** Per contract a table: function, what it can do, who may have it done. */
export const renderAccess = (rows: ReadonlyArray<AccessRow>): string => {
  const contracts = new Map<string, Array<AccessRow>>()
  for (const row of rows) {
    const known = contracts.get(row.contract)
    if (known === undefined) contracts.set(row.contract, [row])
    else known.push(row)
  }
  const parts = [...contracts].map(([contract, own]) =>
    [
      `## ${inline(contract)}`,
      "",
      "| Function | Can | Who may have it done |",
      "|---|---|---|",
      ...own.flatMap(lines),
    ].join("\n"),
  )
  return [
    "# Who can have what done",
    ...(parts.length === 0 ? ["Nothing that changes anything was found."] : parts),
  ].join("\n\n")
}

const verbs: Record<AccessChange["change"], string> = {
  loosened: "asks less than before",
  added: "is new",
  changed: "does something else, or asks others",
  tightened: "asks more than before",
  removed: "is gone",
}

const summary = (row: AccessRow | undefined): string =>
  row === undefined
    ? ""
    : row.standing === "open"
      ? "anyone"
      : row.effects.find((e) => e.standing === row.standing)!.who

/** What changed between two tables. */
export const renderAccessChanges = (changes: ReadonlyArray<AccessChange>): string =>
  [
    "# What changed in who can have what done",
    "",
    ...(changes.length === 0 ? ["Nothing."] : ["| Function | Change | Before | Now |", "|---|---|---|---|"]),
    ...changes.map(
      ({ contract, function: name, change, before, after }) =>
        `| ${codeSpan(`${contract}.${name}`)} | ${verbs[change]} | ${inline(summary(before))} | ${inline(summary(after))} |`,
    ),
  ].join("\n")
