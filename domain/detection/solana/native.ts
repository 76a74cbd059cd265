import type { Crate, FunctionDefinition } from "../rust/crate.ts"
import type { Resolver } from "../rust/resolve.ts"
import type { Block, Expression, Pattern } from "../rust/syntax.ts"
import { resolveType } from "../rust/types.ts"
import { isAccountList } from "./accountTypes.ts"

interface Reading {
  /** It takes accounts out of the list itself. */
  readonly consumes: boolean
  /** Calls that are handed the list or an iterator over it, with whether their result is used as a value. */
  readonly passesTo: ReadonlyArray<Expression>
}

const isSlicePattern = (pattern: Pattern): boolean =>
  pattern.kind === "slice" ||
  (pattern.kind === "reference" && isSlicePattern(pattern.pattern)) ||
  (pattern.kind === "tupleStruct" && pattern.elements.some(isSlicePattern))

/** How a function deals with its list of accounts, from its text alone. */
const readingOf = (body: Block, list: string): Reading => {
  const names = new Set([list])
  const passesTo: Array<Expression> = []
  let consumes = false
  const isList = (node: Expression): boolean => {
    if (node.kind === "reference") return isList(node.operand)
    if (node.kind === "unary") return isList(node.operand)
    if (node.kind === "methodCall" && /^(iter|into_iter|iter_mut|peekable|by_ref|as_ref|clone)$/.test(node.method))
      return isList(node.receiver)
    return node.kind === "path" && node.path.segments.length === 1 && names.has(node.path.segments[0]!.name)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one)
      return
    }
    const node = value as Expression | { kind: "let"; pattern: Pattern; value?: Expression } // any node: only these kinds are looked at
    if (node.kind === "let" && node.value !== undefined && isList(node.value)) {
      if (node.pattern.kind === "binding") names.add(node.pattern.name)
      else if (isSlicePattern(node.pattern)) consumes = true
    }
    if (node.kind === "call") {
      const callee = node.callee.kind === "path" ? node.callee.path.segments.at(-1)?.name : undefined
      const given = node.args.some(isList)
      if (given && callee !== undefined && /^next_account_infos?$/.test(callee)) consumes = true
      else if (given) passesTo.push(node)
    }
    if (node.kind === "methodCall") {
      if (
        isList(node.receiver) &&
        /^(get|first|last|next|split_at|split_first|get_unchecked|split_at_unchecked|as_chunks)$/.test(node.method)
      )
        consumes = true
      else if (node.args.some(isList)) passesTo.push(node)
    }
    if (node.kind === "index" && isList(node.base) && node.index.kind !== "range") consumes = true
    if (node.kind === "for" && isList(node.iterable)) consumes = true
    if (node.kind === "match" && isList(node.value) && node.arms.some((arm) => isSlicePattern(arm.pattern)))
      consumes = true
    for (const [key, part] of Object.entries(node)) if (typeof part === "object" && key !== "path") visit(part)
  }
  visit(body)
  return { consumes, passesTo }
}

/** Whether what a function returns holds more than success: a parser of accounts, not a handler. */
const returnsValue = (definition: FunctionDefinition): boolean => {
  const { result } = definition.item
  if (result === undefined || result.kind === "never") return false
  if (result.kind === "tuple") return result.elements.length > 0
  if (result.kind !== "path") return true
  const last = result.path.segments.at(-1)
  if (last === undefined || last.name === "ProgramResult") return false
  if (!last.name.endsWith("Result")) return true
  const [value] = last.generics
  return value !== undefined && !(value.kind === "tuple" && value.elements.length === 0)
}

const calleeName = (node: Expression): string | undefined =>
  node.kind === "methodCall"
    ? node.method
    : node.kind === "call" && node.callee.kind === "path"
      ? node.callee.path.segments.at(-1)?.name
      : undefined

/**
 * Handlers of native programs: functions that are given a list of accounts and take some out themselves, or through a
 * parser that returns them. What only hands the list on is a dispatcher; what a handler calls is no handler.
 */
export const nativeHandlers = (
  crate: Crate,
  resolver: Resolver,
): ReadonlyArray<{ readonly definition: FunctionDefinition; readonly list: number }> => {
  const candidates = new Map<
    string,
    { definition: FunctionDefinition; list: number; reading: Reading; uses: boolean }
  >()
  const all: Array<{ definition: FunctionDefinition; list: number; reading: Reading; uses: boolean }> = []
  for (const definition of crate.functions) {
    const { body } = definition.item
    if (body === undefined || !isExecuted(definition)) continue
    const list = definition.parameters.findIndex(
      ({ type }) => type !== undefined && isAccountList(resolveType({ resolver, module: definition.module }, type)),
    )
    if (list === -1) continue
    const name = definition.parameters[list]!.name
    const reading = readingOf(body, name)
    const entry = { definition, list, reading, uses: reading.consumes }
    all.push(entry)
    candidates.set(definition.name, entry)
  }
  for (let changed = true, rounds = 0; changed && rounds < 10; rounds++) {
    changed = false
    for (const entry of all) {
      if (entry.uses) continue
      entry.uses = entry.reading.passesTo.some((node) => {
        const callee = candidates.get(calleeName(node) ?? "")
        return callee !== undefined && callee.uses && returnsValue(callee.definition)
      })
      changed ||= entry.uses
    }
  }
  const called = new Set<FunctionDefinition>()
  for (const entry of all) {
    if (!entry.uses) continue
    for (const node of entry.reading.passesTo) {
      const callee = candidates.get(calleeName(node) ?? "")
      if (callee !== undefined && callee !== entry) called.add(callee.definition)
    }
  }
  return all.filter((entry) => entry.uses && !called.has(entry.definition) && !returnsValue(entry.definition))
}

const isExecuted = (definition: FunctionDefinition): boolean => definition.owner?.kind !== "trait"
