import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { alwaysFollowedBy } from "../../flow/graph/alwaysFollowedBy.ts"

/** Contracts that their creator destroys before the function ends: no other transaction can reach them. */
export const ephemeralContracts = oncePer((program: Program): ReadonlySet<ContractModel> => {
  const ephemeral = new Set<ContractModel>()
  const left = new Set<ContractModel>()
  for (const flow of program.allFlows()) {
    for (const { callKind, call, at } of flow.calls()) {
      if (callKind !== "create" || call?.type?.kind !== "contract") continue
      const { contract } = call.type
      const ending = flow.calls().find(({ target }) => target?.contract === contract && ends(program, target))
      const isEnded = ending !== undefined && ending.at !== at && alwaysFollowedBy(flow, ending.at)(at)
      ;(isEnded ? ephemeral : left).add(contract)
    }
  }
  return new Set([...ephemeral].filter((contract) => !left.has(contract)))
})

const ends = (program: Program, fn: FunctionModel): boolean => {
  const flow: Flow = program.flow(fn)
  return flow.calls().some((site) => destroys(site) && flow.dominates(site.at, flow.exit))
}

export const destroys = ({ callKind, name }: CallSite): boolean =>
  callKind === "builtin" && (name === "selfdestruct" || name === "suicide")
