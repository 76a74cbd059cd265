import { ruleById } from "../../domain/detection/catalog.ts"
import { type Ecosystem, ecosystems } from "../../domain/analysis/Framework.ts"
import { type Category, categories } from "../../domain/finding/Category.ts"

interface TextFile {
  /** Relative to the project. */
  readonly path: string
  readonly text: string
}

interface Kind {
  readonly folder: string
  readonly program: string
  readonly programFile: string
  readonly vulnerable: string
  readonly safe: string
}

const kinds: Readonly<Record<Ecosystem, Kind>> = {
  evm: {
    folder: "domain/detection/solidity",
    program: "Program",
    programFile: "program.ts",
    vulnerable: "pragma solidity ^0.8.20;\ncontract Example {\n  function f() external {} // FINDING\n}",
    safe: "pragma solidity ^0.8.20;\ncontract Example {\n  function f() external {}\n}",
  },
  solana: {
    folder: "domain/detection/solana",
    program: "SolanaProgram",
    programFile: "model.ts",
    vulnerable:
      "use anchor_lang::prelude::*;\n\n#[program]\npub mod example {\n    use super::*;\n    pub fn run(_ctx: Context<Run>) -> Result<()> { // FINDING\n        Ok(())\n    }\n}\n\n#[derive(Accounts)]\npub struct Run {}",
    safe: "use anchor_lang::prelude::*;\n\n#[program]\npub mod example {}",
  },
  cosmwasm: {
    folder: "domain/detection/cosmwasm",
    program: "CosmWasmProgram",
    programFile: "model.ts",
    vulnerable:
      "use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};\n\n#[entry_point]\npub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: ()) -> StdResult<Response> { // FINDING\n    Ok(Response::new())\n}",
    safe: "use cosmwasm_std::{Response, StdResult};\n\npub fn helper() -> StdResult<Response> {\n    Ok(Response::new())\n}",
  },
}

const shape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const camelCase = (name: string): string => name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const ruleText = (
  id: string,
  constant: string,
  name: string,
  { program, programFile, vulnerable, safe }: Kind,
): string => `import type { Rule } from "../../../Rule.ts"
import type { ${program} } from "../../${programFile}"

export const ${constant}: Rule<${program}> = {
  meta: {
    id: "${id}",
    class: "${name}",
    title: "TODO: the flaw as a noun phrase, shown above a code snippet",
    severity: "medium",
    confidence: "medium",
    cwe: [],
    description: "TODO: what the code does, and how it can be attacked.",
    remediation: "TODO: concrete steps, including any trade-offs.",
    references: [],
  },
  check: (_program, _report) => {
    // TODO: query the model; docs/engine-model*.md lists what it can answer.
  },
  examples: {
    vulnerable: [
      \`${vulnerable}\`,
      \`${vulnerable}\`,
    ],
    safe: [
      \`${safe}\`,
      \`${safe}\`,
    ],
  },
}
`

/** The catalog with one more rule: its import, and its entry in the order of ids. */
const withRule = (catalog: string, constant: string, path: string): string | undefined => {
  const imports = [...catalog.matchAll(/^import \{ (\w+) \} from "\.\/(rules\/[\w/-]+\.ts)"$/gm)]
  const next = imports.find(([, , other]) => other! > path)
  const last = imports.at(-1)
  if (last === undefined) return undefined
  const line = `import { ${constant} } from "./${path}"\n`
  const at = next?.index ?? last.index + last[0].length + 1
  const imported = catalog.slice(0, at) + line + catalog.slice(at)
  const neighbor = (next ?? last)[1]!
  const lines = imported.split("\n")
  const entry = lines.findIndex((text) => text.startsWith(`  ${neighbor},`))
  if (entry === -1) return undefined
  return lines.toSpliced(next === undefined ? entry + 1 : entry, 0, `  ${constant},`).join("\n")
}

/**
 * The file of a new rule and the catalog that lists it, or a sentence about what is wrong with the id. `read` returns a
 * project file by its relative path.
 */
export const scaffold = (
  id: string,
  read: (path: string) => string,
): { readonly rule: TextFile; readonly catalog: TextFile } | string => {
  const [ecosystem, category, name, ...rest] = id.split("/")
  if (name === undefined || rest.length > 0)
    return `The id must have the form <ecosystem>/<category>/<rule>, not ${id}.`
  if (!ecosystems.includes(ecosystem as Ecosystem))
    return `The ecosystem must be one of ${ecosystems.join(", ")}, not ${ecosystem}.`
  if (!categories.includes(category as Category))
    return `The category must be one of ${categories.join(", ")}, not ${category}.`
  if (!shape.test(name)) return `The name of the rule must consist of lowercase words joined by hyphens, not ${name}.`
  if (ruleById(id) !== undefined) return `The rule ${id} already exists. Choose another name.`
  const kind = kinds[ecosystem as Ecosystem]
  const path = `rules/${category}/${name}.ts`
  const constant = camelCase(name)
  const catalog = read(`${kind.folder}/catalog.ts`)
  if (catalog.includes(`import { ${constant} }`))
    return `The catalog already has a rule named ${constant}. Choose another name.`
  const listed = withRule(catalog, constant, path)
  if (listed === undefined) return `${kind.folder}/catalog.ts does not have the expected form. Add the rule by hand.`
  return {
    rule: { path: `${kind.folder}/${path}`, text: ruleText(id, constant, name, kind) },
    catalog: { path: `${kind.folder}/catalog.ts`, text: listed },
  }
}
