import { defineConfig } from "vitest/config"

/** On demand: needs cargo, and 30 s to compile what it runs the first time. */
export default defineConfig({
  test: { include: ["test/oracle/rust/**/*.test.ts"], testTimeout: 600_000, pool: "threads" },
})
