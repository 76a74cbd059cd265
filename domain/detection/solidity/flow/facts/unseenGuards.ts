import type { FunctionModel } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type { FlowNode } from "../graph/graph.ts"

/** Names by which a modifier or function that is missing from the sources is taken for a caller check or a lock. */
const checkName =
  /only|auth|owner|admin|role|govern|restrict|permission|allowed|whitelist|guardian|keeper|operator|minter|controller|_check/i
const lockName = /non_?reentran|reentranc|noreentr|mutex|^lock(ed)?$/i
/** Library guards that ask nothing about the caller: locks, pauses, whether a proxy runs the code. */
const ignoresCaller =
  /^(?:non_?reentrant\w*|(?:_require|when)(?:Not)?Paused|onlyProxy|notDelegated|_checkProxy|_checkNotDelegated|onlyInitializing)$/i
/** `_grantRole(…)`, `__Governor_init(…)`: it says who may act, and asks nobody. */
const appoints =
  /^_*(?:set|setup|grant|revoke|renounce|transfer|add|remove|update|change|accept)[A-Z]|_init(?:_unchained)?$/
export const isAboutNobody = (name: string): boolean => ignoresCaller.test(name)
/** `hasRole(…)`, `isOwner()`: it answers, where `_checkRole(…)` reverts. */
export const isQuestion = (name: string): boolean => /^_?(?:is|has|can|may)[A-Z]/.test(name)
/** What stands in for a guard whose source is missing, as bits. */
export const unseenCheck = 1
export const unseenLock = 2

const guardBits = (name: string): number =>
  (checkName.test(name) && !isAboutNobody(name) && !appoints.test(name) ? unseenCheck : 0) |
  (lockName.test(name) ? unseenLock : 0)

/** Whether a called function is a hook that the deployed contract must implement, or has such a modifier. */
const isChecked = ({ implemented, modifiers }: FunctionModel): boolean =>
  !implemented ||
  modifiers.some(
    ({ modifier, node }) => modifier === undefined && (guardBits(node.path.at(-1) ?? "") & unseenCheck) !== 0,
  )

/**
 * Modifiers and functions that are missing from the sources (or have no body) and whose names say that they are guards.
 */
export class UnseenGuards {
  private readonly flow: Flow
  private before: Uint8Array | undefined

  constructor(flow: Flow) {
    this.flow = flow
  }

  /** Whether one of them runs before `at`. */
  has(at: FlowNode, bit: number): boolean {
    if (this.before === undefined) {
      this.before = new Uint8Array(this.flow.nodes.length)
      for (const id of this.flow.dominators.order) {
        const up = this.flow.dominators.idom[id]!
        this.before[id] = (up === -1 ? 0 : this.before[up]!) | this.bitsOf(this.flow.nodes[id]!)
      }
    }
    // The node itself counts if it is the modifier's, but not if it is the call that checks.
    const up = this.flow.dominators.idom[at.id]!
    return ((up === -1 ? 0 : this.before[up]!) & bit) !== 0
  }

  private bitsOf(node: FlowNode): number {
    let bits = 0
    if (node.node?.kind === "ModifierInvocation") {
      const invocation = node.node
      const known = this.flow.fn.modifiers.find((m) => m.node === invocation)?.modifier
      const seen =
        known !== undefined && this.flow.program.dispatchModifier(known, this.flow.context).node.body !== undefined
      if (!seen) bits |= guardBits(invocation.path.at(-1) ?? "")
    }
    for (const event of node.events) {
      if (event.kind !== "call") continue
      // a question whose answer is dropped keeps nobody out
      if (event.callKind === "unknown" && !(event.resultIgnored && isQuestion(event.name)))
        bits |= guardBits(event.name)
      else if (event.callKind === "internal" && event.target !== undefined && isChecked(event.target))
        bits |= unseenCheck
    }
    return bits
  }
}
