import {
  type AccessChange,
  type AccessRow,
  type AccessStanding,
  type AccessTable,
  byContract,
} from "../access/AccessTable.ts"
import { fitting } from "../finding/fitting.ts"
import { effectsByWho, restOfAccess, wholeTable } from "./sentences.ts"
import * as markdown from "./markdownText.ts"
import type { AnalysisId } from "../ids/Ids.ts"

/** In a table, a bar ends the cell, even in code. */
const cell = (text: string): string => text.replace(/(?<!\\)\|/g, "\\|")
const codeSpan = (text: string): string => cell(markdown.codeSpan(text))
const inline = (text: string): string => cell(markdown.inline(text))

const words: Record<AccessStanding, string> = {
  guarded: "checked",
  once: "once",
  tied: "tied to the caller",
  open: "**anyone**",
}

/** One line per function and condition: what it can do, and who can call it. */
const lines = (row: AccessRow): ReadonlyArray<string> => {
  const who = effectsByWho(row, (effect) => (effect.standing === "open" ? words.open : inline(effect.who)), inline)
  const more = row.more === undefined ? "" : `; ${row.more} more`
  return [...who].map(
    ([name, effects], i) =>
      `| ${i === 0 ? codeSpan(row.function) : ""} | ${effects.join("; ")}${i === who.size - 1 ? more : ""} | ${name} |`,
  )
}

const nothing = "No function that changes anything was found."

const head = ["| Function | Can | Allowed callers |", "|---|---|---|"]

const partsOf = (rows: ReadonlyArray<AccessRow>, heading: (contract: string) => string): ReadonlyArray<string> =>
  [...byContract(rows)].flatMap(([contract, own]) => [heading(contract), [...head, ...own.flatMap(lines)].join("\n")])

/** A table per contract: function, what it can do, and who can call it. */
export const renderAccess = (rows: ReadonlyArray<AccessRow>): string => {
  const parts = partsOf(rows, (contract) => `## ${inline(contract)}`)
  return ["# Who can do what", ...(parts.length === 0 ? [nothing] : parts)].join("\n\n")
}

/**
 * The same as a section of a report, within `bytes`. Headings below the section's own are those of findings, so a
 * contract's name is a paragraph.
 */
export const accessBlocks = (
  { access, omitted = 0 }: AccessTable,
  { analysisId }: { readonly analysisId: AnalysisId },
  bytes: number,
): ReadonlyArray<string> => {
  const shown = fitting(access, bytes, (row) => [inline(row.contract), ...lines(row)]).length
  const left = omitted + access.length - shown
  const parts = partsOf(access.slice(0, shown), (contract) => `**${codeSpan(contract)}**`)
  return [
    "## Who can do what",
    ...(parts.length === 0 ? [nothing] : parts),
    ...(left === 0 ? [] : [`${restOfAccess(left)} ${wholeTable(analysisId).map(codeSpan).join(" or ")}.`]),
  ]
}

const verbs: Record<AccessChange["change"], string> = {
  loosened: "requires less than before",
  added: "is new",
  changed: "different effects or allowed callers",
  tightened: "requires more than before",
  removed: "is gone",
}

const summary = (row: AccessRow | undefined): string =>
  row === undefined
    ? ""
    : row.standing === "open"
      ? "anyone"
      : row.effects.find((e) => e.standing === row.standing)!.who

/** The changes between two tables. */
export const renderAccessChanges = (changes: ReadonlyArray<AccessChange>): string =>
  [
    "# Changes in who can do what",
    "",
    ...(changes.length === 0 ? ["Nothing."] : ["| Function | Change | Before | Now |", "|---|---|---|---|"]),
    ...changes.map(
      ({ contract, function: name, change, before, after }) =>
        `| ${codeSpan(`${contract}.${name}`)} | ${verbs[change]} | ${inline(summary(before))} | ${inline(summary(after))} |`,
    ),
  ].join("\n")
