import { describe, expect, it } from "vitest"
import { CoverageLedger } from "../../../domain/detection/CoverageLedger.ts"

const engine = { name: "assay", version: "1" }

describe("a skipped file", () => {
  it("keeps the first reason, of which later ones are consequences", () => {
    const ledger = new CoverageLedger()
    ledger.skip("A.sol", "is not text")
    ledger.skip("A.sol", "could not be read")
    expect(ledger.coverage(engine).filesSkipped).toEqual([{ file: "A.sol", reason: "is not text" }])
  })

  it("gets that reason if it turns out to be harmful, and no longer counts as analyzed", () => {
    const ledger = new CoverageLedger()
    ledger.analyze("A.sol")
    ledger.skip("A.sol", "a line was not understood")
    ledger.exclude("A.sol", "took too long")
    const { filesAnalysed, filesSkipped } = ledger.coverage(engine)
    expect({ filesAnalysed, filesSkipped }).toEqual({
      filesAnalysed: 0,
      filesSkipped: [{ file: "A.sol", reason: "took too long" }],
    })
  })
})
