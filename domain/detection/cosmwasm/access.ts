import { accessLimits, shortened } from "../../access/accessLimits.ts"
import type { AccessEffect, AccessKind, AccessRow, AccessStanding } from "../../access/AccessTable.ts"
import { weakest } from "../../access/looseness.ts"
import { type Event, guaranteed } from "../rust/terms/events.ts"
import { show } from "../rust/terms/show.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import { lineAt } from "../SourceFile.ts"
import { authorityPlaces, isAuthorized } from "./authority/authority.ts"
import { conditionText } from "./questions/conditionText.ts"
import {
  type CosmWasmCrate,
  type CosmWasmProgram,
  type EntryKind,
  type EntryPoint,
  type Handler,
  nameOfHandler,
} from "./program/model.ts"
import { comparisonsOf, outgoingMessages } from "./questions/questions.ts"
import { storageWrites } from "./questions/storageWrites.ts"

/** Messages that accounts cannot send; the chain controls who calls them. */
const callers: Partial<Record<EntryKind, readonly [AccessStanding, string]>> = {
  instantiate: ["once", "whoever instantiates the contract"],
  migrate: ["guarded", "the contract's admin"],
  sudo: ["guarded", "the chain"],
  reply: ["guarded", "the contract itself"],
}

const nameOf = (container: Term): string =>
  container.kind === "constant" || container.kind === "field" ? container.name : show(container)

const kindOf = (path: string): AccessKind => {
  if (/^WasmMsg::(Migrate|UpdateAdmin|ClearAdmin)$/.test(path)) return "authority"
  return /^(BankMsg|StakingMsg|DistributionMsg)::/.test(path) ? "assets" : "call"
}

interface Done {
  readonly kind: AccessKind
  readonly what: string
  readonly event: Event
  /** The entry that is written. */
  readonly key?: Term
}

const doneBy = ({ events }: Handler, authorities: ReadonlySet<string>): ReadonlyArray<Done> => [
  ...storageWrites(events).map(({ container, path, key, event }): Done => {
    const verb = event.operator === "remove" ? "removes" : "writes"
    return {
      kind: authorities.has(`${container.id}:${path}`) ? "authority" : "state",
      what: `${verb} \`${nameOf(container)}${path === "" ? "" : `.${path}`}\``,
      event,
      ...(key === undefined ? {} : { key }),
    }
  }),
  ...outgoingMessages(events)
    .filter(({ path }) => !path.startsWith("SubMsg"))
    .map(({ path, event }): Done => ({ kind: kindOf(path), what: `sends \`${path}\``, event })),
]

const askedFor = (entry: EntryPoint, { event, key }: Done): readonly [AccessStanding, string] => {
  const { kind, sender } = entry
  const fixed = /^ibc2?_/.test(kind) ? (["guarded", "the chain's relayers"] as const) : callers[kind]
  if (fixed !== undefined) return fixed
  const known = guaranteed(event)
  if (isAuthorized(entry, known)) {
    const facts = sender === undefined ? [] : comparisonsOf(sender, known).map(({ fact }) => fact)
    const telling = facts.filter((fact) => isAuthorized(entry, new Set([fact])))
    const worth = (one: Term): number =>
      one.kind === "binary" ? 0 : one.kind === "is" && one.variant === "None" ? 2 : 1
    const [fact] = telling.toSorted((a, b) => worth(a) - worth(b))
    return ["guarded", fact === undefined ? "holders of a signature" : `\`${shortened(conditionText(fact))}\``]
  }
  const isOwn = sender !== undefined && key !== undefined && mentions(key, (one) => one === sender)
  return isOwn ? ["tied", "the sender's own entry"] : ["open", "anyone"]
}

const rowOf = (crate: CosmWasmCrate, handler: Handler, authorities: ReadonlySet<string>): AccessRow | undefined => {
  const { entry, place } = handler
  const effects = new Map<string, AccessEffect>()
  for (const done of doneBy(handler, authorities)) {
    const [standing, who] = askedFor(entry, done)
    const key = `${done.what}\n${who}`
    if (effects.has(key)) continue
    const { file, node } = done.event
    effects.set(key, {
      kind: done.kind,
      what: shortened(done.what),
      standing,
      who: shortened(who),
      file: file.path,
      line: lineAt(file, node.start),
    })
  }
  if (effects.size === 0) return undefined
  const all = [...effects.values()]
  return {
    contract: shortened(crate.crate.name),
    function: shortened(nameOfHandler(handler)),
    file: place.file.path,
    line: lineAt(place.file, place.span.start),
    standing: weakest(all.map(({ standing }) => standing)),
    effects: all.slice(0, accessLimits.effectsOfRow),
    ...(all.length > accessLimits.effectsOfRow ? { more: all.length - accessLimits.effectsOfRow } : {}),
  }
}

/** A table for each contract: its messages, what they change or send, and who can do that. */
export const cosmwasmAccess = (
  program: CosmWasmProgram,
  isReported: (path: string) => boolean,
): ReadonlyArray<AccessRow> =>
  program.crates.flatMap((crate) => {
    const authorities = authorityPlaces(crate)
    const rows = crate.entryPoints
      .filter(({ kind }) => kind !== "query")
      .flatMap(({ handlers }) => handlers)
      .flatMap((one) => (isReported(one.place.file.path) ? (rowOf(crate, one, authorities) ?? []) : []))
    // effects shared by several arms inside one message are listed once
    return [...new Map(rows.map((row) => [JSON.stringify([row.function, row.effects]), row])).values()]
  })
