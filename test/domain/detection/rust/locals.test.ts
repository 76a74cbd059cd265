import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Value } from "../../../../domain/detection/rust/terms/events.ts"
import { Locals } from "../../../../domain/detection/rust/terms/locals.ts"
import type { Term } from "../../../../domain/detection/rust/terms/terms.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

/** Terms are compared only by identity. */
const terms = Array.from({ length: 8 }, (_, index) => ({ index }) as unknown as Term)
const valueOf = (index: number): Value => ({ term: terms[index]!, type: undefined }) as unknown as Value

const sets = fc.array(fc.tuple(fc.nat(150).map(String), fc.nat(7)), { maxLength: 200 })
const texts = (locals: Iterable<[string, Value]>): ReadonlyArray<string> =>
  [...locals].map(([name, { term }]) => `${name}=${terms.indexOf(term)}`)

describe("Locals", () => {
  it("behaves like a map that each fork copies, in the order in which names were first set", () => {
    fc.assert(
      fc.property(sets, sets, sets, (before, left, right) => {
        const locals = new Locals()
        const map = new Map<string, Value>()
        const put = (to: ReadonlyArray<{ set: (name: string, value: Value) => unknown }>, all: typeof before) => {
          for (const [name, index] of all) for (const one of to) one.set(name, valueOf(index))
        }
        put([locals, map], before)
        const [fork, copy] = [locals.fork(), new Map(map)]
        put([locals, map], left)
        put([fork, copy], right)
        expect(texts(locals)).toEqual(texts(map))
        expect(texts(fork)).toEqual(texts(copy))

        const chosen = (name: string, [first]: ReadonlyArray<Term>): Term => (name === "" ? terms[0]! : first!)
        const met = locals.meet([fork], chosen)
        expect(texts(met).toSorted()).toEqual(
          texts(map)
            .filter((each) => copy.has(each.split("=")[0]!))
            .toSorted(),
        )
      }),
    )
  })

  it("has a choice if branches differ, and nothing if one does not know the name", () => {
    const locals = new Locals()
    locals.set("same", valueOf(0))
    locals.set("other", valueOf(1))
    const fork = locals.fork()
    fork.set("other", valueOf(2))
    fork.set("alone", valueOf(3))
    const asked: Array<ReadonlyArray<Term>> = []
    const met = locals.meet([fork], (_name, all) => (asked.push(all), terms[7]!))
    expect(texts(met)).toEqual(["same=0", "other=7"])
    expect(asked).toEqual([[terms[1], terms[2]]])
  })

  it("can be iterated while being modified", () => {
    const locals = new Locals()
    for (let index = 0; index < 130; index++) locals.set(`${index}`, valueOf(0))
    for (const [name] of locals) locals.set(name, valueOf(1))
    expect(new Set(texts(locals).map((each) => each.split("=")[1]))).toEqual(new Set(["1"]))
  })

  it("does not copy thousands of names at each fork", () => {
    const took = (count: number): number => {
      const begun = cpuTime()
      let locals = new Locals()
      for (let index = 0; index < count; index++) {
        const fork = locals.fork()
        fork.set(`${index}`, valueOf(index % 8))
        locals.set(`${index}`, valueOf((index + 1) % 8))
        locals = locals.meet([fork], (_name, [first]) => first!)
      }
      return cpuTime() - begun
    }
    took(2_000)
    expect(took(8_000)).toBeLessThan(4 * 4 * Math.max(took(2_000), 2))
  })
})
