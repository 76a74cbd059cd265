import type { ProgramCoverage } from "../../../analysis/Coverage.ts"
import type { Crate } from "../../rust/crate/crate.ts"
import { isLinked, isProgram } from "../../rust/crate/deployed.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import { resolveType } from "../../rust/crate/types.ts"
import { coverageOf, type HandlerUnderstanding, warningOf } from "../../rust/understanding.ts"
import { dialects, listFrameworks } from "./dialects.ts"
import { hasAttribute } from "./layouts.ts"
import { isAccountList } from "./accountTypes.ts"
import type { Instruction, SolanaCrate, SolanaProgram } from "./model.ts"

const frameworkOf = ({ crate, instructions }: SolanaCrate): string => {
  const used = (crate.manifest?.dependencies ?? []).filter(({ kind }) => kind === "normal")
  const isUsed = (name: RegExp): boolean => used.some((one) => name.test(one.package))
  const declared = dialects.find((one) => isUsed(one.crate))?.framework
  if (instructions.some(({ kind }) => kind === "anchor")) return declared ?? "Anchor"
  return declared ?? listFrameworks.find(([name]) => isUsed(name))?.[1] ?? "native"
}

const entryMacro = /^(entrypoint|program_entrypoint|lazy_program_entrypoint|entrypoint_no_alloc|solitaire)$/

const entryPointsOf = (crate: Crate): number => {
  let found = 0
  for (const { macros, attributes } of crate.modules) {
    found += macros.filter(({ name }) => entryMacro.test(name)).length
    found += attributes.filter(({ name }) => /^((\w+_)?program|system)$/.test(name)).length
  }
  // Star Frame generates the entry point from the program's own type.
  for (const { names } of crate.modules)
    for (const one of [...names.values()].flat())
      if (one.kind === "struct" && hasAttribute(one.item, /(^|::)StarFrameProgram$/)) found++
  if (found > 0) return found
  return crate.functions.filter(({ name }) => /^(process_instruction|entrypoint|entry)$/.test(name)).length
}

const isNamedIn = (body: object, name: string): boolean =>
  nodesOf(body).some((one) => {
    const segments = one.kind === "path" && "path" in one ? one.path.segments : []
    return segments.length === 1 && segments[0]!.name === name
  })

/** Whether some function does anything with a list of accounts. */
const readsAccounts = ({ crate, project }: SolanaCrate): boolean =>
  crate.functions.some(({ item, parameters, module }) => {
    const list = parameters.find(({ type }) => isAccountList(resolveType({ resolver: project.resolver, module }, type)))
    return item.body !== undefined && list !== undefined && isNamedIn(item.body, list.name)
  })

/** Arms of the largest match in which each arm receives the list of accounts: the instructions of a native program. */
const dispatchArms = ({ crate, project }: SolanaCrate): number => {
  let most = 0
  for (const definition of crate.functions) {
    const { body } = definition.item
    const list = definition.parameters.find(({ type }) =>
      isAccountList(resolveType({ resolver: project.resolver, module: definition.module }, type)),
    )
    if (body === undefined || list === undefined) continue
    for (const node of nodesOf(body)) {
      if (node.kind !== "match") continue
      const arms = node.arms.filter((arm) => isNamedIn(arm.body, list.name))
      most = Math.max(most, arms.length)
    }
  }
  return most
}

const understandingOf = ({ name, walk, accounts, events, kind }: Instruction): HandlerUnderstanding => {
  const isDeclared = accounts.some(({ constraints }) => (constraints?.args.length ?? 0) > 0)
  // Constraints do the work of some Anchor handlers: `init`, `close`.
  const work = events.filter((event) => event.kind !== "exit" && event.kind !== "read").length
  return {
    name,
    walk,
    inputs: accounts.length,
    isNearlyEmpty: accounts.length === 0 ? work < 2 : kind === "native" ? work < 3 : work === 0 && !isDeclared,
  }
}

/** How far each program was understood; libraries that a program links are part of it. */
export const solanaUnderstanding = (program: SolanaProgram): ReadonlyArray<ProgramCoverage> =>
  program.crates.flatMap((one) => {
    if (!isProgram(one.crate) || (one.crate.manifest === undefined && one.instructions.length === 0)) return []
    const handlers = one.instructions.map(understandingOf)
    const entryPoints = entryPointsOf(one.crate)
    // A library that others link and that can also be built as a program, or a program that reads no account.
    if (handlers.length === 0 && entryPoints === 0 && isLinked(program.crates, one)) return []
    const isTrivial = handlers.length === 0 && entryPoints > 0 && !readsAccounts(one)
    const arms = one.instructions.some(({ kind }) => kind === "anchor") ? 0 : dispatchArms(one)
    const warning = isTrivial
      ? undefined
      : warningOf(entryPoints, handlers, arms, { handlers: "instructions", arms: "dispatch arms" })
    return [coverageOf(one.crate, frameworkOf(one), entryPoints, handlers, arms, warning)]
  })
