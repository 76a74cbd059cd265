import type { ContractModel } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { accessOf, type Entry, runsOnce } from "../access/entries.ts"
import { toggles } from "../demands/toggles.ts"
import { type Trait, type Traits, traitsOf, type Way } from "./traits.ts"

// Functions that do what their siblings do, but for one thing that all of those see to.

export interface Deviant {
  readonly flow: Flow
  readonly kind: "condition" | "update"
  /** What the condition is about, or what is changed. */
  readonly lacks: string
  /** What they have in common: `change x`, `take y`. */
  readonly subject: string
  readonly company: ReadonlyArray<Flow>
}

/** Limits: functions of one contract that are compared, and those that have one thing in common. */
const functionLimit = 200
const companyLimit = 40

/** How many siblings must see to it: where they change the same, and where they only take the same argument. */
const changersAtLeast = 2
const takersAtLeast = 3

const memo = new WeakMap<Program, ReadonlyArray<Deviant>>()

export const deviants = (program: Program): ReadonlyArray<Deviant> => {
  let found = memo.get(program)
  if (found === undefined) memo.set(program, (found = findDeviants(program)))
  return found
}

const findDeviants = (program: Program): ReadonlyArray<Deviant> => {
  const access = accessOf(program)
  const locks = toggles(program).all
  const groups = new Map<ContractModel, Map<string, Array<Flow>>>()
  for (const flow of program.allFlows()) {
    const { fn } = flow
    if (fn.contract === undefined || fn.role !== "function" || flow.writes.length === 0) continue
    const entry = access.entryOf.get(fn)
    if (program.graph.isEntryPoint(fn) ? entry === undefined || runsOnce(access, entry) : fn.mutability === "view")
      continue
    const kind = groupOf(entry)
    let byKind = groups.get(fn.contract)
    if (byKind === undefined) groups.set(fn.contract, (byKind = new Map()))
    const known = byKind.get(kind)
    if (known === undefined) byKind.set(kind, [flow])
    else if (known.length < functionLimit) known.push(flow)
  }
  return [...groups.values()].flatMap((byKind) =>
    [...byKind.values()].flatMap((flows) =>
      flows.length > changersAtLeast ? deviantsAmong(flows.map((flow) => traitsOf(flow, locks))) : [],
    ),
  )
}

const groupOf = (entry: Entry | undefined): string =>
  entry === undefined ? "internal" : entry.guarded ? "guarded" : "open"

const deviantsAmong = (all: ReadonlyArray<Traits>): ReadonlyArray<Deviant> => {
  const changing = new Map<string, Array<Traits>>()
  const taking = new Map<string, Array<Traits>>()
  for (const traits of all) {
    for (const name of traits.changes.keys()) grouped(changing, name, traits)
    for (const name of traits.takes) grouped(taking, name, traits)
  }
  return all.flatMap((one) => {
    let best: Deviant | undefined
    const note = (
      kind: Deviant["kind"],
      subject: string,
      company: ReadonlyArray<Traits>,
      lacks: Trait | undefined,
    ): void => {
      if (lacks === undefined || (best !== undefined && best.company.length >= company.length)) return
      const about = lacks.about.find((each) => !each.startsWith("(")) ?? lacks.about[0]!.slice(1, -1)
      best = { flow: one.flow, kind, lacks: about, subject, company: company.map(({ flow }) => flow) }
    }
    for (const [name, { way }] of one.changes) {
      const others = changing.get(name)!.filter((other) => other !== one)
      if (others.length > companyLimit) continue
      const alike = others.filter(({ changes }) => changes.get(name)!.way === way)
      for (const company of [others, alike])
        if (company.length >= changersAtLeast)
          note(
            "condition",
            `change ${name}`,
            company,
            unasked(one, company, (trait) => company === alike || !trait.about.includes(name)),
          )
      const oneWay = others.filter(({ changes }) => isOneWay(changes.get(name)!.way))
      if (isOneWay(way) && oneWay.length >= changersAtLeast)
        note("update", `change ${name}`, oneWay, unchanged(one, oneWay, name))
    }
    for (const name of one.takes) {
      const company = taking.get(name)!.filter((other) => other !== one)
      if (company.length >= takersAtLeast && company.length <= companyLimit)
        note(
          "condition",
          `take ${name.slice(1, name.indexOf(")"))}`,
          company,
          unasked(
            one,
            company,
            ({ key, about }) => about.length === 1 && key.split(" ~ ").some((side) => side.startsWith(name)),
          ),
        )
    }
    return best === undefined ? [] : [best]
  })
}

const grouped = <K, V>(into: Map<K, Array<V>>, key: K, value: V): void => {
  const known = into.get(key)
  if (known === undefined) into.set(key, [value])
  else known.push(value)
}

const isOneWay = (way: Way): boolean => way === "raises" || way === "lowers"

/** The one condition that all of the company ask and this function does not; nothing if there are several. */
const unasked = (one: Traits, company: ReadonlyArray<Traits>, isMeant: (trait: Trait) => boolean): Trait | undefined =>
  single(
    [...company[0]!.asks.values()].filter((trait) => {
      const { key, about, needs } = trait
      return (
        isMeant(trait) &&
        needs.every((each) => one.knows.has(each)) &&
        !one.asks.has(key) &&
        company.every(({ asks }) => asks.has(key)) &&
        !about.every((name) => one.touched.has(name) || one.changes.has(name))
      )
    }),
  )

/** The one thing that the company change along with `name`, always in the same way, and this function does not. */
const unchanged = (one: Traits, company: ReadonlyArray<Traits>, name: string): Trait | undefined =>
  single(
    [...company[0]!.changes.values()].filter(({ key, isTable }) => {
      if (one.changes.has(key) || !company.every((each) => changesSurely(each, key))) return false
      const paces = new Set(company.map(({ changes }) => pace(changes.get(key)!.way, changes.get(name)!.way)))
      // which entry is set depends on the item
      return paces.size === 1 && !(isTable && paces.has("sets"))
    }),
  )

const changesSurely = ({ flow, changes }: Traits, key: string): boolean => {
  const change = changes.get(key)
  return change !== undefined && flow.dominates(change.at, flow.exit)
}

const pace = (way: Way, of: Way): string => (way === of ? "same" : isOneWay(way) ? "opposite" : way)

const single = ([first, ...others]: ReadonlyArray<Trait>): Trait | undefined =>
  others.every(({ at }) => at === first!.at) ? first : undefined
