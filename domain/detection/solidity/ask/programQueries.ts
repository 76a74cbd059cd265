import type { AccessRow } from "../../../access/AccessTable.ts"
import { boundedText, shortened } from "../../../finding/boundedText.ts"
import { secretsIn } from "../../secrets/findSecrets.ts"
import { maskedSlice } from "../../secrets/masked.ts"
import { lineAt, type SourceFile, type Span } from "../../Source.ts"
import { accessTable } from "../access/table.ts"
import { canReenter, sendsEther } from "../flow/outgoingCalls.ts"
import type { FunctionModel, StateVariable } from "../model.ts"
import type { Program } from "../program.ts"

/** What an answer holds at the most: names and code come from a repository. */
export const answerLimits = { items: 100, text: 300, code: 20_000, matches: 5 } as const

/** A place in an answer. */
export interface At {
  readonly file: string
  readonly line: number
}

type Answer = Readonly<Record<string, unknown>>

/** A function around a line. */
interface Enclosing {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** What may be asked of a program; every query reads and none changes anything. */
export interface ProgramQueries {
  /** Who may have what done: the functions that a transaction can call and that change something. */
  readonly list_entry_points: (contract?: string) => Answer
  readonly read_function: (name: string) => Answer
  readonly callers_of: (name: string) => Answer
  readonly writers_of: (variable: string) => Answer
  readonly checks_before: (name: string) => Answer
  readonly external_calls_of: (name: string) => Answer
  readonly state_of: (contract: string) => Answer
  readonly search: (text: string) => Answer
}

const place = (file: SourceFile, offset: number): At => ({ file: file.path, line: lineAt(file, offset) })

const textAt = (file: SourceFile, span: Span): string =>
  boundedText(maskedSlice(file, { start: span.start, end: Math.min(span.end, span.start + 1_000) }), answerLimits.text)

const nameOf = (fn: FunctionModel): string => shortened(fn.scope, answerLimits.text)

const listed = <A, B>(items: ReadonlyArray<A>, shown: (item: A) => B): { items: ReadonlyArray<B>; more?: number } => ({
  items: items.slice(0, answerLimits.items).map(shown),
  ...(items.length > answerLimits.items ? { more: items.length - answerLimits.items } : {}),
})

const unknown = (what: string, name: string): Answer => ({
  error: `There is no ${what} ${boundedText(name, answerLimits.text)}. Use search to find what it is called.`,
})

/** The names that a function, a variable or a contract answers to. */
const index = <A>(
  items: Iterable<A>,
  names: (item: A) => ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const item of items)
    for (const name of new Set(names(item))) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [item])
      else known.push(item)
    }
  return found
}

/** The direct writes of every variable, in the order of the functions. */
const writesOf = (program: Program): ReadonlyMap<StateVariable, ReadonlyArray<{ fn: FunctionModel; at: At }>> => {
  const found = new Map<StateVariable, Array<{ fn: FunctionModel; at: At }>>()
  for (const flow of program.allFlows())
    for (const { place: written, event, via } of flow.writes) {
      if (via.length > 0) continue
      for (const variable of written?.variables ?? []) {
        const write = { fn: flow.fn, at: place(event.at.callable.source.file, event.expression.start) }
        const known = found.get(variable)
        if (known === undefined) found.set(variable, [write])
        else known.push(write)
      }
    }
  return found
}

/** The questions, and what code around us asks beside them. */
export interface ProgramAnswers extends ProgramQueries {
  readonly functionAt: (file: string, line: number) => Enclosing | undefined
}

