import { oncePer } from "../../oncePer.ts"
import { callerCheck, restrictive } from "../flow/facts/callerCheck.ts"
import { type AnyOf, type Fact, type Relation, relationsIn } from "../flow/facts/facts.ts"
import type { Expr } from "../flow/graph/graph.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../flow/graph/origins.ts"
import type { Type } from "../types.ts"

// Conditions on the caller that anyone can meet.

/**
 * `inverted`: everyone but one account passes · `optional`: callers who pass other arguments, or none, are not checked.
 */
export type Opening = "inverted" | "optional"

/** How anyone gets past a condition on the caller; undefined if it is not such a condition, or if it holds. */
export const openingOf = oncePer((fact: Fact): Opening | undefined => {
  if (fact.kind === "relation") return isInverted(fact) ? "inverted" : undefined
  const { options } = fact
  if (options.length < 2) return undefined
  if (options.some((option) => option.some((f) => isInvertedAlone(f, fact)) && option.every(isOpen))) return "inverted"
  if (!options.some(checks)) return undefined
  return options.some(
    (option) => option.length > 0 && option.every((f) => isCallersChoice(f) || isSet(f, fact) || isAnybody(f)),
  ) ||
    // a list that admits contracts beside all other accounts is meant that way
    (options.some((option) => option.some(isNoContract)) &&
      options.every((option) => option.some((f) => isNoContract(f) || callerCheck(f)?.kind === "owner")))
    ? "optional"
    : undefined
})

/** `msg.sender != address(0)`: every account meets it. */
const isAnybody = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "!=" &&
  fact.withZero &&
  [fact.left, fact.right].some((side) => side !== undefined && only(side, Source.sender))

/** `msg.sender == tx.origin`: every account meets it. */
const isNoContract = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  (fact.left.sources | (fact.right?.sources ?? 0)) === (Source.sender | Source.txOrigin)

const checks = (option: ReadonlyArray<Fact>): boolean =>
  option.some((fact) => {
    const check = callerCheck(fact)
    return check !== undefined && restrictive.has(check.kind)
  })

const isOpen = (fact: Fact): boolean => isCallersChoice(fact) || (fact.kind === "relation" && isInverted(fact))

/**
 * Whether the condition is inverted by itself: no alternative is merely the opposite outcome of the same comparison, as
 * the `else` of an `if` is.
 */
const isInvertedAlone = (fact: Fact, { options }: AnyOf): boolean =>
  fact.kind === "relation" &&
  isInverted(fact) &&
  !options.some((option) => !option.includes(fact) && option.some((f) => isAbout(f, fact.expression)))

const isAbout = (f: Fact, expression: Expr): boolean =>
  f.kind === "any"
    ? f.options.some((option) => option.some((each) => isAbout(each, expression)))
    : f.expression === expression

const accounts = Source.state | Source.immutable | Source.constant | Source.external

/** A single account that the contract knows, regardless of the caller. */
export const isKnownAccount = (o: Origins): boolean =>
  o.sources !== 0 &&
  (o.sources & ~accounts) === 0 &&
  ((o.keys | o.targets) & chosenByCaller) === 0 &&
  (has(o, Source.external) || o.state.some(({ type }) => namesAccount(type)))

/** Whether it is an address, possibly as the entry of a table. */
export const namesAccount = (type: Type): boolean =>
  type.kind === "address" || type.kind === "contract" || (type.kind === "mapping" && namesAccount(type.value))

/** Whether the sender must differ from one known account. */
const isInverted = ({ operator, left, right, withZero }: Relation): boolean =>
  operator === "!=" &&
  right !== undefined &&
  !withZero &&
  ((only(left, Source.sender) && isKnownAccount(right)) || (only(right, Source.sender) && isKnownAccount(left)))

/**
 * `(member[msg.sender] && x) || !member[msg.sender]`: the condition of a branch, of which both outcomes lead on.
 * Strangers take the way that requires nothing of them. A branch on one account is different: a forwarder says who acts.
 */
export const isBranch = oncePer((fact: AnyOf): boolean => {
  const outcomes = new Map<Expr, Set<Relation["operator"]>>()
  for (const f of relationsIn([fact])) {
    if (!looksUpSender(f)) continue
    const known = outcomes.get(f.expression)
    if (known === undefined) outcomes.set(f.expression, new Set([f.operator]))
    else known.add(f.operator)
  }
  const isEither = (f: Fact): boolean =>
    f.kind === "any"
      ? f.options.some((option) => option.every(isEither))
      : looksUpSender(f) && outcomes.get(f.expression)!.size > 1 && callerCheck(f) === undefined
  return outcomes.size > 0 && isEither(fact)
})

const looksUpSender = ({ left, right }: Relation): boolean =>
  ((left.keys | (right?.keys ?? 0)) & Source.sender) !== 0 &&
  ((left.sources | (right?.sources ?? 0)) & Source.sender) === 0

const word = Source.parameter | Source.calldata | Source.literal | Source.constant

/** Whether only arguments decide, beyond there being something to do at all. */
const isCallersChoice = (fact: Fact): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.every(isCallersChoice))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  const told = sides.find((side) => has(side, Source.parameter | Source.calldata))
  if (told === undefined || !sides.every(({ sources, keys }) => ((sources | keys) & ~word) === 0)) return false
  const isNothing = fact.withZero && (fact.operator === "==" || fact.operator === "<=")
  return !isNothing || (told.parameters.length > 0 && told.parameters.every(({ type }) => namesAccount(type)))
}

/** `pending != address(0) || pending == msg.sender`: both refer to the same account. */
const isSet = (fact: Fact, { options }: AnyOf): boolean =>
  fact.kind === "relation" &&
  fact.operator === "!=" &&
  fact.withZero &&
  [fact.left, fact.right].some(
    (side) =>
      side?.state[0] !== undefined &&
      isKnownAccount(side) &&
      options.some((option) =>
        option.some(
          (f) =>
            f.kind === "relation" &&
            f.operator === "==" &&
            (f.left.sources === Source.sender || f.right?.sources === Source.sender) &&
            [f.left, f.right].some((other) => other?.state[0] === side.state[0]),
        ),
      ),
  )
