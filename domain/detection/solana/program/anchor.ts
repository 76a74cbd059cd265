import type { FunctionDefinition, StructDefinition } from "../../rust/crate/crate.ts"
import type { Value } from "../../rust/terms/events.ts"
import type { Resolver } from "../../rust/crate/resolve.ts"
import type { Expression } from "../../rust/syntax/syntax.ts"
import type { Term } from "../../rust/terms/terms.ts"
import {
  definitionOf,
  isNamed,
  namedType,
  pointee,
  resolveType,
  type RustType,
  successType,
} from "../../rust/crate/types.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { saysOf, stateType, wrapperOf } from "./accountTypes.ts"
import { type Constraints, readConstraints } from "./constraints.ts"
import { componentType } from "./components.ts"
import { isComponentField, isContextType } from "./dialects.ts"
import type { Account } from "./model.ts"
import { learnSetValidation, learnValidation } from "./validation.ts"
import { initializedFact, keyOf, ownerOf, signerOf, stateOf, sysvarFact, typedFact } from "./semantics.ts"

/** Limit: nesting of accounts structs in composites. */
const maxNesting = 6

/** The type of an account as a field declares it; a component in Bolt's input is the account that contains it. */
export const declaredType = (
  resolver: Resolver,
  struct: StructDefinition,
  field: StructDefinition["item"]["fields"][number],
): RustType => {
  const type = resolveType({ resolver, module: struct.module }, field.type)
  return isComponentField(struct) ? componentType(resolver, struct, field.type) : type
}

/** The accounts of a struct, composites expanded, as places below `base`. */
export const accountsOf = (
  resolver: Resolver,
  walk: Pick<Walk, "terms">,
  struct: StructDefinition,
  base: Term,
  prefix = "",
  depth = 0,
): ReadonlyArray<Account> => [
  ...declaredAccounts(resolver, walk, struct, base, prefix, depth),
  ...(isComponentField(struct) ? [impliedAuthority(walk, struct, base)] : []),
]

/** The signer for whom Bolt's world runs a system; no struct declares it. */
const impliedAuthority = ({ terms }: Pick<Walk, "terms">, struct: StructDefinition, base: Term): Account => ({
  name: "authority",
  term: terms.field(base, "authority"),
  wrapper: "signer",
  type: namedType("Signer"),
  state: undefined,
  optional: false,
  place: { file: struct.module.file, span: struct.item.nameSpan },
})

const declaredAccounts = (
  resolver: Resolver,
  walk: Pick<Walk, "terms">,
  struct: StructDefinition,
  base: Term,
  prefix: string,
  depth: number,
): ReadonlyArray<Account> =>
  struct.item.fields.flatMap((field): ReadonlyArray<Account> => {
    const type = declaredType(resolver, struct, field)
    const term = walk.terms.field(base, field.name)
    const name = `${prefix}${field.name}`
    const inner = pointee(successType(pointee(type)))
    const nested = definitionOf(inner)
    if (nested?.kind === "struct" && depth < maxNesting)
      return accountsOf(resolver, walk, nested, term, `${name}.`, depth + 1)
    const wrapper = wrapperOf(type)
    if (wrapper === undefined) return []
    return [
      {
        name,
        term,
        wrapper,
        type,
        state:
          wrapper === "state" || wrapper === "loader" || wrapper === "sysvar" || wrapper === "program"
            ? stateType(type)
            : undefined,
        optional: isNamed(pointee(type), "Option"),
        constraints: withType(readConstraints(field.attributes), type, isComponentField(struct)),
        place: { file: struct.module.file, span: field },
      },
    ]
  })

/** What Star Frame and Solitaire express in the type, Anchor expresses in the attribute. */
const withType = (constraints: Constraints, type: RustType, isComponent: boolean): Constraints => ({
  ...constraints,
  mutable: constraints.mutable || isComponent || saysOf(type, "Mut", "MaybeMut", "Init"),
  init: constraints.init || saysOf(type, "Init"),
})

interface DeclaredAccount {
  readonly field: StructDefinition["item"]["fields"][number]
  readonly type: RustType
  readonly account: Term
  /** The declaring struct. */
  readonly base: Term
  readonly evaluate: (node: Expression) => Value
  readonly keyTerm: (node: Expression) => Term
  readonly learn: (fact: Term) => void
}

