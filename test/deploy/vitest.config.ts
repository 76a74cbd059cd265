import { defineConfig } from "vitest/config"

/** Checks of the deployment, which install their own tools and are therefore not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/deploy/**/*.test.ts"],
    globalSetup: ["test/deploy/tools.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
