import { type Fact, type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { isKnownAccount, namesAccount } from "../../demands/openings.ts"
import type { Entry } from "../entries/entries.ts"

// Conditions that an argument meets in the sender's place, whoever passes it.

/**
 * Whether one account argument decides a condition and serves no other purpose: it equals a privileged account, is on a
 * list, or is approved by a contract. Nothing else depends on it, so that the caller passes whatever is asked for.
 */
export const isArgument = (program: Program, entry: Entry, fact: Fact): boolean => {
  const options = fact.kind === "relation" ? [[fact]] : fact.options
  const [told] = options.flat().flatMap((f) => (f.kind === "relation" ? (askedIn(program, f) ?? []) : []))
  if (told === undefined || !entry.fn.parameters.includes(told)) return false
  return (
    options.every((option) => option.some((f) => isAbout(f, told))) &&
    !options.flat().some(concernsSender) &&
    !decides(entry, told) &&
    isUsedOnlyIn(program, entry, told, fact)
  )
}

const isAbout = (fact: Fact, told: LocalVariable): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some((f) => isAbout(f, told)))
    : sidesOf(fact).some(({ parameters, keyParameters }) => parameters.includes(told) || keyParameters.includes(told))

const concernsSender = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.some((option) => option.some(concernsSender))
    : sidesOf(fact).some(({ sources, keys }) => ((sources | keys) & Source.sender) !== 0)

/** Whether something that is done concerns the account. */
const decides = ({ deeds }: Entry, told: LocalVariable): boolean =>
  deeds.some(({ value, keys }) =>
    [value, keys].some(
      ({ parameters, keyParameters }) =>
        told.type.kind !== "struct" && (parameters.includes(told) || keyParameters.includes(told)),
    ),
  )

/** The argument in the place of an account that is admitted. */
const askedIn = (program: Program, fact: Relation): LocalVariable | undefined => {
  const { operator, left, right, withZero } = fact
  if (operator === "true") return lookedUp(program, left)
  if (operator !== "==" || right === undefined) return undefined
  for (const [told, known] of [
    [left, right],
    [right, left],
  ] as const) {
    const [parameter] = told.parameters
    if (parameter !== undefined && only(told, Source.parameter) && (isKnownAccount(known) || isEntry(known)))
      return parameter.type.kind === "address" || parameter.type.kind === "struct" ? parameter : undefined
    if (!withZero && only(known, Source.literal | Source.constant)) return lookedUp(program, told)
  }
  return undefined
}

/** `ownerOf[id]` */
const isEntry = (o: Origins): boolean => only(o, Source.state) && o.state.some(({ type }) => namesAccount(type))

/** The account that a table, or a question to a known contract, is about: `allowed[owner][by]`, `book.allows(by)`. */
const lookedUp = (program: Program, o: Origins): LocalVariable | undefined => {
  const isAnswer = only(o, Source.external) && o.calls.length > 0 && o.calls.every((call) => isQuestion(program, call))
  if (!(only(o, Source.state) || isAnswer) || (o.targets & chosenByCaller) !== 0) return undefined
  return o.keyParameters.findLast(({ type }) => type.kind === "address")
}

const isQuestion = (program: Program, call: Origins["calls"][number]): boolean => {
  const mutability = call.kind === "FunctionCall" ? program.callOf(call)?.target?.mutability : undefined
  return mutability === "view" || mutability === "pure"
}

/** Where the function asks: the call, if another function compares what it is passed. */
export const passedIn = (
  { fn, flow }: Entry,
  { expression, at }: Fact,
): { readonly expression: Fact["expression"]; readonly at: FlowNode } => {
  const asks = at.callable === fn ? undefined : flow.calls().find(({ target }) => target === at.callable)
  return asks === undefined ? { expression, at } : { expression: asks.node, at: asks.at }
}

/** For a struct, whether its member is used nowhere else. */
const isUsedOnlyIn = (program: Program, { fn }: Entry, told: LocalVariable, { expression, at }: Fact): boolean => {
  const member = told.type.kind === "struct" ? memberIn(program, expression, told) : undefined
  const condition = at.callable === fn ? at.expression : undefined
  let uses = 0
  const isIt = (e: S.Node): boolean => e.kind === "Identifier" && program.referenceOf(e) === told
  const count = (part: S.Node): boolean => {
    if (part.kind === "EmitStatement" || part === condition) return false
    if (part.kind === "MemberAccess" && member !== undefined && isIt(part.object)) {
      if (part.member === member) uses++
      return false
    }
    if (isIt(part)) uses++
    return uses < 2
  }
  if (fn.node.body !== undefined) walk(fn.node.body, count)
  for (const each of fn.modifiers) walk(each.node, count)
  // the function or modifier that asks is given the argument
  return uses === (condition === undefined ? 1 : 0)
}

/** Which member of a struct a condition is about. */
const memberIn = (program: Program, expression: Fact["expression"], struct: LocalVariable): string | undefined => {
  let found: string | undefined
  walk(expression, (part) => {
    if (
      part.kind === "MemberAccess" &&
      part.object.kind === "Identifier" &&
      program.referenceOf(part.object) === struct
    )
      found = part.member
    return found === undefined
  })
  return found
}
