import { oncePer } from "../../../oncePer.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { isIdle } from "../../questions/value/idleNumber.ts"
import type { Type } from "../../types.ts"
import type { Access, Entry } from "../entries/entries.ts"
import type { Lack } from "./lacking.ts"

// Messages from elsewhere: the messenger is checked but not the account it acts for, although that is the purpose of a
// bridge.

/**
 * An entry point that accepts anything that anyone sends through the messenger by which the contract writes to a single
 * account, or one per chain.
 */
export const uncheckedMessageOrigin = (program: Program, access: Access, entry: Entry): Lack | undefined => {
  const messenger = onlyCaller(entry)
  const deed = entry.deeds.find(({ value, keys }) => has(value, told) || has(keys, told))
  if (messenger === undefined || deed === undefined) return undefined
  for (const peer of peersBy(access, entry, messenger)) {
    if (entry.deeds.some(({ demands }) => demands.facts.some((fact) => fact.kind === "any" || concerns(fact, peer))))
      continue
    const ignored =
      peer.type.kind === "mapping" ? ignoresOrigin(program, entry, peer.type) : neverAsked(program, messenger)
    if (ignored) return { deed, reason: "origin", guarded: [], of: 1, check: peer }
  }
  return undefined
}

const told = Source.parameter | Source.calldata

/** The single account that everything in the function is for, if nothing else is checked. */
const onlyCaller = ({ guarded, deeds }: Entry): StateVariable | undefined => {
  if (!guarded || deeds.some(({ demands }) => demands.kinds.some((kind) => kind !== "owner"))) return undefined
  const facts = new Set(deeds.flatMap(({ demands }) => demands.facts))
  const callers = [...facts].flatMap((fact) => {
    if (fact.kind === "any" || fact.operator !== "==" || fact.right === undefined) return []
    const [a, b] = [fact.left, fact.right]
    return only(a, Source.sender) ? b.state : only(b, Source.sender) ? a.state : []
  })
  return callers.length === 1 && callers[0]!.type.kind !== "mapping" ? callers[0] : undefined
}

const concerns = (
  {
    left,
    right,
  }: {
    readonly left: { readonly state: ReadonlyArray<StateVariable> }
    readonly right?: { readonly state: ReadonlyArray<StateVariable> }
  },
  variable: StateVariable,
): boolean => left.state.includes(variable) || right?.state.includes(variable) === true

/** Limit: functions of one contract whose messages are examined. */
const sendersLimit = 100

/** The accounts to which the contract's users write through the messenger. */
const peersBy = ({ own }: Access, { contract, flow }: Entry, messenger: StateVariable): ReadonlySet<StateVariable> => {
  const peers = new Set<StateVariable>()
  const senders = [...new Set([...contract.linearization, ...(flow.context?.linearization ?? [])])].flatMap(
    (each) => own.get(each) ?? [],
  )
  for (const { deeds, guarded } of senders.slice(0, sendersLimit)) {
    if (guarded) continue
    for (const { variable, keys, value } of deeds)
      if (variable === undefined && keys.state.includes(messenger))
        for (const peer of value.state) if (peer !== messenger && namesPeer(peer.type)) peers.add(peer)
  }
  return peers
}

/** An account, or one per chain; those of other chains are bytes. */
const namesPeer = (type: Type): boolean =>
  type.kind === "mapping"
    ? type.key.kind === "integer" &&
      (type.value.kind === "fixedBytes" || type.value.kind === "address" || type.value.kind === "bytes")
    : type.kind === "address" || type.kind === "contract"

/** Whether the function receives the sender, in the type that the table has, but never uses it. */
const ignoresOrigin = (program: Program, { fn }: Entry, { value }: Type & { readonly kind: "mapping" }): boolean =>
  fn.parameters.some((p) => p.type.kind === value.kind && isIdle(program, fn, p))

/** Names of the functions that the program calls on other contracts. */
const called = oncePer(
  (program: Program): ReadonlySet<string> =>
    new Set(
      program
        .allFlows()
        .flatMap((flow) => flow.calls().flatMap(({ callKind, name }) => (callKind === "external" ? name : []))),
    ),
)

/** Whether the messenger can report the sender, but the program never queries it. */
const neverAsked = (program: Program, { type }: StateVariable): boolean => {
  if (type.kind !== "contract") return false
  const answers = type.contract.functions.filter(tellsOrigin)
  return answers.length > 0 && answers.every(({ name }) => !called(program).has(name))
}

const tellsOrigin = ({ parameters, returns, mutability, name }: FunctionModel): boolean =>
  mutability === "view" &&
  parameters.length === 0 &&
  returns.length === 1 &&
  returns[0]!.type.kind === "address" &&
  /sender|origin|source/i.test(name)
