import * as fc from "fast-check"
import { expect, it } from "vitest"
import { compositeKey, partsOf } from "../../application/compositeKey.ts"

const parts = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", " ", ",", '"', '","', "\\", "\0")), {
  maxLength: 4,
})

it("different parts never make the same key", () => {
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      expect(partsOf(compositeKey(...left))).toEqual(left)
      expect(compositeKey(...left) === compositeKey(...right)).toBe(JSON.stringify(left) === JSON.stringify(right))
    }),
  )
})
