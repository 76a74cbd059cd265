import type { ProgramCoverage } from "../../analysis/Coverage.ts"
import { resultLimits } from "../../finding/ResultLimits.ts"
import { boundedText } from "../../finding/boundedText.ts"
import type { Crate } from "./crate/crate.ts"
import type { Walk } from "./walk/state/walk.ts"

/** How many names of one program are shown. */
const shown = 20

export interface HandlerUnderstanding {
  readonly name: string
  readonly walk: Walk
  /** The accounts or message fields that it reads. */
  readonly inputs: number
  readonly isNearlyEmpty: boolean
}

const reasons = {
  depth: "called too deeply",
  recursion: "calls itself",
  length: "the walk became too long",
} as const

/** What the coverage says about a program. */
export const coverageOf = (
  crate: Crate,
  framework: string,
  entryPoints: number,
  handlers: ReadonlyArray<HandlerUnderstanding>,
  arms: number,
  warning: string | undefined,
): ProgramCoverage => {
  const name = (text: string): string => boundedText(text, resultLimits.name)
  const notFollowed = new Map<string, string>()
  for (const { walk } of handlers)
    for (const [target, why] of walk.notFollowed)
      if (why !== "recursion") notFollowed.set(target.qualifiedName, reasons[why])
  const empty = handlers.filter((one) => one.isNearlyEmpty)
  const folder = crate.manifest?.directory ?? ""
  const leftOut = new Set(crate.files.flatMap((file) => [...(file.leftOut ?? [])]))
  return {
    program: name(crate.manifest?.name ?? (folder === "" ? (crate.files[0]?.file.path ?? "") : folder)),
    framework,
    entryPoints,
    ...(arms === 0 ? {} : { arms }),
    handlers: handlers.length,
    understood: handlers.filter((one) => !one.isNearlyEmpty && !one.walk.truncated).length,
    inputs: handlers.reduce((sum, { inputs }) => sum + inputs, 0),
    nearlyEmpty: empty.slice(0, shown).map((one) => name(one.name)),
    notFollowed: [...notFollowed].slice(0, shown).map(([one, reason]) => ({ name: name(one), reason })),
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut].slice(0, shown).map(name) }),
    ...(warning === undefined ? {} : { warning }),
  }
}

/** A program in which most handlers are nearly empty is understood as little as one without any. */
export const warningOf = (
  entryPoints: number,
  handlers: ReadonlyArray<HandlerUnderstanding>,
  arms: number,
  what: { readonly handlers: string; readonly arms: string },
): string | undefined => {
  const understood = handlers.filter((one) => !one.isNearlyEmpty)
  if (handlers.length === 0)
    return entryPoints === 0 ? "no entry point was found" : `its entry point was found, but no ${what.handlers}`
  if (understood.length * 2 < handlers.length)
    return `almost nothing was found in ${handlers.length - understood.length} of ${handlers.length} ${what.handlers}`
  return handlers.length * 2 < arms
    ? `${handlers.length} ${what.handlers} were found for ${arms} ${what.arms}`
    : undefined
}