/** Answers from the program's model; what they need is computed here, once. */
export const programQueries = (program: Program, isReported: (path: string) => boolean): ProgramAnswers => {
  const rows = accessTable(program, isReported)
  const functions = index(program.functions, (fn) => {
    const own = [fn.name, fn.signature, fn.scope]
    return fn.contract === undefined ? own : [...own, `${fn.contract.name}.${fn.name}`]
  })
  const contracts = index(program.contracts, ({ name }) => [name])
  const variables = index(
    program.contracts.flatMap((contract) => contract.stateVariables),
    (variable) => [variable.name, `${variable.contract?.name ?? ""}.${variable.name}`],
  )
  const writes = writesOf(program)
  const lowered = program.sources.map(({ file }) => {
    // Masking finds the secrets of a file when it first needs them: here, and not while somebody waits.
    secretsIn(file)
    return { file, lower: file.text.toLowerCase() }
  })
  const rowsOf = index(rows, (row) => [`${row.file}:${row.line}`])

  const named = (name: string, answer: (fn: FunctionModel) => Answer): Answer => {
    const all = (functions.get(name.trim()) ?? []).toSorted((a, b) => Number(b.implemented) - Number(a.implemented))
    if (all.length === 0) return unknown("function", name)
    const found = all.slice(0, answerLimits.matches).map((fn) => ({
      function: nameOf(fn),
      ...place(fn.source.file, fn.node.nameSpan.start),
      ...answer(fn),
    }))
    return { functions: found, ...(all.length > found.length ? { more: all.length - found.length } : {}) }
  }

  const shownRow = ({ contract, function: name, file, line, standing, effects }: AccessRow): Answer => ({
    contract,
    function: name,
    file,
    line,
    standing,
    effects: effects.map(({ kind, what, who }) => ({ kind, what, who })),
  })

  const spans = Map.groupBy(
    program.functions.map((fn) => {
      const { file } = fn.source
      return { fn, file, from: lineAt(file, fn.node.start), to: lineAt(file, fn.node.end) }
    }),
    ({ file }) => file.path,
  )

  return {
    functionAt: (file, line) => {
      const found = (spans.get(file) ?? []).findLast(({ from, to }) => from <= line && line <= to)
      return found === undefined ? undefined : { name: nameOf(found.fn), from: found.from, to: found.to }
    },
    list_entry_points: (contract) => {
      if (contract !== undefined && !contracts.has(contract)) return unknown("contract", contract)
      const wanted = rows.filter((row) => contract === undefined || row.contract === contract)
      return listed(wanted, shownRow)
    },
    read_function: (name) =>
      named(name, (fn) => {
        const { start, end } = fn.node
        const code = maskedSlice(fn.source.file, { start, end: Math.min(end, start + answerLimits.code) })
        return {
          visibility: fn.visibility,
          mutability: fn.mutability,
          modifiers: fn.modifiers.map(({ node }) => shortened(node.path.join("."), answerLimits.text)).slice(0, 20),
          code: end - start > answerLimits.code ? `${code}…` : code,
        }
      }),
    callers_of: (name) =>
      named(name, (fn) => ({
        callers: listed(program.graph.callers(fn), ({ from, call }) => ({
          function: nameOf(from),
          ...place(from.source.file, call.node.start),
        })),
        reachedFrom: program.graph.entryPointsOf(fn).map(nameOf),
      })),
    writers_of: (name) => {
      const found = variables.get(name.trim()) ?? []
      if (found.length === 0) return unknown("state variable", name)
      const all = found.slice(0, answerLimits.matches).map((variable) => ({
        variable: shortened(`${variable.contract?.name ?? ""}.${variable.name}`, answerLimits.text),
        writers: listed(writes.get(variable) ?? [], ({ fn, at }) => ({
          function: nameOf(fn),
          ...at,
          reachedFrom: program.graph.entryPointsOf(fn).slice(0, 10).map(nameOf),
        })),
      }))
      return { variables: all }
    },
    checks_before: (name) =>
      named(name, (fn) => {
        const at = place(fn.source.file, fn.node.nameSpan.start)
        const own = rowsOf.get(`${at.file}:${at.line}`) ?? []
        return own.length === 0
          ? { effects: [], note: "It is not an entry point that changes something: ask for its callers." }
          : { standing: own[0]!.standing, effects: own[0]!.effects }
      }),
    external_calls_of: (name) =>
      named(name, (fn) => {
        if (!fn.implemented) return { calls: [] }
        return {
          calls: listed(program.flow(fn).externalCalls, ({ event, via }) => {
            const { file } = event.at.callable.source
            return {
              call: textAt(file, event.node),
              kind: event.callKind,
              ...place(file, event.node.start),
              sendsEther: sendsEther(event),
              canReenter: canReenter(event),
              ...(via.length === 0 ? {} : { through: via.map((site) => shortened(site.name, 100)).slice(0, 10) }),
            }
          }),
        }
      }),
    state_of: (contract) => {
      const [found] = contracts.get(contract.trim()) ?? []
      if (found === undefined) return unknown("contract", contract)
      return listed(program.stateVariablesOf(found), (variable) => {
        const { file } = (variable.contract ?? found).source
        return {
          variable: shortened(variable.name, answerLimits.text),
          ...(variable.node === undefined
            ? {}
            : { declaration: textAt(file, variable.node), ...place(file, variable.node.start) }),
          constant: variable.constant || variable.immutable,
        }
      })
    },
    search: (text) => {
      const wanted = text.trim().toLowerCase().slice(0, 200)
      if (wanted.length < 2) return { error: "Give at least two characters." }
      const hits: Array<At & { readonly text: string }> = []
      for (const { file, lower } of lowered) {
        for (let at = lower.indexOf(wanted); at !== -1 && hits.length <= answerLimits.items;) {
          const line = lineAt(file, at)
          const start = file.lineStarts[line - 1]!
          const end = file.lineStarts[line] ?? file.text.length
          hits.push({ file: file.path, line, text: textAt(file, { start, end }).trim() })
          at = lower.indexOf(wanted, end)
        }
      }
      return { ...listed(hits, (hit) => hit), ...(hits.length > answerLimits.items ? { more: "at least 1" } : {}) }
    },
  }
}
