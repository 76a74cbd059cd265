import type { ConstDefinition, FunctionDefinition, TypeDefinition } from "../crate/crate.ts"
import { Chains } from "./chains.ts"

/**
 * What an expression stands for, without names of locals, references, clones and unwrapping: two expressions with the
 * same term denote the same place or value. Terms are interned, so `===` compares them.
 */
export type Term =
  /** A parameter of the function where the walk began. */
  | (TermBase & { readonly kind: "parameter"; readonly name: string })
  | (TermBase & { readonly kind: "field"; readonly base: Term; readonly name: string })
  /** One element of a list; without an index, any of them. */
  | (TermBase & { readonly kind: "element"; readonly base: Term; readonly index?: number })
  /** Data inside an enum's variant, other than `Some` and `Ok`, which are transparent. */
  | (TermBase & { readonly kind: "payload"; readonly base: Term; readonly variant: string; readonly name: string })
  /** A call that was not followed. A method's receiver is the first argument and `path` is empty. */
  | (TermBase & {
      readonly kind: "call"
      readonly name: string
      readonly path: string
      readonly args: ReadonlyArray<Term>
      readonly target?: FunctionDefinition
    })
  /** A constant, static or unit variant. `path` is where it comes from, as far as imports tell. */
  | (TermBase & {
      readonly kind: "constant"
      readonly path: string
      readonly name: string
      readonly definition?: ConstDefinition
    })
  | (TermBase & { readonly kind: "literal"; readonly type: string; readonly value: string })
  | (TermBase & {
      readonly kind: "struct"
      /** The path of the struct or variant: `BankMsg::Send`, `anchor_spl::token::Transfer`. */
      readonly path: string
      readonly name: string
      readonly definition?: TypeDefinition
      readonly fields: ReadonlyArray<readonly [name: string, value: Term]>
      readonly base?: Term
    })
  /** An array, `vec![…]` or tuple. */
  | (TermBase & { readonly kind: "list"; readonly elements: ReadonlyArray<Term>; readonly tuple: boolean })
  | (TermBase & { readonly kind: "binary"; readonly operator: string; readonly left: Term; readonly right: Term })
  | (TermBase & { readonly kind: "not"; readonly operand: Term })
  | (TermBase & { readonly kind: "cast"; readonly value: Term; readonly to: string })
  /** That a value is a certain variant: `Ok`, `Some`, `State::Open`. */
  | (TermBase & { readonly kind: "is"; readonly value: Term; readonly variant: string })
  /** That a fallible call returned without an error. */
  | (TermBase & { readonly kind: "succeeded"; readonly call: Term })
  /** One of several values, depending on the path taken. */
  | (TermBase & { readonly kind: "choice"; readonly alternatives: ReadonlyArray<Term> })
  /** Something that the walk does not follow; it depends on `sources`. */
  | (TermBase & { readonly kind: "opaque"; readonly sources: ReadonlyArray<Term> })

interface TermBase {
  readonly id: number
  /** How many levels of terms are below it. */
  readonly depth: number
}

type Omitted<T> = T extends unknown ? Omit<T, "id" | "depth"> : never
export type NewTerm = Omitted<Term>

/** More deeply nested terms become opaque: only loops and generated code produce them. */
const maxDepth = 30
/** This much of them is kept: so many places and values that are less deeply nested, found among so many parts. */
const shallowDepth = 6
const maxSources = 24
const maxMet = 400
const maxAlternatives = 6
const maxVariants = 64

export const subterms = (term: Term): ReadonlyArray<Term> => {
  switch (term.kind) {
    case "field":
    case "element":
    case "payload":
      return [term.base]
    case "call":
      return term.args
    case "struct": {
      const values = term.fields.map(([, value]) => value)
      return term.base === undefined ? values : [...values, term.base]
    }
    case "list":
      return term.elements
    case "binary":
      return [term.left, term.right]
    case "not":
      return [term.operand]
    case "cast":
    case "is":
      return [term.value]
    case "succeeded":
      return [term.call]
    case "choice":
      return term.alternatives
    case "opaque":
      return term.sources
    default:
      return []
  }
}

/** Whether the predicate accepts a term or any of its parts. Linear in the number of distinct subterms. */
export const mentions = (term: Term, accept: (term: Term) => boolean): boolean => {
  if (accept(term)) return true
  const stack = [...subterms(term)]
  if (stack.length === 0) return false
  const seen = new Set<Term>([term])
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    if (accept(next)) return true
    stack.push(...subterms(next))
  }
  return false
}

