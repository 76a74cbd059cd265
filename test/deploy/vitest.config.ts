import { defineConfig } from "vitest/config"

/** What checks the deployment: it installs tools of its own, so that `npm test` leaves it out. */
export default defineConfig({
  test: {
    include: ["test/deploy/**/*.test.ts"],
    globalSetup: ["test/deploy/tools.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
