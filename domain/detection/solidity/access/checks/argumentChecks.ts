import { oncePerPair } from "../../../oncePer.ts"
import { type Fact, type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { isKnownAccount, namesAccount } from "../../demands/openings.ts"
import type { Entry } from "../entries/entries.ts"

// Conditions that an argument meets in the sender's place, regardless of who passes it.

/**
 * The condition that one account argument decides, if it serves no other purpose: it equals a privileged account, is on
 * a list, or is approved by a contract. Nothing else depends on it, so that the caller passes whatever is asked for.
 */
export const askedOfArgument = (program: Program, entry: Entry, fact: Fact): Fact | undefined => {
  const options = fact.kind === "relation" ? [[fact]] : fact.options
  const asked = options.flat().find((f) => f.kind === "relation" && askedIn(program, f) !== undefined)
  const told = asked?.kind === "relation" ? askedIn(program, asked) : undefined
  if (asked === undefined || told === undefined || !entry.fn.parameters.includes(told)) return undefined
  return options.every((option) => option.some((f) => isAbout(f, told)) || option.every(isWord)) &&
    // of a branch, both outcomes lead on
    options.filter((option) => option.some(({ expression }) => expression === asked.expression)).length === 1 &&
    !options.flat().some(concernsSender) &&
    !decides(entry, told) &&
    isUsedOnlyIn(program, entry, told, asked)
    ? asked
    : undefined
}

const isAbout = (fact: Fact, told: LocalVariable): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some((f) => isAbout(f, told)))
    : sidesOf(fact).some(({ parameters, keyParameters }) => parameters.includes(told) || keyParameters.includes(told))

/** Whether arguments alone decide that nothing is asked. */
const isWord = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  sidesOf(fact).every(
    ({ sources, keys }) => ((sources | keys) & ~(Source.parameter | Source.calldata | Source.literal)) === 0,
  )

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

/** Where the function checks: the call, if another function compares its argument. */
export const passedIn = (
  { fn, flow }: Entry,
  { expression, at }: Fact,
): { readonly expression: Fact["expression"]; readonly at: FlowNode } => {
  const asks = at.callable === fn ? undefined : flow.calls().find(({ target }) => target === at.callable)
  return asks === undefined ? { expression, at } : { expression: asks.node, at: asks.at }
}

interface Use {
  readonly told: LocalVariable
  readonly part: S.Node
  /** Whether it takes part in what the function returns. */
  readonly isAnswer: boolean
  readonly member?: string
}

/** Where a function's arguments are used, except in events; of a struct, with the member. */
const usesIn = oncePerPair((program: Program, fn: FunctionModel) => {
  const uses: Array<Use> = []
  let answerEnd = 0
  const argument = (e: S.Node): LocalVariable | undefined => {
    const variable = e.kind === "Identifier" ? program.referenceOf(e) : undefined
    return variable?.kind === "LocalVariable" ? variable : undefined
  }
  const note = (part: S.Node): boolean => {
    if (part.kind === "EmitStatement") return false
    if (part.kind === "ReturnStatement") answerEnd = part.end
    const isAnswer = part.end <= answerEnd
    const of = part.kind === "MemberAccess" ? argument(part.object) : undefined
    const told = argument(part)
    if (part.kind === "MemberAccess" && of !== undefined) uses.push({ told: of, part, isAnswer, member: part.member })
    else if (told !== undefined) uses.push({ told, part, isAnswer })
    return of === undefined
  }
  if (fn.node.body !== undefined) walk(fn.node.body, note)
  for (const each of fn.modifiers) walk(each.node, note)
  return Map.groupBy(uses, ({ told }) => told)
})

/** For a struct, whether its member is used nowhere else. */
const isUsedOnlyIn = (program: Program, { fn }: Entry, told: LocalVariable, { expression, at }: Fact): boolean => {
  const asked = told.type.kind === "struct" ? memberIn(program, expression, told) : undefined
  const condition = at.callable === fn ? at.expression : undefined
  const others = (usesIn(program, fn).get(told) ?? []).filter(
    ({ part, member }) =>
      !(condition !== undefined && condition.start <= part.start && part.end <= condition.end) &&
      (asked === undefined || member === undefined || member === asked),
  )
  // the function or modifier that checks receives the argument
  return others.length === (condition === undefined ? 1 : 0) && !others.some(({ isAnswer }) => isAnswer)
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
