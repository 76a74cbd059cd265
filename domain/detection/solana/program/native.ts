import type { Crate, FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Resolver } from "../../rust/crate/resolve.ts"
import type { Expression, MatchArm, Pattern, TypeNode } from "../../rust/syntax/syntax.ts"
import { resolveType } from "../../rust/crate/types.ts"
import { isAccountList } from "./accountTypes.ts"

/** Methods whose result contains the accounts of their receiver. */
const sameList =
  /^(iter|into_iter|iter_mut|peekable|by_ref|as_ref|clone|enumerate|skip|take|rev|try_into|map_err|ok_or|unwrap|expect)$/
/** `ctx.next_account()`, `loader.next_signer()`: methods that take accounts out one by one. */
const takesOut = /^(get|first|last|next|next_\w+|split_at|split_first|get_unchecked|split_at_unchecked|as_chunks)$/

interface Reading {
  /** Whether it takes accounts out of the list itself. */
  readonly consumes: boolean
  /** Calls that receive the list or an iterator over it, and whether their result is used as a value. */
  readonly passesTo: ReadonlyArray<Expression>
}

const isSlicePattern = (pattern: Pattern): boolean =>
  pattern.kind === "slice" ||
  (pattern.kind === "reference" && isSlicePattern(pattern.pattern)) ||
  (pattern.kind === "tupleStruct" && pattern.elements.some(isSlicePattern))

/**
 * What a function, or the rest of it without some parts, does with its list of accounts, from its text alone. Further
 * names that it gives to the list, or to an iterator over it, are added to `own`.
 */
