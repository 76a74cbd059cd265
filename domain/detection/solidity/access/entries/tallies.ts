import { oncePer } from "../../../oncePer.ts"
import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { type Deed, isOwn, isWrite } from "./deeds.ts"
import { type Access, type Entry, isFixed } from "./entries.ts"

// The number of approving accounts decides, and any account counts: one person can create as many as it takes.

/** The count that an account raises once, if it decides and nothing else is required of the account. */
export const openTally = (access: Access, entry: Entry): Deed | undefined => {
  if (entry.guarded || entry.fn.mutability === "payable") return undefined
  const mark = entry.deeds.find((deed) => isWrite(deed) && isOwn(deed) && isFixed(deed.value))
  if (mark === undefined) return undefined
  const facts = new Set(entry.deeds.flatMap(({ demands }) => demands.facts))
  let isFirst = false
  for (const fact of facts) {
    if (!isAboutSender(fact)) continue
    if (!isUnset(fact, mark)) return undefined
    isFirst = true
  }
  if (!isFirst) return undefined
  return entry.deeds.find((deed) => isCount(deed) && isDecisive(access, entry, deed))
}

/** The count per item that members of a list raise as often as they like, if it decides and nothing records who has. */
export const repeatedTally = (access: Access, entry: Entry): Deed | undefined => {
  if (entry.fn.mutability === "payable") return undefined
  const count = entry.deeds.find((deed) => isCount(deed) && has(deed.keys, named))
  if (count === undefined || !enoughOf(access).has(count.variable!)) return undefined
  const isMember = count.demands.kinds.some((kind) => kind === "member" || kind === "external" || kind === "listed")
  const isRecorded = entry.deeds.some(
    (deed) => deed !== count && (concernsSender(deed.keys) || concernsSender(deed.value) || !isAfter(deed, count)),
  )
  return isMember && !isRecorded ? count : undefined
}

const named = Source.parameter | Source.calldata | Source.hash

/** Whether it is done once the count suffices. */
const isAfter = ({ demands }: Deed, { variable }: Deed): boolean =>
  demands.facts.some((fact) => larger(fact)?.state.includes(variable!) === true)

const concernsSender = ({ sources, keys }: Origins): boolean =>
  ((sources | keys) & (Source.sender | Source.txOrigin | Source.value | Source.recovered)) !== 0

const isAboutSender = (fact: Fact): boolean =>
  fact.kind === "any" ? fact.options.some((option) => option.some(isAboutSender)) : sidesOf(fact).some(concernsSender)

/** `!voted[id][msg.sender]` */
const isUnset = (fact: Fact, { variable }: Deed): boolean =>
  fact.kind === "relation" &&
  (fact.operator === "false" || (fact.operator === "==" && fact.withZero)) &&
  sidesOf(fact).some(
    (side) =>
      (side.keys & Source.sender) !== 0 &&
      (variable === undefined ? has(side, Source.external) : side.state.includes(variable)),
  )

/** One more, regardless of the account: `count[id]++`, `store.setUint(key, store.getUint(key) + 1)`. */
const isCount = (deed: Deed): boolean => {
  const { flow, value, keys, variable, reached } = deed
  if (!isWrite(deed) || concernsSender(keys) || concernsSender(value)) return false
  if (variable === undefined) return value.sources === (Source.external | Source.literal)
  const { event } = reached
  if (event.kind !== "write") return false
  if (event.operation === "increment") return true
  if (event.operation === "compound") return value.sources === Source.literal
  const isSum = value.sources === (Source.state | Source.literal) && value.state.includes(variable)
  return event.operation === "assign" && isSum && isInteger(flow.program, event.value)
}

/** Not a whole record that was read, changed and stored again. */
const isInteger = (program: Program, e: Expr | undefined): boolean =>
  e !== undefined && !e.kind.startsWith("Yul") && program.typeOf(e as S.Expression).kind === "integer"

/** State that some condition requires in a sufficient amount. */
const enoughOf = oncePer((access: Access): ReadonlySet<StateVariable> => {
  const needed = new Set<StateVariable>()
  const seen = new Set<Fact>()
  for (const { deeds } of access.entries)
    for (const { demands } of deeds)
      for (const fact of demands.facts) {
        if (seen.has(fact)) continue
        seen.add(fact)
        for (const variable of larger(fact)?.state ?? []) needed.add(variable)
      }
  return needed
})

const larger = (fact: Fact): Origins | undefined => {
  if (fact.kind === "any" || fact.right === undefined || fact.withZero) return undefined
  if (fact.operator === ">=" || fact.operator === ">") return fact.left
  return fact.operator === "<=" || fact.operator === "<" ? fact.right : undefined
}

const isDecisive = (access: Access, entry: Entry, { variable }: Deed): boolean =>
  variable === undefined ? entry.deeds.some(needsEnough) : enoughOf(access).has(variable)

/** Whether it happens once a value read from a store suffices, here or in the function that receives the value. */
const needsEnough = ({ flow, demands, reached: { via, event } }: Deed): boolean => {
  const target = via.at(-1)?.target
  const inner = target === undefined ? undefined : flow.program.flowIfBuilt(target)
  const told = inner?.nodes[event.at.id] === event.at ? inner.facts(event.at) : []
  return [...demands.facts, ...told].some((fact) => {
    const enough = larger(fact)
    return (
      enough !== undefined &&
      has(enough, Source.external | Source.parameter) &&
      has(enough, Source.literal | Source.constant)
    )
  })
}
