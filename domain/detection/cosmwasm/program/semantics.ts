import type { Value } from "../../rust/terms/events.ts"
import { subterms, type Term, type TermTable } from "../../rust/terms/terms.ts"
import { isNamed, namedType, pointee, type RustType, successType, unknownType } from "../../rust/crate/types.ts"
import type { CallSite, Semantics } from "../../rust/walk/state/platform.ts"
import { runClosure } from "../../rust/walk/entering/closures.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { isContext } from "./context.ts"
import { derivedCheck } from "./frameworkChecks.ts"

const containers = [
  "Item",
  "Map",
  "IndexedMap",
  "SnapshotItem",
  "SnapshotMap",
  "IndexedSnapshotMap",
  "Deque",
  "Singleton",
  "ReadonlySingleton",
  "Bucket",
  "ReadonlyBucket",
  "Path",
  "Prefix",
]
const withoutStorage = ["Singleton", "ReadonlySingleton", "Bucket", "ReadonlyBucket"]
const single = ["Item", "SnapshotItem", "Singleton", "ReadonlySingleton", "Path"]

/** Whether a type is a container of cw-storage-plus or cosmwasm-storage. */
export const isContainer = (type: RustType): boolean => isNamed(pointee(type), ...containers)

/** The contents of a container. */
export const storedType = (type: RustType): RustType => {
  const inner = pointee(type)
  if (inner.kind !== "named") return unknownType
  if (inner.name === "IndexedMap" || inner.name === "IndexedSnapshotMap") return inner.args[1] ?? unknownType
  return inner.args.at(-1) ?? unknownType
}

/** The value under a key of a container, `stored(CONFIG)` or `stored(BALANCES, sender)`. */
export const storedTerm = (terms: TermTable, container: Term, key: Term | undefined): Term =>
  terms.call("stored", "", key === undefined ? [container] : [container, key])

