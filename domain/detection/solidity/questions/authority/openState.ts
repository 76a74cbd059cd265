import { oncePer } from "../../../oncePer.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { alongPath, strangersPath } from "./attackerControl.ts"
import { areRelated, forwarders } from "./forwarding.ts"

export interface OpenWrite extends Reached<StorageAccess> {
  readonly flow: Flow
  /** Origins of the written value, in terms of the flow's function. */
  readonly value: Origins
}

interface Candidate extends OpenWrite {
  /** Whether the write is to the variable or a member of it rather than to a table entry. */
  readonly isWhole: boolean
  readonly holdsAddress: boolean
}

interface Known {
  readonly candidates: ReadonlyMap<StateVariable, ReadonlyArray<Candidate>>
  /** The contracts are modules of a proxy: what any of them writes, any may read. */
  readonly isModular: boolean
  readonly answers: Map<StateVariable, Map<ContractModel | undefined, ReadonlyArray<Candidate>>>
}

const knownOf = oncePer((program: Program): Known => ({
  candidates: candidatesIn(program),
  isModular: forwarders(program).length > 0,
  answers: new Map(),
}))

/** Limits: writes examined per variable, and derived contracts per contract. */
const writeLimit = 24
const heirLimit = 100

const chosen = Source.parameter | Source.calldata | Source.sender

/** Writes of a value that the caller may choose, regardless of who gets there. */
const candidatesIn = (program: Program): Known["candidates"] => {
  const found = new Map<StateVariable, Array<Candidate>>()
  for (const flow of program.allFlows()) {
    // What a function that always reverts has written is undone.
    if (flow.fn.role === "constructor" || !flow.summary.returns || !program.graph.isReachable(flow.fn)) continue
    for (const write of flow.writes) {
      // A write inside a callee is examined there.
      if (write.via.length > 0 || write.event.value === undefined || write.place === undefined) continue
      const variable = write.place.variables[0]
      if (variable === undefined) continue
      const isWhole = !write.place.path.includes("[]")
      const holdsAddress = isAddress(program, write.event.value)
      if (!isWhole && !holdsAddress) continue
      const value = flow.origins(write.event.value, write.event.at)
      // Values that assembly loads from memory are known only for the whole block.
      if (write.event.operation === "sstore" && !only(value, chosen | Source.literal | Source.constant)) continue
      if (!has(value, chosen)) continue
      const all = found.get(variable)
      const one = { ...write, flow, value, isWhole, holdsAddress }
      if (all === undefined) found.set(variable, [one])
      else if (all.length < writeLimit) all.push(one)
    }
  }
  return found
}

/** Whether some deployed contract contains the code of both; libraries are part of any contract. */
const isDeployedWith = (one: ContractModel | undefined, other: ContractModel | undefined): boolean =>
  one === undefined ||
  other === undefined ||
  one.node.contractKind === "library" ||
  other.node.contractKind === "library" ||
  areRelated(one, other) ||
  one.derived.slice(0, heirLimit).some((heir) => heir.linearization.includes(other))

/** The contract whose storage is read, or undefined if any may be. */
const hostOf = ({ program, fn }: Flow): ContractModel | undefined =>
  knownOf(program).isModular ? undefined : fn.contract

const pathTo = ({ flow, at, value }: Candidate, host: ContractModel | undefined) =>
  strangersPath(flow, at, value, chosen, (fn) => isDeployedWith(host, fn.contract))

/** Writes by which any caller of a contract that contains the code of `reader` sets the variable. */
const openWrites = (reader: Flow, variable: StateVariable): ReadonlyArray<Candidate> => {
  const { candidates, answers } = knownOf(reader.program)
  const all = candidates.get(variable)
  if (all === undefined) return []
  const contract = hostOf(reader)
  let known = answers.get(variable)
  if (known === undefined) answers.set(variable, (known = new Map()))
  let found = known.get(contract)
  if (found === undefined) {
    const isOpen = (write: Candidate): boolean =>
      pathTo(write, contract) !== undefined && write.flow.onceAt(write.at) === undefined
    known.set(contract, (found = all.filter(isOpen)))
  }
  return found
}

/**
 * The write by which any caller sets a state variable (a whole one or a struct member, not a table entry) to a value of
 * their choice, in a contract that `reader` may be part of.
 */
export const openState = (reader: Flow, variable: StateVariable): OpenWrite | undefined =>
  openWrites(reader, variable).find(({ isWhole }) => isWhole)

/**
 * Like `openState`, but including table and array entries: whether it stores an address chosen by any caller. `keys` are
 * those of the entry that is read, if only some matter.
 */
export const openTable = (reader: Flow, variable: StateVariable, keys?: Origins): OpenWrite | undefined =>
  openWrites(reader, variable).find(
    (write) => write.holdsAddress && (keys === undefined || !isApart(keys, write, hostOf(reader))),
  )

/** Whether an entry with a fixed key is read, and one whose key is a hash of something else is written. */
const isApart = (keys: Origins, write: Candidate, host: ContractModel | undefined): boolean => {
  if ((keys.keys & ~(Source.literal | Source.constant)) !== 0) return false
  const path = pathTo(write, host)
  return path !== undefined && has(alongPath(write.flow, write.place!.keys, path), Source.hash) // a write with a place
}

/** Whether it is an address or contract, or a struct constructed from one. */
const isAddress = (program: Program, e: Expr): boolean => {
  if (e.kind.startsWith("Yul")) return false
  const value = e as S.Expression // no Yul expression remains
  const { kind } = program.typeOf(value)
  if (kind === "address" || kind === "contract") return true
  if (value.kind !== "FunctionCall" || program.callOf(value)?.kind !== "struct") return false
  return value.args.some((arg) => isAddress(program, arg))
}
