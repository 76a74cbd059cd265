import { execFileSync, spawnSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runEngine } from "../../adapters/external/runEngine.ts"
import { ruleMetas } from "../../domain/detection/catalogue.ts"
import { mergeRuns } from "../../domain/external/mergeRuns.ts"
import { presets } from "../../domain/external/presets.ts"

let folder = ""
const hasCargo = spawnSync("cargo", ["clippy", "--version"]).status === 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-engines-"))
  const tools = join(folder, "tools")
  await mkdir(tools)
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "solhint@5.2.0"], { cwd: tools })
  process.env["PATH"] = [join(tools, "node_modules/.bin"), process.env["PATH"]].join(delimiter)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const project = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const root = join(folder, name)
  await mkdir(join(root, "src"), { recursive: true })
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text)
  return root
}

describe("real engines", () => {
  it("solhint", async () => {
    const root = await project("solidity", {
      ".solhint.json": '{ "extends": "solhint:recommended", "rules": { "avoid-tx-origin": "warn" } }',
      "src/A.sol":
        "pragma solidity ^0.8.0;\ncontract A {\n    address owner;\n    function f() external { require(tx.origin == owner); }\n}\n",
    })
    const runs = await Effect.runPromise(runEngine(presets["solhint"]!, root))
    const { findings } = mergeRuns([], runs, ruleMetas)
    expect(findings).toContainEqual(
      expect.objectContaining({
        ruleId: "external/solhint/authorization/avoid-tx-origin",
        location: expect.objectContaining({ file: "src/A.sol", lineStart: 4 }),
      }),
    )
  })

  it.runIf(hasCargo)("clippy", async () => {
    const root = await project("rust", {
      "Cargo.toml":
        '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n[lints.clippy]\nunwrap_used = "warn"\n',
      "src/lib.rs": "pub fn f(x: Option<u8>) -> u8 {\n    x.unwrap()\n}\n",
    })
    const runs = await Effect.runPromise(runEngine(presets["clippy"]!, root))
    expect(mergeRuns([], runs, ruleMetas).findings).toMatchObject([
      { ruleId: "external/clippy/denial-of-service/unwrap-used", location: { file: "src/lib.rs", lineStart: 2 } },
    ])
  })
})
