import { type ChildProcess, spawn } from "node:child_process"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { command, made } from "../deploy/tools.ts"

const version = "1.34.2"

/** kube-apiserver and etcd, compiled at the lowest priority (9 minutes on two cores) and kept in the cache folder. */
const binaries = (): Promise<string> => {
  const module = (name: string) => join(import.meta.dirname, name)
  const [major, minor] = version.split(".")
  const stamp = "-X k8s.io/component-base/version"
  const flags = `-s -w ${stamp}.gitVersion=v${version} ${stamp}.gitMajor=${major} ${stamp}.gitMinor=${minor}`
  const build = (name: string, program: string, folder: string) =>
    command(
      "nice",
      ["-n19", "go", "build", "-p=2", "-trimpath", `-ldflags=${flags}`, "-o", join(folder, name), program],
      {
        cwd: module(name),
      },
    )
  return made(
    "k8s",
    ["kube-apiserver/go.sum", "etcd/go.sum"].map((file) => module(file)),
    async (folder) => {
      await build("etcd", "go.etcd.io/etcd/server/v3", folder)
      await build("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", folder)
    },
  )
}

const freePorts = async (count: number): Promise<ReadonlyArray<number>> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"))
  await Promise.all(servers.map((server) => once(server, "listening")))
  // A TCP server's address is not a path.
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), "close")))
  return ports
}

export interface Answer {
  readonly status: number
  /** The texts of Warning headers. */
  readonly warnings: ReadonlyArray<string>
  // An object of any kind, or a Status; each test names what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface ApiServer {
  readonly version: string
  readonly request: (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>
  readonly stop: () => Promise<void>
}

/** A Kubernetes API server with its etcd on loopback, empty: no controllers, no nodes, every default admission plugin. */
export const startApiServer = async (): Promise<ApiServer> => {
  const bin = await binaries()
  const folder = mkdtempSync(join(tmpdir(), "assay-k8s-"))
  const [etcdClient, etcdPeer, port] = await freePorts(3)
  const token = randomBytes(16).toString("hex")
  writeFileSync(join(folder, "tokens.csv"), `${token},admin,admin,system:masters\n`)
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  })
  writeFileSync(join(folder, "accounts.pub"), keys.publicKey)
  writeFileSync(join(folder, "accounts.key"), keys.privateKey)

  const logs: Array<string> = []
  const start = (program: string, parameters: Readonly<Record<string, string>>): ChildProcess => {
    const child = spawn(
      join(bin, program),
      Object.entries(parameters).map(([name, value]) => `--${name}=${value}`),
      {
        stdio: ["ignore", "ignore", "pipe"],
      },
    )
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      logs.push(text)
      logs.splice(0, logs.length - 200)
    })
    return child
  }
  const etcd = start("etcd", {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": `http://127.0.0.1:${etcdClient}`,
    "advertise-client-urls": `http://127.0.0.1:${etcdClient}`,
    "listen-peer-urls": `http://127.0.0.1:${etcdPeer}`,
    "initial-advertise-peer-urls": `http://127.0.0.1:${etcdPeer}`,
    "initial-cluster": `default=http://127.0.0.1:${etcdPeer}`,
    "log-level": "error",
  })
  const server = start("kube-apiserver", {
    "etcd-servers": `http://127.0.0.1:${etcdClient}`,
    "bind-address": "127.0.0.1",
    "secure-port": String(port),
    "cert-dir": folder,
    "token-auth-file": join(folder, "tokens.csv"),
    "authorization-mode": "RBAC",
    "allow-privileged": "true",
    "service-cluster-ip-range": "10.96.0.0/16",
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": join(folder, "accounts.pub"),
    "service-account-signing-key-file": join(folder, "accounts.key"),
  })
  const processes = [server, etcd]
  const killed = () => processes.forEach((process) => process.kill("SIGKILL"))
  process.once("exit", killed)

  const ask: ApiServer["request"] = (method, path, body, contentType = "application/json") =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          host: "127.0.0.1",
          port,
          method,
          path,
          timeout: 30_000,
          servername: "kubernetes",
          ca: readFileSync(join(folder, "apiserver.crt")),
          headers: { authorization: `Bearer ${token}`, "content-type": contentType },
        },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
          response.on("end", () => {
            const warnings = [response.headers["warning"] ?? []].flat()
            const json = response.headers["content-type"]?.includes("json") === true
            resolve({ status: response.statusCode ?? 0, warnings, body: json ? JSON.parse(text) : text })
          })
        },
      )
      call.on("timeout", () => call.destroy(new Error(`${method} ${path}: no answer within 30 s`)))
      call.on("error", reject)
      call.end(body === undefined ? undefined : JSON.stringify(body))
    })

  const isReady = async (): Promise<boolean> => {
    if (!existsSync(join(folder, "apiserver.crt"))) return false
    try {
      return (await ask("GET", "/readyz")).status === 200
    } catch (error) {
      logs.push(`${String(error)}\n`)
      return false
    }
  }
  for (const deadline = Date.now() + 90_000; !(await isReady());) {
    if (Date.now() > deadline || processes.some(({ exitCode }) => exitCode !== null)) {
      killed()
      throw new Error(`the API server did not start:\n${logs.join("")}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { body } = await ask("GET", "/version")
  return {
    version: body.gitVersion,
    request: ask,
    stop: async () => {
      process.off("exit", killed)
      for (const process of processes) {
        if (process.exitCode !== null) continue
        process.kill("SIGTERM")
        await once(process, "exit")
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
