import { oncePer } from "../../../oncePer.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { ContractModel, FunctionModel, StructModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { keepsMeaning } from "./typeChange.ts"
import { bareName } from "./layout.ts"
import { slotNumber } from "./slotNumber.ts"

/** A struct that the code places at a slot of its choosing, as EIP-7201 and diamonds do. */
export interface Namespace {
  readonly struct: StructModel
  readonly slot: bigint
  readonly fn: FunctionModel
  /** Where a pointer is set to the slot. */
  readonly at: FlowNode
  readonly expression: Expr
}

/** Structs whose slots are known, those at the same slot together; each struct once. */
const bySlot = oncePer((program: Program): ReadonlyArray<ReadonlyArray<Namespace>> => {
  const groups = Map.groupBy(program.allFlows().flatMap(placedIn), ({ slot }) => slot)
  return [...groups.values()].map((same) => [...new Map(same.map((one) => [one.struct, one])).values()])
})

const placedIn = (flow: Flow): ReadonlyArray<Namespace> =>
  flow.nodes.flatMap((at) =>
    at.assembly === undefined
      ? []
      : at.definitions.flatMap(({ slot: setsSlot, variable, value: expression }) => {
          if (setsSlot !== true || variable.kind !== "LocalVariable" || variable.type.kind !== "struct") return []
          const slot = expression === undefined ? undefined : slotNumber(flow, expression)
          if (expression === undefined || slot === undefined) return []
          return [{ struct: variable.type.struct, slot, fn: flow.fn, at, expression }]
        }),
  )

/** Limit: structs at one slot that are compared with one another. */
const structsLimit = 20

/** Two structs at one slot, with what the program shows about them. */
export interface SharedSlot {
  readonly one: Namespace
  readonly other: Namespace
}

/** Structs at the same slot of which neither continues the other. */
export const sharedSlots = (program: Program): ReadonlyArray<SharedSlot> =>
  bySlot(program).flatMap((all) => {
    const same = all.slice(0, structsLimit)
    return same.flatMap((one, i) =>
      same.slice(i + 1).flatMap((other) => (isContinued(one.struct, other.struct) ? [] : [{ one, other }])),
    )
  })

const isContinued = (a: StructModel, b: StructModel): boolean => {
  const [shorter, longer] = a.members.length <= b.members.length ? [a, b] : [b, a]
  return shorter.members.every((member, i) => {
    const same = longer.members[i]!
    return bareName(member) === bareName(same) && keepsMeaning(member.type, same.type, i + 1 === shorter.members.length)
  })
}

/** The contracts that can be deployed and that use the namespace. */
export const usersOf = (program: Program, { fn }: Namespace): ReadonlySet<ContractModel> =>
  new Set(
    program.graph
      .entryPointsOf(fn)
      .flatMap(({ contract }) => (contract === undefined ? [] : [contract, ...contract.derived]))
      .filter(({ deployable }) => deployable),
  )
