import type { LocalVariable, YulVariable } from "../../model.ts"
import type { Definition, FlowNode } from "../graph/graph.ts"

/** How many nodes are searched for the definitions that reach a use; beyond that, all definitions count. */
const searchLimit = 3000
/**
 * How many definitions may reach one use while keeping part of the previous value (`x += 1`); beyond that, all
 * definitions count.
 */
const reachingLimit = 100

/** What a local can hold at a node. */
export interface Reaching {
  readonly definitions: ReadonlyArray<Definition>
  /** Whether it can also hold its value on entry. */
  readonly initial: boolean
  /** Beyond the limits: all definitions of the variable, in one object for all nodes. */
  readonly unlimited?: true
}

interface Known {
  readonly definitions: Array<Definition>
  byNode?: ReadonlyMap<FlowNode, Definition>
  reaching?: Map<FlowNode, Reaching>
  unlimited?: Reaching
}

const undefinedAnywhere: Reaching = { definitions: [], initial: true }

/** Which definitions of a local can hold where, found by searching backwards along the graph. */
export class ReachingDefinitions {
  private variables: Map<LocalVariable | YulVariable, Known> | undefined

  constructor(nodes: ReadonlyArray<FlowNode>) {
    for (const node of nodes) {
      for (const definition of node.definitions) {
        this.variables ??= new Map()
        const known = this.variables.get(definition.variable)
        if (known === undefined) this.variables.set(definition.variable, { definitions: [definition] })
        else known.definitions.push(definition)
      }
    }
  }

  definitionsOf(variable: LocalVariable | YulVariable): ReadonlyArray<Definition> {
    return this.variables?.get(variable)?.definitions ?? []
  }

  /** What can hold at the start of `at`. */
  reaching(variable: LocalVariable | YulVariable, at: FlowNode): Reaching {
    const known = this.variables?.get(variable)
    if (known === undefined) return undefinedAnywhere
    const { definitions } = known
    const entry = variable.role === "parameter" || variable.role === "return"
    // A local that is declared once and never assigned again has one definition wherever it is used.
    if (definitions.length === 1 && !entry && !definitions[0]!.keepsOld) return { definitions, initial: false }
    const byNode = (known.byNode ??= new Map(definitions.map((d) => [d.at, d])))
    const memo = (known.reaching ??= new Map())
    // Consecutive steps without a definition have the same ones.
    let first = at
    let found = memo.get(first)
    while (found === undefined && first.preds.length === 1 && !byNode.has(first.preds[0]!)) {
      first = first.preds[0]!
      found = memo.get(first)
    }
    if (found === undefined) {
      found = search(byNode, first) ?? (known.unlimited ??= { definitions, initial: true, unlimited: true })
      memo.set(first, found)
    }
    if (first !== at) memo.set(at, found)
    return found
  }
}

/** Searches backwards from a node for definitions; undefined beyond the limits. */
const search = (byNode: ReadonlyMap<FlowNode, Definition>, at: FlowNode): Reaching | undefined => {
  const definitions: Array<Definition> = []
  const seen = new Set<FlowNode>()
  const queue: Array<FlowNode> = [...at.preds]
  let initial = at.preds.length === 0
  for (let i = 0; i < queue.length; i++) {
    if (i > searchLimit || definitions.length > reachingLimit) return undefined
    const node = queue[i]!
    if (seen.has(node)) continue
    seen.add(node)
    const found = byNode.get(node)
    if (found !== undefined) {
      definitions.push(found)
      if (!found.keepsOld) continue
    }
    if (node.preds.length === 0) initial = true
    queue.push(...node.preds)
  }
  return { definitions, initial }
}