/** What the type and the attributes of one account declare. */
const learnAccount = (walk: Walk, { field, type, account, base, evaluate, keyTerm, learn }: DeclaredAccount): void => {
  const { terms } = walk
  const wrapper = wrapperOf(type)
  if (wrapper === undefined) return
  const state = stateOf(terms, account)
  const of = stateType(type)
  if (wrapper === "signer") learn(signerOf(terms, account))
  if (wrapper === "state") learn(typedFact(terms, account))
  if (wrapper === "loader") learn(typedFact(terms, account))
  if (wrapper === "sysvar") learn(sysvarFact(terms, account))
  if (wrapper === "system") learn(terms.binary("==", ownerOf(terms, account), terms.constant("system_program::ID")))
  if (wrapper === "program") {
    const name = of?.kind === "named" ? of.path : "Program"
    learn(terms.binary("==", keyOf(terms, account), terms.constant(`${name}::ID`)))
  }
  const c = readConstraints(field.attributes)
  if (c.signer) learn(signerOf(terms, account))
  if (c.init || c.zero) learn(initializedFact(terms, account))
  if (c.init && c.seeds === undefined && c.associatedToken === undefined) learn(signerOf(terms, account))
  if (c.address !== undefined) learn(terms.binary("==", keyOf(terms, account), keyTerm(c.address)))
  if (c.owner !== undefined) learn(terms.binary("==", ownerOf(terms, account), keyTerm(c.owner)))
  for (const target of c.hasOne)
    learn(terms.binary("==", terms.field(state, target), keyOf(terms, terms.field(base, target))))
  if (c.seeds !== undefined) {
    const seeds = evaluate(c.seeds)
    const program = c.seedsProgram === undefined ? terms.constant("ID") : keyTerm(c.seedsProgram)
    const given = c.bump === undefined || c.bump === "canonical" ? undefined : evaluate(c.bump).term
    const address =
      given === undefined
        ? terms.field(terms.call("find_program_address", "anchor::find_program_address", [seeds.term, program]), "0")
        : terms.call("create_program_address", "anchor::create_program_address", [seeds.term, given, program])
    learn(terms.binary("==", keyOf(terms, account), address))
  }
  const token = c.token ?? c.associatedToken
  if (token?.mint !== undefined) learn(terms.binary("==", terms.field(state, "mint"), keyTerm(token.mint)))
  if (token?.authority !== undefined) learn(terms.binary("==", terms.field(state, "owner"), keyTerm(token.authority)))
  if (c.associatedToken !== undefined)
    learn(
      terms.binary(
        "==",
        keyOf(terms, account),
        terms.call("associated_token_address", "anchor::associated_token_address", [
          terms.field(state, "owner"),
          terms.field(state, "mint"),
        ]),
      ),
    )
  if (c.mint?.authority !== undefined)
    learn(terms.binary("==", terms.field(state, "mint_authority"), keyTerm(c.mint.authority)))
  learnValidation(walk, field, type, account, learn)
  // `Derive<…, "pool">`: the seed is fixed and belongs to one field.
  if (saysOf(type, "Derive")) {
    const seeds = terms.list([terms.literal("string", field.name)], false)
    const found = terms.call("find_program_address", "solitaire::find_program_address", [seeds, terms.constant("ID")])
    learn(terms.binary("==", keyOf(terms, account), terms.field(found, "0")))
  }
  if (saysOf(type, "Init")) learn(initializedFact(terms, account))
  if (saysOf(type, "Signer")) learn(signerOf(terms, account))
  for (const condition of c.conditions) walk.consequences(walk.condition(condition), true).forEach(learn)
}

/** Everything that Anchor checks before the handler runs becomes a fact of the walk. */
export const learnConstraints = (
  walk: Walk,
  struct: StructDefinition,
  base: Term,
  args: ReadonlyArray<Value & { readonly name: string }>,
  depth = 0,
): void => {
  const { terms, resolver } = walk
  const scope: FunctionDefinition = {
    ...walk.frame.function,
    module: struct.module,
    name: struct.name,
    qualifiedName: struct.name,
  }
  const names = new Map<string, Value>()
  // `#[instruction(a: u64, b: u8)]` names the handler's arguments by position.
  const declared = struct.item.attributes.find((one) => one.name === "instruction")?.args ?? []
  for (const [index, one] of declared.entries()) {
    const given = args[index]
    if (given !== undefined) names.set(one.name, given)
  }
  names.set("self", {
    term: base,
    type: { kind: "named", name: struct.name, path: struct.name, definition: struct, args: [] },
  })
  const own = struct.item.fields.map((field) => {
    const type = declaredType(resolver, struct, field)
    const value: Value = {
      term: terms.field(base, field.name),
      type: isNamed(pointee(type), "Option") ? successType(pointee(type)) : type,
    }
    names.set(field.name, value)
    return { field, type, value }
  })
  const facts: Array<Term> = []
  const learn = (fact: Term): void => {
    facts.push(fact)
  }
  if (isComponentField(struct)) facts.push(signerOf(terms, terms.field(base, "authority")))
  walk.inScopeOf(scope, names, () => {
    learnSetValidation(walk, struct)
    const evaluate = (node: Expression): Value => walk.expression(node)
    /** An account, or a key, named in a constraint: its address. */
    const keyTerm = (node: Expression): Term => {
      const value = evaluate(node)
      return wrapperOf(value.type) === undefined ? value.term : keyOf(terms, value.term)
    }
    for (const { field, type, value } of own) {
      const account = value.term
      const nested = definitionOf(pointee(successType(pointee(type))))
      if (nested?.kind === "struct" && wrapperOf(type) === undefined) {
        if (depth < maxNesting) learnConstraints(walk, nested, account, args, depth + 1)
        for (const condition of readConstraints(field.attributes).conditions)
          walk.consequences(walk.condition(condition), true).forEach(learn)
        continue
      }
      learnAccount(walk, { field, type, account, base, evaluate, keyTerm, learn })
    }
  })
  walk.learn(facts)
}

/** `#[access_control(check(&ctx))]` runs before the handler and must succeed. */
export const learnAccessControl = (walk: Walk, definition: FunctionDefinition): void => {
  for (const attribute of definition.item.attributes) {
    if (attribute.name !== "access_control") continue
    for (const { value } of attribute.args)
      for (const call of value === undefined ? [] : conjuncts(value)) {
        const result = walk.expression({ kind: "try", start: call.start, end: call.end, value: call })
        walk.learn(result.onSuccess ?? [])
      }
  }
}

/** Anchor reads `first(&ctx) && second(&ctx)` as one call after the other. */
const conjuncts = (node: Expression): ReadonlyArray<Expression> =>
  node.kind === "binary" && node.operator === "&&" ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node]

/** Types of values that are not arguments from the caller. */
export const isPlatformType = (type: RustType): boolean =>
  isContextType(type) ||
  isNamed(type, "Context", "AccountInfo", "AccountView", "ExecutionContext") ||
  (type.kind === "list" && isNamed(pointee(type.element), "AccountInfo", "AccountView"))
