import { oncePer } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"

/**
 * Whether the function is meant to be guarded by derived contracts: it is virtual, each deployable derived contract
 * overrides it with one that strangers cannot use, and the contract itself is never deployed.
 */
export const isOverriddenWithCheck = (
  program: Program,
  fn: FunctionModel,
  guarded: ReadonlySet<FunctionModel>,
): boolean => {
  const { contract, node } = fn
  if (!node.virtual || contract === undefined) return false
  const heirs = contract.derived.filter(({ deployable }) => deployable)
  return (
    heirs.length > 0 &&
    heirs.every((heir) => program.functionsOf(heir).some((own) => isOverride(own, fn) && guarded.has(own))) &&
    !createdIn(program).has(contract)
  )
}

/** By name and number of parameters, because types from missing files may be spelled differently. */
const isOverride = (own: FunctionModel, fn: FunctionModel): boolean =>
  own !== fn && own.name === fn.name && own.parameters.length === fn.parameters.length

/** The contracts that the program creates with `new`. */
const createdIn = oncePer((program: Program): ReadonlySet<ContractModel> => {
  const created = program
    .allFlows()
    .flatMap((flow) => flow.calls())
    .flatMap(({ callKind, call }) =>
      callKind === "create" && call?.type?.kind === "contract" ? [call.type.contract] : [],
    )
  return new Set(created)
})
