import { defineConfig } from "vitest/config"

/** On demand: fetches linters and generators from npm and PyPI, 110 MB of them, into a folder of their own. */
export default defineConfig({
  test: { include: ["test/openapi/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 600_000, pool: "threads" },
})
