import type { LocalVariable } from "../model.ts"
import type { Program } from "../program.ts"
import { abiName } from "../types.ts"
import { type Asked, askedBy } from "./asked.ts"
import { asksSender } from "./declaredChecks.ts"
import { type Access, type Entry } from "./entries.ts"
import { servesCaller } from "./intent.ts"
import type { Lack } from "./lacking.ts"
import { besides } from "./siblings.ts"

// Checks that functions ask for about one item: the dispute, the node, the agreement that an argument names.

/** Functions that must ask for a check of the caller about the item, and of one about the item alone. */
const atLeast = { caller: 2, item: 3 } as const

/** The same for arguments that stand for the same in several functions of a contract. */
const keyOf = ({ name, type }: LocalVariable): string => `${name} ${abiName(type) ?? type.kind}`

/** What the arguments of a function name. */
const itemsOf = ({ fn }: Entry): ReadonlySet<string> =>
  new Set(fn.parameters.filter(({ name }) => name !== "").map(keyOf))

const isAbout = (program: Program, { args }: Asked, item: string): boolean =>
  args.some((arg) => {
    const named = arg.kind === "Identifier" ? program.referenceOf(arg) : undefined
    return named?.kind === "LocalVariable" && keyOf(named) === item
  })

const about = (program: Program, { fn }: Entry, item: string): ReadonlyArray<Asked> =>
  askedBy(program, fn).filter((asked) => isAbout(program, asked, item))

/** An entry of the item must not be there yet: it is made here, which the others ask for. */
const makesIt = ({ deeds, fn }: Entry, item: string): boolean => {
  const named = fn.parameters.filter((p) => keyOf(p) === item)
  return deeds.some(({ demands }) =>
    demands.facts.some(
      (fact) =>
        fact.kind === "relation" &&
        (fact.operator === "false" || ((fact.operator === "==" || fact.operator === "<=") && fact.withZero)) &&
        [fact.left, fact.right].some((side) => side?.keyParameters.some((p) => named.includes(p))),
    ),
  )
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>, but: string): boolean =>
  [...a].every((check) => check === but || b.has(check)) && [...b].every((check) => a.has(check))

/** All functions beside this one that are about the same item, and ask for the same otherwise, ask for one check about it. */
export const uncheckedItem = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const [deed] = entry.open.length > 0 ? entry.open : entry.deeds
  // where the sender plays a part, that part may be the check
  if (deed === undefined || (!entry.guarded && (entry.open.length === 0 || servesCaller(entry)))) return undefined
  for (const item of itemsOf(entry)) {
    if (about(program, entry, item).length > 0 || makesIt(entry, item)) continue
    const others = besides(access, entry).filter((other) => itemsOf(other).has(item))
    const checks = new Map(others.flatMap((other) => about(program, other, item)).map((each) => [each.check, each]))
    for (const [check, { target }] of checks) {
      if (entry.asked.has(check)) continue
      const alike = others.filter((other) => isSame(other.asked, entry.asked, check))
      const ofCaller = target !== undefined && asksSender(program, target, 0)
      if (alike.length < (ofCaller ? atLeast.caller : atLeast.item)) continue
      if (alike.every((other) => about(program, other, item).some((each) => each.check === check)))
        return { deed, reason: "item", guarded: alike, of: alike.length + 1 }
    }
  }
  return undefined
}
