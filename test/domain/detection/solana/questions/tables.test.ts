import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../../../apps/engine/frontEnds.ts"
import { benchOf } from "../../../../mutation/bench.ts"
import { exampleProject } from "../../../../support/exampleRun.ts"
import { amounts } from "./tables/amounts.ts"
import { approvals } from "./tables/approvals.ts"
import { calls } from "./tables/calls.ts"
import { checks } from "./tables/checks.ts"
import { consent } from "./tables/consent.ts"
import { links } from "./tables/links.ts"
import { payments } from "./tables/payments.ts"
import { records } from "./tables/records.ts"
import { siblings } from "./tables/siblings.ts"
import { stakes } from "./tables/stakes.ts"

const solana = await frontEnd("solana")

describe.each([amounts, approvals, calls, checks, consent, links, payments, records, siblings, stakes])(
  "$meta.title",
  (table) => {
    it.each(table.examples.safe)("answers as the table says: %s", (program) => {
      const { sources } = exampleProject(solana, program)
      expect([...benchOf(solana, sources)(table as never).told]).toEqual([])
    })
  },
)
