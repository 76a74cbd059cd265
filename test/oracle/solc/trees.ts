import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { catalog } from "../../../domain/detection/catalog.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../../domain/detection/solidity/buildProgram.ts"
import type { Program } from "../../../domain/detection/solidity/program.ts"
import type { ContractModel } from "../../../domain/detection/solidity/model.ts"
import { walk } from "../../../domain/detection/solidity/visit.ts"

/** The reference compiler, one release of each language version, newest first. */
const compilers = ["solc", "solc-0.7", "solc-0.6", "solc-0.5", "solc-0.4"]
const require = createRequire(import.meta.url)
type Compile = (input: string) => string
const loaded = new Map<string, { compile: Compile; compileStandardWrapper?: Compile }>()
const compilerOf = (name: string) => {
  // Release 0.4 keeps the JSON interface under another name.
  const compiler: { compile: Compile; compileStandardWrapper?: Compile } = loaded.get(name) ?? require(name)
  loaded.set(name, compiler)
  return compiler.compileStandardWrapper ?? compiler.compile
}

interface AstNode {
  readonly id?: number
  readonly nodeType?: string
  readonly name?: string
  readonly stateVariable?: boolean
  readonly linearizedBaseContracts?: ReadonlyArray<number>
  readonly expression?: AstNode
  readonly nodes?: ReadonlyArray<AstNode>
}

/** solc's syntax tree, from the first release that accepts the text; undefined where none does. */
const compile = (text: string): AstNode | undefined => {
  const input = JSON.stringify({
    language: "Solidity",
    sources: { "a.sol": { content: text } },
    settings: { outputSelection: { "*": { "": ["ast"] } } },
  })
  for (const name of compilers) {
    const output: { errors?: ReadonlyArray<{ severity: string }>; sources?: Record<string, { ast: AstNode }> } =
      JSON.parse(compilerOf(name)(input))
    if (output.errors?.some(({ severity }) => severity === "error") === true) continue
    return output.sources?.["a.sol"]?.ast
  }
  return undefined
}

const everyNode = (node: unknown, visit: (node: AstNode) => void): void => {
  if (typeof node !== "object" || node === null) return
  // What has a node type is a node of the tree.
  if ("nodeType" in node) visit(node as AstNode)
  for (const child of Object.values(node)) everyNode(child, visit)
}

interface Counts {
  functions: number
  modifiers: number
  stateVariables: number
  calls: number
  assignments: number
  linearized: ReadonlyArray<string>
}

interface Tree {
  readonly errors: ReadonlyArray<unknown>
  readonly contracts: Readonly<Record<string, Counts>>
}

/** What solc says of each contract of a text; undefined if no release accepts it. */
export const solcTree = (text: string): Tree | undefined => {
  const ast = compile(text)
  if (ast === undefined) return undefined
  const names = new Map<number, string>()
  everyNode(ast, (node) => {
    if (node.nodeType === "ContractDefinition") names.set(node.id!, node.name!)
  })
  const counts = new Map<string, Counts>()
  for (const contract of ast.nodes ?? []) {
    if (contract.nodeType !== "ContractDefinition") continue
    const count: Counts = {
      functions: 0,
      modifiers: 0,
      stateVariables: 0,
      calls: 0,
      assignments: 0,
      linearized: contract.linearizedBaseContracts!.map((id) => names.get(id)!),
    }
    everyNode(contract, ({ nodeType, stateVariable, expression }) => {
      if (nodeType === "FunctionDefinition") count.functions++
      else if (nodeType === "ModifierDefinition") count.modifiers++
      else if (nodeType === "VariableDeclaration" && stateVariable === true) count.stateVariables++
      else if (nodeType === "Assignment") count.assignments++
      // `type(T)` is a call to solc and an expression of its own to us.
      else if (nodeType === "FunctionCall" && !(expression?.nodeType === "Identifier" && expression.name === "type"))
        count.calls++
    })
    counts.set(contract.name!, count)
  }
  return { errors: [], contracts: Object.fromEntries(counts) }
}

const countsOf = (program: Program): Tree["contracts"] =>
  Object.fromEntries(
    program.contracts.map((contract: ContractModel) => {
      let calls = 0
      let assignments = 0
      walk(contract.node, (node) => {
        if (node.kind === "FunctionCall") calls++
        else if (node.kind === "Assignment") assignments++
      })
      return [
        contract.name,
        {
          functions: contract.functions.length,
          modifiers: contract.modifiers.length,
          stateVariables: contract.stateVariables.length,
          calls,
          assignments,
          linearized: contract.linearization.map(({ name }) => name),
        },
      ]
    }),
  )

/** The same in our tree. */
export const ourTree = (text: string): Tree => {
  const unit = parseSolidity(sourceFile("a.sol", text))
  return { errors: unit.errors, contracts: countsOf(buildProgram([unit], [])) }
}

interface Text {
  readonly name: string
  readonly text: string
}

const fixtures = fileURLToPath(new URL("../../fixtures/solidity", import.meta.url))

/** One for each language version. */
export const fixtureTexts: ReadonlyArray<Text> = readdirSync(fixtures).map((name) => ({
  name,
  text: readFileSync(join(fixtures, name), "utf8"),
}))

export const exampleTexts: ReadonlyArray<Text> = catalog
  .filter(({ meta }) => meta.id.startsWith("evm/"))
  .flatMap(({ meta, examples: { vulnerable, safe } }) =>
    [...vulnerable, ...safe].map((text, index) => ({ name: `${meta.id} ${index + 1}`, text })),
  )
  // Only text without imports stands alone.
  .filter(({ text }) => !/^\s*import\s/m.test(text))

/** Of what `npm run pinned:solc` compared: texts, each with the tree that is the same as solc's. */
export const recordPath = fileURLToPath(new URL("../../pinned/solcTrees.txt", import.meta.url))

const releases = compilers.map((name): string => require(`${name}/package.json`).version).join(" ")

/** Changes with the text, the tree and the releases of solc; without a tree, solc rejects the text. */
export const hashOf = (text: string, tree: Tree | undefined): string =>
  createHash("sha256")
    .update(JSON.stringify([releases, text, tree ?? "rejected"]))
    .digest("hex")
    .slice(0, 16)
