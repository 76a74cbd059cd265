import { defineConfig } from "vitest/config"

/** On demand: it requires an earlier release, installed in a separate folder that `ASSAY_FORMER` names. */
export default defineConfig({
  test: { include: ["test/rolling/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 120_000, pool: "forks" },
})