/** `mentions` for parts that are not among those seen before, which the predicate refused. */
export const mentionsNew = (seen: Set<Term>, term: Term, accept: (term: Term) => boolean): boolean => {
  const stack = [term]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    if (accept(next)) return true
    stack.push(...subterms(next))
  }
  return false
}

/** The terms and all of their parts, each once. */
export const everySubterm = (terms: ReadonlyArray<Term>): ReadonlySet<Term> => {
  const found = new Set(terms)
  // A set also iterates over what is added in the meantime.
  for (const one of found) for (const part of subterms(one)) found.add(part)
  return found
}

/** Follows fields, elements and payloads back to where a place begins. */
export const rootOf = (term: Term): Term => {
  let root = term
  while (root.kind === "field" || root.kind === "element" || root.kind === "payload") root = root.base
  return root
}

const flipped: Record<string, string> = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" }

/** What the chain of a term begins with. */
const kinds = {
  parameter: 0,
  element: 1,
  payload: 2,
  call: 3,
  constant: 4,
  literal: 5,
  struct: 6,
  list: 7,
  tuple: 8,
  binary: 9,
  not: 10,
  cast: 11,
  is: 12,
  succeeded: 13,
  choice: 14,
} as const

/** Makes terms, each distinct one once. */
export class TermTable {
  /** How many expressions the walks of the program have visited, each of which makes terms. */
  walked = 0
  private readonly chains = new Chains(Object.keys(kinds).length)
  /** Terms by the number of the sequence that identifies them. */
  private readonly known: Array<Term | undefined> = []
  /** Most terms are fields: they are found in one step. */
  private readonly fields = new Map<Term, Map<string, Term>>()
  private readonly symbols = new Map<unknown, number>()
  private next = 0

  /**
   * A number for a name or a declaration. The crates of one scan may share a name: two declarations with the same path
   * are still two things.
   */
  private numberOf(one: unknown): number {
    if (one === undefined) return 0
    let number = this.symbols.get(one)
    if (number === undefined) this.symbols.set(one, (number = this.symbols.size + 1))
    return number
  }
  /** The list has no gaps: V8 would turn it into a dictionary. */
  private keep(end: number, term: Term): Term {
    while (this.known.length < end) this.known.push(undefined)
    this.known[end] = term
    return term
  }
  private endOf(from: number, terms: ReadonlyArray<Term>): number {
    let end = from
    for (const { id } of terms) end = this.chains.next(end, id)
    return end
  }

  private make(depth: number, term: NewTerm): Term {
    // `NewTerm` is each member of the union without these two fields.
    const made = { ...term, id: this.next++, depth } as Term
    if (depth <= maxDepth) return made
    // What is compared stays compared, and the beginning of a long calculation stays known.
    if (made.kind !== "binary") return this.shallow(made)
    const left = this.shallow(made.left)
    const right = this.shallow(made.right)
    return { ...made, left, right, depth: Math.max(left.depth, right.depth) + 1 }
  }
  private readonly shortened = new Map<Term, Term>()

  /** What is too deep becomes opaque, made from the first places and values in it. */
  private shallow(term: Term): Term {
    if (term.depth < shallowDepth) return term
    let known = this.shortened.get(term)
    if (known !== undefined) return known
    const sources: Array<Term> = []
    const met = new Set(subterms(term))
    for (const one of met) {
      if (met.size > maxMet || sources.length >= maxSources) break
      if (one.kind === "literal" || one.kind === "constant") continue
      if (one.depth < shallowDepth) sources.push(one)
      else for (const part of subterms(one)) met.add(part)
    }
    this.shortened.set(term, (known = this.opaque(sources)))
    return known
  }

