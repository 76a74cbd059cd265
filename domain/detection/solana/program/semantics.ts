import type { Value } from "../../rust/terms/events.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { mentions, pathEnds, subterms, type Term, type TermTable } from "../../rust/terms/terms.ts"
import {
  definitionOf,
  fieldType,
  isNamed,
  namedType,
  pointee,
  type RustType,
  successType,
  unknownType,
} from "../../rust/crate/types.ts"
import type { CallSite, Semantics } from "../../rust/walk/state/platform.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { takenAccount, lazyPayload } from "./takenAccounts.ts"
import { componentType } from "./components.ts"
import { isComponentField, isContextType } from "./dialects.ts"
import { shankContext, shankField } from "./shankContexts.ts"
import { steelCall } from "./steel.ts"
import {
  accountInfo,
  externalFieldType,
  isAccountList,
  isAddressType,
  pubkey,
  stateType,
  wrapperOf,
} from "./accountTypes.ts"

/** The terms by which the model represents what a program can know about an account. */
export const keyOf = (terms: TermTable, account: Term): Term => terms.field(account, "key")
export const ownerOf = (terms: TermTable, account: Term): Term => terms.field(account, "owner")
export const dataOf = (terms: TermTable, account: Term): Term => terms.field(account, "data")
export const lamportsOf = (terms: TermTable, account: Term): Term => terms.field(account, "lamports")
export const signerOf = (terms: TermTable, account: Term): Term => terms.field(account, "is_signer")
/** The account's data, read as a struct. */
export const stateOf = (terms: TermTable, account: Term): Term => terms.call("state", "", [account])
/** A fact: owner and discriminator were checked, as by `Account<'_, T>`. */
export const typedFact = (terms: TermTable, account: Term): Term => terms.call("typed", "", [account])
/** A fact: the address was compared with the sysvar's. */
export const sysvarFact = (terms: TermTable, account: Term): Term => terms.call("sysvar", "", [account])
/** A fact: created, or found zeroed, by this instruction. */
export const initializedFact = (terms: TermTable, account: Term): Term => terms.call("initialized", "", [account])

