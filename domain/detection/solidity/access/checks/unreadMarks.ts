import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { type CallSite, isPointer, type StorageAccess } from "../../flow/graph/events.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { type DemandKind, demandsAt } from "../../demands/demands.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { sameExpression } from "../../questions/value/sameExpression.ts"

// Marks that an entry has had its turn, `claimed[msg.sender] = true`, and whether anything that changes state reads
// them.

/** A mark that is not checked, and the action that can therefore be repeated. */
export interface UnreadMark {
  readonly flow: Flow
  readonly variable: StateVariable
  readonly mark: Reached<StorageAccess>
  readonly repeated: Reached<StorageAccess | CallSite>
  /** Whether other functions check the mark that this one sets without checking. */
  readonly isReadElsewhere: boolean
}

/** Marks that are set together with an action for the entry, by a function that never checks whether they are set. */
export const unreadMarks = (program: Program): ReadonlyArray<UnreadMark> => {
  const found: Array<UnreadMark> = []
  for (const flow of program.allFlows()) {
    if (!program.graph.isEntryPoint(flow.fn) || isView(flow) || flow.fn.mutability === "payable") continue
    for (const mark of flow.writes) {
      const variable = mark.place?.variables[0]
      const kind = kindOf(flow, mark)
      if (variable?.node === undefined || kind === undefined || isTrusted(flow, mark.at)) continue
      const repeated = repeatedWith(flow, mark, kind, variable)
      if (repeated === undefined || usesSomethingUp(flow, mark)) continue
      const { path } = mark.place!
      const { views, isReadElsewhere, isReset } = usesOfMark(program, variable, path)
      if (asks(flow, variable, path, views)) continue
      if (usesOf(program).names.has(variable.name)) continue
      // A mark that is set to both `true` and `false` is a list, and a time that others read is a clock.
      if (isReadElsewhere && (kind === "time" || (kind === "flag" && isReset))) continue
      found.push({ flow, variable, mark, repeated, isReadElsewhere })
    }
  }
  return found
}

const isView = ({ fn: { mutability } }: Flow): boolean => mutability === "view" || mutability === "pure"

/** What entitles somebody to one turn does not entitle them to two. */
const entitling: ReadonlySet<DemandKind> = new Set<DemandKind>(["proof", "self", "holder", "listed", "once"])

const isTrusted = (flow: Flow, at: FlowNode): boolean => {
  const { kinds } = demandsAt(flow, at)
  return kinds.length === 0 ? flow.isRestricted(at) : kinds.some((kind) => !entitling.has(kind))
}

const turn = Source.timestamp | Source.blockNumber

/** A flag is set permanently, a state closes what was open, and a time determines when the next turn may be. */
type Kind = "flag" | "state" | "time"

/** `done[key] = true`, `last[key] = block.timestamp`: for an entry that is the caller's, or that the caller names. */
const kindOf = (flow: Flow, { event, place, at, via }: Reached<StorageAccess>): Kind | undefined => {
  if (event.value === undefined || place === undefined || place.variables.length !== 1) return
  if (!place.path.includes("[]") || !(place.keys.sources & (Source.sender | Source.parameter))) return
  if (isBitSet(flow.program, event)) return "flag"
  if (event.operation !== "assign") return
  if (event.value.kind === "Literal") return event.value.value === "true" ? "flag" : undefined
  if (isState(flow.program, event.value)) return "state"
  return via.length === 0 && only(flow.origins(event.value, at), turn) ? "time" : undefined
}

const updateOf = ({ at: { node }, expression }: StorageAccess): S.Assignment | undefined =>
  node?.kind === "ExpressionStatement" && node.expression.kind === "Assignment" && node.expression.left === expression
    ? node.expression
    : undefined

/** `bits[word] |= bit`, `bits[word] = bits[word] | bit`. */
const isBitSet = (program: Program, event: StorageAccess): boolean => {
  const update = updateOf(event)
  return (
    update?.operator === "|=" ||
    (update?.operator === "=" &&
      update.right.kind === "BinaryOperation" &&
      update.right.operator === "|" &&
      [update.right.left, update.right.right].some((side) => sameExpression(program, update.left, side)))
  )
}

/** `Status.Filled`: any member but the first, which is the initial value. */
const isState = (program: Program, value: Expr): boolean => {
  if (value.kind !== "MemberAccess") return false
  const type = program.typeOf(value)
  return type.kind === "enum" && type.enum.node.values[0]?.name !== value.member
}

const isResetBy = (flow: Flow, variable: StateVariable, path: string): boolean =>
  flow.writes.some(
    ({ event, place }) =>
      place?.variables.includes(variable) === true &&
      place.path === path &&
      (event.operation === "delete" || (event.value?.kind === "Literal" && event.value.value !== "true")),
  )

/** What else is done for the entry: something is paid or called, or a shared count increases. */
const repeatedWith = (
  flow: Flow,
  mark: Reached<StorageAccess>,
  kind: Kind,
  variable: StateVariable,
): Reached<StorageAccess | CallSite> | undefined => {
  const paid = flow.externalCalls.find(({ event }) => !event.isStatic)
  if (paid !== undefined || kind === "time") return paid
  return flow.writes.find(
    ({ event, place }) =>
      (event.operation === "compound" || event.operation === "increment") &&
      !isLowered(flow.program, event) &&
      place?.variables.some((v) => v !== variable || place.path !== mark.place!.path) === true &&
      !(place.keys.sources & Source.sender),
  )
}

