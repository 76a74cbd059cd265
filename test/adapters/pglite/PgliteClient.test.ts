import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { embeddedDatabase } from "../../support/databases.ts"

class Abandoned extends Error {}

layer(embeddedDatabase)("the embedded client", (it) => {
  const table = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`CREATE TABLE IF NOT EXISTS entries (name text PRIMARY KEY)`
    yield* sql`TRUNCATE entries`
    const add = (name: string) => sql`INSERT INTO entries VALUES (${name})`
    const names = Effect.map(sql<{ name: string }>`SELECT name FROM entries ORDER BY name`, (rows) =>
      rows.map((row) => row.name),
    )
    return { sql, add, names }
  })

  it.effect("commits a transaction completely or not at all", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      yield* sql.withTransaction(Effect.andThen(add("a"), add("b")))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(add("c"), Effect.fail(new Abandoned()))))
      assert.deepEqual(yield* names, ["a", "b"])
    }),
  )

  it.effect("rolls a nested transaction back only to its savepoint", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      const nested = Effect.exit(sql.withTransaction(Effect.andThen(add("inner"), Effect.fail(new Abandoned()))))
      yield* sql.withTransaction(Effect.all([add("before"), nested, add("later")]))
      assert.deepEqual(yield* names, ["before", "later"])
    }),
  )

  it.effect("isolates 400 interleaved transactions and statements", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      const one = (n: number): Effect.Effect<unknown, unknown> => {
        const name = `n${String(n).padStart(3, "0")}`
        if (n % 3 === 0) return add(name)
        const twice = Effect.all([add(name), add(`${name}-b`)])
        return n % 3 === 1
          ? sql.withTransaction(twice)
          : Effect.exit(sql.withTransaction(Effect.andThen(twice, Effect.fail(new Abandoned()))))
      }
      const numbers = Array.from({ length: 400 }, (_, n) => n)
      yield* Effect.forEach(numbers, one, { concurrency: "unbounded" })
      const expected = numbers.flatMap((n) => {
        const name = `n${String(n).padStart(3, "0")}`
        return n % 3 === 0 ? [name] : n % 3 === 1 ? [name, `${name}-b`] : []
      })
      assert.deepEqual((yield* names).toSorted(), expected.toSorted())
    }),
  )

  it.effect("continues after a fiber that waited for the session was interrupted", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      const [holding, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(holding, undefined), Deferred.await(release))),
      )
      yield* Deferred.await(holding)
      const waiting = yield* Effect.forkChild(add("waiting"), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* add("after")
      assert.deepEqual(yield* names, ["after"])
    }),
  )

  it.effect("rolls back an interrupted transaction and continues", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      const added = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        sql.withTransaction(Effect.all([add("a"), Deferred.succeed(added, undefined), Effect.never])),
      )
      yield* Deferred.await(added)
      yield* Fiber.interrupt(fiber)
      yield* add("b")
      assert.deepEqual(yield* names, ["b"])
    }),
  )

  it.effect("fails a commit of a transaction that a swallowed error has aborted", () =>
    Effect.gen(function* () {
      const { sql, add, names } = yield* table
      const exit = yield* Effect.exit(sql.withTransaction(Effect.all([add("a"), Effect.exit(add("a"))])))
      assert.isTrue(Exit.isFailure(exit))
      assert.deepEqual(yield* names, [])
    }),
  )

  it.effect("classifies errors by their SQLSTATE", () =>
    Effect.gen(function* () {
      const { sql, add } = yield* table
      yield* add("a")
      assert.strictEqual((yield* Effect.flip(add("a"))).reason._tag, "UniqueViolation")
      assert.strictEqual((yield* Effect.flip(sql`SELEC 1`)).reason._tag, "SqlSyntaxError")
      assert.strictEqual((yield* Effect.flip(sql`INSERT INTO entries VALUES (NULL)`)).reason._tag, "ConstraintError")
    }),
  )
})
