import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { matchesName } from "../../../adapters/local/ignored.ts"
import { walk } from "../../../adapters/local/walk.ts"
import { sourceLimits } from "../../../domain/repository/SourceLimits.ts"

let root = ""
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "assay-ignored-"))))
afterEach(() => rm(root, { recursive: true, force: true }))

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

describe("settings that git ignores", () => {
  it("are not part of the repository, whichever folder's .gitignore lists them; sources are read anyway", async () => {
    await write(".gitignore", "# local\n/.env\n*.pem\n*.sol\n!shared.pem\n")
    await write("sub/.gitignore", "local.env\n")
    for (const path of [".env", ".env.ci", "a.pem", "shared.pem", "A.sol", "sub/local.env", "sub/x.env", "sub/b.pem"])
      await write(path, "x")
    const { files } = await walk(root, "", sourceLimits)
    expect(files.toSorted()).toEqual([".env.ci", "A.sol", "shared.pem", "sub/x.env"])
  })

  it("are read in time that grows with their number, and never from a pipe or through a link", async () => {
    execFileSync("mkfifo", [join(root, ".gitignore")])
    await write("linked/.env", "x")
    await write("linked/list", ".env")
    await symlink("list", join(root, "linked/.gitignore"))
    let folder = ""
    for (let depth = 0; depth < 99; depth++) {
      folder += "d/"
      await write(`${folder}.env`, "x")
      await write(`${folder}.gitignore`, `*${"a".repeat(100)}b\n`.repeat(500))
    }
    for (let file = 0; file < 100; file++) await write(`d/${"a".repeat(200)}${file}.env`, "x")
    const { files } = await walk(root, "", sourceLimits)
    expect(files).toHaveLength(200)
  })

  it.each([
    ["*.env*", ".env.local", true],
    [".env", ".env.local", false],
    ["a*b*c", "aXbYbc", true],
    ["a*b*c", "aXbY", false],
    ["*", "", true],
    ["ab*ba", "aba", false],
    ["a*b*b", "ab", false],
  ])("%s and %s", (pattern, name, expected) => expect(matchesName(pattern.split("*"), name)).toBe(expected))
})
