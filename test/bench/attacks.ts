/**
 * How attacks on the embedded service affect others: `node test/bench/attacks.ts [part of a name] [--where]` runs `npm start`,
 * has it analyze one hostile repository after another, probes `/health` every 20 ms and has a harmless repository analyzed in
 * the meantime. For each attack it prints the response times of health, the time from claim to completion of the harmless
 * analysis, and the CPU time of the main thread per turn; with `--where`, which slows health down, also the places where that
 * was more than 30 ms. On a busy machine, prefix it with `nice -n -15` to see what the service does to itself: its low-priority
 * threads keep their low priority.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { getPriority, setPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Worker } from "node:worker_threads"
import { type Files, type Repository, startGitServer } from "../support/gitServer.ts"
import { hostileVolume } from "../support/hostileVolume.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { jsonOf, type Service, startProgram } from "../support/program.ts"

const { positionals, values } = parseArgs({ allowPositionals: true, options: { where: { type: "boolean" } } })
const [part = ""] = positionals
const vault = "contract Vault { address owner; function f() public { require(tx.origin == owner); } }"
const git = await startGitServer()
const priority = getPriority()

/** Nested folders around one tree. */
const below = async (repository: Repository, tree: string, depth: number): Promise<string> => {
  let above = tree
  for (let level = 0; level < depth; level++) above = await repository.tree([{ mode: "40000", name: "a", id: above }])
  return above
}

type Prepare = (name: string) => Promise<Repository>

const withFiles =
  (files: Files): Prepare =>
  (name) =>
    git.create(name, { branches: { main: files } })

const withTree =
  (rootOf: (repository: Repository) => Promise<string>): Prepare =>
  async (name) => {
    const repository = await git.create(name, { branches: { main: {} } })
    await repository.commitTree("main", await rootOf(repository))
    return repository
  }

const attacks: Readonly<Record<string, Prepare>> = {
  nothing: withFiles({ "src/Vault.sol": vault }),
  "a header of blanks in Cargo.toml": withFiles({
    "Cargo.toml": `[package]\nname='x'\n[${" ".repeat(6_000)}x`,
    "src/lib.rs": "fn f() {}",
    "src/Vault.sol": vault,
  }),
  "900,000 slashes in .gitmodules": withFiles({
    ".gitmodules": `[submodule "a"]\n\tpath = ${"/".repeat(900_000)}x\n\turl = https://example.org/a/b\n`,
    "src/Vault.sol": vault,
  }),
  "50,000 paths 400 folders deep": withTree(async (repository) => {
    const id = await repository.blob(vault)
    const entries = (mode: string, of: string) =>
      Array.from({ length: 220 }, (_, index) => ({
        mode,
        name: `${1_000 + index}${mode === "40000" ? "" : ".sol"}`,
        id: of,
      }))
    const folder = await below(repository, await repository.tree(entries("100644", id)), 200)
    return below(repository, await repository.tree(entries("40000", folder)), 10)
  }),
  "a tree bomb": withTree(async (repository) => {
    let tree = await repository.tree([])
    for (let level = 0; level < 12; level++) {
      const below = tree
      tree = await repository.tree(
        Array.from({ length: 10 }, (_, index) => ({ mode: "40000", name: `${index}`, id: below })),
      )
    }
    return tree
  }),
  "49,000 links": withTree(async (repository) => {
    const id = await repository.blob(vault)
    const entries = Array.from({ length: 7_000 }, (_, index) => ({
      mode: "120000",
      name: `${"n".repeat(150)}${10_000 + index}.sol`,
      id,
    }))
    const folder = await repository.tree(entries)
    return repository.tree([
      { mode: "100644", name: "A.sol", id },
      ...Array.from({ length: 7 }, (_, index) => ({ mode: "40000", name: `b${index}`, id: folder })),
    ])
  }),
  "50,000 files": withFiles(
    Object.fromEntries(Array.from({ length: 49_000 }, (_, index) => [`src/${index % 250}/V${index}.sol`, vault])),
  ),
  "a hostile foundry.toml of a dependency": withFiles({
    "foundry.toml": "[profile.default]\n",
    "lib/x/foundry.toml": "\n".repeat(900_000),
    "lib/x/src/X.sol": "contract X {}",
    "src/Vault.sol": vault,
  }),
  "many contracts": withFiles(manyContracts("a", 100)),
  ...Object.fromEntries(
    ["a contract's name", "50,000 ordinary findings", "1,000 messages with one long name", "unreadable files"].map(
      (name) => [name, withFiles(hostileVolume[name]!())],
    ),
  ),
}

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

/** A thread that probes health until stopped, since this one runs a git server. Returns the response times. */
const probe = `
const { request, Agent } = require("node:http")
const { setTimeout } = require("node:timers/promises")
const { parentPort, workerData } = require("node:worker_threads")
const agent = new Agent({ keepAlive: true })
const took = []
// At the service's own priority, from before this process lowered its own.
try { require("node:os").setPriority(workerData.priority) } catch {}
let ended = false
const once = () => new Promise((resolve) => {
  const begun = performance.now()
  const end = (milliseconds) => resolve(void took.push(milliseconds))
  request(workerData.url + "/health", { agent }, (response) => response.resume().on("end", () => end(performance.now() - begun)))
    .on("error", () => end(Infinity))
    .end()
})
parentPort.once("message", () => (ended = true))
const run = async () => {
  while (!ended) await Promise.all([once(), setTimeout(20)])
  parentPort.postMessage(took)
  agent.destroy()
}
run()`

