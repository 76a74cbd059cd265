import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseAdvertisedRefs } from "../../../adapters/git/remote/advertisedRefs.ts"
import { readContents } from "../../../adapters/git/tree/blobs.ts"
import { readTree } from "../../../adapters/git/tree/readTree.ts"
import { rising, transferProgress } from "../../../adapters/git/transfer/transferProgress.ts"
import { pathObjection } from "../../../adapters/git/tree/treePath.ts"
import { sourceLimits } from "../../../domain/repository/SourceLimits.ts"

/** The same bytes in chunks of these sizes, repeated. */
async function* pieces(bytes: Buffer, sizes: ReadonlyArray<number>): AsyncGenerator<Buffer> {
  let start = 0
  for (let n = 0; start < bytes.length; n++) {
    const size = sizes[n % sizes.length]!
    yield bytes.subarray(start, start + size)
    start += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
const contents = fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 8 })
const id = (n: number): string => String(n).padStart(40, "0")

describe("git's output is read the same however it is split", () => {
  it("contents, whatever bytes they have", () =>
    fc.assert(
      fc.asyncProperty(contents, sizes, async (blobs, cuts) => {
        const output = Buffer.concat(
          blobs.flatMap((blob, n) => [Buffer.from(`${id(n)} blob ${blob.length}\n`), blob, Buffer.from("\n")]),
        )
        const seen: Array<[string, string]> = []
        await readContents(
          pieces(output, cuts),
          async (name, content) => void seen.push([name, content.toString("hex")]),
        )
        expect(seen).toEqual(blobs.map((blob, n) => [id(n), Buffer.from(blob).toString("hex")]))
      }),
    ))

  it("contents, with missing objects or non-blobs between them", () =>
    fc.assert(
      fc.asyncProperty(sizes, async (cuts) => {
        const output = `${id(1)} blob 2\nab\n${id(2)} missing\n${id(3)} tree 4\n\n \n\n\n${id(4)} blob 0\n\n`
        const seen: Array<[string, string]> = []
        await readContents(
          pieces(Buffer.from(output), cuts),
          async (name, blob) => void seen.push([name, String(blob)]),
        )
        expect(seen).toEqual([
          [id(1), "ab"],
          [id(4), ""],
        ])
      }),
    ))

  it("trees", () =>
    fc.assert(
      fc.asyncProperty(sizes, async (cuts) => {
        const output =
          `100644 blob ${id(1)}      12\ta b.sol\x00100755 blob ${id(2)}     BAD\tsrc/\u00fc.sol\x00` +
          `040000 tree ${id(4)}       -\tsrc\x00120000 blob ${id(3)}       1\tl.sol\x00`
        const { files, skipped } = await readTree(pieces(Buffer.from(output), cuts), sourceLimits)
        expect(files).toEqual([
          { path: "a b.sol", id: id(1), size: 12 },
          { path: "src/\u00fc.sol", id: id(2), size: undefined },
        ])
        expect(skipped.map(({ file }) => file)).toEqual(["l.sol"])
      }),
    ))

  it("progress, which rises and ends at the last reported value", () =>
    fc.assert(
      fc.asyncProperty(sizes, async (cuts) => {
        const lines = [10, 50, 100].flatMap((percent) => [`Receiving objects: ${String(percent).padStart(3)}% (1/2)`])
        const seen: Array<number> = []
        const listen = transferProgress(rising((fraction) => seen.push(fraction)))
        for await (const piece of pieces(Buffer.from(`${lines.join("\r")}\n`), cuts)) listen(piece.toString())
        expect(seen.at(-1)).toBeCloseTo(0.9)
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      }),
    ))
})

describe("hostile output", () => {
  it("a name that is not UTF-8 is listed", async () => {
    const output = Buffer.concat([Buffer.from(`100644 blob ${id(1)}\tcaf`), Buffer.from([0xe9]), Buffer.from(".sol\0")])
    const { files, skipped } = await readTree(pieces(output, [1_000]), sourceLimits)
    expect(files).toEqual([])
    expect(skipped).toEqual([{ file: "caf\u00e9.sol", reason: "has a name that is not UTF-8" }])
  })

  it("an endless path is rejected", async () => {
    const output = Buffer.alloc(200_000, 97)
    await expect(readTree(pieces(output, [10_000]), sourceLimits)).rejects.toThrow(/too long/)
  })

  it("refs with invalid names are never HEAD", () => {
    for (const name of ["refs/heads/--upload-pack=x", "refs/heads/a..b", "refs/heads/x\u001b[2J"]) {
      expect(parseAdvertisedRefs(`ref: ${name}\tHEAD\n${id(1)}\tHEAD\n`).head).toBeUndefined()
    }
    expect(parseAdvertisedRefs(`ref: refs/heads/main\tHEAD\n`).head).toBe("refs/heads/main")
  })

  it.each([
    "a/../b.sol",
    "../a.sol",
    "/a.sol",
    "a//b.sol",
    "./a.sol",
    ".git/a.sol",
    "x/.GIT./a.sol",
    "GIT~1/a.sol",
    "a\\b.sol",
    "a\nb.sol",
  ])("the path %j is never written", (path) => {
    expect(pathObjection(path)).toBeDefined()
  })

  it.each(["a.sol", ".github/a.sol", "a..b/c.sol", "git/a.sol", "\u00fc/\u65e5\u672c.sol", ".gitmodules"])(
    "the path %j is",
    (path) => {
      expect(pathObjection(path)).toBeUndefined()
    },
  )
})

it("a long listing and its folders are read without blocking the process", async () => {
  const folders = "a/".repeat(400)
  const lines = Array.from({ length: 5_000 }, (_, i) => `100644 blob ${id(i)}\t${folders}F${i}.sol\0`)
  let turns = 0
  let immediate = setImmediate(function count() {
    turns++
    immediate = setImmediate(count)
  })
  let atItsEnd = 0
  const listing = async function* () {
    yield* pieces(Buffer.from(lines.join("")), [65_536])
    atItsEnd = turns
  }
  await readTree(listing(), sourceLimits)
  clearImmediate(immediate)
  expect(atItsEnd).toBeGreaterThan(0)
  expect(turns).toBeGreaterThan(atItsEnd)
})
