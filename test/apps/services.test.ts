import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { Refusal } from "../../apps/runMain.ts"
import { configuration } from "../../apps/wiring/configuration.ts"
import { tracing } from "../../apps/wiring/telemetry.ts"
import { startProgram } from "../support/program.ts"

/** Nothing listens there. */
const nowhere = "postgres://someone:geheim@127.0.0.1:1/assay"

const programs = { api: "api/main.ts", worker: "worker/main.ts", migrate: "cli/migrate.ts" } as const
type Name = keyof typeof programs
const names = Object.keys(programs) as ReadonlyArray<Name>

/** Runs a program to its end; returns, among others, the last line of standard error. */
const end = async (name: Name, environment: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) => {
  const program = startProgram(programs[name], flags, environment)
  const code = await program.ended
  expect(program.stderr()).not.toContain("geheim")
  expect(program.stderr()).not.toContain("    at ")
  return { code, said: program.stderr().trim().split("\n").at(-1)!, stdout: program.stdout() }
}

describe("the processes", { timeout: 60_000 }, () => {
  it.each(names)("%s --help says what it does and where to read more", async (name) => {
    const { code, stdout } = await end(name, {}, "--help")
    expect(code).toBe(0)
    expect(stdout).toContain("DATABASE_URL")
    expect(stdout).toContain("docs/operations.md")
  })

  it.each([
    ["worker", { METRICS_PORT: "0" }, /^Set DATABASE_URL to the URL of a Postgres database, such as postgres:/],
    ["api", { DATABASE_URL: nowhere, PORT: "8081", METRICS_PORT: "8081" }, /^METRICS_PORT and PORT are both 8081\./],
    ["migrate", { DATABASE_URL: "postgres://someone:geheim@" }, /^DATABASE_URL is not the URL of a Postgres database/],
  ] as const)("%s with %j says in a sentence what is wrong, and exits with 2", async (name, environment, sentence) => {
    const { code, said } = await end(name, environment)
    expect(said).toMatch(sentence)
    expect(code).toBe(2)
  })

  it("a worker whose METRICS_PORT is taken says so", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    // A TCP server's address is not a path.
    const { port } = other.address() as AddressInfo
    const { code, said } = await end("worker", { DATABASE_URL: nowhere, METRICS_PORT: String(port) })
    other.close()
    expect(said).toMatch(new RegExp(`^METRICS_PORT ${port} is already in use`))
    expect(code).toBe(2)
  })
})

describe("the configuration", () => {
  /** What is printed for an invalid environment. */
  const refusal = (environment: Readonly<Record<string, string>>) =>
    Effect.runPromise(
      Effect.andThen(configuration, Effect.scoped(Layer.build(tracing("assay-test")))).pipe(
        Effect.flip,
        Effect.map((error) => {
          expect(error).toBeInstanceOf(Refusal)
          return error.message
        }),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: environment })),
      ),
    )

  it.each([
    [{ METRICS_PORT: "many" }, /^Invalid configuration\. METRICS_PORT: .*number/],
    [{ METRICS_PORT: "70000" }, /^Invalid configuration\. METRICS_PORT: .*65535/],
    [{ ASSAY_GRACE_PERIOD: "soon" }, /^Invalid configuration\. ASSAY_GRACE_PERIOD: /],
    [{ ASSAY_GRACE_PERIOD: "2 hours" }, /^ASSAY_GRACE_PERIOD must be a duration of at most 1 hour/],
    [{ ASSAY_WORKER_CONCURRENCY: "0" }, /^Invalid configuration\. ASSAY_WORKER_CONCURRENCY: /],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /^OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_EXPORTER_OTLP_HEADERS: "geheim" }, /name=value/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /^Invalid configuration\. OTEL_EXPORTER_OTLP_PROTOCOL: /],
    [{ OTEL_TRACES_SAMPLER: "some" }, /^Invalid configuration\. OTEL_TRACES_SAMPLER: .*always_on/],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, /^Invalid configuration\. OTEL_TRACES_SAMPLER_ARG: /],
  ])("refuses %j in a sentence", async (environment, sentence) => {
    const said = await refusal(environment)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/geheim|SchemaError|\n/)
  })
})
