/**
 * What Slither and Mythril need of a program named `solc`, provided by the compiler from npm: its version, standard JSON,
 * and the combined JSON of one file.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"

interface Output {
  readonly errors?: ReadonlyArray<{ readonly severity: string; readonly formattedMessage: string }>
  readonly sources: Readonly<Record<string, { readonly ast: unknown }>>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}
interface Code {
  readonly object: string
  readonly sourceMap: string
}
interface Compiled {
  readonly abi: unknown
  readonly userdoc: unknown
  readonly devdoc: unknown
  readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code; readonly methodIdentifiers: unknown }
}

// The package has no types.
const solc = createRequire(import.meta.url)("solc") as {
  readonly version: () => string
  readonly compile: (input: string, callbacks: { readonly import: (path: string) => object }) => string
}

const read = (path: string): object =>
  existsSync(path) ? { contents: readFileSync(path, "utf8") } : { error: "there is no such file" }
const compile = (input: string): string => solc.compile(input, { import: read })

const combined = (file: string): string => {
  const parts = ["abi", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers", "userdoc", "devdoc"]
  const input = {
    language: "Solidity",
    sources: { [file]: { content: readFileSync(file, "utf8") } },
    settings: { outputSelection: { "*": { "": ["ast"], "*": parts } } },
  }
  // The compiler's own form.
  const output = JSON.parse(compile(JSON.stringify(input))) as Output
  const errors = (output.errors ?? []).filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"))
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([path, own]) =>
    Object.entries(own).map(([name, { abi, userdoc, devdoc, evm }]) => [
      `${path}:${name}`,
      {
        abi,
        userdoc,
        devdoc,
        bin: evm.bytecode.object,
        "bin-runtime": evm.deployedBytecode.object,
        srcmap: evm.bytecode.sourceMap,
        "srcmap-runtime": evm.deployedBytecode.sourceMap,
        hashes: evm.methodIdentifiers,
      },
    ]),
  )
  return JSON.stringify({
    contracts: Object.fromEntries(contracts) as unknown,
    sourceList: Object.keys(output.sources),
    sources: Object.fromEntries(Object.entries(output.sources).map(([path, { ast }]) => [path, { AST: ast }])),
    version: solc.version(),
  })
}

const given = process.argv.slice(2)
const file = given.find((one) => one.endsWith(".sol"))
const answer = (): string => {
  if (given.includes("--version")) {
    return `solc, the solidity compiler commandline interface\nVersion: ${solc.version().replace(".Emscripten.clang", ".Linux.g++")}`
  }
  if (given.includes("--standard-json")) return compile(readFileSync(0, "utf8"))
  return file === undefined ? "" : combined(file)
}
try {
  process.stdout.write(`${answer()}\n`)
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
