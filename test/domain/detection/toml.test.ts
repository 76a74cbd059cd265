import { describe, expect, it } from "vitest"
import { readToml } from "../../../domain/detection/toml.ts"

/** How many elements of arrays are visited while something runs, including copies by `...`. */
const visitsDuring = (run: () => void): number => {
  const iterator: ArrayIterator<unknown> = Object.getPrototypeOf([][Symbol.iterator]())
  const { next } = iterator
  let visits = 0
  iterator.next = function (this: ArrayIterator<unknown>) {
    visits++
    return next.call(this)
  }
  try {
    run()
  } finally {
    iterator.next = next
  }
  return visits
}

describe("lists of tables", () => {
  it("collect each table with its contents", () => {
    const { bin } = readToml('[[bin]]\nname = "a"\n[[bin]]\nname = "b"\n[bin.metadata]\nkey = 1\n')
    expect(JSON.stringify(bin)).toBe('[{"name":"a"},{"name":"b","metadata":{"key":1}}]')
  })

  it("are read once, however long: twice the tables are twice the work", () => {
    const visits = [1_000, 2_000].map((count) =>
      visitsDuring(() => {
        expect(readToml('[[bin]]\nname = "a"\n'.repeat(count))["bin"]).toHaveLength(count)
      }),
    )
    expect(visits[1]).toBeLessThan(2.1 * visits[0]!)
    expect(visits[1]).toBeLessThan(2_000 * 10)
  })

  it("are not changed by a list of values of the same name", () => {
    expect(JSON.stringify(readToml('bin = ["a"]\n[[bin]]\nname = "b"\n'))).toBe('{"bin":["a",{"name":"b"}]}')
  })
})
