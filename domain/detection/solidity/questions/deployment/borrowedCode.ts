import { oncePerPair } from "../../../oncePer.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"

// Contracts whose code others run by `delegatecall`, on what they hold themselves: deployed alone, they hold nothing.

/** Whether each function only forwards its arguments to a function of the same name, and nothing is stored. */
export const isScript = (program: Program, contract: ContractModel | undefined): boolean => {
  if (contract?.node.contractKind !== "contract" || contract.missingBases.length > 0) return false
  return onlyForwards(program, contract)
}

const onlyForwards = oncePerPair((program: Program, contract: ContractModel): boolean => {
  const stores = program.stateVariablesOf(contract).some(({ constant, immutable }) => !constant && !immutable)
  return !stores && program.functionsOf(contract).every((fn) => isHarmless(fn) || isPassedOn(program, fn))
})

const isHarmless = ({ mutability, visibility, role }: FunctionModel): boolean =>
  mutability === "view" || mutability === "pure" || role === "constructor" || /internal|private/.test(visibility)

const isPassedOn = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flow(fn)
  const [site, ...others] = flow.externalCalls
  return (
    site !== undefined &&
    others.length === 0 &&
    site.event.name === fn.name &&
    site.event.args.length === fn.parameters.length &&
    site.event.args.every((arg, i) => {
      const { sources, parameters } = flow.origins(arg, site.event.at)
      return sources === Source.parameter && parameters[0] === fn.parameters[i]
    })
  )
}

/** Whether a fallback sets state that no function of its contract reads: a factory makes a new proxy run it. */
export const isProxySetup = (program: Program, fn: FunctionModel): boolean => {
  if (fn.role !== "fallback" || fn.contract === undefined) return false
  const written = new Set(program.flow(fn).writes.flatMap(({ place }) => place?.variables ?? []))
  return (
    written.size > 0 &&
    [fn.contract, ...fn.contract.derived].every((contract) =>
      program
        .functionsOf(contract)
        .every((other) => !program.flow(other).reads.some(({ place }) => place?.variables.some((v) => written.has(v)))),
    )
  )
}
