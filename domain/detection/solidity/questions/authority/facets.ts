import { Source } from "../../flow/graph/origins.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { ContractModel, StructModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { type Forwarder, forwarders } from "./forwarding.ts"
import { layoutOf } from "../storage/layout.ts"
import { contractBehind } from "../deployment/contractBehind.ts"

/** Contracts whose code runs on the storage of one diamond. */
export interface Facets {
  readonly contracts: ReadonlyArray<ContractModel>
  /** Whether only names indicate it. */
  readonly isGuess: boolean
}

/** Limit: facets of one diamond that are compared. */
const facetLimit = 100

/**
 * The facets of diamonds: contracts that are passed to a cut, contracts whose only state is the same struct (which
 * makes the struct the diamond's), and, next to a single diamond, contracts that are called facets.
 */
export const facetsOf = (program: Program): ReadonlyArray<Facets> => [
  ...alike(program),
  ...[cut(program), named(program)].filter(({ contracts }) => contracts.length > 1),
]

const alike = (program: Program): ReadonlyArray<Facets> => {
  const users = new Map<StructModel, { readonly sole: Array<ContractModel>; readonly other: Array<ContractModel> }>()
  for (const contract of program.contracts) {
    if (!contract.deployable) continue
    const layout = layoutOf(program, contract)
    for (const { variable, after } of layout) {
      if (variable.type.kind !== "struct" || variable.visibility === "public") continue
      const { struct } = variable.type
      const found = users.get(struct) ?? { sole: [], other: [] }
      users.set(struct, found)
      ;(layout.length === 1 && after === "" ? found.sole : found.other).push(contract)
    }
  }
  return [...users.values()].flatMap(({ sole, other }) =>
    sole.length > 1 && other.length > 0
      ? [{ contracts: [...sole, ...other].slice(0, facetLimit), isGuess: false }]
      : [],
  )
}

/** `FacetCut(address(new LoanFacet()), …)`. */
const cut = (program: Program): Facets => {
  const found = new Set<ContractModel>()
  if (!program.sources.some(({ file }) => file.text.includes("FacetCut"))) return { contracts: [], isGuess: false }
  for (const flow of program.allFlows()) {
    if ((flow.shape & Shape.call) === 0) continue
    for (const { callKind, name, args } of flow.calls()) {
      const contract =
        callKind === "struct" && name === "FacetCut" && args[0] !== undefined
          ? contractBehind(flow, args[0])
          : undefined
      if (contract?.deployable === true) found.add(contract)
    }
  }
  return { contracts: [...found].slice(0, facetLimit), isGuess: false }
}

const named = (program: Program): Facets => {
  const diamonds = forwarders(program).filter(isDiamond)
  const facets = program.contracts.filter(({ name, deployable }) => deployable && /Facet(?:V?\d{1,3})?$/.test(name))
  // which facets belong to which of several diamonds, their names do not say
  const contracts = diamonds.length === 1 ? [...diamonds.map(({ contract }) => contract), ...facets] : []
  return { contracts: contracts.slice(0, facetLimit), isGuess: true }
}

/** Whether what is called selects the code that runs. */
const isDiamond = ({ flow, site }: Forwarder): boolean => {
  const { callable } = site.at
  const inside = callable.kind === "Function" ? flow.program.flow(callable) : flow
  return site.receiver !== undefined && (inside.origins(site.receiver, site.at).keys & Source.calldata) !== 0
}