/** Decomposes a place in storage; undefined for other terms. */
export const storedPlace = (term: Term): { readonly container: Term; readonly key: Term | undefined } | undefined => {
  let one = term
  while (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
  if (one.kind !== "call" || one.name !== "stored" || one.path !== "") return undefined
  return { container: one.args[0]!, key: one.args[1] }
}

const isStored = (term: Term): boolean => term.kind === "call" && term.name === "stored" && term.path === ""

/** A lookup: the value stored under a key, or the answer of another contract. */
const isLookup = (term: Term): boolean => isStored(term) || (term.kind === "call" && term.name.startsWith("query"))

/** Parts of a term; for closed ones, only the outside. */
const partsOf = function* (terms: Iterable<Term>, isClosed: (term: Term) => boolean): Iterable<Term> {
  const seen = new Set(terms)
  // A set also iterates over what is added in the meantime.
  for (const one of seen) {
    yield one
    if (!isClosed(one)) for (const part of subterms(one)) seen.add(part)
  }
}

/** Like `mentions`, but without the parts of closed terms. */
export const mentionsOutside = (
  term: Term,
  accept: (term: Term) => boolean,
  isClosed: (term: Term) => boolean,
): boolean => {
  for (const one of partsOf([term], isClosed)) if (accept(one)) return true
  return false
}

/** Like `mentions`, but without the keys of stored values. */
export const mentionsApart = (term: Term, accept: (term: Term) => boolean): boolean =>
  mentionsOutside(term, accept, isStored)

/** Like `mentions`, for what numbers are computed from, without the keys of lookups. */
export const isComputedFrom = (term: Term, accept: (term: Term) => boolean): boolean =>
  mentionsOutside(term, accept, isLookup)

/** What terms are derived from, without the keys of stored values. */
export const partsOutsideKeys = (terms: Iterable<Term>): ReadonlySet<Term> => new Set(partsOf(terms, isStored))

/** What terms are derived from, without what was only used in a lookup. */
export const partsApart = (terms: Iterable<Term>): ReadonlySet<Term> => new Set(partsOf(terms, isLookup))

/** How many arguments follow the storage if there is no key. */
const withoutKey: Record<string, number> = { load: 0, may_load: 0, has: 0, remove: 0, save: 1, update: 1 }

/**
 * The kind of a container that another crate declares (`cw20_base::state::TOKEN_INFO`), judging by its use: nothing
 * tells its type.
 */
const foreignContainer = ({ term, type }: Value, { name, args }: CallSite): RustType | undefined => {
  if (type.kind !== "unknown" || term.kind !== "constant" || term.definition !== undefined) return undefined
  const least = Object.hasOwn(withoutKey, name) ? withoutKey[name] : undefined
  const storage = args[1]?.term
  if (least === undefined || storage?.kind !== "field" || storage.name !== "storage") return undefined
  return namedType(args.length - 2 > least ? "Map" : "Item", [unknownType])
}

const storage = (site: CallSite, walk: Walk): Value | undefined => {
  const { terms } = walk
  const [receiver, ...rest] = site.args
  if (!site.method || receiver === undefined || site.target !== undefined) return undefined
  const type = foreignContainer(receiver, site) ?? pointee(receiver.type)
  if (type.kind !== "named" || !containers.includes(type.name)) return undefined
  const args = withoutStorage.includes(type.name) ? rest : rest.slice(1)
  const isSingle = single.includes(type.name)
  const path = receiver.term.kind === "call" && receiver.term.name === "storagePath" ? receiver.term : undefined
  const prefix = receiver.term.kind === "call" && receiver.term.name === "prefixOf" ? receiver.term : undefined
  const container = path?.args[0] ?? prefix?.args[0] ?? receiver.term
  const last = path?.args[1] ?? (isSingle ? undefined : args[0]?.term)
  const key = prefix === undefined || last === undefined ? last : terms.list([...prefix.args.slice(1), last], true)
  const own = isSingle ? args : args.slice(1)
  const place = { term: storedTerm(terms, container, key), type: storedType(type) }
  const result = (value: Value): Value => ({ ...value, type: namedType("Result", [value.type]) })
  switch (site.name) {
    case "load":
      walk.emit({ ...walk.at(site.node), kind: "read", value: place })
      return { ...result(place), onSuccess: [terms.is(place.term, "Some")] }
    case "may_load":
      walk.emit({ ...walk.at(site.node), kind: "read", value: place })
      return result({ ...place, type: namedType("Option", [place.type]) })
    case "save":
    case "replace": {
      const value = own[0] ?? walk.unit
      walk.emit({ ...walk.at(site.node), kind: "assign", operator: "=", target: place, value })
      return result(walk.unit)
    }
    case "update": {
      walk.emit({ ...walk.at(site.node), kind: "read", value: place })
      const closure = own.find((one) => one.closure !== undefined)?.closure
      const input = isSingle ? place : { ...place, type: namedType("Option", [place.type]) }
      const value = closure === undefined ? walk.opaque([place.term]) : runClosure(walk, closure, [input])
      walk.learn(value.onSuccess ?? [])
      walk.emit({ ...walk.at(site.node), kind: "assign", operator: "update", target: place, value })
      return result({ term: value.term, type: place.type })
    }
    case "remove":
      walk.emit({ ...walk.at(site.node), kind: "assign", operator: "remove", target: place, value: walk.unit })
      return walk.unit
    case "push_back":
    case "push_front":
      walk.emit({
        ...walk.at(site.node),
        kind: "assign",
        operator: "push",
        target: { ...place, term: storedTerm(terms, container, undefined) },
        value: args[0] ?? walk.unit,
      })
      return result(walk.unit)
    case "has":
      return { term: terms.is(place.term, "Some"), type: namedType("bool") }
    case "prefix":
    case "sub_prefix":
    case "no_prefix": {
      if (type.name === "Prefix") return undefined
      const own = terms.call("prefixOf", "", [container, ...rest.map((one) => one.term)])
      return { term: own, type: namedType("Prefix", [storedType(type)]) }
    }
    case "key":
      return {
        term: terms.call("storagePath", "", [container, ...(rest[0] === undefined ? [] : [rest[0].term])]),
        type: namedType("Path", [storedType(type)]),
      }
    case "range":
    case "range_raw":
    case "keys":
    case "prefix_range":
    case "iter": {
      const keyTerm = terms.call("anyKey", "", [container, ...(prefix?.args.slice(1) ?? [])])
      const element = storedTerm(terms, container, keyTerm)
      walk.emit({ ...walk.at(site.node), kind: "read", value: { term: element, type: place.type } })
      const pair = site.name === "keys" ? keyTerm : terms.list([keyTerm, element], true)
      return {
        term: terms.call("mapped", "", [pair]),
        type: { kind: "list", element: { kind: "tuple", elements: [unknownType, storedType(type)] } },
      }
    }
    default:
      return undefined
  }
}

const oldContainers: Record<string, string> = {
  singleton: "Singleton",
  singleton_read: "ReadonlySingleton",
  bucket: "Bucket",
  bucket_read: "ReadonlyBucket",
}

/**
 * `singleton(storage, b"config")`, `IndexedMap::new("asks", …)`: a container created in a function is identified by its
 * key.
 */
const oldContainer = (site: CallSite, walk: Walk): Value | undefined => {
  if (site.method || site.target !== undefined) return undefined
  const made = site.selfType
  const kind =
    made === undefined
      ? oldContainers[site.name]
      : /^(new|multilevel)$/.test(site.name) && isNamed(made, ...containers) && made.kind === "named"
        ? made.name
        : undefined
  const isKey = ({ kind: of }: Term): boolean => of === "literal" || of === "constant"
  const args = site.generics.length > 0 ? site.generics.map((one) => walk.type(one)) : typeArguments(made)
  // `Bucket::multilevel(storage, &[b"rewards", owner])`: a part of the bucket for each owner.
  const levels = site.name === "multilevel" ? site.args.find(({ term }) => term.kind === "list")?.term : undefined
  if (levels?.kind === "list" && kind !== undefined) {
    const [namespace, ...owners] = levels.elements
    if (namespace === undefined) return undefined
    const bucket = walk.terms.call("container", "", [namespace])
    const term = owners.length === 0 ? bucket : walk.terms.call("prefixOf", "", [bucket, ...owners])
    return { term, type: namedType(kind, args) }
  }
  // Early versions of buckets took the namespace first.
  const key = site.args.find(({ term }) => isKey(term)) ?? site.args.at(-1)
  if (kind === undefined || key === undefined) return undefined
  return { term: walk.terms.call("container", "", [key.term]), type: namedType(kind, args) }
}

/**
 * A macro of the project that receives the sender and can return: it checks something, although it is not visible what.
 */
const ownMacro = (site: CallSite, walk: Walk): Value | undefined => {
  if (!site.name.endsWith("!")) return undefined
  const isSender = ({ term }: Value): boolean => term.kind === "field" && term.name === "sender"
  if (!site.args.some(isSender)) return undefined
  const name = site.name.slice(0, -1)
  const rejects = [...walk.resolver.crates.values()].some(({ files }) =>
    files.some(({ file, items }) =>
      items.some((item) => {
        if (item.kind !== "macroDefinition") return false
        const text = file.text.slice(item.start, item.end)
        const head = text.slice(0, Math.max(0, text.search(/[{(]/)))
        return /\bmacro_rules!\s*(\w+)/.exec(head)?.[1] === name && /\breturn\b|\?\s*;|\bensure/.test(text)
      }),
    ),
  )
  if (!rejects) return undefined
  const term = walk.terms.call(
    name,
    "",
    site.args.map((one) => one.term),
  )
  walk.learn([term])
  return { term, type: walk.unit.type }
}

const typeArguments = (type: RustType | undefined): ReadonlyArray<RustType> => (type?.kind === "named" ? type.args : [])

const senderIn = (site: CallSite): Value | undefined =>
  site.args.find((one) => one.term.kind === "field" && one.term.name === "sender") ??
  site.args.find((one) => isNamed(one.type, "Addr"))

/** Checks of cw-ownable, cw-controllers and cw-utils, by what they guarantee. */
const libraryChecks = (site: CallSite, walk: Walk): Value | undefined => {
  const { terms } = walk
  const { name } = site
  if (site.target !== undefined) return undefined
  const result = (onSuccess: ReadonlyArray<Term>, type: RustType = walk.unit.type): Value => ({
    term: terms.call(
      name,
      site.path,
      site.args.map((one) => one.term),
    ),
    type: namedType("Result", [type]),
    onSuccess,
  })
  const sender = senderIn(site)
  if (/^(assert_owner|is_owner)$/.test(name) && !site.method && sender !== undefined) {
    const fact = terms.binary("==", sender.term, terms.call("stored", "", [terms.constant("cw_ownable::OWNERSHIP")]))
    return name === "is_owner" ? { term: fact, type: namedType("Result", [namedType("bool")]) } : result([fact])
  }
  // `update_ownership` checks the sender itself.
  if (name === "update_ownership" && !site.method && sender !== undefined)
    return result([
      terms.binary("==", sender.term, terms.call("stored", "", [terms.constant("cw_ownable::OWNERSHIP")])),
    ])
  const [receiver] = site.args
  if (
    site.method &&
    receiver !== undefined &&
    isNamed(pointee(receiver.type), "Admin", "Hooks", "Claims") &&
    sender !== undefined
  ) {
    const fact = terms.binary("==", sender.term, storedTerm(terms, receiver.term, undefined))
    if (name === "assert_admin") return result([fact])
    if (name === "is_admin") return { term: fact, type: namedType("Result", [namedType("bool")]) }
    if (name.startsWith("execute_")) return result([fact])
  }
  if (/^(nonpayable|must_pay|may_pay|one_coin)$/.test(name)) {
    const info = site.args[0]
    if (info === undefined) return undefined
    const funds = terms.field(info.term, "funds")
    return {
      ...result(
        [terms.call("fundsChecked", "", [funds])],
        name === "one_coin" ? namedType("Coin") : namedType("Uint128"),
      ),
      term: terms.call(name, "", [funds, ...site.args.slice(1).map((one) => one.term)]),
    }
  }
  return undefined
}

const fields: Record<string, RustType> = {
  sender: namedType("Addr"),
  funds: namedType("Vec", [namedType("Coin")]),
  sent_funds: namedType("Vec", [namedType("Coin")]),
  amount: namedType("Uint128"),
  denom: namedType("String"),
  height: namedType("u64"),
}

/** `wasm_execute(contract, &msg, funds)` and `wasm_instantiate(code_id, &msg, funds, label)` of cosmwasm-std. */
const builtMessage = (site: CallSite, walk: Walk): Value | undefined => {
  const { terms } = walk
  const variant = { wasm_execute: "Execute", wasm_instantiate: "Instantiate" }[site.name]
  if (variant === undefined || site.method || site.target !== undefined) return undefined
  const [to, message, funds, label] = site.args.map(({ term }) => term)
  if (to === undefined || message === undefined) return undefined
  const fields: ReadonlyArray<readonly [string, Term]> = [
    [variant === "Execute" ? "contract_addr" : "code_id", to],
    ["msg", terms.call("to_json_binary", "", [message])],
    ...(funds === undefined ? [] : [["funds", funds] as const]),
    ...(label === undefined ? [] : [["label", label] as const]),
  ]
  const value: Value = {
    term: terms.struct(`WasmMsg::${variant}`, fields, undefined, undefined),
    type: namedType("WasmMsg"),
  }
  walk.emit({ ...walk.at(site.node), kind: "struct", value })
  return { term: value.term, type: namedType("Result", [value.type]) }
}

const call = (site: CallSite, walk: Walk): Value | undefined => {
  const { terms } = walk
  const known =
    storage(site, walk) ??
    libraryChecks(site, walk) ??
    derivedCheck(site) ??
    oldContainer(site, walk) ??
    ownMacro(site, walk) ??
    builtMessage(site, walk)
  if (known !== undefined) return known
  if (site.target !== undefined) return undefined
  // `deps.branch()` is the same access to the chain.
  if (site.method && site.name === "branch" && site.args.length === 1) return site.args[0]
  const terms_ = site.args.map((one) => one.term)
  if (
    (site.method && /^(addr_(validate|canonicalize)|canonical_address)$/.test(site.name)) ||
    // Astroport's helpers take the API as their first argument.
    (!site.method && /^addr_(opt_)?validate(_to_lower)?$/.test(site.name))
  )
    return {
      term: terms.call("addr_validate", "", terms_.slice(1)),
      type: namedType("Result", [namedType("Addr")]),
      onSuccess: [terms.call("validAddress", "", terms_.slice(1))],
    }
  if (site.method && /^(addr_humanize|human_address)$/.test(site.name) && terms_[1] !== undefined)
    return { term: terms_[1], type: namedType("Result", [namedType("Addr")]) }
  if (/^from_(json|binary|slice|json_slice)$/.test(site.name) && !site.method) {
    const generic = site.generics[0]
    return {
      term: terms.call("from_json", "", terms_),
      type: namedType("Result", [generic === undefined ? unknownType : walk.type(generic)]),
    }
  }
  return undefined
}

const field = (base: Value, name: string, walk: Walk): Value | undefined => {
  const type = pointee(successType(base.type))
  // `asks().idx.seller` leads to the same records by another key.
  if (isNamed(type, "IndexedMap", "IndexedSnapshotMap") && name === "idx")
    return { term: base.term, type: { ...type, name: "Indexes" } as RustType } // for a named type, another name
  if (isNamed(type, "Indexes")) return { term: base.term, type: { ...type, name: "IndexedMap" } as RustType } // as above
  if (type.kind !== "named" || type.definition !== undefined) return undefined
  if (isContext(type)) {
    const of = { info: "MessageInfo", env: "Env", deps: "DepsMut" }[name]
    return of === undefined ? undefined : { term: walk.terms.field(base.term, name), type: namedType(of) }
  }
  if (isNamed(type, "MessageInfo", "Coin", "BlockInfo", "Cw20ReceiveMsg", "Cw721ReceiveMsg")) {
    const of = type.name.endsWith("ReceiveMsg") && name === "sender" ? namedType("String") : fields[name]
    return of === undefined ? undefined : { term: walk.terms.field(base.term, name), type: of }
  }
  if (isNamed(type, "Env") && name === "contract")
    return { term: walk.terms.field(base.term, name), type: namedType("ContractInfo") }
  // Before version 0.12, the environment contained the sender.
  if (isNamed(type, "Env") && name === "message")
    return { term: walk.terms.field(base.term, name), type: namedType("MessageInfo") }
  if (isNamed(type, "Env") && name === "block")
    return { term: walk.terms.field(base.term, name), type: namedType("BlockInfo") }
  if (isNamed(type, "ContractInfo") && name === "address")
    return { term: walk.terms.field(base.term, name), type: namedType("Addr") }
  return undefined
}

/** What the walk has to know about CosmWasm's storage and helper libraries. */
export const cosmwasmSemantics: Semantics = { call, field, dispatches: true }
