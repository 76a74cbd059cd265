import { oncePer } from "../../oncePer.ts"
import { sourceRoles } from "../../SourceRole.ts"
import type { FunctionModel } from "../model.ts"
import type { Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"
import { type Item, itemsOf } from "./items.ts"

/** A condition on which all other functions revert, and this one just returns. */
export interface SilentExit {
  readonly fn: FunctionModel
  readonly item: Item
  readonly others: ReadonlyArray<{ readonly fn: FunctionModel; readonly item: Item }>
}

/** The least number of other functions that revert. */
const atLeast = 2

export const silentExits = oncePer((program: Program): ReadonlyArray<SilentExit> => {
  const roleOf = sourceRoles(program.everything.sources.map(({ file }) => file.path))
  const asked = new Map<string, { exits: Array<{ fn: FunctionModel; item: Item }>; guards: Map<FunctionModel, Item> }>()
  for (const { fn } of program.allFlows()) {
    if (roleOf(fn.source.file.path) === "test") continue
    for (const item of itemsOf(program, fn)) {
      if (item.kind !== "guard" && item.kind !== "exit") continue
      const condition = item.words.slice(item.words.indexOf(" "))
      let known = asked.get(condition)
      if (known === undefined) asked.set(condition, (known = { exits: [], guards: new Map() }))
      if (item.kind === "exit") known.exits.push({ fn, item })
      else if (!known.guards.has(fn)) known.guards.set(fn, item)
    }
  }
  return [...asked.values()].flatMap(({ exits: [one, ...more], guards }) => {
    if (one === undefined || more.length > 0 || guards.size < atLeast || guards.has(one.fn)) return []
    if (isAttempt(one.fn) || !isAboutState(program, one.item.node)) return []
    return [{ ...one, others: [...guards].map(([fn, item]) => ({ fn, item })) }]
  })
})

/** `tryClaim`, `maybeHarvest`: to do nothing is one of the outcomes. */
const isAttempt = ({ name }: FunctionModel): boolean => /^_*(try|maybe)[A-Z_]/.test(name)

/** Whether it checks more than numbers at hand, for which `amount == 0` may mean something else elsewhere. */
const isAboutState = (program: Program, node: S.Node): boolean => {
  let found = false
  walk(node, (each) => {
    if (each.kind === "Identifier") {
      const named = program.referenceOf(each)
      if (named?.kind === "Function" || (named?.kind === "StateVariable" && !named.constant)) found = true
    }
    if (each.kind === "MemberAccess" && program.typeOf(each.object).kind === "struct") found = true
    return !found
  })
  return found
}
