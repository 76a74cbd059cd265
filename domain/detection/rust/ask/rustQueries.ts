import type { AccessRow } from "../../../access/AccessTable.ts"
import { boundedText, shortened } from "../../../finding/boundedText.ts"
import {
  type Answer,
  answerLimits,
  codeAt,
  functionSpans,
  index,
  listed,
  matches,
  place,
  type ProgramAnswers,
  shownRow,
  textAt,
  unknown,
} from "../../ask/ProgramQueries.ts"
import { maskedText } from "../../secrets/masked.ts"
import { lineAt } from "../../SourceFile.ts"
import type { Crate, FunctionDefinition } from "../crate/crate.ts"
import type { Event } from "../terms/events.ts"
import { show } from "../terms/show.ts"
import type { Term } from "../terms/terms.ts"
import { type Calls, callsOf } from "./calls.ts"
import type { RustEntry, RustModel, StateWrite } from "./RustModel.ts"

/** Whoever asks may write `Vault.withdraw` or `Vault::withdraw`. */
const asked = (name: string): string => name.trim().replace(/\(.*$/s, "").replaceAll(".", "::")

const fileOf = (fn: FunctionDefinition) => fn.module.file
const nameOf = (fn: FunctionDefinition): string => shortened(fn.qualifiedName, answerLimits.text)

/** A term as text: what code compares may contain something that must not be shown. */
export const shownTerm = (term: Term): string => boundedText(maskedText("", show(term)), answerLimits.text)

const namesOf = (crate: Crate, fn: FunctionDefinition): ReadonlyArray<string> => {
  const { name, qualifiedName, module } = fn
  return [name, qualifiedName, `${crate.name}::${qualifiedName}`, `${module.name}::${qualifiedName}`]
}

const entryNames = ({ name }: RustEntry): ReadonlyArray<string> => [
  name,
  ...name.split(" > "),
  ...name.split(" > ").map((part) => part.split("::").at(-1)!),
]

const shownEntry = ({ name, file, line }: RustEntry): Answer => ({
  function: shortened(name, answerLimits.text),
  file,
  line,
})

const entryNamesOf = (calls: Calls, fn: FunctionDefinition, count: number = answerLimits.entries) =>
  calls
    .entriesOf(fn)
    .slice(0, count)
    .map(({ name }) => shortened(name, answerLimits.text))

/** The conditions that must hold for the code to continue, each with its place. */
const checksIn = (events: Iterable<Event>): ReadonlyArray<Answer> => {
  const found = new Map<string, Answer>()
  for (const event of events) {
    if (event.kind !== "check" || found.size > answerLimits.items) continue
    const shown = event.conditions.map(shownTerm).join(" and ")
    const at = place(event.file, event.node.start)
    found.set(`${at.file}:${at.line}:${shown}`, { condition: shown, function: nameOf(event.function), ...at })
  }
  return [...found.values()]
}

/** What leaves a program, by the function that says so. */
const outgoingOf = ({ events, outgoing }: RustModel) => {
  const found = new Map<FunctionDefinition, Map<string, Answer>>()
  for (const event of events) {
    const said = outgoing(event)
    if (said === undefined) continue
    let own = found.get(event.function)
    if (own === undefined) found.set(event.function, (own = new Map()))
    const key = `${event.file.path}:${event.node.start}`
    if (!own.has(key))
      own.set(key, { call: textAt(event.file, event.node), ...said, ...place(event.file, event.node.start) })
  }
  return (fn: FunctionDefinition): ReadonlyArray<Answer> => [...(found.get(fn)?.values() ?? [])]
}

/** What leaves a program in a function and its callees, with the path to it. */
const leaving = (fn: FunctionDefinition, own: ReturnType<typeof outgoingOf>, calls: Calls): ReadonlyArray<Answer> => {
  const ways = new Map<FunctionDefinition, ReadonlyArray<string>>([[fn, []]])
  const found: Array<Answer> = []
  // A map also iterates over what is added in the meantime, so that the nearest comes first.
  for (const [one, way] of ways) {
    for (const call of own(one)) found.push(way.length === 0 ? call : { ...call, through: way })
    for (const callee of calls.calleesOf(one))
      if (!ways.has(callee)) ways.set(callee, [...way, nameOf(callee)].slice(0, 10))
  }
  return found
}

const writersOf = (writes: ReadonlyArray<StateWrite>, calls: Calls): Answer => {
  const places = new Map<string, Event>()
  for (const { event } of writes) {
    const key = `${event.file.path}:${event.node.start}`
    if (!places.has(key)) places.set(key, event)
  }
  return {
    variable: shortened(writes[0]!.variable, answerLimits.text),
    writers: listed([...places.values()], (event) => ({
      function: nameOf(event.function),
      ...place(event.file, event.node.start),
      reachedFrom: entryNamesOf(calls, event.function, 10),
    })),
  }
}

type Rows = ReadonlyMap<string, ReadonlyArray<AccessRow>>

const rowKey = ({ file, line, name }: Pick<RustEntry, "file" | "line" | "name">): string => `${file}:${line}:${name}`

/** What an entry point requires, and what it does afterwards. */
const checksOf = (entry: RustEntry, rowsAt: Rows): Answer => {
  const [row] = rowsAt.get(rowKey(entry)) ?? []
  return {
    ...shownEntry(entry),
    ...(row === undefined ? { effects: [] } : { standing: row.standing, effects: row.effects }),
    ...(entry.accounts === undefined ? {} : { accounts: entry.accounts.slice(0, answerLimits.items) }),
    checks: listed(checksIn(entry.events), (one) => one),
    holdsWhenItSucceeds: listed([...entry.success], shownTerm),
  }
}

const codeOf = (fn: FunctionDefinition, context: RustEntry["context"]): Answer => ({
  visibility: fn.item.visibility,
  code: codeAt(fileOf(fn), fn.item),
  ...(context === undefined
    ? {}
    : { accounts: codeAt(context.file, context.span), accountsAt: place(context.file, context.span.start) }),
})

const callersIn = (calls: Calls, fn: FunctionDefinition): Answer => ({
  callers: listed(calls.callersOf(fn), (event) => ({
    function: nameOf(event.function),
    ...place(event.file, event.node.start),
  })),
  reachedFrom: entryNamesOf(calls, fn),
})

/** Answers about the programs of a Rust ecosystem; what the answers need is computed here, once. */
export const rustQueries = (model: RustModel): ProgramAnswers => {
  const { crates, entries, rows } = model
  const calls = callsOf(model.events, entries)
  const all = crates.flatMap((crate) => crate.functions.map((fn) => ({ crate, fn })))
  const functions = index(all, ({ crate, fn }) => namesOf(crate, fn))
  const entriesNamed = index(entries, entryNames)
  const entriesDoneBy = index(entries, ({ function: fn }) => namesOf(fn.module.crate, fn))
  const crateNamed = index(crates, ({ name }) => [name, shortened(name, answerLimits.text)])
  const state = crates.flatMap((crate) => model.stateOf(crate).map((item) => ({ crate, item })))
  const stateNamed = index(state, ({ item }) => [item.name])
  const writes = index(model.writes, ({ variable, names }) => [variable, ...names].map(asked))
  const rowsAt = index(rows, ({ file, line, function: name }) => [rowKey({ file, line, name })])
  const outgoing = outgoingOf(model)
  const functionAround = functionSpans(
    all.map(({ fn }) => fn),
    (fn) => {
      const { start, end } = fn.item
      return { file: fileOf(fn).path, from: lineAt(fileOf(fn), start), to: lineAt(fileOf(fn), end) }
    },
  )

  const wanted = (name: string): ReadonlyArray<FunctionDefinition> => {
    const key = asked(name)
    const found = new Set([
      ...(entriesNamed.get(key) ?? []).map((entry) => entry.function),
      ...(functions.get(key) ?? []).map(({ fn }) => fn),
    ])
    return [...found].toSorted((a, b) => Number(b.item.body !== undefined) - Number(a.item.body !== undefined))
  }
  const named = (name: string, answer: (fn: FunctionDefinition) => Answer): Answer => {
    const found = wanted(name)
    if (found.length === 0) return unknown("function", name)
    return matches("functions", found, (fn) => ({
      function: nameOf(fn),
      ...place(fileOf(fn), fn.item.nameSpan.start),
      ...answer(fn),
    }))
  }
  return {
    ecosystem: model.ecosystem,
    files: crates.flatMap((crate) => crate.files.map(({ file }) => file)),
    functionAt: (file, line) => {
      const found = functionAround(file, line)
      if (found === undefined) return undefined
      return { name: nameOf(found.fn), from: found.from, to: found.to, reachedFrom: entryNamesOf(calls, found.fn) }
    },
    list_entry_points: (contract) => {
      if (contract !== undefined && !crateNamed.has(contract)) return unknown("program", contract)
      return listed(
        rows.filter((row) => contract === undefined || row.contract === contract),
        shownRow,
      )
    },
    read_function: (name) => named(name, (fn) => codeOf(fn, entries.find((entry) => entry.function === fn)?.context)),
    callers_of: (name) => named(name, (fn) => callersIn(calls, fn)),
    writers_of: (name) => {
      const found = writes.get(asked(name))
      if (found === undefined) return unknown("stored variable", name)
      const byVariable = [...Map.groupBy(found, ({ variable }) => variable).values()]
      return matches("variables", byVariable, (own) => writersOf(own, calls))
    },
    checks_before: (name) => {
      const key = asked(name)
      const found = new Set([...(entriesNamed.get(key) ?? []), ...(entriesDoneBy.get(key) ?? [])])
      if (found.size > 0) return matches("functions", [...found], (entry) => checksOf(entry, rowsAt))
      return named(name, (fn) => ({
        effects: [],
        checks: listed(checksIn(model.events.filter((event) => event.function === fn)), (one) => one),
        reachedFrom: entryNamesOf(calls, fn),
        note: "It is not an entry point that changes anything: query its callers instead.",
      }))
    },
    external_calls_of: (name) => named(name, (fn) => ({ calls: listed(leaving(fn, outgoing, calls), (one) => one) })),
    state_of: (contract) => {
      const [crate] = crateNamed.get(contract.trim()) ?? []
      const items =
        crate === undefined ? (stateNamed.get(contract.trim()) ?? []) : state.filter((one) => one.crate === crate)
      if (items.length === 0) return unknown("program, type or container with state", contract)
      return listed(items, ({ item }) => ({
        variable: shortened(item.name, answerLimits.text),
        declaration: textAt(item.file, item.span, 2_000),
        ...place(item.file, item.span.start),
        ...item.shown,
      }))
    },
  }
}
