import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ruleCatalog } from "../../../adapters/engine/ruleCatalog.ts"
import { RuleCatalog } from "../../../application/ports/analysis/RuleCatalog.ts"
import { catalog } from "../../../domain/detection/catalog.ts"

it.effect("the service's catalog is the rules' own, each with its first examples, read once", () =>
  Effect.gen(function* () {
    const rules = yield* RuleCatalog
    const [first, second] = yield* Effect.all([rules, rules], { concurrency: "unbounded" })
    assert.deepStrictEqual(
      first,
      catalog.map(({ meta, examples: { vulnerable, safe } }) => ({
        ...meta,
        examples: { vulnerable: vulnerable[0], safe: safe[0] },
      })),
    )
    assert.strictEqual(yield* rules, first)
    assert.strictEqual(second, first)
  }).pipe(Effect.provide(ruleCatalog)),
)
