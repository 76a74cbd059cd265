import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

export interface RuleFile {
  readonly id: string
  readonly path: string
  readonly url: string
}

const root = fileURLToPath(new URL("../..", import.meta.url))

const ecosystemOf: Readonly<Record<string, string>> = { solidity: "evm", solana: "solana", cosmwasm: "cosmwasm" }

/** Every file that holds a rule, by the convention that its path is its id. */
export const ruleFiles: ReadonlyArray<RuleFile> = Object.entries(ecosystemOf).flatMap(([folder, ecosystem]) => {
  const rules = join(root, "domain/detection", folder, "rules")
  return readdirSync(rules, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name.includes(sep) && !name.startsWith("dependency"))
    .toSorted()
    .map((name) => {
      const path = join(rules, name)
      return { id: `${ecosystem}/${name.split(sep).join("/").slice(0, -3)}`, path, url: pathToFileURL(path).href }
    })
})

/** The rules whose files differ from a revision's. */
export const rulesChangedSince = (revision: string): ReadonlyArray<RuleFile> => {
  const changed = execFileSync("git", ["diff", "--name-only", "--diff-filter=AMR", revision, "--"], {
    cwd: root,
    encoding: "utf8",
  })
  const paths = new Set(changed.split("\n"))
  return ruleFiles.filter(({ path }) => paths.has(relative(root, path).split(sep).join("/")))
}
