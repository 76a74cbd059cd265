import { execFileSync } from "node:child_process"
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { writeReport } from "../../apps/cli/writeReport.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-report-"))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (path: string, text = "report") => Effect.runPromise(writeReport(path, text))

describe("a report's file", () => {
  it("is replaced atomically and keeps its mode, leaving nothing else behind", async () => {
    const path = join(folder, "report.json")
    await writeFile(path, "old")
    await chmod(path, 0o640)
    await write(path)
    expect(await readFile(path, "utf8")).toBe("report")
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    expect(await readdir(folder)).toEqual(["report.json"])
  })

  it("stays a link if it is one, and its target is written, whether it existed or not", async () => {
    await writeFile(join(folder, "target"), "old")
    await symlink("target", join(folder, "link"))
    await symlink("missing", join(folder, "dangling"))
    await write(join(folder, "link"))
    await write(join(folder, "dangling"))
    expect(await readFile(join(folder, "target"), "utf8")).toBe("report")
    expect(await readFile(join(folder, "missing"), "utf8")).toBe("report")
    expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true)
    expect((await lstat(join(folder, "dangling"))).isSymbolicLink()).toBe(true)
  })

  it("stays a pipe if it is one, and is written to", async () => {
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    const [read] = await Promise.all([readFile(pipe, "utf8"), write(pipe)])
    expect(read).toBe("report")
    expect((await lstat(pipe)).isFIFO()).toBe(true)
  })

  it("is the open file if given as a descriptor, not another one in its place", async () => {
    const out = join(folder, "out")
    const script = `import("${new URL("../../apps/cli/writeReport.ts", import.meta.url)}").then(async ({ writeReport }) =>
      (await import("effect/Effect")).runPromise(writeReport("/dev/stdout", "report")))`
    execFileSync("sh", ["-c", `exec "$0" -e '${script}' > "$1"`, process.execPath, out])
    expect(await readFile(out, "utf8")).toBe("report")
    expect(await readdir(folder)).toEqual(["out"])
  })

  it("does not overwrite somebody else's draft", async () => {
    const path = join(folder, "report.json")
    await symlink("elsewhere", `${path}.${process.pid}.tmp`)
    await expect(write(path)).rejects.toThrow("Could not write")
    expect(await readdir(folder)).toEqual([`report.json.${process.pid}.tmp`])
  })
})
