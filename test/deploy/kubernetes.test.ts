import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { BlockList } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isPublicAddress } from "../../domain/network/AddressKind.ts"
import { parse, stringify } from "yaml"
import { type Manifest, manifestsOf, type PodTemplate, podTemplates, selects } from "./manifests.ts"
import { deploymentTools, type Tools } from "./tools.ts"

const project = join(import.meta.dirname, "../..")
const operations = readFileSync(join(project, "docs/operations.md"), "utf8")
const guide = readFileSync(join(project, "k8s/README.md"), "utf8")
const scratch = mkdtempSync(join(tmpdir(), "assay-deploy-"))
const kubernetesVersion = "1.34"

let tools: Tools
beforeAll(async () => {
  tools = await deploymentTools()
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Mebibytes of a quantity such as `1Gi`. */
const mebibytes = (quantity: string): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  if (number === undefined) throw new Error(`the test does not know the quantity ${quantity}`)
  return Number(number) * (unit === "Gi" ? 1024 : 1)
}

describe.each(["base", "overlays/dev", "overlays/production", "overlays/production-keda"])("k8s/%s", (folder) => {
  let manifests: ReadonlyArray<Manifest>
  let pods: ReadonlyArray<PodTemplate>
  beforeAll(async () => {
    manifests = manifestsOf(await tools.kustomize(join(project, "k8s", folder)))
    pods = podTemplates(manifests)
  })

  const ofKind = (...kinds: ReadonlyArray<string>) => manifests.filter(({ kind }) => kinds.includes(kind))
  const written = (name: string, some: ReadonlyArray<Manifest>): string => {
    const file = join(scratch, `${folder.replaceAll("/", "-")}-${name}.yaml`)
    writeFileSync(file, some.map((manifest) => JSON.stringify(manifest)).join("\n---\n"))
    return file
  }
  const settings = () => ofKind("ConfigMap").find(({ metadata }) => metadata.name.startsWith("assay-settings"))!.data!
  const podOf = (component: string): PodTemplate =>
    pods.find(({ labels }) => labels["app.kubernetes.io/component"] === component)!

  it(`fits the schemas of Kubernetes ${kubernetesVersion}, unknown fields being errors`, async () => {
    // This tool has no schemas of custom resources; `npm run test:k8s` uses an API server that does.
    const builtIn = manifests.filter(({ apiVersion }) => !/^(?:keda\.sh|monitoring\.coreos\.com)\//.test(apiVersion))
    expect(builtIn.length).toBeGreaterThan(10)
    await tools.kubernetesValidate(written("built-in", builtIn), kubernetesVersion)
    const wrong = { ...builtIn.find(({ kind }) => kind === "Deployment")!, speck: {} }
    await expect(tools.kubernetesValidate(written("wrong", [wrong]), kubernetesVersion)).rejects.toThrow("speck")
  })

  it("has no kube-score findings at error level", async () => {
    await tools.kubeScore(written("all", manifests))
    const wrong = manifests.filter(({ kind }) => kind !== "NetworkPolicy")
    await expect(tools.kubeScore(written("open", wrong))).rejects.toThrow("Pod NetworkPolicy")
  })

  it("puts everything into one namespace that enforces the restricted standard", () => {
    const [namespace, ...others] = ofKind("Namespace")
    expect(others).toEqual([])
    expect(namespace?.metadata.labels).toMatchObject({ "pod-security.kubernetes.io/enforce": "restricted" })
    const elsewhere = manifests.filter(
      ({ kind, metadata }) => kind !== "Namespace" && metadata.namespace !== namespace?.metadata.name,
    )
    expect(elsewhere).toEqual([])
  })

  it("gives no pod or account a token", () => {
    for (const { spec, workload } of pods) expect(spec.automountServiceAccountToken, workload.metadata.name).toBe(false)
    for (const account of ofKind("ServiceAccount"))
      expect(account).toMatchObject({ automountServiceAccountToken: false })
  })

  it("contains no secrets, and the guide lists each one to which it refers", () => {
    expect(ofKind("Secret")).toEqual([])
    const references = pods.flatMap(({ spec }) =>
      spec.containers.flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])),
    )
    expect(references.length).toBeGreaterThan(3)
    for (const { name, key } of references) expect(guide).toMatch(new RegExp(`\`${name}\`.*\`${key}\``))
    const inTheOpen = pods.flatMap(({ spec }) =>
      spec.containers.flatMap(({ env = [] }) =>
        env.filter(({ name, value }) => value !== undefined && /SECRET|PASSWORD|_KEYS?$|_URL$|TOKEN/.test(name)),
      ),
    )
    expect(inTheOpen).toEqual([])
  })

  it("sets only variables that docs/operations.md explains", () => {
    const names = [
      ...Object.keys(settings()),
      ...pods
        .filter(({ labels }) => ["api", "worker", "migrate"].includes(labels["app.kubernetes.io/component"]!))
        .flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name))),
    ]
    const unknown = names.filter((name) => name !== "NODE_OPTIONS" && !operations.includes(`\`${name}\``))
    expect(unknown).toEqual([])
  })

  it("runs one version of the image for all processes", () => {
    const images = pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image))
    for (const image of images) expect(image).toMatch(/(?::\d+\.\d+[\w.-]*|@sha256:[0-9a-f]{64})$/)
    expect(new Set(images.filter((image) => /(?:^|\/)assay[:@]/.test(image))).size).toBe(1)
  })

  it("has services, budgets, monitors and policies that select existing pods and ports", () => {
    const selecting = [
      ...ofKind("Service").map((manifest) => ({ manifest, selector: { matchLabels: manifest.spec.selector } })),
      ...ofKind("PodDisruptionBudget", "PodMonitor").map((manifest) => ({
        manifest,
        selector: manifest.spec.selector,
      })),
      ...ofKind("NetworkPolicy").map((manifest) => ({ manifest, selector: manifest.spec.podSelector })),
    ]
    for (const { manifest, selector } of selecting) {
      const selected = pods.filter(({ labels }) => selects(selector, labels))
      expect(selected, `${manifest.kind} ${manifest.metadata.name}`).not.toEqual([])
      if (manifest.kind !== "Service") continue
      const ports = selected.flatMap(({ spec }) =>
        spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
      )
      for (const { targetPort } of manifest.spec.ports) expect(ports).toContain(targetPort)
    }
  })

  it("has at most one autoscaler per Deployment, which alone sets its replicas", () => {
    const targets = ofKind("HorizontalPodAutoscaler", "ScaledObject").map(({ spec }) => spec.scaleTargetRef.name)
    expect(new Set(targets).size).toBe(targets.length)
    expect(targets).toContain("assay-api")
    for (const { metadata, spec } of ofKind("Deployment")) {
      expect(spec.replicas === undefined, metadata.name).toBe(targets.includes(metadata.name) || folder === "base")
    }
  })

  it("leaves each process enough time to terminate", () => {
    const api = podOf("api").spec
    // preStop, the drain delay, the requests in progress.
    const preStop = api.containers[0]!.lifecycle!.preStop.sleep.seconds
    expect(api.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + 5 + 20 + 5)
    const grace = Number(/^(\d+) seconds$/.exec(settings()["ASSAY_GRACE_PERIOD"]!)![1])
    expect(podOf("worker").spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(grace + 10)
  })

  it("gives a worker 1.5 GB per slot, and the same again for the rest", () => {
    const [{ env, resources }] = podOf("worker").spec.containers as [PodTemplate["spec"]["containers"][number]]
    const concurrency = Number(env!.find(({ name }) => name === "ASSAY_WORKER_CONCURRENCY")!.value)
    expect(mebibytes(resources.limits.memory) * 1.048576).toBeGreaterThanOrEqual(1500 * (concurrency + 1))
  })

  it("starts the API as the image does", () => {
    const [container] = podOf("api").spec.containers
    expect(container).not.toHaveProperty("command")
    expect(container).not.toHaveProperty("args")
  })

  it("denies all traffic that no policy allows", () => {
    expect(ofKind("NetworkPolicy").map(({ spec }) => spec)).toContainEqual({
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
    })
  })

  it("lets API and workers connect only to public addresses, as defined by the domain", () => {
    interface Peer {
      readonly ipBlock?: { readonly cidr: string; readonly except?: ReadonlyArray<string> }
    }
    const family = (address: string) => (address.includes(":") ? "ipv6" : "ipv4")
    const list = (ranges: ReadonlyArray<string>): BlockList => {
      const blocks = new BlockList()
      for (const range of ranges) {
        const [network, bits] = range.split("/")
        blocks.addSubnet(network!, Number(bits), family(network!))
      }
      return blocks
    }
    const open = ofKind("NetworkPolicy").flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to }: { readonly to: ReadonlyArray<Peer> }) =>
        to.flatMap(({ ipBlock }) => (ipBlock?.except === undefined ? [] : [{ ...ipBlock, except: ipBlock.except }])),
      ),
    )
    expect(open).toHaveLength(4)
    // An address in each /24 of IPv4, and the boundaries of each IPv6 range.
    const addresses = Array.from({ length: 65_536 }, (_, index) => `${index >> 8}.${index & 255}.2.9`).concat(
      "192.0.0.1 192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.1 169.254.169.254 168.63.129.16 100.100.100.200".split(
        " ",
      ),
      ":: ::1 ::ffff:10.0.0.1 fe80::1 fc00::1 fd00:ec2::254 ff02::1 2001::1 2001:1ff::1 2001:db8::1".split(" "),
      "2002:a00:1::1 3fff::1 2606:4700::1111 2a00:1450::1 2001:4860::8".split(" "),
    )
    const policies = open.map(({ cidr, except }) => ({ cidr, inside: list([cidr]), outside: list(except) }))
    const passes = (address: string, { inside, outside }: (typeof policies)[number]): boolean =>
      inside.check(address, family(address)) && !outside.check(address, family(address))
    const wrong = addresses.filter((address) =>
      policies
        .filter(({ cidr }) => family(cidr) === family(address))
        .some((policy) => passes(address, policy) !== isPublicAddress(address)),
    )
    expect(wrong).toEqual([])
  })
})

describe("the Prometheus operator's rules", () => {
  it("are those of k8s/observability/alerts.yaml; `npm run test:deploy -- --update` copies them", async () => {
    const { groups } = parse(readFileSync(join(project, "k8s/observability/alerts.yaml"), "utf8"))
    const rule = {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PrometheusRule",
      metadata: { name: "assay" },
      spec: { groups },
    }
    const text = `# Copied from k8s/observability/alerts.yaml by \`npm run test:deploy -- --update\`.\n${stringify(rule, { lineWidth: 0 })}`
    await expect(text).toMatchFileSnapshot(join(project, "k8s/components/monitoring/prometheus-rule.yaml"))
  })
})
