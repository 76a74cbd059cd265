import { parseSolidity } from "../../domain/detection/solidity/parse/parse.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"
import { lexicalScan } from "../../domain/finding/lexicalScan.ts"
import { moveRust } from "./moveRust.ts"
import { renameRust } from "./renameRust.ts"

/**
 * A rewriting of an example that must not change what a rule reports in it. Markers stay at the ends of their lines.
 */
export interface Mutation {
  readonly name: string
  /** `text` also applies to manifests. */
  readonly of: "text" | "solidity" | "rust"
  readonly apply: (text: string) => string
}

const marker = /(?:\/\/|#) FINDING\r?$/

/** Lines, starting at 1, that an example expects to be flagged. */
export const markedLines = (text: string): ReadonlyArray<number> =>
  text.split("\n").flatMap((line, index) => (marker.test(line) ? [index + 1] : []))

type Node = { readonly kind: string } & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string"

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  if (!isNode(value)) return
  visit(value)
  for (const [key, child] of Object.entries(value)) if (key !== "file") walk(child, visit)
}

/** Members and options with a meaning in the language itself. */
const reserved = new Set(
  `abi add addmod balance block blockhash call callcode chainid code codehash coinbase data delegatecall difficulty
  ecrecover gas gasleft gasprice keccak256 length msg mulmod now number origin pop push revert require assert salt
  selector self selfdestruct send sender sha256 sha3 sig staticcall suicide super this throw timestamp transfer tx value
  main _`.split(/\s+/),
)

interface Names {
  /** Variables of functions: never renamed after a dot. */
  readonly locals: Set<string>
  /** State variables, modifiers, contracts, internal functions. */
  readonly members: Set<string>
}

/** The names of an example's own things, without those that other contracts know them by. */
const ownNames = (text: string): Names => {
  const locals = new Set<string>()
  const members = new Set<string>()
  const kept = new Set(reserved)
  walk(parseSolidity(sourceFile("Example.sol", text)), (node) => {
    const name = String(node["name"])
    switch (node.kind) {
      case "VariableDeclaration":
        if (["parameter", "return", "local"].includes(String(node["role"]))) locals.add(name)
        else if (node["role"] === "member") kept.add(name)
        break
      case "FunctionDefinition": {
        const isInternal = node["visibility"] === "internal" || node["visibility"] === "private"
        if (isInternal && node["override"] === undefined && node["virtual"] !== true) members.add(name)
        else kept.add(name)
        break
      }
      case "ContractDefinition":
        if (node["contractKind"] === "contract") members.add(name)
        else kept.add(name)
        break
      case "StateVariableDeclaration":
      case "ModifierDefinition":
        members.add(name)
        break
      case "StructDefinition":
      case "EnumDefinition":
      case "EventDefinition":
      case "ErrorDefinition":
      case "TypeDefinition":
        kept.add(name)
        break
    }
  })
  // A constructor named after its contract is renamed with it.
  for (const name of members) locals.delete(name)
  for (const [, name] of text.matchAll(/[{,]\s*([A-Za-z_$][\w$]*)\s*:/g)) kept.add(name!)
  for (const [, name] of text.matchAll(/([A-Za-z_$][\w$]*)_(?:slot|offset)\b/g)) kept.add(name!)
  const constructors = new Set([...text.matchAll(/\bcontract\s+([\w$]+)/g)].map(([, name]) => name!))
  for (const name of kept) {
    locals.delete(name)
    if (!constructors.has(name)) members.delete(name)
  }
  locals.delete("")
  members.delete("")
  return { locals, members }
}

const renameIn = (code: string, { locals, members }: Names, fresh: Map<string, string>): string =>
  code.replaceAll(/(\.\s*)?(?<![\w$])([A-Za-z_$][\w$]*)/g, (whole, dot: string | undefined, name: string) => {
    const isOwn = members.has(name) || (dot === undefined && locals.has(name))
    if (!isOwn) return whole
    const other = fresh.get(name) ?? `q${fresh.size + 1}x`
    fresh.set(name, other)
    return `${dot ?? ""}${other}`
  })

/** Gives every variable, modifier, contract and internal function a meaningless name. */
export const rename = (text: string): string => {
  const names = ownNames(text)
  const fresh = new Map<string, string>()
  let renamed = ""
  let from = 0
  lexicalScan(text, "solidity", (_part, start, end) => {
    renamed += renameIn(text.slice(from, start), names, fresh) + text.slice(start, end)
    from = end
  })
  return renamed + renameIn(text.slice(from), names, fresh)
}

/** Derives an empty contract from every contract, except from abstract ones that have derived contracts, which complete them. */
const inherit = (text: string): string => {
  const contracts = parseSolidity(sourceFile("Example.sol", text)).items.filter(
    (member) => member.kind === "ContractDefinition",
  )
  const inherited = new Set(contracts.flatMap(({ bases }) => bases.flatMap(({ path }) => path.at(-1) ?? [])))
  const heirs = contracts
    .filter(({ contractKind, abstract, name }) => contractKind === "contract" && !(abstract && inherited.has(name)))
    .map(({ name }, i) => `contract Heir${i + 1} is ${name} {}`)
  return `${text.trimEnd()}\n\n${heirs.join("\n")}\n`
}

const eachLine = (text: string, change: (line: string, index: number) => string): string =>
  text.split("\n").map(change).join("\n")

/** A comment on a line of its own is harmless inside another one; a block comment would end it. */
const comment = (text: string): string => {
  const block = text.includes("/*") ? "" : "/* note */ "
  return eachLine(text, (line) => `// note\n${block}${line}`)
}

const indentOtherwise = (text: string): string =>
  eachLine(text, (line, index) => (index % 2 === 0 ? line.trimStart() : line.replace(/^ +/, "\t\t\t")))

export const mutations: ReadonlyArray<Mutation> = [
  // At once, because a run of all examples takes long.
  {
    name: "inherited, with comments and other indentation",
    of: "solidity",
    apply: (text) => inherit(comment(indentOtherwise(text))),
  },
  {
    name: "with other names, comments and other indentation",
    of: "rust",
    apply: (text) => comment(indentOtherwise(renameRust(text))),
  },
  {
    name: "with blank lines and carriage returns",
    of: "text",
    apply: (text) => eachLine(text, (line) => `\n${line}`).replaceAll("\n", "\r\n"),
  },
  { name: "with other names", of: "solidity", apply: rename },
  { name: "moved into traits and another file", of: "rust", apply: moveRust },
]