/** The account of a `state` term, or of a field of its state or data. */
export const accountOfState = (term: Term): Term | undefined => {
  for (let one = term; ;) {
    if (one.kind === "call" && one.name === "state" && one.path === "") return one.args[0]
    // A state field may also be called `data`.
    if (one.kind === "field" && one.name === "data") return accountOfState(one.base) ?? one.base
    if (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
    else if (one.kind === "call" && one.name === "slice" && one.args[0] !== undefined) one = one.args[0]
    else if (one.kind === "cast") one = one.value
    else return undefined
  }
}

/** `record.kind()`: a method that asks a record for something of its own, and whose body is not seen. */
export const isGetter = ({ path, args: [receiver, ...rest], name }: Term & { kind: "call" }): boolean =>
  path === "" &&
  rest.length === 0 &&
  receiver?.kind === "call" &&
  receiver.name === "state" &&
  receiver.path === "" &&
  !deserializers.test(name)

const rawFields: Record<string, RustType> = {
  key: pubkey,
  owner: pubkey,
  data: { kind: "list", element: namedType("u8") },
  lamports: namedType("u64"),
  is_signer: namedType("bool"),
  is_writable: namedType("bool"),
  executable: namedType("bool"),
}

const rawMethods: Record<string, string> = {
  key: "key",
  address: "key",
  pubkey: "key",
  unsigned_key: "key",
  owner: "owner",
  is_signer: "is_signer",
  is_writable: "is_writable",
  executable: "executable",
  lamports: "lamports",
  get_lamports: "lamports",
  try_lamports: "lamports",
  borrow_lamports_unchecked: "lamports",
  borrow_mut_lamports_unchecked: "lamports",
  try_borrow_lamports: "lamports",
  try_borrow_mut_lamports: "lamports",
  data: "data",
  try_borrow_data: "data",
  try_borrow_mut_data: "data",
  borrow_data_unchecked: "data",
  borrow_mut_data_unchecked: "data",
  try_borrow: "data",
  try_borrow_mut: "data",
  borrow_unchecked: "data",
  borrow_unchecked_mut: "data",
}

const sameAccount = new Set([
  "to_account_info",
  "as_ref",
  "clone",
  "as_account_info",
  "to_account_view",
  "info",
  "to_unchecked",
  "assume_account",
])

/** Functions that read a struct from an account's bytes. */
export const deserializers =
  /^(unpack(_\w+)?|try_from_slice(_\w+)?|try_deserialize(_\w+)?|(safe_)?deserialize(_\w+)?|from_bytes(_\w+)?|try_from_bytes(_\w+)?|from_account_info(_\w+)?|from_account_view(_\w+)?|pod_read_unaligned|load(_(?!signer$)\w+)?|pod_from_bytes(_\w+)?|get_packed_len|try_from_slice_unchecked|read_unaligned|cast_slice|bytemuck_\w+|from_slice|read|try_read|decode|transmute(_copy)?|transmute_(ref|mut))$/

/** An element of `ctx.remaining_accounts`, or, for `(token, metadata)` of an iterator over several, a part of one. */
export const isOfRemaining = (term: Term): boolean => {
  const item = term.kind === "field" && /^\d+$/.test(term.name) ? term.base : term
  return item.kind === "element" && mentions(item, (one) => one.kind === "field" && one.name === "remaining_accounts")
}

const dataArgument = (site: CallSite): Term | undefined => {
  for (const { term, type } of site.args) {
    if (wrapperOf(type) !== undefined && !isAccountList(type)) return term
    if (type.kind === "unknown" && isOfRemaining(term)) return term
    if (accountOfState(term) !== undefined && !isStateTerm(term)) return accountOfState(term)
  }
  return undefined
}

const isStateTerm = (term: Term): boolean => {
  let one = term
  while (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
  return one.kind === "call" && one.name === "state" && term !== one
}

const onAccount = (site: CallSite, walk: Walk, account: Value): Value | undefined => {
  const { terms } = walk
  const { name } = site
  const wrapper = wrapperOf(account.type)
  if (sameAccount.has(name))
    return name === "to_account_info" || name === "as_account_info"
      ? { term: account.term, type: accountInfo }
      : account
  // Anchor's own `key()` comes before what the account's state calls so: that one is found through `Deref`.
  if (name === "key" && (wrapper === "loader" || wrapper === "state"))
    return { term: keyOf(terms, account.term), type: pubkey }
  if (site.target !== undefined) return undefined
  const [, argument] = site.args
  if ((wrapper === "loader" || wrapper === "state") && /^load(_mut|_init)?$/.test(name)) {
    const term = stateOf(terms, account.term)
    return {
      term,
      type: namedType("Result", [stateType(account.type) ?? unknownType]),
      onSuccess: name === "load_init" ? [] : [typedFact(terms, account.term)],
    }
  }
  // Star Frame's accounts return their state this way.
  if (wrapper === "state" && /^data(_mut)?$/.test(name))
    return { term: stateOf(terms, account.term), type: namedType("Result", [stateType(account.type) ?? unknownType]) }
  if (wrapper === "state" && name === "set_inner" && argument !== undefined) {
    walk.emit({
      ...walk.at(site.node),
      kind: "assign",
      operator: "=",
      target: { term: stateOf(terms, account.term), type: stateType(account.type) ?? unknownType },
      value: argument,
    })
    return walk.unit
  }
  if ((wrapper === "loader" || wrapper === "state") && name === "close" && argument !== undefined) {
    const held = { term: lamportsOf(terms, account.term), type: namedType("u64") }
    const target = { term: lamportsOf(terms, argument.term), type: held.type }
    const zero = { term: terms.literal("integer", "0"), type: held.type }
    walk.emit({ ...walk.at(site.node), kind: "assign", operator: "+", target, value: held })
    walk.emit({ ...walk.at(site.node), kind: "assign", operator: "=", target: held, value: zero })
    return undefined
  }
  if ((name === "sub_lamports" || name === "add_lamports" || name === "set_lamports") && argument !== undefined) {
    const target = { term: lamportsOf(terms, account.term), type: namedType("u64") }
    walk.emit({
      ...walk.at(site.node),
      kind: "assign",
      operator: name === "sub_lamports" ? "-" : name === "add_lamports" ? "+" : "=",
      target,
      value: argument,
    })
    return { ...walk.unit, type: namedType("Result", [walk.unit.type]) }
  }
  if ((name === "is_owned_by" || name === "owned_by") && argument !== undefined)
    return { term: terms.binary("==", ownerOf(terms, account.term), argument.term), type: namedType("bool") }
  if (/^(data_len|try_data_len)$/.test(name))
    return { term: terms.call("len", "", [dataOf(terms, account.term)]), type: namedType("usize") }
  if (/^(data_is_empty|is_data_empty)$/.test(name))
    return {
      term: terms.binary("==", terms.call("len", "", [dataOf(terms, account.term)]), terms.literal("integer", "0")),
      type: namedType("bool"),
    }
  const field = rawMethods[name]
  if (field === undefined || (field === "owner" && wrapper === "state")) return undefined
  const value = { term: terms.field(account.term, field), type: rawFields[field]! }
  if (field === "lamports" || field === "data") walk.emit({ ...walk.at(site.node), kind: "read", value })
  return name.startsWith("try_") ? { ...value, type: namedType("Result", [value.type]) } : value
}

const context = (walk: Walk, fields: ReadonlyArray<readonly [string, Term]>, accounts: RustType): Value => ({
  term: walk.terms.struct("CpiContext", fields, undefined, undefined),
  type: { kind: "named", name: "CpiContext", path: "CpiContext", args: [accounts] },
})

const cpiContext = (site: CallSite, walk: Walk): Value | undefined => {
  const [first, second, third] = site.args
  if (
    !site.method &&
    isNamed(site.selfType ?? unknownType, "CpiContext") &&
    first !== undefined &&
    second !== undefined
  ) {
    if (site.name === "new")
      return context(
        walk,
        [
          ["program", first.term],
          ["accounts", second.term],
        ],
        second.type,
      )
    if (site.name === "new_with_signer" && third !== undefined)
      return context(
        walk,
        [
          ["program", first.term],
          ["accounts", second.term],
          ["signer_seeds", third.term],
        ],
        second.type,
      )
  }
  if (site.method && first?.term.kind === "struct" && first.term.path === "CpiContext" && second !== undefined) {
    const key =
      site.name === "with_signer"
        ? "signer_seeds"
        : site.name === "with_remaining_accounts"
          ? "remaining_accounts"
          : undefined
    if (key === undefined) return undefined
    return {
      ...first,
      term: walk.terms.struct(
        "CpiContext",
        [...first.term.fields.filter(([name]) => name !== key), [key, second.term]],
        undefined,
        undefined,
      ),
    }
  }
  return undefined
}

/** Checks of well-known libraries, by what they guarantee if they return without an error. */
const libraryChecks = (site: CallSite, walk: Walk): ReadonlyArray<Term> | undefined => {
  const { terms } = walk
  const [first, second] = site.args
  if (first === undefined) return undefined
  switch (site.name) {
    case "assert_signer":
    case "check_signer":
      return wrapperOf(first.type) === undefined ? undefined : [signerOf(terms, first.term)]
    case "assert_owned_by":
    case "check_account_owner":
    case "assert_owner":
      return second === undefined
        ? undefined
        : [
            terms.binary("==", ownerOf(terms, first.term), second.term),
            terms.binary("==", ownerOf(terms, second.term), first.term),
          ]
    case "assert_keys_equal":
    case "assert_key_equal":
      return second === undefined ? undefined : [terms.binary("==", first.term, second.term)]
    case "check_account_key":
      return second === undefined ? undefined : [terms.binary("==", terms.field(first.term, "key"), second.term)]
    case "load_instruction_at_checked":
    case "load_current_index_checked":
    case "get_instruction_relative": {
      const sysvar = site.args.at(-1)
      return sysvar === undefined || wrapperOf(sysvar.type) === undefined ? undefined : [sysvarFact(terms, sysvar.term)]
    }
    case "check_program_account":
    case "check_spl_token_program_account":
    case "check_system_program_account":
      return [terms.binary("==", first.term, terms.constant(`${site.path.slice(0, -site.name.length)}ID`))]
    default:
      return undefined
  }
}

/** The account whose bytes, or a part of them, a term represents. */
const accountOfBytes = (term: Term): Term | undefined => {
  for (let one = term; ;) {
    if (one.kind === "field" && one.name === "data") return one.base
    if (one.kind === "call" && one.name === "slice" && one.args[0] !== undefined) one = one.args[0]
    else return undefined
  }
}

/** `held.mint()`: Pinocchio reads the token program's structs through methods named after their fields. */
const accessor = (site: CallSite, receiver: Value, walk: Walk): Value | undefined => {
  const { term } = receiver
  const type = pointee(successType(receiver.type))
  if (term.kind !== "call" || term.name !== "state" || site.args.length !== 1) return undefined
  if (type.kind !== "named" || type.definition !== undefined) return undefined
  const of = externalFieldType(site.name)
  return of === undefined ? undefined : { term: walk.terms.field(term, site.name), type: of }
}

/** Pointers into an account's bytes, and the results of `cast::<T>()`. */
const pointer = (site: CallSite, receiver: Value, walk: Walk): Value | undefined => {
  const { term } = receiver
  if (accountOfBytes(term) === undefined) return undefined
  const [, argument] = site.args
  const [as] = site.generics
  if (/^as_(mut_)?ptr$/.test(site.name)) return { term, type: receiver.type }
  if (/^(byte_|wrapping_)?(add|offset)$/.test(site.name) && argument !== undefined)
    return { term: walk.terms.call("slice", "", [term, argument.term]), type: receiver.type }
  return site.name === "cast" && as !== undefined ? cast(receiver, walk.type(as), walk) : undefined
}

/** The account whose data was read under a type that only the caller of the reader names. */
const readUntyped = ({ term, type }: Value): Term | undefined =>
  term.kind === "call" && term.name === "state" && term.path === "" && definitionOf(pointee(type)) === undefined
    ? term.args[0]
    : undefined

/** Limit: parts of a struct that are looked at to see where they come from. */
const maxParts = 400

/** The account from whose bytes alone a reader of the project has put a struct together, field by field. */
const readByHand = (term: Term, struct: StructDefinition): Term | undefined => {
  if (term.kind !== "struct" || term.definition !== struct || term.base !== undefined) return undefined
  const parts = new Set<Term>(term.fields.map(([, value]) => value))
  let account: Term | undefined
  // A set also iterates over what is added in the meantime.
  for (const part of parts) {
    const own = accountOfBytes(part)
    if (parts.size > maxParts || (own !== undefined && account !== undefined && own !== account)) return undefined
    if (own !== undefined) account = own
    else if (part.kind === "parameter" || part.kind === "opaque") return undefined
    else for (const inner of subterms(part)) parts.add(inner)
  }
  return account
}

/** An account's bytes interpreted as a struct of the project are its state. */
const cast = (value: Value, type: RustType, walk: Walk): Value | undefined => {
  const target = pointee(type)
  const definition = definitionOf(target)
  if (definition?.kind !== "struct") return undefined
  const account = accountOfBytes(value.term) ?? readUntyped(value) ?? readByHand(value.term, definition)
  return account === undefined ? undefined : { term: stateOf(walk.terms, account), type: target }
}

/** `as *const T` if only the caller knows `T`. */
const generically = (value: Value, type: RustType): Value | undefined =>
  accountOfBytes(value.term) !== undefined && type.kind === "named" && /^[A-Z]\w?$/.test(type.name)
    ? { ...value, type }
    : undefined

const castExpression: NonNullable<Semantics["cast"]> = (value, type, node, walk) => {
  const state = cast(value, type, walk) ?? generically(value, type)
  if (state === undefined) return undefined
  walk.emit({
    ...walk.at(node),
    kind: "call",
    // How the bytes were read is recorded where they were read.
    name: readUntyped(value) === undefined ? "cast" : "named",
    path: "",
    method: false,
    args: [value],
    target: undefined,
    result: state,
    handled: true,
  })
  return state
}

/** Methods of an account, through any wrapper. */
const onWrapped = (site: CallSite, walk: Walk): Value | undefined => {
  const { name } = site
  const [first] = site.args
  if (!site.method || first === undefined) return undefined
  const known = wrapperOf(first.type) === undefined ? undefined : onAccount(site, walk, first)
  if (known !== undefined) return known
  if (first.type.kind !== "unknown") return undefined
  if (name === "key") return { term: keyOf(walk.terms, first.term), type: pubkey }
  return name === "to_account_info" ? { term: first.term, type: accountInfo } : undefined
}

/** `load_mut!(ctx.accounts.user)?`: projects wrap the loader's methods to report where they failed. */
const loadedByMacro = (site: CallSite, walk: Walk): Value | undefined => {
  const [first] = site.args
  if (first === undefined || site.args.length !== 1 || !/^load(_mut|_init)?!$/.test(site.name)) return undefined
  return onAccount({ ...site, name: site.name.slice(0, -1) }, walk, first)
}

const partOf = (site: CallSite, walk: Walk): Value | undefined => {
  const [first] = site.args
  return site.method && first !== undefined ? (accessor(site, first, walk) ?? pointer(site, first, walk)) : undefined
}

/** Parts of an account's bytes, and the same bytes under another type. */
const partOfBytes = (site: CallSite, { terms }: Walk): Value | undefined => {
  const [bytes, offset] = site.args
  if (bytes === undefined || accountOfBytes(bytes.term) === undefined) return undefined
  if (/^array_(mut_)?ref!$/.test(site.name) && offset !== undefined)
    return {
      term: terms.call("slice", "", [bytes.term, ...site.args.slice(1).map(({ term }) => term)]),
      type: bytes.type,
    }
  return /^(try_cast_slice|(try_)?cast_slice_mut)$/.test(site.name) ? bytes : undefined
}

const nextAccount = ({ name, args: [first] }: CallSite, walk: Walk): Value | undefined =>
  name === "next_account_info" && first !== undefined
    ? { term: walk.advance(first.term), type: namedType("Result", [accountInfo]) }
    : undefined

/** More than an instruction can name. */
const mostAccounts = 64

/** `if let [pool, admin] = next_account_infos(iter, 2)? { … }` */
const nextAccounts = ({ name, args: [list, count] }: CallSite, walk: Walk): Value | undefined => {
  if (name !== "next_account_infos" || list === undefined || count?.term.kind !== "literal") return undefined
  const taken = Math.min(Number(count.term.value), mostAccounts)
  return {
    term: walk.terms.list(
      Array.from({ length: taken }, () => walk.advance(list.term)),
      false,
    ),
    type: namedType("Result", [{ kind: "list", element: accountInfo }]),
  }
}

/** `crate::check_id(key)`, `crate::id()`: generated by `declare_id!`. */
const programId = ({ name, path, method, args }: CallSite, { terms }: Walk): Value | undefined => {
  const [first] = args
  if (name === "check_id" && !method && first !== undefined) {
    const id = path === "check_id" ? "ID" : `${path.slice(0, -"check_id".length)}ID`
    return { term: terms.binary("==", first.term, terms.constant(id)), type: namedType("bool") }
  }
  if (name === "id" && args.length === 0)
    return { term: terms.constant(path === "id" ? "ID" : `${path.slice(0, -2)}ID`), type: pubkey }
  return undefined
}

/** An address in the text: `Pubkey::from_str("…")`, `Pubkey::from_str(ADMIN)`, `pubkey!("…")`. */
const writtenAddress = ({ name, path, args: [first] }: CallSite, { terms }: Walk): Value | undefined => {
  if (!/(^|::)(Pubkey|Address)::from_str(_const)?$/.test(path) && name !== "pubkey!") return undefined
  const type = name === "from_str" ? namedType("Result", [pubkey]) : pubkey
  if (first?.term.kind === "literal") return { term: terms.constant(first.term.value), type }
  return first?.term.kind === "constant" ? { term: first.term, type } : undefined
}

/** A call that represents itself, with what is known about its result. */
const opaque = ({ name, path, args }: CallSite, { terms }: Walk, type: RustType): Value => ({
  term: terms.call(
    name,
    path,
    args.map((one) => one.term),
  ),
  type,
})

/** Methods of the standard library that change their receiver: replace it, add to it, or take from it. */
const replacing = /^(copy_from_slice|clone_from_slice|clone_from|fill|set|replace)$/
const adding = /^(try_)?(push|push_back|push_front|push_str|insert|extend|extend_from_slice|append)$/
const removing = /^(pop|pop_back|pop_front|remove|swap_remove|retain|retain_mut|clear|truncate|drain|dedup\w*)$/

/** `config.owners.push(owner)` writes to the account's state like an assignment. */
const changed = ({ name, method, args, node }: CallSite, walk: Walk): void => {
  const [target, ...given] = args
  if (!method || target === undefined) return
  const operator = replacing.test(name) ? "=" : adding.test(name) ? "push" : removing.test(name) ? "remove" : undefined
  if (operator === undefined || !isKept(target.term)) return
  walk.emit({ ...walk.at(node), kind: "assign", operator, target, value: given.at(-1) ?? walk.unit })
}

/** Whether it is in an account's state, however it was read. */
const isKept = (term: Term): boolean => {
  for (let one = term; ;) {
    if (one.kind === "call" && one.name === "state" && one.path === "") return one !== term
    if (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
    else if (one.kind === "call" && one.name === "slice" && one.args[0] !== undefined) one = one.args[0]
    else return false
  }
}

const derivedAddress = (site: CallSite, walk: Walk): Value | undefined => {
  if (/^(try_)?find_program_address$|^derive_program_address$/.test(site.name))
    return opaque(site, walk, { kind: "tuple", elements: [pubkey, namedType("u8")] })
  if (/^create_program_address$|^create_with_seed$/.test(site.name))
    return opaque(site, walk, namedType("Result", [pubkey]))
  return undefined
}

const checkedByLibrary = (site: CallSite, walk: Walk): Value | undefined => {
  const checks = libraryChecks(site, walk)
  return checks === undefined
    ? undefined
    : { ...opaque(site, walk, namedType("Result", [walk.unit.type])), onSuccess: checks }
}

/** `Signer::try_from(account)`, `Account::<Vault>::try_from(account)`; without `<Vault>`, a `let` says what is in it. */
const wrapped = (site: CallSite, { terms }: Walk): Value | undefined => {
  const { selfType } = site
  const [first] = site.args
  if (site.method || site.name !== "try_from" || first === undefined || selfType === undefined) return undefined
  const isBare =
    selfType.kind === "named" &&
    bare.includes(selfType.name) &&
    selfType.definition === undefined &&
    selfType.args.length === 0
  const wrapper = isBare ? "state" : wrapperOf(selfType)
  if (wrapper === undefined) return undefined
  const facts = {
    signer: () => [signerOf(terms, first.term)],
    sysvar: () => [sysvarFact(terms, first.term)],
    raw: () => [],
  }
  const onSuccess = (facts[wrapper as keyof typeof facts] ?? (() => [typedFact(terms, first.term)]))()
  return { term: first.term, type: namedType("Result", [isBare ? unknownType : selfType]), onSuccess }
}

const bare = ["Account", "InterfaceAccount", "AccountLoader"]

/** `Metadata::try_from(info)` of a client that Codama generated: it reads the bytes and asks nothing. */
const isGenerated = ({ path }: CallSite): boolean => /::accounts::\w+::try_from$/.test(path)

/** `vault_program::ID`, `vault_program.key`, `config.vault_program`. */
const isProgramId = ({ term, type }: Value): boolean => {
  const named = term.kind === "field" && term.name === "key" ? term.base : term
  if (named.kind === "constant") return /^(?:PROGRAM_)?ID$/.test(named.name)
  return isAddressType(type) && (named.kind === "field" || named.kind === "parameter") && /program/i.test(named.name)
}

/** `Vault::load(&vault_program::id(), info)`: another crate is told which program must have written the account. */
const isToldProgram = ({ args }: CallSite): boolean =>
  args.some(({ type }) => wrapperOf(type) !== undefined) && args.some(isProgramId)

const deserialized = (site: CallSite, walk: Walk): Value | undefined => {
  const { terms } = walk
  const account = deserializers.test(site.name) || isGenerated(site) ? dataArgument(site) : undefined
  if (account === undefined) return undefined
  const type = site.selfType ?? (site.generics[0] === undefined ? unknownType : walk.type(site.generics[0]))
  const inner =
    type.kind === "named" && /^(Pod)?StateWithExtensions(Mut|Owned)?$/.test(type.name) ? (type.args[0] ?? type) : type
  const checked =
    (/^from_account_(info|view)$/.test(site.name) || isToldProgram(site)) &&
    type.kind === "named" &&
    type.definition === undefined &&
    wrapperOf(type) === undefined
  // The token library's own reader compares owner and length.
  const isToken = type.kind === "named" && /^(TokenAccount|Mint|Multisig)$/.test(type.name)
  return {
    term: stateOf(terms, account),
    type: namedType("Result", [inner]),
    onSuccess: checked ? [isToken ? typedFact(terms, account) : sysvarFact(terms, account)] : [],
  }
}

type Reading = (site: CallSite, walk: Walk) => Value | undefined

/** What is known about a call, whether or not its source is available. */
const ofAnyCall: ReadonlyArray<Reading> = [loadedByMacro, steelCall, shankContext, takenAccount, onWrapped]

/** What is known about a call of another crate's function. */
const ofForeignCall: ReadonlyArray<Reading> = [
  partOf,
  partOfBytes,
  nextAccount,
  nextAccounts,
  cpiContext,
  programId,
  writtenAddress,
  derivedAddress,
  checkedByLibrary,
  wrapped,
  deserialized,
]

const firstOf = (readings: ReadonlyArray<Reading>, site: CallSite, walk: Walk): Value | undefined => {
  for (const reading of readings) {
    const value = reading(site, walk)
    if (value !== undefined) return value
  }
  return undefined
}

const call: Reading = (site, walk) => {
  const value = firstOf(ofAnyCall, site, walk)
  if (value !== undefined || site.target !== undefined) return value
  changed(site, walk)
  return firstOf(ofForeignCall, site, walk)
}

const field = (base: Value, name: string, walk: Walk): Value | undefined => {
  const { terms } = walk
  const type = pointee(successType(base.type))
  if (type.kind !== "named") return undefined
  const set = type.definition?.kind === "struct" && isComponentField(type.definition) ? type.definition : undefined
  if (set !== undefined) {
    // Bolt adds the signer for whom a system runs to the components.
    if (name === "authority") return { term: terms.field(base.term, name), type: namedType("Signer") }
    const declared = set.item.fields.find((one) => one.name === name)
    if (declared !== undefined)
      return { term: terms.field(base.term, name), type: componentType(walk.resolver, set, declared.type) }
  }
  const ofShank = shankField(base, name, walk)
  if (ofShank !== undefined) return ofShank
  if (isContextType(type)) {
    if (name === "accounts") return { term: terms.field(base.term, name), type: type.args.at(-1) ?? unknownType }
    if (name === "program_id") return { term: terms.constant("ID"), type: pubkey }
    if (name === "remaining_accounts")
      return { term: terms.field(base.term, name), type: { kind: "list", element: accountInfo } }
    return undefined
  }
  if (type.name === "StateWithExtensions" && name === "base") return base
  const wrapper = wrapperOf(type)
  if (wrapper === "state" || wrapper === "sysvar" || wrapper === "loader") {
    const of = stateType(type) ?? unknownType
    const value = {
      term: terms.field(stateOf(terms, base.term), name),
      type: known(fieldType(walk.resolver, of, name), name),
    }
    walk.emit({ ...walk.at(walk.current), kind: "read", value })
    return value
  }
  if (wrapper !== undefined) {
    const of = rawFields[name]
    if (of === undefined) return undefined
    return { term: terms.field(base.term, name), type: of }
  }
  if (base.term.kind === "call" && base.term.name === "state" && type.definition === undefined) {
    const value = { term: terms.field(base.term, name), type: known(unknownType, name) }
    walk.emit({ ...walk.at(walk.current), kind: "read", value })
    return value
  }
  return undefined
}

const known = (type: RustType, name: string): RustType =>
  type.kind === "unknown" ? (externalFieldType(name) ?? type) : type

/** `&account` where `&T` is expected: an `Account<'_, T>` dereferences to its state, so methods of `T` work on it. */
const passed = (given: Value, type: RustType, walk: Walk): Value | undefined => {
  const wrapper = wrapperOf(given.type)
  if (wrapper !== "state" && wrapper !== "loader") return undefined
  const state = stateType(given.type)
  const wanted = definitionOf(type)
  if (state === undefined || wanted === undefined || definitionOf(state) !== wanted) return undefined
  return { term: stateOf(walk.terms, given.term), type: state }
}

/** What the walk has to know about Anchor, the native runtime and Pinocchio. */
export const solanaSemantics: Semantics = { call, field, passed, cast: castExpression, payload: lazyPayload }

/** `ID` of the program itself: `crate::ID`, `ctx.program_id`, `id()`, the `program_id` parameter. */
export const isOwnProgramId = (term: Term): boolean =>
  (term.kind === "constant" &&
    ((term.definition !== undefined && /^(PROGRAM_)?ID$/.test(term.name)) ||
      term.path === "ID" ||
      pathEnds(term.path, "crate::ID", "self::ID") ||
      /^crate::\w*ID$/.test(term.path))) ||
  (term.kind === "parameter" && term.name.replace(/^_/, "") === "program_id")
