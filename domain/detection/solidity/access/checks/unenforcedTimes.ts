import { oncePer } from "../../../oncePer.ts"
import { type Fact, type Relation, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { laterTimes } from "../../questions/value/idleTimes.ts"
import { type Deed, isCleared } from "../entries/deeds.ts"
import { type Access, accessOf, type Entry } from "../entries/entries.ts"

// Waiting times that one function announces, and that the one which carries out what was announced does not wait for.

export interface UnenforcedTime {
  readonly entry: Entry
  /** What is done too early. */
  readonly deed: Deed
  /** Where the time is required or stored. */
  readonly announced: Reached<StorageAccess>
  readonly name: string
}

export const unenforcedTimes = (program: Program): ReadonlyArray<UnenforcedTime> => {
  const access = accessOf(program)
  return [...announcedByHash(access), ...storedTimes(program, access)]
}

/** Limit: functions that write one table. */
const writersLimit = 50

/** `queued[keccak256(abi.encode(call, eta))]`: whoever executes it passes the same time, which only the queue checked. */
const announcedByHash = (access: Access): ReadonlyArray<UnenforcedTime> =>
  access.entries.flatMap((queue) => {
    const times = relationsIn(queue.flow.facts(queue.flow.exit)).flatMap(postponed)
    if (times.length === 0) return []
    return queue.deeds.flatMap((deed) => {
      const { variable, keys, reached } = deed
      const time = has(keys, Source.hash) ? times.find((p) => named(keys).includes(p)) : undefined
      if (variable === undefined || time === undefined || isCleared(deed) || reached.event.kind !== "write") return []
      const announced = { ...reached, event: reached.event }
      return (access.bySubject.get(variable) ?? []).slice(0, writersLimit).flatMap(({ entry, deed: cleared }) => {
        const passed = named(cleared.keys).find(({ name, type }) => name === time.name && type.kind === time.type.kind)
        const done = entry === queue || passed === undefined ? undefined : carriedOut(entry, cleared)
        const waits = relationsIn(entry.flow.facts(entry.flow.exit)).some(
          (fact) =>
            isAboutTime(fact) && sidesOf(fact).some((side) => side.parameters.includes(passed!)) && !isLimit(fact),
        )
        return done === undefined || waits ? [] : [{ entry, deed: done, announced, name: time.name }]
      })
    })
  })

const named = ({ parameters, keyParameters }: Origins): ReadonlyArray<LocalVariable> => [
  ...parameters,
  ...keyParameters,
]

/** An argument that must be later than now. */
const postponed = (fact: Relation): ReadonlyArray<LocalVariable> => {
  const { operator, left, right } = fact
  if (right === undefined || !isAboutTime(fact)) return []
  const later = operator === ">" || operator === ">=" ? left : operator === "<" || operator === "<=" ? right : undefined
  return later !== undefined && only(later, Source.parameter) ? later.parameters : []
}

const clock = Source.timestamp | Source.blockNumber

const isAboutTime = (fact: Relation): boolean => sidesOf(fact).some((side) => has(side, clock))

/** `block.timestamp <= eta + grace`: it must not be too late. */
const isLimit = ({ operator, left, right }: Relation): boolean =>
  right !== undefined &&
  ((only(left, clock) && operator.startsWith("<")) || (only(right, clock) && operator.startsWith(">")))

/** What is done besides removing the announcement. */
const carriedOut = ({ deeds }: Entry, cleared: Deed): Deed | undefined =>
  isCleared(cleared) || isUnset(cleared)
    ? deeds.find(
        ({ variable }) => variable === undefined || declaredWhole(variable) !== declaredWhole(cleared.variable!),
      )
    : undefined

const isUnset = ({ reached: { event } }: Deed): boolean =>
  event.kind === "write" && event.value?.kind === "Literal" && event.value.value === "false"

/** `end = block.timestamp + wait`, if nothing checks that it has passed before the announcement is executed. */
const storedTimes = (program: Program, access: Access): ReadonlyArray<UnenforcedTime> => {
  const asked = askedTimes(program)
  return laterTimes(program).flatMap(({ variable, event, flow, member }) => {
    const record = declaredWhole(variable)
    if (asked.has(record)) return []
    const announced = flow.writes.find((write) => write.event === event)
    const doing = [...new Set([variable, record])].flatMap((each) => access.bySubject.get(each) ?? [])
    const found = doing.slice(0, writersLimit).flatMap(({ entry, deed }) => {
      const done = entry.flow === flow || !asksOnlyExistence(deed, record) ? undefined : carriedOut(entry, deed)
      return done === undefined ? [] : [{ entry, deed: done }]
    })
    return announced === undefined
      ? []
      : found.slice(0, 1).map((each) => ({ ...each, announced, name: `${variable.name}${member}` }))
  })
}

/** Records whose time some condition compares with now, other than as the end of what is possible. */
const askedTimes = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    let facts: ReadonlyArray<Relation> | undefined
    for (const node of flow.conditionNodes()) {
      const asked = flow.origins(node.expression!, node)
      if (!has(asked, clock) || asked.state.length === 0) continue
      facts ??= relationsIn(flow.facts(flow.exit)).filter(isAboutTime)
      const here = facts.filter(({ at }) => at === node)
      if (here.length === 0 || !here.every(isLimit)) for (const each of asked.state) found.add(declaredWhole(each))
    }
  }
  return found
})

/** Whether the existence of the record, and nothing else, is required. */
const asksOnlyExistence = ({ demands: { facts } }: Deed, record: StateVariable): boolean =>
  facts.some((fact) => isExistence(fact) && concerns(fact, record)) &&
  facts.every((fact) => isExistence(fact) || !concerns(fact, record)) &&
  !relationsIn(facts).some(isAboutTime)

const isExistence = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  ((fact.withZero && (fact.operator === "!=" || fact.operator === ">")) || fact.operator === "true")

const concerns = (fact: Fact, record: StateVariable): boolean =>
  relationsIn([fact]).some((each) => sidesOf(each).some(({ state }) => state.some((v) => declaredWhole(v) === record)))