  parameter(owner: string, name: string): Term {
    const end = this.chains.next(this.chains.next(kinds.parameter, this.numberOf(owner)), this.numberOf(name))
    return this.known[end] ?? this.keep(end, this.make(0, { kind: "parameter", name }))
  }
  field(base: Term, name: string): Term {
    if (base.kind === "struct") {
      const own = base.fields.find(([field]) => field === name)
      if (own !== undefined) return own[1]
      if (base.base !== undefined) return this.field(base.base, name)
    }
    if (base.kind === "list" && base.tuple) return base.elements[Number(name)] ?? this.opaque([base])
    if (base.kind === "choice") return this.choice(base.alternatives.map((one) => this.field(one, name)))
    let fields = this.fields.get(base)
    if (fields === undefined) this.fields.set(base, (fields = new Map()))
    let term = fields.get(name)
    if (term === undefined) fields.set(name, (term = this.make(base.depth + 1, { kind: "field", base, name })))
    return term
  }
  element(base: Term, index?: number): Term {
    if (base.kind === "list" && index !== undefined && base.elements[index] !== undefined) return base.elements[index]
    if (base.kind === "list" && index === undefined && base.elements.length > 0) return this.choice(base.elements)
    if (base.kind === "choice") {
      const filled = base.alternatives.filter((one) => one.kind !== "list" || one.elements.length > 0)
      if (filled.length > 0) return this.choice(filled.map((one) => this.element(one, index)))
    }
    if (base.kind === "call" && base.name === "slice") {
      const [list, from] = base.args
      const offset = from?.kind === "literal" ? Number(from.value) : undefined
      // Where the part begins is not known: its first element is still another one than its second.
      if (list !== undefined && (offset !== undefined || index === undefined))
        return this.element(list, offset === undefined || index === undefined ? undefined : offset + index)
    }
    // An index is a number of any size.
    const end = this.chains.next(this.chains.next(kinds.element, base.id), this.numberOf(index))
    return (
      this.known[end] ??
      this.keep(
        end,
        this.make(base.depth + 1, {
          kind: "element",
          base,
          ...(index === undefined ? {} : { index }),
        }),
      )
    )
  }
  payload(base: Term, variant: string, name: string): Term {
    if (base.kind === "struct" && base.path.endsWith(variant)) return this.field(base, name)
    if (base.kind === "choice" && base.alternatives.every(({ kind }) => kind === "struct")) {
      const made = base.alternatives.filter((one) => one.kind === "struct" && one.path.endsWith(variant))
      if (made.length > 0) return this.choice(made.map((one) => this.field(one, name)))
    }
    const of = this.chains.next(this.chains.next(kinds.payload, base.id), this.numberOf(variant))
    const end = this.chains.next(of, this.numberOf(name))
    return this.known[end] ?? this.keep(end, this.make(base.depth + 1, { kind: "payload", base, variant, name }))
  }
  call(name: string, path: string, args: ReadonlyArray<Term>, target?: FunctionDefinition): Term {
    const named = this.chains.next(this.chains.next(kinds.call, this.numberOf(name)), this.numberOf(path))
    const end = this.endOf(this.chains.next(named, this.numberOf(target)), args)
    return (
      this.known[end] ??
      this.keep(
        end,
        this.make(deepest(args) + 1, {
          kind: "call",
          name,
          path,
          args,
          ...(target === undefined ? {} : { target }),
        }),
      )
    )
  }
  constant(path: string, definition?: ConstDefinition): Term {
    const name = path.slice(path.lastIndexOf(":") + 1)
    const end = this.chains.next(this.chains.next(kinds.constant, this.numberOf(path)), this.numberOf(definition?.item))
    return (
      this.known[end] ??
      this.keep(
        end,
        this.make(0, {
          kind: "constant",
          path,
          name,
          ...(definition === undefined ? {} : { definition }),
        }),
      )
    )
  }
  literal(type: string, value: string): Term {
    const end = this.chains.next(this.chains.next(kinds.literal, this.numberOf(type)), this.numberOf(value))
    return this.known[end] ?? this.keep(end, this.make(0, { kind: "literal", type, value }))
  }
  struct(
    path: string,
    fields: ReadonlyArray<readonly [string, Term]>,
    base: Term | undefined,
    definition: TypeDefinition | undefined,
  ): Term {
    const named = this.chains.next(this.chains.next(kinds.struct, this.numberOf(path)), this.numberOf(definition))
    let end = this.chains.next(named, base === undefined ? 0 : base.id + 1)
    for (const [name, value] of fields) end = this.chains.next(this.chains.next(end, this.numberOf(name)), value.id)
    const known = this.known[end]
    if (known !== undefined) return known
    const depth = deepest([...fields.map(([, value]) => value), ...(base === undefined ? [] : [base])]) + 1
    return this.keep(
      end,
      this.make(depth, {
        kind: "struct",
        path,
        name: path.slice(path.lastIndexOf(":") + 1),
        fields,
        ...(base === undefined ? {} : { base }),
        ...(definition === undefined ? {} : { definition }),
      }),
    )
  }
  list(elements: ReadonlyArray<Term>, tuple: boolean): Term {
    const end = this.endOf(tuple ? kinds.tuple : kinds.list, elements)
    return this.known[end] ?? this.keep(end, this.make(deepest(elements) + 1, { kind: "list", elements, tuple }))
  }
  binary(operator: string, left: Term, right: Term): Term {
    // Comparisons of the same two terms are one fact, however they are written.
    if (operator === ">" || operator === ">=") return this.binary(operator === ">" ? "<" : "<=", right, left)
    if ((operator === "==" || operator === "!=") && left.id > right.id) return this.binary(operator, right, left)
    const of = this.chains.next(this.chains.next(kinds.binary, this.numberOf(operator)), left.id)
    const depth = Math.max(left.depth, right.depth) + 1
    const end = this.chains.next(of, right.id)
    return this.known[end] ?? this.keep(end, this.make(depth, { kind: "binary", operator, left, right }))
  }
  not(operand: Term): Term {
    if (operand.kind === "not") return operand.operand
    const flip = operand.kind === "binary" ? flipped[operand.operator] : undefined
    if (operand.kind === "binary" && flip !== undefined) return this.binary(flip, operand.left, operand.right)
    if (operand.kind === "literal" && operand.type === "boolean")
      return this.literal("boolean", operand.value === "true" ? "false" : "true")
    const end = this.chains.next(kinds.not, operand.id)
    return this.known[end] ?? this.keep(end, this.make(operand.depth + 1, { kind: "not", operand }))
  }
  cast(value: Term, to: string): Term {
    const end = this.chains.next(this.chains.next(kinds.cast, value.id), this.numberOf(to))
    return this.known[end] ?? this.keep(end, this.make(value.depth + 1, { kind: "cast", value, to }))
  }
  is(value: Term, variant: string): Term {
    const end = this.chains.next(this.chains.next(kinds.is, value.id), this.numberOf(variant))
    return this.known[end] ?? this.keep(end, this.make(value.depth + 1, { kind: "is", value, variant }))
  }
  succeeded(call: Term): Term {
    const end = this.chains.next(kinds.succeeded, call.id)
    return this.known[end] ?? this.keep(end, this.make(call.depth + 1, { kind: "succeeded", call }))
  }
  choice(alternatives: ReadonlyArray<Term>): Term {
    const flat = alternatives.flatMap((one) => (one.kind === "choice" ? one.alternatives : [one]))
    const distinct = [...new Set(flat)]
    if (distinct.length === 1) return distinct[0]!
    // A message with several phrasings would have as many alternatives as there are messages.
    const room = distinct.every(({ kind }) => kind === "struct") ? maxVariants : maxAlternatives
    if (distinct.length > room) return this.opaque(distinct.slice(0, maxAlternatives))
    const end = this.endOf(kinds.choice, distinct)
    return (
      this.known[end] ?? this.keep(end, this.make(deepest(distinct) + 1, { kind: "choice", alternatives: distinct }))
    )
  }
  /** Terms made from now on have this number or a higher one. */
  get made(): number {
    return this.next
  }
  /** A term with some of its parts replaced; what has become opaque since a point is another value. */
  rebuilt(term: Term, put: (part: Term) => Term, since: number): Term {
    const all = (parts: ReadonlyArray<Term>): ReadonlyArray<Term> => parts.map(put)
    switch (term.kind) {
      case "field":
        return this.field(put(term.base), term.name)
      case "element":
        return this.element(put(term.base), term.index)
      case "payload":
        return this.payload(put(term.base), term.variant, term.name)
      case "call":
        return this.call(term.name, term.path, all(term.args), term.target)
      case "struct": {
        const fields = term.fields.map(([name, value]) => [name, put(value)] as const)
        return this.struct(term.path, fields, term.base === undefined ? undefined : put(term.base), term.definition)
      }
      case "list":
        return this.list(all(term.elements), term.tuple)
      case "binary":
        return this.binary(term.operator, put(term.left), put(term.right))
      case "not":
        return this.not(put(term.operand))
      case "cast":
        return this.cast(put(term.value), term.to)
      case "is":
        return this.is(put(term.value), term.variant)
      case "succeeded":
        return this.succeeded(put(term.call))
      case "choice":
        return this.choice(all(term.alternatives))
      case "opaque":
        return term.id < since ? term : this.opaque(all(term.sources))
      default:
        return term
    }
  }
  /** A new value that depends on others; never equal to another one. */
  opaque(sources: ReadonlyArray<Term>): Term {
    const kept = [...new Set(sources)].filter((one) => one.depth < maxDepth)
    return { kind: "opaque", sources: kept, id: this.next++, depth: deepest(kept) + 1 }
  }
}

const deepest = (terms: ReadonlyArray<Term>): number => {
  let depth = -1
  for (const one of terms) if (one.depth > depth) depth = one.depth
  return depth
}

/** Whether a path ends in the given segments: `pathEnds("anchor_spl::token::transfer", "token::transfer")`. */
export const pathEnds = (path: string, ...ends: ReadonlyArray<string>): boolean =>
  ends.some((end) => path === end || path.endsWith(`::${end}`))
