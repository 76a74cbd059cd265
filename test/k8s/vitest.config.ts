import { defineConfig } from "vitest/config"

/** On demand, because its API server takes ten minutes to compile the first time. */
export default defineConfig({
  test: {
    include: ["test/k8s/**/*.test.ts"],
    globalSetup: ["test/deploy/tools.ts"],
    testTimeout: 60_000,
    hookTimeout: 3_600_000,
  },
})