const readingOf = (
  body: Expression,
  names: ReadonlySet<string>,
  without: ReadonlySet<Expression> = new Set(),
  own = new Set<string>(),
): Reading => {
  /** Iterators and readers of one's own: `Accounts::new(accounts)`. */
  const readers = new Set<string>()
  const passesTo: Array<Expression> = []
  let consumes = false
  const isName = (name: string): boolean => names.has(name) || own.has(name)
  const isList = (node: Expression): boolean => {
    if (node.kind === "reference") return isList(node.operand)
    if (node.kind === "unary") return isList(node.operand)
    if (node.kind === "tuple") return node.elements.some(isList)
    if (node.kind === "try") return isList(node.value)
    if (node.kind === "methodCall" && sameList.test(node.method)) return isList(node.receiver)
    if (node.kind === "macro" && /^array_refs?$/.test(node.path.segments.at(-1)?.name ?? ""))
      return node.args.some(isList)
    return node.kind === "path" && node.path.segments.length === 1 && isName(node.path.segments[0]!.name)
  }
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one)
      return
    }
    const node = value as Expression | { kind: "let"; pattern: Pattern; value?: Expression } // any node: only these kinds are examined
    if (node.kind !== "let" && without.has(node)) return
    if (node.kind === "let" && node.value !== undefined && isList(node.value)) {
      if (node.pattern.kind === "binding") own.add(node.pattern.name)
      else if (isSlicePattern(node.pattern)) consumes = true
    }
    if (node.kind === "let" && node.value?.kind === "call" && node.value.args.some(isList))
      if (node.pattern.kind === "binding") readers.add(node.pattern.name)
    if (node.kind === "call") {
      const callee = node.callee.kind === "path" ? node.callee.path.segments.at(-1)?.name : undefined
      const given = node.args.some(isList)
      // Shank's contexts are taken out by generated code that no crate declares.
      if (given && callee !== undefined && /^(next(_\w+)?|(to_)?context)$/.test(callee)) consumes = true
      else if (given) passesTo.push(node)
    }
    if (node.kind === "methodCall") {
      const { receiver } = node
      const reader = receiver.kind === "path" && receiver.path.segments.length === 1 && receiver.path.segments[0]!.name
      if (isList(receiver) && takesOut.test(node.method)) consumes = true
      else if (reader !== false && readers.has(reader) && /^next(_\w+)?$/.test(node.method)) consumes = true
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

/** Whether a function returns more than success: a parser of accounts, not a handler. */
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

interface Candidate {
  readonly definition: FunctionDefinition
  readonly list: number
  readonly reading: Reading
  uses: boolean
}

/** A function that receives a list of accounts and takes some out; `skips` are the parts that other handlers run. */
export interface NativeHandler {
  readonly definition: FunctionDefinition
  readonly list: number
  /** The name of the part that this handler runs, if a function runs several. */
  readonly name?: string
  readonly skips: ReadonlySet<Expression>
}

/** Candidates by what calls resolve to, or else by the names that the calls use. */
class Candidates {
  readonly all: Array<Candidate> = []
  private readonly byName = new Map<string, Candidate>()
  private readonly byDefinition = new Map<unknown, Candidate>()
  private readonly resolver: Resolver

  constructor(resolver: Resolver) {
    this.resolver = resolver
  }
  add(candidate: Candidate): void {
    this.all.push(candidate)
    this.byDefinition.set(candidate.definition, candidate)
    this.byName.set(candidate.definition.name, candidate)
    this.byName.set(candidate.definition.qualifiedName, candidate)
  }
  calledBy(node: Expression, { module }: FunctionDefinition): Candidate | undefined {
    const segments = node.kind === "call" && node.callee.kind === "path" ? node.callee.path.segments : []
    const path = segments.map(({ name }) => name)
    const resolved = path.length === 0 ? undefined : this.resolver.resolve(module, path, "value")
    const known = resolved?.kind === "definition" ? this.byDefinition.get(resolved.definition) : undefined
    return known ?? this.byName.get(path.slice(-2).join("::")) ?? this.byName.get(calleeName(node) ?? "")
  }
  /** Whether accounts are taken out here, directly or by a parser that returns them. */
  takes({ consumes, passesTo }: Reading, from: FunctionDefinition): boolean {
    return (
      consumes ||
      passesTo.some((node) => {
        const callee = this.calledBy(node, from)
        return callee !== undefined && callee.uses && returnsValue(callee.definition)
      })
    )
  }
  /** How many functions that take accounts out are given the list here. */
  users({ passesTo }: Reading, from: FunctionDefinition): number {
    return passesTo.filter((node) => this.calledBy(node, from)?.uses === true).length
  }
}

/** What a function's arms do with its accounts: `match data[0] { 0 => Make::try_from(accounts)?.process(), 1 => … }`. */
interface Parts {
  /** Each is a separate instruction. */
  readonly parts: ReadonlyArray<MatchArm>
  /** All arms that are given accounts. */
  readonly arms: ReadonlyArray<MatchArm>
  /** The function's names for the list, and for iterators over it. */
  readonly names: ReadonlySet<string>
  /** Calls outside of the arms that are given accounts: they belong to every part. */
  readonly shared: ReadonlyArray<Expression>
}

/** A function with so many arms that are given accounts is a dispatch, even if it takes accounts itself. */
const armsOfDispatch = 4

const partsOf = (candidate: Candidate, candidates: Candidates): Parts => {
  const { definition, list } = candidate
  const { body } = definition.item
  const names = new Set([definition.parameters[list]!.name])
  if (body !== undefined) readingOf(body, names, new Set(), names)
  const parts: Array<MatchArm> = []
  const arms: Array<MatchArm> = []
  const outer = new Set<Expression>()
  /** The arms of a dispatch that receive no accounts may use those that were taken for all of them. */
  const others: Array<MatchArm> = []
  const read = (node: Expression): Reading => readingOf(node, names)
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one)
      return
    }
    const node = value as Expression // any node: only one kind is examined
    if (node.kind !== "match") {
      for (const [key, part] of Object.entries(node)) if (typeof part === "object" && key !== "path") visit(part)
      return
    }
    const concerned = node.arms.filter((arm) => {
      const reading = read(arm.body)
      return reading.consumes || reading.passesTo.length > 0
    })
    if (concerned.length < 2) {
      for (const arm of node.arms) visit(arm.body)
      return
    }
    if (concerned.length >= armsOfDispatch) others.push(...node.arms.filter((arm) => !concerned.includes(arm)))
    for (const arm of concerned) {
      const before = arms.length
      visit(arm.body)
      outer.add(arm.body)
      if (arms.length > before) continue
      arms.push(arm)
      const reading = read(arm.body)
      if (candidates.takes(reading, definition) || candidates.users(reading, definition) > 1) parts.push(arm)
    }
  }
  visit(body)
  if (body === undefined) return noParts
  const reading = readingOf(body, names, outer)
  const { passesTo: shared } = reading
  if (!candidates.takes(reading, definition) && candidates.users(reading, definition) === 0)
    return { parts, arms, names, shared }
  const all = arms.length < armsOfDispatch ? [] : [...arms, ...others]
  return { parts: all.filter(({ pattern }) => pattern.kind !== "wildcard"), arms: all, names, shared }
}

const noParts: Parts = { parts: [], arms: [], names: new Set(), shared: [] }

