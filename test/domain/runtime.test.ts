import { expect, it } from "vitest"

it("runs under the runtime that the command names", () => {
  expect("Deno" in globalThis).toBe(process.env["ASSAY_RUNTIME"] === "deno")
})
