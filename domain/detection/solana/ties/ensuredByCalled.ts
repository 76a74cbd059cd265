import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { cpisOf } from "../questions/questions.ts"

/** A comparison that an instruction insists on, with what it receives in it. */
interface Insisted {
  readonly fact: Term
  readonly about: ReadonlyArray<Term>
}

/** The comparisons that hold whenever an instruction succeeds, by each of the accounts and arguments in them. */
const insistedOn = oncePer(({ accounts, arguments: args, walk }: Instruction) => {
  const received = new Set([...accounts, ...args].map(({ term }) => term))
  const all = [...walk.success].flatMap((fact): ReadonlyArray<Insisted> =>
    fact.kind === "binary" ? [{ fact, about: [...everySubterm([fact])].filter((part) => received.has(part)) }] : [],
  )
  return indexBy(all, ({ about }) => about)
})

/** The called instruction's accounts that receive something, by what they receive. */
const received = (callee: Instruction, { accounts }: Cpi): ReadonlyMap<Term, Term> => {
  const given = new Map(accounts.map(({ name, term }) => [name, term]))
  return new Map(
    callee.accounts.flatMap(({ name, term }) => {
      const one = given.get(name)
      return one === undefined ? [] : [[term, one] as const]
    }),
  )
}

/**
 * What instructions of other programs of this project make sure of, about the accounts that they receive here whenever
 * this one succeeds: they accept no others.
 */
export const ensuredByCalled = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const { terms, success } = instruction.walk
  const ensured = new Set<Term>()
  const done = new Set<string>()
  for (const cpi of cpisOf(instruction)) {
    const callee = success.has(terms.succeeded(cpi.event.result.term)) ? instruction.callee(cpi.instruction) : undefined
    if (callee === undefined || callee === instruction) continue
    const put = received(callee, cpi)
    // Further calls with the same accounts ensure nothing more.
    const call = [cpi.instruction, ...[...put].map(([to, one]) => `${to.id}:${one.id}`)].join(" ")
    if (done.has(call)) continue
    done.add(call)
    const known = new Map(put)
    const rebuild = (term: Term): Term => {
      const found = known.get(term) ?? terms.rebuilt(term, rebuild, terms.made)
      known.set(term, found)
      return found
    }
    const asked = new Set([...put.keys()].flatMap((term) => insistedOn(callee).get(term) ?? []))
    for (const { fact, about } of asked) if (about.every((one) => put.has(one))) ensured.add(rebuild(fact))
  }
  return ensured
})
