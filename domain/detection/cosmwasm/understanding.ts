import type { ProgramCoverage } from "../../analysis/Coverage.ts"
import { isLinked, isProgram } from "../rust/deployed.ts"
import { rootOf } from "../rust/terms.ts"
import { coverageOf, type HandlerUnderstanding, warningOf } from "../rust/understanding.ts"
import type { CosmWasmCrate, CosmWasmProgram, Handler } from "./model.ts"
import { everySubterm } from "../rust/terms.ts"
import { eventTerms } from "./touches.ts"

const frameworkOf = ({ crate }: CosmWasmCrate): string => {
  const used = (crate.manifest?.dependencies ?? []).filter(({ kind }) => kind === "normal").map((one) => one.package)
  if (used.some((one) => /^abstract[-_](app|adapter|standalone|sdk)/.test(one))) return "Abstract"
  if (used.some((one) => /^sylvia$/.test(one))) return "Sylvia"
  return "CosmWasm"
}

const understandingOf = (handler: Handler): HandlerUnderstanding => {
  const { message, sender } = handler.entry
  const inputs = new Set(
    [...everySubterm(handler.events.flatMap(eventTerms))].filter(
      (one) => one !== message && (one === sender || (rootOf(one) === message && one.kind !== "parameter")),
    ),
  )
  const work = handler.events.filter(({ kind }) => kind !== "exit").length
  return {
    name: handler.message === "" ? handler.entry.kind : handler.message,
    walk: handler.entry.walk,
    inputs: inputs.size,
    // Whoever refuses a message does so in an exit.
    isNearlyEmpty: work === 0 && !handler.events.some((event) => event.kind === "exit" && !event.success),
  }
}

/** How far each contract was understood; packages that contracts link are part of them. */
export const cosmwasmUnderstanding = (program: CosmWasmProgram): ReadonlyArray<ProgramCoverage> =>
  program.crates.flatMap((one) => {
    if (!isProgram(one.crate) || (one.crate.manifest === undefined && one.entryPoints.length === 0)) return []
    const handlers = one.entryPoints.flatMap((entry) => entry.handlers).map(understandingOf)
    if (one.entryPoints.length === 0 && isLinked(program.crates, one)) return []
    const warning = warningOf(one.entryPoints.length, handlers, 0, { handlers: "messages", arms: "" })
    return [coverageOf(one.crate, frameworkOf(one), one.entryPoints.length, handlers, warning)]
  })
