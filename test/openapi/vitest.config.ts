import { defineConfig } from "vitest/config"

/** On demand: fetches 110 MB of linters and generators from npm and PyPI into a separate folder. */
export default defineConfig({
  test: { include: ["test/openapi/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 600_000, pool: "threads" },
})
