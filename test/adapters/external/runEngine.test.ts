import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { canIsolate, type EngineLimits, runEngine } from "../../../adapters/external/runEngine.ts"
import type { Preset } from "../../../domain/external/presets.ts"

const limits: EngineLimits = { time: Duration.seconds(60), memoryMegabytes: 4_000, outputMegabytes: 1 }
const report = JSON.stringify({
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name: "Fake", version: "1" } },
      results: [
        {
          ruleId: "tx-origin",
          message: { text: "m" },
          locations: [{ physicalLocation: { artifactLocation: { uri: "A.sol" }, region: { startLine: 2 } } }],
        },
      ],
    },
  ],
})

let folder = ""
let beside = ""
let scratch = ""
const temporary = process.env["TMPDIR"]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-run-"))
  beside = await mkdtemp(join(tmpdir(), "assay-beside-"))
  await writeFile(join(folder, "A.sol"), "contract A {}\n")
  await writeFile(join(beside, "report.json"), report)
  scratch = join(beside, "scratch")
  await mkdir(scratch)
  process.env["TMPDIR"] = scratch
})
afterEach(async () => {
  if (temporary === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = temporary
  await rm(folder, { recursive: true, force: true })
  await rm(beside, { recursive: true, force: true })
})

/** An engine that is a shell script, which a hostile build tool could run, too. */
const engine = (script: string, output?: string): Preset => ({
  command: "/bin/sh",
  args: ["-c", script],
  ...(output === undefined ? {} : { output }),
})
const run = (preset: Preset, some: Partial<EngineLimits> = {}) =>
  Effect.runPromise(Effect.result(runEngine(preset, folder, { ...limits, ...some })))

const failing = async (preset: Preset, some: Partial<EngineLimits> = {}): Promise<string> => {
  const result = await run(preset, some)
  if (result._tag === "Success") throw new Error("it did not fail")
  return result.failure
}

describe("another engine, as a process", { timeout: 60_000 }, () => {
  it("receives the paths of the sources if it does not accept a folder", async () => {
    await mkdir(join(folder, "src"))
    await writeFile(join(folder, "src/--help.sol"), "contract B {}\n")
    const script = `echo "$@" > ${beside}/args; cat ${beside}/report.json`
    await run({ command: "/bin/sh", args: ["-c", script, "myth"], sources: ".sol" })
    expect(await readFile(join(beside, "args"), "utf8")).toBe("./A.sol ./src/--help.sol\n")
    expect(await failing({ command: "/bin/sh", args: ["-c", script], sources: ".vy" })).toBe("there is no file .vy")
  })

  it("is read from its output or its file, whatever its exit code", async () => {
    for (const preset of [
      engine(`cat ${beside}/report.json; exit 1`),
      engine(`cat ${beside}/report.json > out.sarif`, "out.sarif"),
    ]) {
      expect(await run(preset)).toMatchObject({
        success: [{ engine: "fake", results: [{ detector: "tx-origin", file: "A.sol", lineStart: 2 }] }],
      })
    }
  })

  it("works on a temporary copy, without links, git's files and our environment", async () => {
    await mkdir(join(folder, ".git"))
    await writeFile(join(folder, ".git", "config"), "x")
    await symlink(beside, join(folder, "link"))
    process.env["ASSAY_TEST_SECRET"] = "hunter2"
    await run(engine(`pwd > ${beside}/where; ls -a > ${beside}/names; env > ${beside}/env; echo changed > A.sol`))
    delete process.env["ASSAY_TEST_SECRET"]
    expect(await readFile(join(folder, "A.sol"), "utf8")).toBe("contract A {}\n")
    expect((await readFile(join(beside, "names"), "utf8")).split("\n").toSorted()).toEqual(["", ".", "..", "A.sol"])
    expect(await readFile(join(beside, "env"), "utf8")).not.toContain("hunter2")
    expect(existsSync((await readFile(join(beside, "where"), "utf8")).trim())).toBe(false)
  })

  it.each([
    ["nothing and exits with 1", "echo broken >&2; exit 1", "it wrote no report; it ended with 1: broken"],
    ["something else", "echo Traceback", "its report is not JSON; it ended with 0"],
    ["a crash", "sh -c 'kill -SEGV $$'; exit $?", "it wrote no report; it ended with 139"],
  ])("says why there is no report: %s", async (_name, script, reason) => {
    expect((await failing(engine(script))).split(": Segmentation")[0]).toBe(reason)
  })

  it("names a missing program", async () => {
    expect(await failing({ command: "assay-no-such-engine", args: [] })).toMatch(
      /no report; it ended with 127: .*assay-no-such-engine/s,
    )
  })

  it("does not follow a link in place of its report", async () => {
    expect(await failing(engine(`ln -s ${beside}/report.json out.sarif`, "out.sarif"))).toMatch(/^it wrote no report/)
  })

  it("is killed with everything that it started if it takes too long, writes too much, or nobody is waiting any longer", async () => {
    const mark = `assay-mark-${process.pid}-${Date.now()}`
    const endless = `sh -c 'while :; do sleep 1; done # ${mark}' & while :; do sleep 1; done # ${mark}`
    const running = () =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes(mark))
    expect(await failing(engine(endless), { time: Duration.seconds(1) })).toBe("it took longer than 1 s")
    expect(await failing(engine(`yes ${mark}`))).toBe("it wrote more than 1 MB")
    const fiber = Effect.runFork(runEngine(engine(`touch ${beside}/started; ${endless}`), folder, limits))
    while (!existsSync(join(beside, "started"))) await new Promise((resolve) => setImmediate(resolve))
    await Effect.runPromise(Fiber.interrupt(fiber))
    await expect.poll(running, { timeout: 20_000 }).toEqual([])
    expect(await readdir(scratch)).toEqual([])
  })

  it("has its report read in another thread, however costly", async () => {
    const bomb = `[${"{},".repeat(1_500_000)}0]`
    await writeFile(join(beside, "bomb.json"), `${report.slice(0, -1)},"properties":${bomb}}`)
    const cpuOf = async (work: () => Promise<unknown> | unknown) => {
      const before = process.threadCpuUsage()
      await work()
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    const bombed = engine(`cat ${beside}/bomb.json`)
    const there = await cpuOf(async () => expect((await run(bombed, { outputMegabytes: 6 }))._tag).toBe("Success"))
    expect(there).toBeLessThan(await cpuOf(() => JSON.parse(bomb)))
  })

  it("has no network if the system lets us remove it", async () => {
    const server = createServer((socket) => socket.end("hello\n"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("the server has no port")
    const connect = `const s = require("net").connect(${address.port}, "127.0.0.1"); s.on("error", () => console.error("refused")); s.on("data", () => console.error("reached"))`
    const node: Preset = { command: process.execPath, args: ["-e", connect] }
    expect(await failing(node)).toContain((await canIsolate()) ? "refused" : "reached")
    expect(await failing({ ...node, needsNetwork: true })).toContain("reached")
    server.close()
  })
})
