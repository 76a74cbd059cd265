import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { AnalysisResult } from "../../../domain/analysis/Analysis.ts"
import { renderJson } from "../../../domain/report/Json.ts"
import { analysisResult } from "./arbitraries.ts"

it("the JSON export parses to the result from which it was made", () => {
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(AnalysisResult))
  fc.assert(
    fc.property(analysisResult, (result) => {
      expect(decode(renderJson(result))).toEqual(result)
    }),
  )
})
