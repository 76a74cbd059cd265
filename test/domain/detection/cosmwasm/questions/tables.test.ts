import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../../../apps/engine/frontEnds.ts"
import { benchOf } from "../../../../mutation/bench.ts"
import { exampleProject } from "../../../../support/exampleRun.ts"
import { balances } from "./tables/balances.ts"
import { effects } from "./tables/effects.ts"
import { marks } from "./tables/marks.ts"
import { powersOfAnyone } from "./tables/powers.ts"
import { repeats } from "./tables/repeats.ts"
import { senders } from "./tables/senders.ts"
import { tallies } from "./tables/tallies.ts"

const cosmwasm = await frontEnd("cosmwasm")

describe.each([balances, effects, marks, powersOfAnyone, repeats, senders, tallies])("$meta.title", (table) => {
  it.each(table.examples.safe)("answers as the table says: %s", (program) => {
    const { sources } = exampleProject(cosmwasm, program)
    expect([...benchOf(cosmwasm, sources)(table as never).told]).toEqual([])
  })
})
