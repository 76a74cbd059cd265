import { mayShutOut, shutsOut } from "../../demands/demands.ts"
import { outward } from "../../demands/outward.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { StoragePlace } from "../../flow/graph/storagePlace.ts"
import type { Flow, Program } from "../../program.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { accessOf, runsOnce } from "../entries/entries.ts"
import { tokenLedgers } from "./tokenLedgers.ts"

/** Calls in a function that mint or burn for anyone, by a base whose source is missing. */
export const freeInheritedMints = (flow: Flow): ReadonlyArray<CallSite> =>
  flow.fn.mutability === "payable"
    ? []
    : [...flow.calls()].filter((site) => isInheritedMint(site) && isFreeMint(flow, site))

/** The change of a token's balances by which an entry point mints or burns for anyone. */
export const freeMint = (flow: Flow): Reached<StorageAccess> | undefined => {
  const { program } = flow
  if (!program.graph.isEntryPoint(flow.fn)) return undefined
  // The entry of a fixed account, usually address(0), does not exist: `_update(address(0), to, amount)`.
  const changes = flow.writes.filter(({ place }) => isOfToken(program, place) && !only(place!.keys, Source.literal))
  // A third party is asked, or money comes in.
  if (flow.externalCalls.some(({ event }) => !event.isStatic)) return undefined
  // A second change moves tokens: whose they are decides.
  const change = changes.length === 1 ? changes[0]! : takenFrom(flow, changes)
  return change !== undefined && isFree(flow, change, changes) ? change : undefined
}

/** OpenZeppelin's `_mint(address,uint256)` and `_burn`, if the base has no source. */
const isInheritedMint = ({ callKind, name, args }: CallSite): boolean =>
  callKind === "unknown" && (name === "_mint" || name === "_burn") && args.length === 2

/** Whether the caller chooses the amount (and, for a burn, the account), gives nothing for it, and is not checked. */
const isFreeMint = (flow: Flow, { at, args, name }: CallSite): boolean => {
  const [account, amount] = args.map((arg) => flow.origins(arg, at))
  if (amount === undefined || account === undefined || !has(amount, Source.parameter) || has(amount, paid)) return false
  if (name === "_burn" && !has(account, Source.parameter)) return false
  if (mayShutOut(flow, at)) return false
  if (flow.writes.length > 0 || flow.facts(at).length > 0) return false
  for (const site of flow.calls()) {
    if (site.at !== at && ["unknown", "external", "library", "call"].includes(site.callKind)) return false
  }
  return true
}

/** What sets the token up gives its first units away. */
const isOnce = (flow: Flow): boolean => {
  const access = accessOf(flow.program)
  const entry = access.entryOf.get(flow.fn)
  return entry !== undefined && runsOnce(access, entry)
}

const isOfToken = (program: Program, place: StoragePlace | undefined): boolean =>
  place?.variables.some((v) => tokenLedgers(program).get(v) === place.path) === true

const paid =
  Source.value |
  Source.external |
  Source.lowLevel |
  Source.timestamp |
  Source.blockNumber |
  Source.hash |
  Source.unknown

/** Of two changes, the one that lowers the entry of an account that the caller names. */
const takenFrom = (flow: Flow, changes: ReadonlyArray<Reached<StorageAccess>>): Reached<StorageAccess> | undefined => {
  const lowered = changes.filter(({ event }) => isLowered(flow.program, event))
  return lowered.length === 1 ? lowered[0] : undefined
}

/** Whether the caller chooses the amount and neither pays, nor gives up anything, nor is checked. */
const isFree = (
  flow: Flow,
  change: Reached<StorageAccess>,
  changes: ReadonlyArray<Reached<StorageAccess>>,
): boolean => {
  const { event, place, at } = change
  const { keys } = place!
  const toAnyone = has(keys, Source.parameter)
  if (!toAnyone && !has(keys, Source.sender)) return false
  const lowers = isLowered(flow.program, event)
  // Holders may burn their own tokens.
  if (lowers && !toAnyone) return false
  const amount = outward(flow, change, event.value ?? event.expression)
  if (has(amount, paid) || !has(amount, Source.parameter)) return false
  if (shutsOut(flow, at) || isOnce(flow)) return false
  const others = flow.writes.filter((write) => !changes.includes(write))
  if (others.some((write) => (write.place?.keys.sources ?? 0) & Source.sender)) return false
  if (others.some((write) => isBooked(flow, write))) return false
  return !flow
    .facts(at)
    .some(
      (fact) => fact.kind === "any" || sidesOf(fact).some((side) => has(side, paid) || (!lowers && side.keys !== 0)),
    )
}

/** What the contract holds of one asset after the other is compared with what the caller asks for, and noted. */
const isBooked = (flow: Flow, { at }: Reached<StorageAccess>): boolean =>
  flow
    .facts(at)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        fact.right !== undefined &&
        has(fact.left, paid) !== has(fact.right, paid) &&
        has(has(fact.left, paid) ? fact.right : fact.left, Source.parameter),
    )
