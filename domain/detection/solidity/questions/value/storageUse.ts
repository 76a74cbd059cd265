import type { CallSite } from "../../flow/graph/events.ts"
import type { StateVariable } from "../../model.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { Program } from "../../program.ts"

/** The state variables that any function of the program reads, writes, or passes to code without source. */
export interface StorageUse {
  readonly read: ReadonlySet<StateVariable>
  readonly written: ReadonlySet<StateVariable>
}

const unseenKinds = new Set<CallSite["callKind"]>(["unknown", "library", "pointer"])

/** Possibly a function that `using` attaches from a library without source. */
const isUnseen = (program: Program, { callKind, call }: CallSite): boolean =>
  unseenKinds.has(callKind) ||
  (callKind === "external" && call?.receiver !== undefined && program.typeOf(call.receiver).kind === "unknown")

const memo = new WeakMap<Program, StorageUse>()

export const storageUse = (program: Program): StorageUse => {
  const known = memo.get(program)
  if (known !== undefined) return known
  const read = new Set<StateVariable>()
  const written = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    for (const { place } of flow.reads) for (const v of place?.variables ?? []) read.add(declaredWhole(v))
    for (const { place } of flow.writes) for (const v of place?.variables ?? []) written.add(declaredWhole(v))
    for (const site of flow.calls()) {
      if (site.target !== undefined || site.call === undefined || !isUnseen(program, site)) continue
      // A storage pointer that is passed on may be used to write.
      const { callee } = site.call.node
      for (const e of [callee.kind === "MemberAccess" ? callee.object : undefined, ...site.call.args]) {
        if (e !== undefined) for (const v of flow.place(e, site.at).variables) written.add(declaredWhole(v))
      }
    }
    // A pointer kept in a local or returned may be written through in a way that the model does not follow.
    for (const node of flow.nodes) {
      for (const { slot, value } of node.definitions) {
        if (slot === true && value !== undefined && !value.kind.startsWith("Yul")) {
          const named = program.referenceOf(value as Parameters<Program["referenceOf"]>[0])
          if (named?.kind === "StateVariable") written.add(named)
        }
      }
    }
  }
  const use = { read, written }
  memo.set(program, use)
  return use
}
