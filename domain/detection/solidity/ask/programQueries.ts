import { shortened } from "../../../finding/boundedText.ts"
import {
  type Answer,
  answerLimits,
  type At,
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
import { lineAt } from "../../SourceFile.ts"
import { accessTable } from "../access/table/table.ts"
import { canReenter, sendsEther } from "../flow/events/outgoingCalls.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"

const nameOf = (fn: FunctionModel): string => shortened(fn.scope, answerLimits.text)

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

const shownCall = ({ event, via }: Flow["externalCalls"][number]): Answer => {
  const { file } = event.at.callable.source
  return {
    call: textAt(file, event.node),
    kind: event.callKind,
    ...place(file, event.node.start),
    sendsEther: sendsEther(event),
    canReenter: canReenter(event),
    ...(via.length === 0 ? {} : { through: via.map((site) => shortened(site.name, 100)).slice(0, 10) }),
  }
}

const shownVariable = (variable: StateVariable, asked: ContractModel): Answer => {
  const { file } = (variable.contract ?? asked).source
  return {
    variable: shortened(variable.name, answerLimits.text),
    ...(variable.node === undefined
      ? {}
      : { declaration: textAt(file, variable.node), ...place(file, variable.node.start) }),
    constant: variable.constant || variable.immutable,
  }
}

/** Answers from the program's model; what the answers need is computed here, once. */
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
  const rowsOf = index(rows, (row) => [`${row.file}:${row.line}`])

  const named = (name: string, answer: (fn: FunctionModel) => Answer): Answer => {
    const all = (functions.get(name.trim()) ?? []).toSorted((a, b) => Number(b.implemented) - Number(a.implemented))
    if (all.length === 0) return unknown("function", name)
    return matches("functions", all, (fn) => ({
      function: nameOf(fn),
      ...place(fn.source.file, fn.node.nameSpan.start),
      ...answer(fn),
    }))
  }

  const functionAround = functionSpans(program.functions, (fn) => {
    const { file } = fn.source
    return { file: file.path, from: lineAt(file, fn.node.start), to: lineAt(file, fn.node.end) }
  })

  return {
    ecosystem: "evm",
    files: program.sources.map(({ file }) => file),
    functionAt: (file, line) => {
      const found = functionAround(file, line)
      if (found === undefined) return undefined
      const reachedFrom = program.graph.entryPointsOf(found.fn).slice(0, answerLimits.entries).map(nameOf)
      return { name: nameOf(found.fn), from: found.from, to: found.to, reachedFrom }
    },
    list_entry_points: (contract) => {
      if (contract !== undefined && !contracts.has(contract)) return unknown("contract", contract)
      const wanted = rows.filter((row) => contract === undefined || row.contract === contract)
      return listed(wanted, shownRow)
    },
    read_function: (name) =>
      named(name, (fn) => ({
        visibility: fn.visibility,
        mutability: fn.mutability,
        modifiers: fn.modifiers.map(({ node }) => shortened(node.path.join("."), answerLimits.text)).slice(0, 20),
        code: codeAt(fn.source.file, fn.node),
      })),
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
      return matches("variables", found, (variable) => ({
        variable: shortened(`${variable.contract?.name ?? ""}.${variable.name}`, answerLimits.text),
        writers: listed(writes.get(variable) ?? [], ({ fn, at }) => ({
          function: nameOf(fn),
          ...at,
          reachedFrom: program.graph.entryPointsOf(fn).slice(0, 10).map(nameOf),
        })),
      }))
    },
    checks_before: (name) =>
      named(name, (fn) => {
        const at = place(fn.source.file, fn.node.nameSpan.start)
        const own = rowsOf.get(`${at.file}:${at.line}`) ?? []
        return own.length === 0
          ? { effects: [], note: "It is not an entry point that changes anything: query its callers instead." }
          : { standing: own[0]!.standing, effects: own[0]!.effects }
      }),
    external_calls_of: (name) =>
      named(name, (fn) => {
        if (!fn.implemented) return { calls: [] }
        return { calls: listed(program.flow(fn).externalCalls, shownCall) }
      }),
    state_of: (contract) => {
      const [found] = contracts.get(contract.trim()) ?? []
      if (found === undefined) return unknown("contract", contract)
      return listed(program.stateVariablesOf(found), (variable) => shownVariable(variable, found))
    },
  }
}