const nameOfPart = (
  { body, pattern }: MatchArm,
  names: ReadonlySet<string>,
  candidates: Candidates,
  from: FunctionDefinition,
): string | undefined => {
  const calls = readingOf(body, names).passesTo
  const called = (node: Expression): FunctionDefinition | undefined => candidates.calledBy(node, from)?.definition
  const isHandler = (node: Expression): boolean => {
    const definition = node.kind === "call" ? called(node) : undefined
    return definition !== undefined && !returnsValue(definition)
  }
  // `check(accounts)?; make(accounts)`, or else `Make::try_from(accounts)?.process(accounts)`
  const call = calls.findLast(isHandler) ?? calls.find(({ kind }) => kind === "call") ?? calls[0]
  const definition = call === undefined ? undefined : called(call)
  if (definition === undefined) return "path" in pattern ? pattern.path.segments.at(-1)?.name : undefined
  return definition.owner === undefined ? definition.name : definition.qualifiedName.split("::").at(-2)
}

/**
 * Handlers of native programs: functions that receive a list of accounts and take some out themselves, or through a
 * parser that returns them. A function that only passes the list on is a dispatcher, and functions that a handler calls
 * are not handlers. A function whose arms each take accounts out themselves counts as several handlers.
 */
export const nativeHandlers = (crate: Crate, resolver: Resolver): ReadonlyArray<NativeHandler> => {
  const candidates = new Candidates(resolver)
  const isList = (definition: FunctionDefinition, type: TypeNode | undefined): boolean =>
    type !== undefined && isAccountList(resolveType({ resolver, module: definition.module }, type))
  for (const definition of crate.functions) {
    const { body, parameters } = definition.item
    if (body === undefined || !isExecuted(definition)) continue
    const list = definition.parameters.findIndex(({ type }) => isList(definition, type))
    if (list !== -1) {
      const reading = readingOf(body, new Set([definition.parameters[list]!.name]))
      candidates.add({ definition, list, reading, uses: reading.consumes })
      continue
    }
    // `(data, accounts): (&[u8], &[AccountInfo])`, as in `TryFrom`.
    for (const { pattern, type } of parameters) {
      const at = type?.kind === "tuple" ? type.elements.findIndex((one) => isList(definition, one)) : -1
      const part = pattern.kind === "tuple" ? pattern.elements[at] : undefined
      if (part?.kind !== "binding") continue
      const reading = readingOf(body, new Set([part.name]))
      candidates.add({ definition, list: -1, reading, uses: reading.consumes })
    }
  }
  for (let changed = true, rounds = 0; changed && rounds < 10; rounds++) {
    changed = false
    for (const entry of candidates.all) {
      if (entry.uses) continue
      entry.uses = candidates.takes(entry.reading, entry.definition)
      changed ||= entry.uses
    }
  }
  const handlers: Array<NativeHandler> = []
  const called = new Set<FunctionDefinition>()
  /** Any type's method of such a name may be what is called. */
  const methods = new Set<string>()
  for (const entry of candidates.all) {
    const { definition, list, reading } = entry
    const { parts, arms, names, shared } =
      list === -1 || returnsValue(definition) ? noParts : partsOf(entry, candidates)
    if (!entry.uses && parts.length === 0) continue
    for (const node of reading.passesTo) {
      const callee = candidates.calledBy(node, definition)
      if (callee === undefined || callee === entry) continue
      // The function that receives the list from an arm is a handler, as for any dispatcher.
      if (parts.length === 0 || shared.includes(node) || returnsValue(callee.definition)) called.add(callee.definition)
    }
    // What an arm that takes accounts itself hands the others to is a part of it.
    for (const { body } of parts)
      for (const node of readingOf(body, names).passesTo) {
        const callee = candidates.calledBy(node, definition)
        if (node.kind === "methodCall") methods.add(node.method)
        else if (callee !== undefined) called.add(callee.definition)
      }
    // `fn update(&mut self, vaults: &[AccountInfo])` works on accounts loaded elsewhere.
    if (list === -1 || returnsValue(definition) || definition.item.self === "mutable") continue
    if (parts.length === 0) handlers.push({ definition, list, skips: new Set() })
    for (const part of parts) {
      const name = nameOfPart(part, names, candidates, definition)
      const skips = new Set(arms.filter((one) => one !== part).map(({ body }) => body))
      handlers.push({ definition, list, skips, ...(name === undefined ? {} : { name }) })
    }
  }
  return handlers.filter(
    ({ definition }) =>
      !called.has(definition) && !(definition.item.self !== undefined && methods.has(definition.name)),
  )
}

const isExecuted = (definition: FunctionDefinition): boolean => definition.owner?.kind !== "trait"
