/**
 * What a macro of the project requires before the code continues: that an argument holds, or how two of them compare.
 */
export type MacroCheck =
  | {
      readonly kind: "condition"
      readonly index: number
      readonly holds: boolean
      /** All arguments from there on must hold: `if !($($c)&&+)`. */
      readonly all?: true
    }
  | { readonly kind: "comparison"; readonly operator: Comparison; readonly left: number; readonly right: number }

type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">="

const opposites: Record<Comparison, Comparison> = { "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<" }

/** Longer definitions do more than check. */
const maxLength = 3_000

const fails = (text: string): boolean => /(?:\b|return)(?:Err|err!|panic!)(?:::<[\w(),:]*>)?\(/.test(text)

const withoutSpaces = (text: string): string => text.replace(/\/\/[^\n]*/g, "").replace(/\s+/g, "")

/** The text between the brace at `from` and the one that closes it; everything up to the end if none does. */
const blockAt = (text: string, from: number): { readonly inner: string; readonly end: number } => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++
    else if (text[at] === "}" && --depth === 0) return { inner: text.slice(from + 1, at), end: at + 1 }
  }
  return { inner: text.slice(from + 1), end: text.length }
}

/** `if !$left {`, `if !($($all)&&+)`, `if $left.key() == $right.key() {`, with parentheses and references around each. */
const asked =
  /\bif(!?)\(*(?:\$\()?[*&]*\$(\w+)(?:\.key(?:\(\))?)?\)*(&&[+*]\)*)?(?:(==|!=|<=|>=|<|>)\(*[*&]*\$(\w+)(?:\.key(?:\(\))?)?\)*)?\{/

const checkInRule = (names: ReadonlyArray<string>, body: string): MacroCheck | undefined => {
  const found = asked.exec(body)
  if (found === null) return undefined
  const [text, negated, left, repeated, operator, right] = found
  const then = blockAt(body, found.index + text.length - 1)
  const thenFails = fails(then.inner)
  // A macro that fails in both branches, or in neither, checks nothing.
  if (thenFails === (body.startsWith("else", then.end) && fails(body.slice(then.end)))) return undefined
  const index = names.indexOf(left!)
  const holds = (negated === "!") === thenFails
  if (operator === undefined)
    return index < 0 ? undefined : { kind: "condition", index, holds, ...(repeated === undefined ? {} : { all: true }) }
  const other = names.indexOf(right!)
  if (index < 0 || other < 0) return undefined
  const own = operator as Comparison
  return { kind: "comparison", operator: holds ? own : opposites[own], left: index, right: other }
}

/**
 * What a `macro_rules!` definition checks: `($c:expr, $e:expr) => { if $c { Ok(()) } else { Err($e) } }` and its like.
 * All of its rules that check anything must check the same.
 */
export const checkOfMacro = (definition: string): MacroCheck | undefined => {
  if (definition.length > maxLength) return undefined
  const text = withoutSpaces(definition)
  const parts = text.split("=>")
  let found: MacroCheck | undefined
  for (const [index, part] of parts.entries()) {
    const body = parts[index + 1]
    if (body === undefined) break
    const names = [...part.matchAll(/\$(\w+):\w+/g)].map(([, name]) => name!)
    const own = checkInRule(names, body)
    if (own === undefined) continue
    if (found !== undefined && JSON.stringify(found) !== JSON.stringify(own)) return undefined
    found = own
  }
  return found
}

/** A macro that hands its arguments on to another one, as `require_equal!(a, b)` does to `require_that!(a == b)`. */
export interface ForwardingMacro {
  readonly to: string
  readonly names: ReadonlyArray<string>
  /** What it passes, without spaces: `$left`, `$left==$right`. */
  readonly passed: ReadonlyArray<string>
}

export const forwardingMacro = (definition: string): ForwardingMacro | undefined => {
  if (definition.length > maxLength) return undefined
  const [head, body, ...others] = withoutSpaces(definition).split("=>")
  if (head === undefined || body === undefined || others.length > 0) return undefined
  const [, to, passed] = /^[{(](?:\$crate::)?(\w+)!\(([^()]*)\);?[})]/.exec(body) ?? []
  if (to === undefined || passed === undefined) return undefined
  return { to, names: [...head.matchAll(/\$(\w+):\w+/g)].map(([, name]) => name!), passed: passed.split(",") }
}

/** What a macro requires that hands its arguments on to one that requires something. */
export const forwardedCheck = ({ names, passed }: ForwardingMacro, check: MacroCheck): MacroCheck | undefined => {
  const named = (at: number): number => names.indexOf(/^[*&]*\$(\w+)$/.exec(passed[at] ?? "")?.[1] ?? "")
  if (check.kind === "comparison") {
    const [left, right] = [named(check.left), named(check.right)]
    return left < 0 || right < 0 ? undefined : { ...check, left, right }
  }
  const index = named(check.index)
  if (index >= 0) return { ...check, index }
  const found = /^[*&]*\$(\w+)(==|!=|<=|>=|<|>)[*&]*\$(\w+)$/.exec(passed[check.index] ?? "")
  const [left, right] = [names.indexOf(found?.[1] ?? ""), names.indexOf(found?.[3] ?? "")]
  if (found === null || left < 0 || right < 0) return undefined
  const own = found[2] as Comparison
  return { kind: "comparison", operator: check.holds ? own : opposites[own], left, right }
}

/** Definitions that a macro expands to. */
export const nestedMacros = (
  definition: string,
): ReadonlyArray<{ readonly name: string; readonly definition: string }> => {
  if (definition.length > maxLength) return []
  const [, ...nested] = definition.split("macro_rules!")
  return nested.flatMap((one) => {
    const [head, name] = /^\s*(\w+)\s*(?=\{)/.exec(one) ?? []
    return name === undefined ? [] : [{ name, definition: blockAt(one, head!.length).inner }]
  })
}
