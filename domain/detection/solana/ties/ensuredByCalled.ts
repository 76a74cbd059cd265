import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { cpisOf } from "../questions/questions.ts"

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

/** The same term about other accounts; undefined if it is about anything else that the instruction receives. */
const putInto = (
  terms: TermTable,
  fact: Term,
  isForeign: (term: Term) => boolean,
  put: ReadonlyMap<Term, Term>,
): Term | undefined => {
  const known = new Map(put)
  for (const one of everySubterm([fact])) if (isForeign(one) && !put.has(one)) return undefined
  const rebuild = (term: Term): Term => {
    const found = known.get(term) ?? terms.rebuilt(term, rebuild, terms.made)
    known.set(term, found)
    return found
  }
  return rebuild(fact)
}

/**
 * What instructions of other programs of this project make sure of, about the accounts that they receive here whenever
 * this one succeeds: they accept no others.
 */
export const ensuredByCalled = oncePer((instruction: Instruction): ReadonlyArray<Term> => {
  const { terms, success } = instruction.walk
  return cpisOf(instruction).flatMap((cpi) => {
    const callee = success.has(terms.succeeded(cpi.event.result.term)) ? instruction.callee(cpi.instruction) : undefined
    if (callee === undefined || callee === instruction) return []
    const put = received(callee, cpi)
    const own = new Set([...callee.accounts, ...callee.arguments].map(({ term }) => term))
    return [...callee.walk.success].flatMap((fact) =>
      fact.kind === "binary" ? (putInto(terms, fact, (one) => own.has(one), put) ?? []) : [],
    )
  })
})
