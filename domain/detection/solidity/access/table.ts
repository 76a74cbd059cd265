import {
  type AccessEffect,
  type AccessKind,
  type AccessRow,
  accessLimits,
  type AccessStanding,
  shortened,
  weakest,
} from "../../../access/AccessTable.ts"
import { lineAt } from "../../SourceFile.ts"
import { callerCheck } from "../flow/facts/callerCheck.ts"
import type { Fact } from "../flow/facts/facts.ts"
import type { Expr } from "../flow/graph/graph.ts"
import { Source } from "../flow/graph/origins.ts"
import type { ContractModel } from "../model.ts"
import type { Program } from "../program.ts"
import { authorities } from "../questions/authority/authorities.ts"
import { type Deed, isOwn } from "./deeds.ts"
import type { DemandKind } from "../demands/demands.ts"
import { accessOf, type Entry, runsOnce } from "./entries.ts"
import { subjectName } from "./words.ts"
import { handsOutEther } from "../questions/authority/callOut.ts"

/** A table of each contract that can be deployed: its entry points, those of its bases among them. */
export const accessTable = (
  program: Program,
  isReported: (path: string) => boolean = () => true,
): ReadonlyArray<AccessRow> => {
  const access = accessOf(program)
  const rows: Array<AccessRow> = []
  for (const contract of program.contracts) {
    if (!isListed(contract) || !isReported(contract.source.file.path)) continue
    for (const fn of program.functionsOf(contract)) {
      const entry = access.entryOf.get(fn)
      if (entry === undefined) continue
      if (rows.length >= accessLimits.rows) return rows
      rows.push(rowOf(program, contract, entry, runsOnce(access, entry)))
    }
  }
  return rows
}

/** One that is deployed, or a base that nothing here inherits. */
const isListed = ({ node, derived }: ContractModel): boolean =>
  node.contractKind === "contract" && (!node.abstract || derived.length === 0)

const rowOf = (program: Program, contract: ContractModel, entry: Entry, once: boolean): AccessRow => {
  const effects = new Map<string, AccessEffect>()
  for (const deed of entry.deeds) {
    const effect = effectOf(program, deed, once)
    const key = `${effect.what}\n${effect.who}`
    if (!effects.has(key)) effects.set(key, effect)
  }
  const all = [...effects.values()]
  const { file } = entry.fn.source
  return {
    contract: shortened(contract.name),
    function: shortened(entry.fn.role === "function" ? entry.fn.signature : entry.fn.role),
    file: file.path,
    line: lineAt(file, entry.fn.node.nameSpan.start),
    standing: weakest(all.map(({ standing }) => standing)),
    effects: all.slice(0, accessLimits.effectsOfRow),
    ...(all.length > accessLimits.effectsOfRow ? { more: all.length - accessLimits.effectsOfRow } : {}),
  }
}

const effectOf = (program: Program, deed: Deed, once: boolean): AccessEffect => {
  const { event } = deed.reached
  const { file } = event.at.callable.source
  const standing = standingOf(deed, once)
  const span = event.kind === "call" ? event.node : event.expression
  return {
    kind: kindOf(program, deed),
    what: shortened(whatOf(program, deed)),
    standing,
    who: shortened(whoOf(deed, standing)),
    file: file.path,
    line: lineAt(file, span.start),
  }
}

/** The sender's own entry is theirs to change. */
const standingOf = (deed: Deed, once: boolean): AccessStanding => {
  const { standing } = deed.demands
  if (standing === "guarded") return "guarded"
  return once ? "once" : standing === "open" && isOwn(deed) ? "tied" : standing
}

const movesTokens = /^(safe)?(transfer|transferFrom|mint|burn|approve|increaseAllowance|withdraw|deposit|sendValue)/i

const kindOf = (program: Program, { variable, entryName, reached }: Deed): AccessKind => {
  if (entryName !== undefined) return "state"
  if (variable !== undefined) return authorities(program).has(variable) ? "authority" : "state"
  const { event } = reached
  if (event.kind !== "call") return "state"
  if (event.callKind === "delegatecall" || event.callKind === "builtin") return "authority"
  if (handsOutEther(program, { event, via: reached.via }) || event.callKind === "transfer" || event.callKind === "send")
    return "assets"
  if (/^_(grantRole|revokeRole|setupRole|transferOwnership|setRoleAdmin)/.test(event.name)) return "authority"
  return movesTokens.test(event.name) ? "assets" : "call"
}

