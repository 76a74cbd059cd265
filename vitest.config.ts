import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// What a process spends on stripping types and compiling is spent once: test files and the programs that they start
// inherit this.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/assay/code")

/** Tests that start no process and hold nothing open. */
const pure = ["test/domain/**/*.test.ts", "test/application/**/*.test.ts"]

/** Those of them that measure CPU time, to which the memory of others would matter. */
const timed = ["test/domain/**/{cost,limits}.test.ts", "test/domain/detection/growth/*.test.ts"]

/** Tests outside of the domain of which that is true as well. */
const light = [
  "test/adapters/{advisories,local}/*.test.ts",
  "test/adapters/engine/{WorkMeter,collectingMonitor,ruleCatalog,ruleClock}.test.ts",
  "test/adapters/http/{clientAddress,openApiDocument,responseTypes}.test.ts",
  "test/adapters/jose/JoseSecretVault.test.ts",
  "test/adapters/memory/{MemoryRateLimiter,rememberExaminations,rememberResults}.test.ts",
  "test/adapters/redis/RedisSettings.test.ts",
  "test/adapters/tree-sitter/withoutTestModules.test.ts",
  "test/apps/{alertsAndDashboard,configurationTable,logs,printable}.test.ts",
  "test/apps/cli/*.test.ts",
  "test/contract/rateLimiter.test.ts",
  "test/{architecture,support/prometheusText}.test.ts",
]

/**
 * Tests of stores, and tests that send requests to the API in their own process, which hold no memory to the limit and no
 * clock to a fraction of a second.
 */
const stored = [
  "test/adapters/github/{GitHubCodeHost,emulator,syncRaces}.test.ts",
  "test/adapters/http/!(LargeAnswers|cutSlowReaders|reports).test.ts",
  "test/adapters/jose/JoseAccessTokens.test.ts",
  "test/adapters/memory/observeServices.test.ts",
  "test/adapters/model/{reviewRust,reviewerLayer}.test.ts",
  "test/adapters/postgres/{compareFingerprints,fairShare,listAnalyses}.test.ts",
  "test/adapters/sql/!(lookup).test.ts",
  "test/adapters/stripe/*.test.ts",
  "test/adapters/webhook/dispatchDeliveries.test.ts",
  "test/contract/{pglite,postgres}.test.ts",
]

const isDeno = process.env["ASSAY_RUNTIME"] === "deno"

/**
 * Under another runtime, `exampleFindings.test.ts` compares what all rules find in two examples of each with the record;
 * that the examples mean what they say does not depend on the runtime.
 */
const provenByNode = isDeno ? ["test/domain/detection/{examples,exampleMutations,exampleVariants}.test.ts"] : []

/**
 * Much of the time of the first ones goes by waiting, which CI fills with its other checks; when those are done, what
 * measures CPU time follows, and the shortest files end both workers at once.
 */
const order = ["whole", "stored", "timed", "light", "pure"]

class Ordered extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ project }: TestSpecification): number => order.indexOf(project.name)
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: Ordered },
    projects: [
      // One process for many files, which saves 0.6 s of CPU per file, and 2 where a file loads the API.
      { extends: true, test: { name: "pure", include: pure, exclude: [...timed, ...provenByNode], isolate: false } },
      { extends: true, test: { name: "light", include: light, isolate: false } },
      { extends: true, test: { name: "timed", include: timed } },
      {
        extends: true,
        test: {
          name: "stored",
          globalSetup: ["test/support/dashboardOnce.ts", "test/support/postgresOnce.ts"],
          include: stored,
          exclude: light,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          globalSetup: ["test/support/dashboardOnce.ts", "test/support/postgresOnce.ts"],
          include: ["test/**/*.test.ts"],
          exclude: [
            ...pure,
            ...light,
            ...stored,
            "test/bench/**",
            "test/deploy/**",
            "test/k8s/**",
            "test/openapi/**",
            "test/engines/**",
            "test/oracle/rust/**",
            "test/rolling/**",
          ],
        },
      },
    ],
    // Under Deno, CI runs them in whatever time is left over.
    testTimeout: isDeno ? 600_000 : 60_000,
    hookTimeout: 120_000,
    // What is polled may wait for a page, which takes more than the default second on a full machine.
    expect: { poll: { timeout: 15_000 } },
    // A process per file, except for pure tests: what one file leaves in memory makes each process that the next one
    // starts slower.
    pool: "forks",
    // Node strips the types itself, as it does in production: through Vite's module runner a file took 1.2 s of CPU more.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // As the programs do, for which a file takes 0.3 s of CPU less.
    execArgv: isDeno ? [] : ["--import", join(import.meta.dirname, "apps/cli/exactImports.ts")],
    // One less than the cores by default, and much of the time goes by waiting for other processes. With a third one, two
    // cores finish no earlier, and what has to happen within seconds happens late.
    maxWorkers: 2,
    // Faults are injected in real time, on machines that do other things as well: what fails twice in a row is broken.
    // A test that needed its second run is marked in the output.
    retry: process.env["CI"] === undefined ? 0 : 1,
  },
})
