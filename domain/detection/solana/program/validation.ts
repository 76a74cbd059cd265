import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { Value } from "../../rust/terms/events.ts"
import type { Attribute, Expression, Field } from "../../rust/syntax/syntax.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { definitionOf, type RustType } from "../../rust/crate/types.ts"
import { canEnter, enter } from "../../rust/walk/entering/enter.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { stateType, wrapperOf } from "./accountTypes.ts"

/** Star Frame's terms for what must hold for an account before the handler runs. */
const values = (attributes: ReadonlyArray<Attribute>, name: string): ReadonlyArray<Expression> =>
  attributes
    .filter((one) => one.name === "validate")
    .flatMap(({ args }) => args)
    .flatMap((one) => (one.name === name && one.value !== undefined ? [one.value] : []))

const calleeOf = (node: Expression): string =>
  node.kind === "call" && node.callee.kind === "path" ? (node.callee.path.segments.at(-1)?.name ?? "") : ""

/** `(Create(()), Seeds(PoolSeeds { … }))`: several requirements in one. */
const partsOf = (node: Expression): ReadonlyArray<Expression> => (node.kind === "tuple" ? node.elements : [node])

/** The state's own check of an argument: `impl AccountValidate<&Pubkey> for Pool`. */
const ownCheck = (walk: Walk, type: RustType, state: Term, given: Value, node: Expression): ReadonlyArray<Term> => {
  const of = stateType(type)
  const definition = of === undefined ? undefined : definitionOf(of)
  if (of === undefined || definition === undefined) return []
  const check =
    walk.resolver.method(definition, "validate", "AccountValidate") ??
    walk.resolver.method(definition, "validate_account", "AccountValidate")
  if (check === undefined || !canEnter(walk, check)) return []
  const { onSuccess } = enter(walk, check, [{ term: state, type: of }, given], node)
  return onSuccess ?? []
}

/** What a field's `#[validate(…)]` requires of its account; the names of the set are in scope as `self`. */
export const learnValidation = (
  walk: Walk,
  { attributes }: Field,
  type: RustType,
  account: Term,
  learn: (fact: Term) => void,
): void => {
  const { terms } = walk
  const key = terms.field(account, "key")
  for (const given of values(attributes, "address")) {
    const value = walk.expression(given)
    learn(terms.binary("==", key, wrapperOf(value.type) === undefined ? value.term : terms.field(value.term, "key")))
  }
  for (const node of values(attributes, "arg").flatMap(partsOf)) {
    const name = calleeOf(node)
    const value = walk.expression(node)
    if (/^Create(IfNeeded)?$/.test(name)) learn(terms.call("initialized", "", [account]))
    else if (/^Seeds(WithBump)?$/.test(name)) {
      const found = terms.call("find_program_address", "star_frame::find_program_address", [
        value.term,
        terms.constant("ID"),
      ])
      learn(terms.binary("==", key, terms.field(found, "0")))
    } else for (const fact of ownCheck(walk, type, terms.call("state", "", [account]), value, node)) learn(fact)
  }
}

/** `#[validate(extra_validation = self.validate())]` of the whole set. */
export const learnSetValidation = (walk: Walk, { item }: StructDefinition): void => {
  for (const value of values(item.attributes, "extra_validation"))
    walk.learn(walk.expression({ kind: "try", start: value.start, end: value.end, value }).onSuccess ?? [])
}
