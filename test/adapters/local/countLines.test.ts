import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { suppressionComments } from "../../../adapters/local/suppressionComments.ts"
import { countLines } from "../../../adapters/local/countLines.ts"
import type { ExternalResult } from "../../../domain/external/ExternalResult.ts"

const result = (file: string, byteOffset: number, byteLength: number): ExternalResult => ({
  detector: "centralization-risk",
  title: "t",
  message: "m",
  remediation: "r",
  severity: "low",
  confidence: "medium",
  file,
  lineStart: 1,
  lineEnd: 1,
  byteOffset,
  byteLength,
})

it("computes the lines of Aderyn's byte offsets, only in files of the repository", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-lines-"))
  try {
    await writeFile(join(root, "A.sol"), "// é\ncontract A {\n}\n")
    await symlink("/etc/passwd", join(root, "link.sol"))
    const counted = await countLines(root, [
      result("A.sol", 6, 14),
      result("link.sol", 200, 5),
      result("gone.sol", 9, 1),
    ])
    expect(counted.map(({ lineStart, lineEnd }) => [lineStart, lineEnd])).toEqual([
      [2, 3],
      [1, 1],
      [1, 1],
    ])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

it("reads comments only in files of the repository", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-comments-"))
  try {
    await writeFile(join(root, "A.sol"), "// assay-ignore external/aderyn/*: checked\ncontract A {}\n")
    await symlink(join(root, "A.sol"), join(root, "inside.sol"))
    await symlink("/etc/passwd", join(root, "link.sol"))
    const found = await suppressionComments(root, [
      result("A.sol", 0, 1),
      result("inside.sol", 0, 1),
      result("link.sol", 0, 1),
      result("../A.sol", 0, 1),
    ])
    expect([...found.keys()]).toEqual(["A.sol", "inside.sol"])
    expect(found.get("A.sol")?.covering(2, "external/aderyn/logic/x", "")?.reason).toBe("checked")
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
