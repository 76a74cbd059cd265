import { defineConfig } from "vitest/config"

/** Checks of the deployment, which install their own tools and are therefore not part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/deploy/**/*.test.ts"],
    globalSetup: ["test/deploy/tools.ts"],
    // In CI, the image is built and started in what time other tests leave over.
    testTimeout: 240_000,
    hookTimeout: 900_000,
  },
})
