import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { scaffold } from "../../../apps/cli/scaffoldRule.ts"
import { catalog } from "../../../domain/detection/catalog.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const planned = (id: string) => {
  const plan = scaffold(id, read)
  if (typeof plan === "string") throw new Error(plan)
  return plan
}

describe("a new rule", () => {
  it.each([
    ["evm/access-control/aaa", "domain/detection/solidity", "aaa"],
    ["evm/upgradeability/zzz-last-of-all", "domain/detection/solidity", "zzzLastOfAll"],
    ["solana/cpi/between-others", "domain/detection/solana", "betweenOthers"],
    ["cosmwasm/upgradeability/zzz", "domain/detection/cosmwasm", "zzz"],
  ])("%s gets its file, its import and its entry", (id, folder, constant) => {
    const { rule, catalog } = planned(id)
    expect(rule.path).toBe(`${folder}/rules/${id.split("/").slice(1).join("/")}.ts`)
    expect(rule.text).toContain(`id: "${id}"`)
    expect(rule.text).toContain(`export const ${constant}: Rule<`)
    expect(rule.text.indexOf("check:")).toBeLessThan(rule.text.indexOf("examples:"))

    const before = read(catalog.path).split("\n")
    const added = catalog.text.split("\n").filter((line) => !before.includes(line))
    expect(added).toEqual([
      `import { ${constant} } from "./rules/${id.split("/").slice(1).join("/")}.ts"`,
      `  ${constant},`,
    ])
    const imports = [...catalog.text.matchAll(/from "\.\/(rules\/[^"]+)"/g)].map(([, path]) => path!)
    const at = imports.findIndex((path) => rule.path.endsWith(path))
    expect(imports.slice(Math.max(at - 1, 0), at + 2)).toEqual(imports.slice(Math.max(at - 1, 0), at + 2).toSorted())
  })

  it.each([
    ["evm/reentrancy", "The id must have the form"],
    ["vyper/reentrancy/a", "The ecosystem must be one of"],
    ["evm/nothing/a", "The category must be one of"],
    ["evm/reentrancy/../../x", "The id must have the form"],
    ["evm/reentrancy/Camel", "lowercase words"],
    ["evm/reentrancy/", "lowercase words"],
    [catalog[0]!.meta.id, "already"],
  ])("%s is refused with a sentence", (id, sentence) => {
    expect(scaffold(id, read)).toContain(sentence)
  })
})