/** What one function reads and consumes; each function is examined once, however many marks it sets. */
interface Looks {
  /** Paths that are read, per variable. */
  readonly read: ReadonlyMap<StateVariable, ReadonlyArray<string>>
  /** Writes that remove something that is read. */
  readonly taken: ReadonlyArray<StorageAccess>
  /** Whether a call takes something, here or where it is called. */
  readonly callsFor: boolean
}

const looksOf = oncePer((flow: Flow): Looks => {
  // a value read only to set one more bit of it is not checked
  const updates = new Set(flow.writes.flatMap(({ event }) => (isBitSet(flow.program, event) ? [event.at] : [])))
  const paths = new Map<StateVariable, Set<string>>()
  for (const { event, place } of flow.reads) {
    if (place === undefined || isPointer(event) || updates.has(event.at)) continue
    for (const variable of place.variables) {
      const known = paths.get(variable)
      if (known === undefined) paths.set(variable, new Set([place.path]))
      else known.add(place.path)
    }
  }
  const read = new Map([...paths].map(([variable, found]) => [variable, [...found]] as const))
  const taken = flow.writes.flatMap(({ event, place }) =>
    (event.operation !== "compound" || isLowered(flow.program, event)) &&
    event.operation !== "increment" &&
    place?.variables.some((variable) => isAmong(read.get(variable), place.path)) === true
      ? [event]
      : [],
  )
  const callsFor = flow.externalCalls.some(
    ({ event }) => !event.isStatic && /burn|from|permit|take|redeem/i.test(event.name),
  )
  return { read, taken, callsFor }
})

const isAmong = (paths: ReadonlyArray<string> | undefined, path: string): boolean =>
  paths?.some((one) => one.startsWith(path) || path.startsWith(one)) === true

/** Whether something else that is checked is removed, so that there is no second time. */
const usesSomethingUp = (flow: Flow, mark: Reached<StorageAccess>): boolean => {
  const { taken, callsFor } = looksOf(flow)
  return callsFor || taken.some((event) => event !== mark.event)
}

const isRead = (flow: Flow, variable: StateVariable, path: string): boolean =>
  isAmong(looksOf(flow).read.get(variable), path)

interface Uses {
  readonly readers: ReadonlyMap<StateVariable, ReadonlyArray<Flow>>
  readonly writers: ReadonlyMap<StateVariable, ReadonlyArray<Flow>>
  /** Functions called by name, on other contracts or in code that could not be resolved. */
  readonly names: ReadonlySet<string>
}

const usesOf = oncePer((program: Program): Uses => {
  const readers = new Map<StateVariable, Array<Flow>>()
  const writers = new Map<StateVariable, Array<Flow>>()
  const names = new Set<string>()
  for (const flow of program.allFlows()) {
    for (const { name, callKind } of flow.calls()) if (callKind !== "builtin") names.add(name)
    for (const [accesses, byVariable] of [[flow.reads, readers] as const, [flow.writes, writers] as const]) {
      for (const variable of new Set(accesses.flatMap(({ place }) => place?.variables ?? []))) {
        const known = byVariable.get(variable)
        if (known === undefined) byVariable.set(variable, [flow])
        else known.push(flow)
      }
    }
  }
  return { readers, writers, names }
})

/** What the program does with a mark, which many functions may set. */
interface MarkUses {
  /** The names of the functions that only tell whether it is set. */
  readonly views: ReadonlySet<string>
  readonly isReadElsewhere: boolean
  readonly isReset: boolean
}

const knownUses = oncePerPair((_program: Program, _variable: StateVariable) => new Map<string, MarkUses>())

const usesOfMark = (program: Program, variable: StateVariable, path: string): MarkUses => {
  const known = knownUses(program, variable)
  let uses = known.get(path)
  if (uses === undefined) {
    const { readers, writers } = usesOf(program)
    const reading = (readers.get(variable) ?? []).filter((flow) => isRead(flow, variable, path))
    uses = {
      views: new Set(reading.flatMap((flow) => (isView(flow) ? [flow.fn.name] : []))),
      isReadElsewhere: reading.some((reader) => decides(program, reader)),
      isReset: (writers.get(variable) ?? []).some((flow) => isResetBy(flow, variable, path)),
    }
    known.set(path, uses)
  }
  return uses
}

/** Whether the function checks the mark, or queries another contract by a name that refers to it. */
const asks = (flow: Flow, variable: StateVariable, path: string, views: ReadonlySet<string>): boolean =>
  isRead(flow, variable, path) ||
  flow.externalCalls.some(({ event: { name } }) => name === variable.name || views.has(name))

/** Whether what it reads matters: it changes state, or is called by name; anything else only informs the outside. */
const decides = (program: Program, flow: Flow): boolean =>
  !isView(flow) || usesOf(program).names.has(flow.fn.name) || (flow.fn.contract?.missingBases.length ?? 0) > 0
