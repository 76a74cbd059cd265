import type { SourceFile } from "../../SourceFile.ts"
import type { FunctionItem, LetStatement, Pattern } from "./syntax.ts"

export type Binding = Extract<Pattern, { readonly kind: "binding" }>

interface Local {
  readonly binding: Binding
  used: boolean
}

/** Any node of a tree: trees hold only nodes, lists of nodes and scalars. */
type AnyNode = Readonly<Record<string, unknown>> & { readonly kind?: string }

/** Names in the body of one function, by where they are visible. */
class Names {
  readonly idle: Array<Binding> = []
  private readonly visible = new Map<string, Array<Local>>()
  private scope: Array<string> = []
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  use(name: string): void {
    const local = this.visible.get(name)?.at(-1)
    if (local !== undefined) local.used = true
  }

  /** Names visible for the rest of the scope. Closures are given their arguments whether they want them or not. */
  bind(pattern: Pattern, isGiven = false): void {
    const own = new Set<string>()
    const add = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return
      if (Array.isArray(node)) return node.forEach(add)
      const one = node as Pattern // or a part of one, which has no kind, or a path
      // Alternatives bind the same names; unit variants and constants are capitalized.
      if (one.kind === "binding" && /^[a-z_]/.test(one.name) && !own.has(one.name)) {
        own.add(one.name)
        const local = { binding: one, used: isGiven }
        const known = this.visible.get(one.name)
        if (known === undefined) this.visible.set(one.name, [local])
        else known.push(local)
        this.scope.push(one.name)
      }
      Object.values(node).forEach(add)
    }
    add(pattern)
  }

  within(work: () => void): void {
    const around = this.scope
    this.scope = []
    work()
    for (const name of this.scope) {
      const local = this.visible.get(name)?.pop()
      if (local?.used === false && !name.startsWith("_")) this.idle.push(local.binding)
    }
    this.scope = around
  }

  visit(node: unknown): void {
    if (typeof node !== "object" || node === null) return
    if (Array.isArray(node)) return node.forEach((one) => this.visit(one))
    const one = node as AnyNode
    switch (one.kind) {
      case "item":
        return
      case "block":
        return this.within(() => this.children(one))
      case "let": {
        const { pattern, value, otherwise } = node as LetStatement // or a condition, which has less
        this.visit(value)
        this.visit(otherwise)
        return this.bind(pattern)
      }
      case "if":
      case "while": {
        const { condition, then, body, otherwise } = one
        // What the condition binds is not visible in the other branch.
        this.within(() => [condition, then, body].forEach((part) => this.visit(part)))
        return this.visit(otherwise)
      }
      case "for": {
        this.visit(one["iterable"])
        return this.within(() => {
          this.bind(one["pattern"] as Pattern) // of a loop
          this.visit(one["body"])
        })
      }
      case "match": {
        this.visit(one["value"])
        return (one["arms"] as ReadonlyArray<AnyNode>).forEach((arm) => this.inside(arm)) // of a match
      }
      case "closure":
        return this.within(() => {
          for (const { pattern } of one["parameters"] as ReadonlyArray<{ pattern: Pattern }>)
            // of a closure
            this.bind(pattern, true)
          this.visit(one["body"])
        })
      case "macro":
        return this.macro(one)
      case "path": {
        const { path } = node as { path?: { segments: ReadonlyArray<{ name: string }> } } // an expression, type or pattern
        const [first, ...others] = path?.segments ?? []
        if (first !== undefined && others.length === 0) this.use(first.name)
        return
      }
      default:
        return this.children(one)
    }
  }

  private children(node: AnyNode): void {
    for (const key in node) this.visit(node[key])
  }

  /** An arm: its pattern, and where that is visible. */
  private inside({ pattern, guard, body }: AnyNode): void {
    this.within(() => {
      this.bind(pattern as Pattern) // of an arm
      this.visit(guard)
      this.visit(body)
    })
  }

  /** A macro may use whatever its text names: `format!("{total}")`. */
  private macro(node: AnyNode): void {
    const { start, end } = node["tokens"] as { start: number; end: number } // of a macro
    for (const [name] of this.text.slice(start, end).matchAll(/[a-z_]\w*/g)) this.use(name)
  }
}

/**
 * Names that a function binds and never uses, as the compiler would warn. If parts were left out for another build, it
 * may use what they name.
 */
export const idleNames = ({ text }: SourceFile, item: FunctionItem): ReadonlyArray<Binding> => {
  if (item.body === undefined) return []
  const names = new Names(text)
  names.within(() => {
    for (const { pattern } of item.parameters) names.bind(pattern)
    names.visit(item.body)
  })
  const written = text.slice(item.start, item.end)
  if (names.idle.length === 0 || !/\bcfg!?\s*\(/.test(written)) return names.idle
  const counts = new Map<string, number>()
  for (const [name] of written.matchAll(/[a-z_]\w*/g)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.idle.filter(({ name }) => counts.get(name) === 1)
}