const whatOf = (program: Program, deed: Deed): string => {
  const { event } = deed.reached
  if (deed.entryName !== undefined) return `writes \`${subjectName(deed)}\``
  if (event.kind !== "call") {
    const verb = event.operation === "delete" ? "deletes" : "writes"
    return `${verb} \`${subjectName(deed)}${deed.path ?? ""}\``
  }
  switch (event.callKind) {
    case "builtin":
      return "destroys the contract"
    case "create":
      return "creates a contract"
    case "delegatecall":
    case "callcode":
      return "runs code of another contract as its own"
    default:
      return handsOutEther(program, { event, via: deed.reached.via }) ? "sends ether" : `calls \`${subjectName(deed)}\``
  }
}

const inWords: Record<DemandKind, string> = {
  owner: "a known account",
  member: "members of a table",
  external: "whom another contract lets in",
  signature: "who has a signature",
  proof: "who knows the proof",
  origin: "a known origin of the transaction",
  self: "the account that the call names",
  holder: "holders",
  messenger: "a known account of another chain or contract",
  session: "calls from inside another call",
  unseen: "whom a check without source lets in",
  once: "anyone, once",
}

/** The conditions about the caller as they are written; in words where none is. */
const whoOf = ({ demands, flow, keys }: Deed, standing: AccessStanding): string => {
  if (standing === "open") return "anyone"
  if (standing === "once") return "whoever is first"
  const written = new Set<string>()
  for (const fact of demands.facts) {
    const text = callerCheck(fact) === undefined ? "" : textOf(fact)
    if (text !== "") written.add(`\`${text}\``)
    if (written.size >= 3) break
  }
  if (written.size > 0) return [...written].join(" and ")
  const unseen = flow.fn.modifiers.find(({ modifier }) => modifier === undefined)
  if (demands.kinds.includes("unseen") && unseen !== undefined) return `\`${unseen.node.path.join(".")}\``
  const kind = demands.kinds.find((each) => each !== "once")
  if (kind !== undefined) return inWords[kind]
  if (((keys.sources | keys.keys) & Source.recovered) !== 0) return inWords.signature
  return keys.sources === 0 && standing === "tied" ? "depends on the caller" : "anyone, for themselves"
}

const negated: Readonly<Record<string, string>> = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" }
const swapped: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" }

/** Ways of one condition that are written out. */
const writtenWays = 4

/** The condition that holds, which `if (msg.sender != owner) revert()` has the other way round. */
const textOf = (fact: Fact): string => {
  const { expression, at } = fact
  // `if (who == owner) return true; …`: what is returned says nothing, what leads there does
  if (fact.kind === "any" && (expression.kind === "Literal" || expression.kind === "UnknownExpression")) {
    const ways = fact.options.map((option) => option.find((each) => callerCheck(each) !== undefined))
    const texts = ways.map((way) => (way === undefined ? "" : textOf(way)))
    return ways.length > writtenWays || texts.includes("") ? "" : shortened([...new Set(texts)].join(" || "))
  }
  const written = ({ start, end }: Expr): string => at.callable.source.file.text.slice(start, end)
  const text = written(expression)
  return shortened(isAsWritten(fact) ? text : turned(expression, written)).replaceAll("`", "'")
}

const isAsWritten = ({ expression, ...fact }: Fact): boolean => {
  if (expression.kind !== "BinaryOperation") return fact.kind === "any" || fact.operator !== "false"
  const { operator } = expression
  if (fact.kind === "any") return operator !== "&&"
  if (negated[operator] === undefined) return fact.operator !== "false"
  return fact.operator === operator || fact.operator === swapped[operator]
}

const turned = (e: Expr, written: (e: Expr) => string): string => {
  const operator = e.kind === "BinaryOperation" ? negated[e.operator] : undefined
  if (e.kind === "BinaryOperation" && operator !== undefined)
    return `${written(e.left)} ${operator} ${written(e.right)}`
  const text = written(e)
  return /^[\w.[\]()]+$/.test(text) ? `!${text}` : `!(${text})`
}
