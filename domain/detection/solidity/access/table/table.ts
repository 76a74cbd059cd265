import { accessLimits, shortened } from "../../../../access/accessLimits.ts"
import type { AccessEffect, AccessKind, AccessRow, AccessStanding } from "../../../../access/AccessTable.ts"
import { weakest } from "../../../../access/looseness.ts"
import { lineAt } from "../../../SourceFile.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { authorities } from "../../questions/authority/authorities.ts"
import { type Deed, isOwn } from "../entries/deeds.ts"
import { outward } from "../../demands/outward.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { noOrigins, type Origins, Source } from "../../flow/graph/origins.ts"
import { callersOf } from "../entries/callers.ts"
import { spentAllowance } from "../entries/allowances.ts"
import { accessOf, type Entry, runsOnce } from "../entries/entries.ts"
import { subjectName } from "./words.ts"
import { handsOutEther } from "../../questions/authority/callOut.ts"

/** A table for each deployable contract: its entry points, including those of its bases. */
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

/** Whether it is deployed, or a base that nothing here inherits. */
const isListed = ({ node, derived }: ContractModel): boolean =>
  node.contractKind === "contract" && (!node.abstract || derived.length === 0)

const rowOf = (program: Program, contract: ContractModel, entry: Entry, once: boolean): AccessRow => {
  const effects = new Map<string, AccessEffect>()
  const spent = spentAllowance(entry)
  for (const deed of entry.deeds) {
    const found = effectOf(program, contract, deed, once)
    const effect: AccessEffect =
      spent !== undefined && found.standing === "open"
        ? { ...found, standing: "tied", who: `holders of \`${shortened(spent.name)}\`` }
        : found
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

const effectOf = (program: Program, contract: ContractModel, deed: Deed, once: boolean): AccessEffect => {
  const { event } = deed.reached
  const { file } = event.at.callable.source
  const standing = standingOf(deed, once)
  const span = event.kind === "call" ? event.node : event.expression
  return {
    kind: kindOf(program, deed),
    what: shortened(whatOf(program, deed)),
    standing,
    who: callersOf(deed, standing, contract),
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
      return `delegatecalls ${partyOf(deed.keys) ?? "another contract"}`
    default:
      return handsOutEther(program, { event, via: deed.reached.via })
        ? `sends ether${to(deed.keys)}`
        : (movementOf(deed) ?? `calls \`${calledOf(deed)}\``)
  }
}

const calledOf = (deed: Deed): string => {
  const { sources, keys, state } = deed.keys
  const isStored = sources === Source.state && keys === 0 && state.length === 1
  return `${isStored ? `${shortened(state[0]!.name)}.` : ""}${subjectName(deed)}`
}

/** Tokens that move: the source and destination, as far as each is a single account. */
const movementOf = (deed: Deed): string | undefined => {
  const { flow, reached } = deed
  const calls = [...reached.via, reached.event]
  const at = calls.findIndex((call) => call.kind === "call" && /^(safe)?(transfer|transferFrom|mint)$/i.test(call.name))
  const call = calls[at]
  if (call?.kind !== "call" || call.args.length < 2) return undefined
  const seen = (e: Expr | undefined): Origins =>
    e === undefined ? noOrigins : outward(flow, { ...reached, event: call, via: reached.via.slice(0, at) }, e)
  const isPulled = /transferFrom$/i.test(call.name)
  // a library receives the token first
  const [receiver, sender] = call.args.slice(0, -1).toReversed()
  const isLibrary = call.args.length > (isPulled ? 3 : 2)
  const token = partyOf(isLibrary ? seen(call.args[0]) : seen(call.receiver)) ?? "tokens"
  if (/mint$/i.test(call.name)) return `mints ${token}${to(seen(receiver))}`
  const from = isPulled ? partyOf(seen(sender)) : undefined
  return `transfers ${token}${from === undefined ? "" : ` from ${from}`}${to(seen(receiver))}`
}

const to = (account: Origins): string => {
  const party = partyOf(account)
  return party === undefined ? "" : ` to ${party}`
}

/** An account as the entry point knows it; undefined if it is not the same in every case. */
const partyOf = ({ sources, keys, parameters, state }: Origins): string | undefined => {
  if (sources === Source.sender) return "the caller"
  if (sources === Source.self) return "this contract"
  const named = Source.parameter | Source.calldata
  if (sources !== 0 && (sources & ~named) === 0 && parameters.length === 1)
    return `\`${shortened(parameters[0]!.name)}\``
  const stored = Source.state | Source.immutable
  if (sources !== 0 && (sources & ~stored) === 0 && state.length === 1)
    return `\`${shortened(state[0]!.name)}${keys === 0 ? "" : "[]"}\``
  return undefined
}
