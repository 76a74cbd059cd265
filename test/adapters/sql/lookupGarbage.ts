/**
 * Prints the bytes that 32,000 lookups of 2 KB leave in the old generation. A program of its own, with a collector that
 * marks nothing while they run: what is promoted during a marking counts as alive until the next one.
 */
import { getHeapSpaceStatistics } from "node:v8"
import * as Effect from "effect/Effect"
import { makeLookup } from "../../../adapters/sql/lookup.ts"

const lookUp = makeLookup<{ readonly key: string }>({
  find: (keys) => Effect.sync(() => keys.map((key) => ({ key }))),
  keyOf: ({ key }) => key,
})

/** Bytes of what outlived two collections of the young generation. */
const oldSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")!.space_used_size

const ofOneRequest = (key: string) => {
  const request = Array.from({ length: 250 }, () => key)
  return Effect.map(lookUp(key), (found) => [found, request.length])
}
const keys = Array.from({ length: 32 }, (_, index) => String(index))
const turn = Effect.forEach(keys, ofOneRequest, { concurrency: "unbounded", discard: true })
const turns = Effect.repeat(turn, { times: 1_000 })

await Effect.runPromise(turns)
// Moves what is in use now to the old generation.
globalThis.gc!()
const before = oldSpace()
await Effect.runPromise(turns)
process.stdout.write(String(oldSpace() - before))
