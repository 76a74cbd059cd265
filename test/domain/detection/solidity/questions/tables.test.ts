import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../../../apps/engine/frontEnds.ts"
import { benchOf } from "../../../../mutation/bench.ts"
import { exampleProject } from "../../../../support/exampleRun.ts"
import { chosenNumbers } from "./tables/chosenNumbers.ts"
import { accounts } from "./tables/accounts.ts"
import { callers } from "./tables/callers.ts"
import { charges } from "./tables/charges.ts"
import { decisions } from "./tables/decisions.ts"
import { deeds } from "./tables/deeds.ts"
import { draws } from "./tables/draws.ts"
import { earnings } from "./tables/earnings.ts"
import { lacks } from "./tables/lacks.ts"
import { numbers } from "./tables/numbers.ts"
import { papers } from "./tables/papers.ts"
import { parameters } from "./tables/parameters.ts"
import { relays } from "./tables/relays.ts"
import { rights } from "./tables/rights.ts"
import { standings } from "./tables/standings.ts"
import { tallies } from "./tables/tallies.ts"
import { times } from "./tables/times.ts"
import { twins } from "./tables/twins.ts"
import { wraps } from "./tables/wraps.ts"

const evm = await frontEnd("evm")

describe.each([
  accounts,
  callers,
  charges,
  chosenNumbers,
  decisions,
  deeds,
  draws,
  earnings,
  lacks,
  numbers,
  papers,
  parameters,
  relays,
  rights,
  standings,
  tallies,
  times,
  twins,
  wraps,
])("$meta.title", (table) => {
  it.each(table.examples.safe)("returns what the table says: %s", (program) => {
    const { sources } = exampleProject(evm, program)
    const wrong = [...benchOf(evm, sources)(table as never).places].map(
      (place) => program.split("\n")[Number(place.split(":")[1]) - 1],
    )
    expect(wrong).toEqual([])
  })
})
