import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/bench/**",
      "test/deploy/**",
      "test/k8s/**",
      "test/openapi/**",
      "test/engines/**",
      "test/oracle/rust/**",
    ],
    globalSetup: ["test/support/dashboardOnce.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: "threads",
    // One less than the cores by default, and much of the time goes by waiting for other processes.
    maxWorkers: 2,
  },
})
