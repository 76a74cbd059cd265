import { defineConfig } from "vitest/config"

/** On demand: fetches engines from npm into a separate folder. */
export default defineConfig({
  test: { include: ["test/engines/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 1_200_000, pool: "forks" },
})
