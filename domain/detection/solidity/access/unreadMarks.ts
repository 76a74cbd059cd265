import type { CallSite, StorageAccess } from "../flow/graph/events.ts"
import { only, Source } from "../flow/graph/origins.ts"
import type { Reached } from "../flow/functionSummary.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { isLowered } from "../questions/value/lowered.ts"

// Marks that an entry has had its turn, `claimed[msg.sender] = true`, and whether anything that changes state looks at them.

/** A mark that nothing looks at, and what can therefore be done again. */
export interface UnreadMark {
  readonly flow: Flow
  readonly variable: StateVariable
  readonly mark: Reached<StorageAccess>
  readonly repeated: Reached<StorageAccess | CallSite>
}

/** Marks that are set along with something that is done for the entry, and that no function that changes state reads. */
export const unreadMarks = (program: Program): ReadonlyArray<UnreadMark> => {
  const found: Array<UnreadMark> = []
  for (const flow of program.allFlows()) {
    if (!program.graph.isEntryPoint(flow.fn) || isView(flow) || flow.fn.mutability === "payable") continue
    for (const mark of flow.writes) {
      const variable = mark.place?.variables[0]
      if (variable === undefined || !isMark(flow, mark) || flow.isRestricted(mark.at)) continue
      const repeated = repeatedWith(flow, mark, variable)
      if (repeated === undefined || usesSomethingUp(flow, mark) || isLookedAt(program, variable, mark.place!.path))
        continue
      found.push({ flow, variable, mark, repeated })
    }
  }
  return found
}

const isView = ({ fn: { mutability } }: Flow): boolean => mutability === "view" || mutability === "pure"

const turn = Source.timestamp | Source.blockNumber

/** `done[key] = true`, `last[key] = block.timestamp`: of an entry that is the caller's, or that the caller names. */
const isMark = (flow: Flow, { event, place, at, via }: Reached<StorageAccess>): boolean => {
  if (event.operation !== "assign" || event.value === undefined || place === undefined) return false
  if (place.variables.length !== 1 || !place.path.startsWith("[]")) return false
  if (!(place.keys.sources & (Source.sender | Source.parameter))) return false
  if (event.value.kind === "Literal") return event.value.value === "true"
  return via.length === 0 && only(flow.origins(event.value, at), turn)
}

/** What is done for the entry beside: something is paid or called, or a count that others share goes up. */
const repeatedWith = (
  flow: Flow,
  mark: Reached<StorageAccess>,
  variable: StateVariable,
): Reached<StorageAccess | CallSite> | undefined => {
  const paid = flow.externalCalls.find(({ event }) => !event.isStatic)
  if (paid !== undefined || isTime(mark)) return paid
  return flow.writes.find(
    ({ event, place }) =>
      (event.operation === "compound" || event.operation === "increment") &&
      !isLowered(flow.program, event) &&
      place?.variables.some((v) => v !== variable || place.path !== mark.place!.path) === true &&
      !(place.keys.sources & Source.sender),
  )
}

const isTime = ({ event }: Reached<StorageAccess>): boolean => event.value?.kind !== "Literal"

/** Something else that is looked at is taken away, here or where it is called: there is no second time. */
const usesSomethingUp = (flow: Flow, mark: Reached<StorageAccess>): boolean =>
  flow.writes.some(
    ({ event, place }) =>
      event !== mark.event &&
      (event.operation !== "compound" || isLowered(flow.program, event)) &&
      event.operation !== "increment" &&
      place?.variables.some((v) => isRead(flow, v, place.path)) === true,
  ) || flow.externalCalls.some(({ event }) => !event.isStatic && /burn|from|permit|take|redeem/i.test(event.name))

const isRead = (flow: Flow, variable: StateVariable, path: string): boolean =>
  flow.reads.some(
    ({ event, place }) =>
      !isPointer(event) && place?.variables.includes(variable) === true && mayBeSame(place.path, path),
  )

/** A local that stands for an entry, `Order storage order = orders[id]`, reads nothing of it. */
const isPointer = ({ at: { node } }: StorageAccess): boolean =>
  node?.kind === "VariableDeclarationStatement" && node.declarations[0]?.location === "storage"

const mayBeSame = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)

interface Readers {
  readonly flows: ReadonlyMap<StateVariable, ReadonlyArray<Flow>>
  /** Functions that are called by name, on other contracts or in code that could not be resolved. */
  readonly names: ReadonlySet<string>
}

const memo = new WeakMap<Program, Readers>()

const readersOf = (program: Program): Readers => {
  let readers = memo.get(program)
  if (readers === undefined) memo.set(program, (readers = findReaders(program)))
  return readers
}

const findReaders = (program: Program): Readers => {
  const flows = new Map<StateVariable, Array<Flow>>()
  const names = new Set<string>()
  for (const flow of program.allFlows()) {
    for (const { name, callKind } of flow.calls()) if (callKind !== "builtin") names.add(name)
    for (const variable of new Set(flow.reads.flatMap(({ place }) => place?.variables ?? []))) {
      const known = flows.get(variable)
      if (known === undefined) flows.set(variable, [flow])
      else known.push(flow)
    }
  }
  return { flows, names }
}

/** Something that changes state reads it, or asks for it by a name; what is only told to the outside decides nothing. */
const isLookedAt = (program: Program, variable: StateVariable, path: string): boolean => {
  const { flows, names } = readersOf(program)
  if (variable.node === undefined || names.has(variable.name)) return true
  return (flows.get(variable) ?? []).some(
    (flow) =>
      isRead(flow, variable, path) &&
      (!isView(flow) || names.has(flow.fn.name) || (flow.fn.contract?.missingBases.length ?? 0) > 0),
  )
}
