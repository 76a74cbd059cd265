import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { Conditions } from "./conditions.ts"
import { type FactChain, link } from "./factChain.ts"
import { type Fact, factLimit } from "./facts.ts"
import type { CallSite } from "../graph/events.ts"
import type { Expr, FlowNode } from "../graph/graph.ts"

/**
 * The most facts returned for one step, nearest first: with thousands of conditions before thousands of steps, there
 * would be the product of both.
 */
const factsAtLimit = 200

/**
 * What holds at the steps of a flow, from the conditions on the way and from what the functions called before have
 * checked.
 */
export class KnownFacts {
  private readonly flow: Flow
  private readonly conditions: Conditions
  private readonly memo: Array<FactChain | undefined> = []
  private resultMemo: Map<boolean, ReadonlyArray<Fact> | undefined> | undefined

  constructor(program: Program, flow: Flow) {
    this.flow = flow
    this.conditions = new Conditions(program, flow, flow.values)
  }

  /**
   * What is known to hold at a node on every path: conditions, require, and what functions called before have checked.
   */
  at(at: FlowNode): ReadonlyArray<Fact> {
    const facts: Array<Fact> = []
    for (let chain = this.upTo(at); chain !== undefined; chain = chain.up) {
      facts.push(...chain.facts)
      if (facts.length > factsAtLimit) break
    }
    return facts
  }

  /** The same as a list that steps share. */
  upTo(at: FlowNode): FactChain | undefined {
    if (this.flow.nodes[at.id] !== at) throw new Error(`a node of another function was asked of ${this.flow.fn.scope}`)
    const path: Array<FlowNode> = []
    let chain: FactChain | undefined
    for (let id = at.id; id !== -1; id = this.flow.dominators.idom[id]!) {
      const node = this.flow.nodes[id]!
      if (id !== at.id) {
        const memo = this.memo[id]
        if (memo !== undefined) {
          chain = memo
          break
        }
      }
      path.push(node)
    }
    for (const node of path.toReversed()) {
      const own = node.kind === "branch" ? this.branchFacts(node) : node.preds.length > 1 ? this.joinFacts(node) : []
      // What a call has checked holds after its node, not yet at it.
      if (node === at) return own.length === 0 ? chain : link(own, chain)
      const called = this.calledFacts(node)
      if (own.length + called.length > 0 || chain === undefined) chain = link([...own, ...called], chain)
      this.memo[node.id] = chain
    }
    return chain
  }

  /** Where paths join, one of them was taken, with whatever holds at its end. Loops add nothing. */
  private joinFacts(join: FlowNode): ReadonlyArray<Fact> {
    const ways = join.preds.filter((pred) => this.flow.isReachable(pred))
    if (ways.length < 2 || ways.length > 6 || ways.some((pred) => this.flow.dominates(join, pred))) return []
    // `if (msg.sender != owner) {}`: one way or the other is always taken
    if (ways.every(({ condition }) => condition !== undefined && condition === ways[0]!.condition)) return []
    const above = this.flow.dominators.idom[join.id]!
    const options: Array<ReadonlyArray<Fact>> = []
    for (const way of ways) {
      const option: Array<Fact> = []
      // What holds at the end of the path, down to where the paths part.
      let length = 0
      for (let id = way.id; id !== above && id !== -1; id = this.flow.dominators.idom[id]!) {
        const node = this.flow.nodes[id]!
        if (++length > 60 || option.length > 24) break
        option.push(...(node.kind === "branch" ? this.branchFacts(node) : []), ...this.calledFacts(node))
      }
      if (option.length === 0) return []
      options.push(option)
    }
    return [{ kind: "any", options, expression: noExpression(join), at: join }]
  }

  private branchFacts(branch: FlowNode): ReadonlyArray<Fact> {
    const { condition, truth } = branch
    return condition?.expression === undefined
      ? []
      : this.conditions.facts(condition.expression, truth === true, condition)
  }

  private calledFacts(node: FlowNode): ReadonlyArray<Fact> {
    const facts: Array<Fact> = []
    for (const event of node.events) {
      if (event.kind !== "call" || event.call === undefined || event.target === undefined) continue
      if (onlyRefuses(event)) facts.push(this.agreed(event))
      if (event.callKind !== "internal" && event.callKind !== "library") continue
      const callee = this.flow.program.flowIfBuilt(event.target)
      if (callee !== undefined)
        facts.push(...this.conditions.forCaller(callee.summary.exitFacts, event.call, event.target.parameters, node))
    }
    return facts
  }

  /** Another contract was asked, and did not revert: it said yes. */
  private agreed({ node, at }: CallSite): Fact {
    return {
      kind: "relation",
      operator: "true",
      left: this.flow.origins(node, at),
      withZero: false,
      expression: node,
      at,
    }
  }

  /** What it means that this function returned `truth`: one of its returns was taken, with whatever holds there. */
  ofResult(truth: boolean): ReadonlyArray<Fact> | undefined {
    const type = this.flow.fn.returns.length === 1 ? this.flow.fn.returns[0]!.type : undefined
    if (type?.kind !== "bool") return undefined
    this.resultMemo ??= new Map()
    if (this.resultMemo.has(truth)) return this.resultMemo.get(truth)
    this.resultMemo.set(truth, undefined)
    const options: Array<ReadonlyArray<Fact>> = []
    const add = (value: Expr, at: FlowNode): void => {
      if (value.kind === "Literal" && value.literalKind === "bool") {
        if ((value.value === "true") === truth) options.push(this.at(at))
      } else options.push([...this.at(at), ...this.conditions.facts(value, truth, at)])
    }
    for (const node of this.flow.returns) {
      if (node.callable === this.flow.fn && node.expression !== undefined && this.flow.isReachable(node))
        add(node.expression, node)
    }
    const named = this.flow.fn.returns[0]!
    for (const d of this.flow.values.definitionsOf(named)) {
      if (
        d.at.node?.kind !== "ReturnStatement" &&
        d.value !== undefined &&
        d.index === undefined &&
        this.flow.isReachable(d.at)
      )
        add(d.value, d.at)
    }
    let result: ReadonlyArray<Fact> | undefined
    if (options.length === 1) result = options[0]!.slice(0, factLimit)
    else if (options.length > 1 && options.length <= 12)
      result = [
        {
          kind: "any",
          options: options.map((o) => o.slice(0, factLimit)),
          expression: this.flow.returns[0]?.expression ?? {
            kind: "UnknownExpression",
            start: this.flow.fn.node.start,
            end: this.flow.fn.node.start,
          },
          at: this.flow.exit,
        },
      ]
    this.resultMemo.set(truth, result)
    return result
  }
}

/** `registry.requireRole(role, msg.sender)`: it changes nothing and answers nothing, so that it can only revert. */
const onlyRefuses = ({ callKind, isStatic, target }: CallSite): boolean =>
  callKind === "external" && isStatic && target !== undefined && target.returns.length === 0

/** Stands for the condition at a join, which has none. */
const noExpression = (node: FlowNode): S.UnknownExpression => {
  const at = node.node?.end ?? node.callable.node.start
  return { kind: "UnknownExpression", start: at, end: at }
}