const probing = (url: string) => {
  const worker = new Worker(probe, { eval: true, workerData: { url, priority } })
  return async (): Promise<ReadonlyArray<number>> => {
    const told = once(worker, "message")
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage("stop")
    // What the thread measured.
    const [took] = (await told) as [ReadonlyArray<number>]
    await worker.terminate()
    return took.toSorted((a, b) => a - b)
  }
}

/** CPU seconds of the service's main thread so far, and how long that thread was runnable but waiting (proc(5)). */
const scheduled = (pid: number): { readonly ran: number; readonly waited: number } => {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number)
  return { ran: ran / 1e9, waited: waited / 1e9 }
}

const submit = async (service: Service, repositoryUrl: string): Promise<string> => {
  const created = await service.request("POST", "/api/v1/analysis", { repositoryUrl })
  return (await jsonOf<{ readonly analysisId: string }>(created)).analysisId
}

const statusOf = async (service: Service, id: string): Promise<string> =>
  (await jsonOf<{ readonly status: string }>(await service.request("GET", `/api/v1/analysis/${id}/status`))).status

/** Polls rarely, because a caller's reads per hour are limited. */
const ended = async (service: Service, id: string): Promise<string> => {
  while (true) {
    const status = await statusOf(service, id)
    if (status === "completed" || status === "failed") return status
    await setTimeout(500)
  }
}

/** Seconds from being claimed to the end. */
const harmless = async (service: Service, repositoryUrl: string): Promise<string> => {
  const id = await submit(service, repositoryUrl)
  while ((await statusOf(service, id)) === "pending") await setTimeout(500)
  const claimed = performance.now()
  return `${await ended(service, id)} after ${((performance.now() - claimed) / 1_000).toFixed(1)} s`
}

const measure = async (service: Service, turns: string, harmlessUrl: string, name: string, hostileUrl: string) => {
  const told = existsSync(turns) ? readFileSync(turns, "utf8").length : 0
  const before = scheduled(service.process.pid!)
  const stop = probing(service.url)
  const [first, second] = [await submit(service, hostileUrl), await submit(service, hostileUrl)]
  const victim = harmless(service, harmlessUrl)
  const [status] = await Promise.all([ended(service, first), ended(service, second)])
  const healthy = await victim
  // Reading it is part of the attack.
  for (const form of ["result", "export?format=sarif", "findings"]) {
    await (await service.request("GET", `/api/v1/analysis/${first}/${form}`)).arrayBuffer()
  }
  const took = await stop()
  const after = scheduled(service.process.pid!)
  const blocked = (existsSync(turns) ? readFileSync(turns, "utf8").slice(told) : "")
    .split("\n")
    .filter((line) => line !== "")
    // Our own lines.
    .map(
      (line) =>
        JSON.parse(line) as { readonly cpu: number; readonly wall: number; readonly where: ReadonlyArray<string> },
    )
    .toSorted((a, b) => b.cpu - a.cpu)
  console.log(
    `${name}: ${status}; health p50 ${quantile(took, 0.5).toFixed(0)}, p99 ${quantile(took, 0.99).toFixed(0)}, at most ${quantile(took, 1).toFixed(0)} ms of ${took.length}; the harmless one ${healthy}; main thread at most ${blocked[0]?.cpu ?? 0} ms of CPU at a time, ${blocked.filter(({ cpu }) => cpu > 50).length} times over 50; it ran ${(after.ran - before.ran).toFixed(1)} s and waited ${(after.waited - before.waited).toFixed(1)} s to run`,
  )
  for (const { cpu, wall, where } of blocked.slice(0, 4))
    console.log(`    ${cpu} ms (${wall})${where.length === 0 ? "" : ": "}${where.join("\n        ")}`)
}

const startWatched = async (dataDirectory: string, turns: string): Promise<Service> => {
  const program = startProgram("start/main.ts", ["--json", "--no-sample", "--port", "0", "--data-dir", dataDirectory], {
    ASSAY_ALLOWED_HOSTS: git.host,
    ASSAY_WORK_DIR: `${dataDirectory}-jobs`,
    BLOCKED_TURNS: turns,
    ...(values.where === true ? { BLOCKED_TURNS_WHERE: "1" } : {}),
    NODE_OPTIONS: `--import ${new URL("../support/blockedTurns.ts", import.meta.url).href}`,
  })
  // A busy machine may take longer than the 30 s that a test would wait.
  const begun = () => program.line(/^\{/)
  const { url, apiKey } = JSON.parse(await begun().catch(begun).catch(begun).catch(begun).catch(begun))
  const ask: Service["request"] = (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  // This process may be kept from its connections for so long that the service closes them.
  return {
    ...program,
    url,
    request: (method, path, body) => ask(method, path, body).catch(() => ask(method, path, body)),
  }
}

const run = async () => {
  const directory = mkdtempSync(join(tmpdir(), "assay-attacks-"))
  const turns = join(directory, "turns")
  writeFileSync(turns, "")
  const service = await startWatched(join(directory, "data"), turns)
  // The git server would be on another machine.
  setPriority(10)
  try {
    const quiet = await git.create("harmless", { branches: { main: { "src/Vault.sol": vault } } })
    let number = 0
    for (const [name, prepare] of Object.entries(attacks)) {
      if (!name.includes(part)) continue
      const repository = await prepare(`hostile${number++}`)
      await measure(service, turns, quiet.url, name, repository.url)
    }
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}
try {
  await run()
} finally {
  await git.close()
}
