import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Manifest, manifestsOf, podTemplates } from "../deploy/manifests.ts"
import { command, deploymentTools } from "../deploy/tools.ts"
import { type ApiServer, startApiServer } from "./ApiServer.ts"
import { applyManifest, pathOf } from "./applyManifest.ts"

const project = join(import.meta.dirname, "../..")
const overlays = ["base", "overlays/dev", "overlays/production", "overlays/production-keda"]

/** The definitions published by KEDA and the Prometheus operator, from their Go modules. */
const definitions = async (): Promise<ReadonlyArray<Manifest>> => {
  const folderOf = async (module: string): Promise<string> => {
    const downloaded = await command("go", ["mod", "download", "-json", module], {
      cwd: join(import.meta.dirname, "crds"),
    })
    return JSON.parse(downloaded).Dir
  }
  const keda = join(await folderOf("github.com/kedacore/keda/v2@v2.18.1"), "config/crd/bases")
  const prometheus = join(
    await folderOf("github.com/prometheus-operator/prometheus-operator@v0.85.0"),
    "example/prometheus-operator-crd",
  )
  return [
    join(keda, "keda.sh_scaledobjects.yaml"),
    join(keda, "keda.sh_triggerauthentications.yaml"),
    join(prometheus, "monitoring.coreos.com_podmonitors.yaml"),
    join(prometheus, "monitoring.coreos.com_prometheusrules.yaml"),
  ].flatMap((file) => manifestsOf(readFileSync(file, "utf8")))
}

let server: ApiServer
let rendered: ReadonlyMap<string, ReadonlyArray<Manifest>>

beforeAll(async () => {
  const tools = await deploymentTools()
  const texts = await Promise.all(overlays.map((overlay) => tools.kustomize(join(project, "k8s", overlay))))
  rendered = new Map(overlays.map((overlay, index) => [overlay, manifestsOf(texts[index]!)]))
  server = await startApiServer()
  console.info(`kube-apiserver ${server.version}`)
  for (const definition of await definitions()) {
    const { status, body } = await applyManifest(server, definition)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
  }
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const { body } = await server.request("GET", "/apis/monitoring.coreos.com/v1")
    const { body: keda } = await server.request("GET", "/apis/keda.sh/v1alpha1")
    if (body.resources?.length >= 2 && keda.resources?.length >= 2) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error("the server does not serve the custom resources")
})
afterAll(() => server?.stop())

describe.each(overlays)("k8s/%s", (overlay) => {
  const all = () => rendered.get(overlay)!
  const namespace = () => all().find(({ kind }) => kind === "Namespace")!

  beforeAll(async () => {
    expect((await applyManifest(server, namespace())).status).toBeLessThan(300)
  })

  it("is accepted completely in a dry run, without warnings", async () => {
    const refused: Array<string> = []
    for (const manifest of all()) {
      const { status, warnings, body } = await applyManifest(server, manifest, "dry run")
      const what = `${manifest.kind} ${manifest.metadata.name}`
      if (status >= 300) refused.push(`${what}: ${status} ${body.message}`)
      refused.push(...warnings.map((warning) => `${what}: ${warning}`))
    }
    expect(refused).toEqual([])
    console.info(`${overlay}: ${all().length} objects`)
  })

  it("changes nothing when applied a second time, including the migration's Job", async () => {
    for (const manifest of all()) {
      const first = await applyManifest(server, manifest)
      expect(first.status, `${manifest.kind} ${manifest.metadata.name}: ${first.body.message}`).toBeLessThan(300)
      const second = await applyManifest(server, manifest)
      expect(second.status).toBe(200)
      expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
    }
  })

  it("creates pods that the restricted standard admits", async () => {
    const path = `/api/v1/namespaces/${namespace().metadata.name}/pods?dryRun=All&fieldValidation=Strict`
    // Without its controller the default service account of the namespace is missing.
    const account = { apiVersion: "v1", kind: "ServiceAccount" }
    const metadata = { name: "default", namespace: namespace().metadata.name }
    expect((await applyManifest(server, { ...account, metadata })).status).toBeLessThan(300)
    const templates = podTemplates(all())
    expect(templates.length).toBeGreaterThanOrEqual(3)
    for (const { workload, labels, spec } of templates) {
      const claims: ReadonlyArray<Manifest> = workload.spec.volumeClaimTemplates ?? []
      const volumes = claims.map(({ metadata: { name } }) => ({ name, persistentVolumeClaim: { claimName: name } }))
      // What the workload's controller would create from the template.
      const withVolumes = { ...spec, volumes: [...((spec as { volumes?: Array<unknown> }).volumes ?? []), ...volumes] }
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { generateName: "test-", labels }, spec: withVolumes }
      const { status, warnings, body } = await server.request("POST", path, pod)
      expect(status, `${workload.metadata.name}: ${body.message}`).toBe(201)
      expect(warnings).toEqual([])

      const [container] = spec.containers
      const loose = { ...container, securityContext: { privileged: true } }
      const refused = await server.request("POST", path, { ...pod, spec: { ...withVolumes, containers: [loose] } })
      expect(refused.status).toBe(403)
      expect(refused.body.message).toContain('violates PodSecurity "restricted:latest"')
    }
  })

  it("rejects changes to the migration's Job, and accepts the next release's once it is deleted", async () => {
    const job = all().find(({ kind }) => kind === "Job")!
    const next: Manifest = structuredClone(job)
    next.spec.template.spec.containers[0].image = "assay:0.2.0"
    expect((await applyManifest(server, next)).status).toBe(422)
    const path = await pathOf(server, job)
    expect((await server.request("DELETE", `${path}?propagationPolicy=Background`)).status).toBe(200)
    expect((await applyManifest(server, next)).status).toBe(201)
    expect((await server.request("DELETE", `${path}?propagationPolicy=Background`)).status).toBe(200)
  })
})
