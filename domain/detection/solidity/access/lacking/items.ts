import { oncePerPair } from "../../../oncePer.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { abiName } from "../../types.ts"
import { type Asked, askedBy } from "../entries/asked.ts"
import { asksSender } from "../checks/declaredChecks.ts"
import { isOwn } from "../entries/deeds.ts"
import { type Access, type Entry } from "../entries/entries.ts"
import { servesCaller } from "../entries/intent.ts"
import type { Lack } from "./lacking.ts"
import { otherEntriesOf } from "../siblings/family.ts"

// Checks that functions perform on one item: the dispute, node or agreement that an argument names.

/**
 * The minimum number of functions that check the caller's relation to the item, and of those that check the item alone.
 */
const atLeast = { caller: 2, item: 3 } as const

/** Equal for arguments that mean the same in several functions of a contract. */
export const keyOf = ({ name, type }: LocalVariable): string => `${name} ${abiName(type) ?? type.kind}`

/** The caller is an item, too, for actions on their behalf. */
const sender = "msg.sender"

/** What is known about an entry's items, computed once: a function may have thousands of arguments. */
interface Items {
  /** What the arguments name. */
  readonly named: ReadonlySet<string>
  /** The checks that are performed on each. */
  readonly checked: ReadonlyMap<string, ReadonlyArray<Asked>>
  /** Arguments whose entry must not exist yet: they are created here, and the checks of others require them. */
  readonly made: ReadonlySet<string>
}

const itemsOf = oncePerPair((program: Program, entry: Entry): Items => {
  const named = new Set(entry.fn.parameters.filter(({ name }) => name !== "").map(keyOf))
  if (entry.deeds.some((deed) => deed.variable !== undefined && isOwn(deed))) named.add(sender)
  return { named, checked: checkedItems(program, entry), made: madeItems(entry) }
})

const checkedItems = (program: Program, { fn }: Entry): ReadonlyMap<string, ReadonlyArray<Asked>> => {
  const found = new Map<string, Array<Asked>>()
  for (const asked of askedBy(program, fn)) {
    const about = new Set(
      asked.args.flatMap((arg) => {
        if (isSender(program, arg)) return [sender]
        const named = arg.kind === "Identifier" ? program.referenceOf(arg) : undefined
        return named?.kind === "LocalVariable" ? [keyOf(named)] : []
      }),
    )
    if (asked.args.length === 0 && asked.target !== undefined && asksSender(program, asked.target, 0)) about.add(sender)
    for (const item of about) {
      const known = found.get(item)
      if (known === undefined) found.set(item, [asked])
      else known.push(asked)
    }
  }
  return found
}

const isSender = (program: Program, arg: S.Expression): boolean =>
  program.isBuiltin(arg, "msg.sender") || (arg.kind === "FunctionCall" && program.callOf(arg)?.name === "_msgSender")

const madeItems = ({ deeds, fn }: Entry): ReadonlySet<string> => {
  const items = new Set<string>()
  const own = new Set(fn.parameters)
  const made = new Set<LocalVariable>()
  const seen = new Set<unknown>()
  for (const { demands } of deeds)
    for (const fact of demands.facts) {
      if (fact.kind !== "relation" || seen.has(fact)) continue
      seen.add(fact)
      const isNew =
        fact.operator === "false" || ((fact.operator === "==" || fact.operator === "<=") && fact.withZero === true)
      if (!isNew) continue
      for (const side of [fact.left, fact.right]) {
        if (side !== undefined && ((side.keys | side.sources) & Source.sender) !== 0) items.add(sender)
        for (const parameter of side?.keyParameters ?? []) if (own.has(parameter)) made.add(parameter)
      }
    }
  for (const parameter of made) items.add(keyOf(parameter))
  return items
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>, but: string): boolean =>
  [...a].every((check) => check === but || b.has(check)) && [...b].every((check) => a.has(check))

/** All sibling functions that act on the same item, and otherwise perform the same checks, perform one check of it. */
export const uncheckedItem = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const [deed] = entry.open.length > 0 ? entry.open : entry.deeds
  if (deed === undefined) return undefined
  const own = itemsOf(program, entry)
  // If the sender plays a part, that part may be the check, unless all functions check it.
  const isServing = !entry.guarded && (entry.open.length === 0 || servesCaller(entry))
  const near =
    own.named.size === 0
      ? []
      : otherEntriesOf(access, entry).map((other) => ({ other, items: itemsOf(program, other) }))
  if (near.length === 0) return undefined
  for (const item of own.named) {
    if (own.checked.has(item) || own.made.has(item) || (item === sender ? entry.guarded : isServing)) continue
    const others = near.filter(({ items }) => items.named.has(item))
    const checks = new Map(
      others.flatMap(({ items }) => items.checked.get(item) ?? []).map((each) => [each.check, each]),
    )
    for (const [check, { target }] of checks) {
      if (entry.asked.has(check)) continue
      const alike = others.filter(({ other }) => isSame(other.asked, entry.asked, check))
      const ofCaller = target !== undefined && asksSender(program, target, 0)
      if (alike.length < (ofCaller ? atLeast.caller : atLeast.item)) continue
      if (alike.every(({ items }) => items.checked.get(item)?.some((each) => each.check === check) === true))
        return { deed, reason: "item", guarded: alike.map(({ other }) => other), of: alike.length + 1 }
    }
  }
  return undefined
}
