import type { ProgramCoverage } from "../../analysis/Coverage.ts"
import { isLinked, isProgram } from "../rust/crate/deployed.ts"
import { rootOf } from "../rust/terms/terms.ts"
import { coverageOf, type HandlerUnderstanding, warningOf } from "../rust/understanding.ts"
import { definitionOf, resolveType } from "../rust/crate/types.ts"
import {
  type CosmWasmCrate,
  type CosmWasmProgram,
  type EntryPoint,
  type Handler,
  nameOfHandler,
} from "./program/model.ts"
import { everySubterm } from "../rust/terms/terms.ts"
import { eventTerms } from "./questions/touches.ts"

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
    name: nameOfHandler(handler),
    walk: handler.entry.walk,
    inputs: inputs.size,
    // A handler that only rejects a message does so in an exit.
    isNearlyEmpty: work === 0 && !handler.events.some((event) => event.kind === "exit" && !event.success),
  }
}

/** Variants of the message that an entry point receives, if the project declares it. */
const variantsOf = ({ project }: CosmWasmCrate, { function: definition, message }: EntryPoint): number => {
  if (message?.kind !== "parameter") return 0
  const parameter = definition.parameters.find(({ name }) => name === message.name)
  const declared = definitionOf(resolveType({ resolver: project.resolver, module: definition.module }, parameter?.type))
  return declared?.kind === "enum" ? declared.item.variants.length : 0
}

/** How far each contract was understood; packages that contracts link are part of them. */
export const cosmwasmUnderstanding = (program: CosmWasmProgram): ReadonlyArray<ProgramCoverage> =>
  program.crates.flatMap((one) => {
    if (!isProgram(one.crate) || (one.crate.manifest === undefined && one.entryPoints.length === 0)) return []
    const handlers = one.entryPoints.flatMap((entry) => entry.handlers).map(understandingOf)
    if (one.entryPoints.length === 0 && isLinked(program.crates, one)) return []
    const arms = one.entryPoints.reduce((sum, entry) => sum + variantsOf(one, entry), 0)
    const what = { handlers: "messages", arms: "variants of the messages" }
    const warning = warningOf(one.entryPoints.length, handlers, arms, what)
    return [coverageOf(one.crate, frameworkOf(one), one.entryPoints.length, handlers, arms, warning)]
  })
