import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { StateVariable } from "../../model.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { Program } from "../../program.ts"

/** The state variables that any function of the program reads, writes, or passes to code without source. */
export interface StorageUse {
  readonly read: ReadonlySet<StateVariable>
  readonly written: ReadonlySet<StateVariable>
  /** Variables among them that may be written out of sight. */
  readonly handed: ReadonlySet<StateVariable>
}

const unseenKinds = new Set<CallSite["callKind"]>(["unknown", "library", "pointer"])

/** Possibly a function that `using` attaches from a library without source. */
const isUnseen = (program: Program, { callKind, call }: CallSite): boolean =>
  unseenKinds.has(callKind) ||
  (callKind === "external" && call?.receiver !== undefined && program.typeOf(call.receiver).kind === "unknown")

export const storageUse = oncePer((program: Program): StorageUse => {
  const read = new Set<StateVariable>()
  const written = new Set<StateVariable>()
  const handed = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    for (const { place } of flow.reads) for (const v of place?.variables ?? []) read.add(declaredWhole(v))
    for (const { place } of flow.writes) for (const v of place?.variables ?? []) written.add(declaredWhole(v))
    for (const site of flow.calls()) {
      if (site.target !== undefined || site.call === undefined || !isUnseen(program, site)) continue
      // A storage pointer that is passed on may be used to write.
      const { callee } = site.call.node
      for (const e of [callee.kind === "MemberAccess" ? callee.object : undefined, ...site.call.args]) {
        if (e !== undefined) for (const v of flow.place(e, site.at).variables) handed.add(declaredWhole(v))
      }
    }
    // A pointer kept in a local or returned may be written through in a way that the model does not follow.
    for (const node of flow.nodes) {
      for (const v of laidOut(program, node)) handed.add(declaredWhole(v))
      for (const { slot, value } of node.definitions) {
        if (slot === true && value !== undefined && !value.kind.startsWith("Yul")) {
          const named = program.referenceOf(value as Parameters<Program["referenceOf"]>[0])
          if (named?.kind === "StateVariable") handed.add(named)
        }
      }
    }
  }
  for (const v of handed) written.add(v)
  return { read, written, handed }
})

/** `mstore(32, table.slot)`: the slot of an entry is computed from it, which may be written to. */
const laidOut = (program: Program, { expression }: FlowNode): ReadonlyArray<StateVariable> =>
  expression?.kind === "YulFunctionCall" && expression.name === "mstore"
    ? expression.args.flatMap((arg) => {
        const named = arg.kind === "YulIdentifier" ? program.referenceOf(arg) : undefined
        return named?.kind === "StateVariable" ? [named] : []
      })
    : []
