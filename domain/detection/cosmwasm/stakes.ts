import { severityRank } from "../../finding/severityRank.ts"
import { oncePer } from "../oncePer.ts"
import type { Match, Rule } from "../Rule.ts"
import { isNamed, type RustType, successType } from "../rust/crate/types.ts"
import type { CosmWasmCrate, CosmWasmProgram, Handler } from "./program/model.ts"
import { outgoingMessages } from "./questions/questions.ts"
import { storageWrites } from "./questions/storageWrites.ts"
import { isLowered, isRaised, isTrusted } from "./saves/unreadMarks.ts"

// What a finding is worth: medium and above are for what an outsider can do to the assets or the authority of others.

/** Classes about what is paid in: where nobody is owed anything, nobody else loses by it. */
const aboutPayments: ReadonlySet<string> = new Set(["funds-not-validated", "cw20-receive-unverified"])

/** A name or a mark, which is not an amount. */
const isLabel = (type: RustType): boolean =>
  (type.kind === "tuple" && type.elements.length === 0) || isNamed(type, "bool", "String", "Addr", "CanonicalAddr")

/** Whether a contract owes anything to anybody: it keeps records by key, counts a sum, or issues tokens. */
const keepsAccounts = oncePer(({ entryPoints }: CosmWasmCrate): boolean =>
  entryPoints.some(
    ({ kind, events }) =>
      kind !== "query" &&
      (storageWrites(events).some(({ key, value, event }) =>
        key === undefined ? isRaised(value) || isLowered(value) : !isLabel(successType(event.value.type)),
      ) ||
        outgoingMessages(events).some(({ path }) => /mint|burn|issue/i.test(path))),
  ),
)

/** The contracts that run some code of a file, by its path. */
const contractsBy = oncePer(({ crates }: CosmWasmProgram): ReadonlyMap<string, ReadonlySet<CosmWasmCrate>> => {
  const by = new Map<string, Set<CosmWasmCrate>>()
  for (const crate of crates)
    for (const { events } of crate.entryPoints)
      for (const { file } of events) {
        const known = by.get(file.path)
        if (known === undefined) by.set(file.path, new Set([crate]))
        else known.add(crate)
      }
  return by
})

/** Only the chain itself, or an account that the contract knows, sends the message. */
const isInsider = (handler: Handler): boolean =>
  /^(instantiate|migrate|sudo)$/.test(handler.entry.kind) || isTrusted(handler, handler.facts)

/** Functions through which messages run, as `path:name`, and whether those of outsiders do. */
const openFunctions = oncePer(({ crates }: CosmWasmProgram): ReadonlyMap<string, boolean> => {
  const open = new Map<string, boolean>()
  for (const { entryPoints } of crates)
    for (const { kind, handlers } of entryPoints)
      for (const handler of kind === "query" ? [] : handlers) {
        const isOpen = !isInsider(handler)
        for (const { function: of, file } of handler.events) {
          const name = `${file.path}:${of.qualifiedName}`
          if (isOpen || !open.has(name)) open.set(name, isOpen)
        }
      }
  return open
})

const isAtStake = (program: CosmWasmProgram, { meta }: Rule<CosmWasmProgram>, { file, scope }: Match): boolean => {
  // What the configuration contains concerns everybody afterwards.
  if (meta.class === "addr-not-validated") return true
  if (openFunctions(program).get(`${file.path}:${scope}`) === false) return false
  const contracts = contractsBy(program).get(file.path)
  return !aboutPayments.has(meta.class) || contracts === undefined || [...contracts].some(keepsAccounts)
}

/** A rule whose findings are low where nobody but the contract's own operators can be harmed, or can do it. */
export const weighed = (rule: Rule<CosmWasmProgram>): Rule<CosmWasmProgram> => ({
  ...rule,
  check: (program, report) => {
    rule.check(program, (match) => {
      const isLow = severityRank(match.severity ?? rule.meta.severity) >= severityRank("low")
      report(isLow || isAtStake(program, rule, match) ? match : { ...match, severity: "low" })
    })
  },
})
