import type { LocalVariable, StateVariable, StructModel } from "../../model.ts"
import { memberNamed } from "../../types.ts"
import { merge, noOrigins, type Origins } from "./origins.ts"

/** The storage that an expression designates: variables, or parameters that are storage pointers. */
export interface StoragePlace {
  readonly variables: ReadonlyArray<StateVariable>
  readonly parameters: ReadonlyArray<LocalVariable>
  /** Members and indices, starting at the variable: `.owner`, `[]`, `[].amount`; empty for the variable itself. */
  readonly path: string
  /** Where mapping keys and indices come from. */
  readonly keys: Origins
  /** A storage pointer that was never assigned (possible before 0.5). */
  readonly uninitialized: boolean
}

export const nowhere: StoragePlace = { variables: [], parameters: [], path: "", keys: noOrigins, uninitialized: false }
export const isSomewhere = (place: StoragePlace): boolean =>
  place.variables.length > 0 || place.parameters.length > 0 || place.uninitialized

/** Either of two. */
export const joined = (a: StoragePlace, b: StoragePlace): StoragePlace =>
  !isSomewhere(a)
    ? b
    : !isSomewhere(b)
      ? a
      : {
          variables: [...new Set([...a.variables, ...b.variables])].slice(0, 16),
          parameters: [...new Set([...a.parameters, ...b.parameters])],
          path: a.path === b.path ? a.path : "",
          keys: merge(a.keys, b.keys),
          uninitialized: a.uninitialized || b.uninitialized,
        }

/** Storage that only assembly names; one variable for each name in a program. */
const assemblyStorage = new WeakMap<object, Map<string, StateVariable>>()

/** Stands for all slots whose numbers assembly computes: two places in it may have nothing to do with each other. */
export const isComputedSlot = ({ name, node, source }: StateVariable): boolean =>
  node === undefined && source === undefined && (name === "assembly slot" || name === "transient slot")

export const assemblyVariable = (
  program: object,
  name: string,
  transient: boolean,
  source: StateVariable | StructModel | undefined,
): StateVariable => {
  let table = assemblyStorage.get(program)
  if (table === undefined) assemblyStorage.set(program, (table = new Map()))
  const key = `${transient ? "t" : "s"}:${name}:${source?.contract?.name ?? ""}`
  let variable = table.get(key)
  if (variable === undefined) {
    variable = {
      kind: "StateVariable",
      name,
      type: source?.kind === "Struct" ? { kind: "struct", struct: source, location: "storage" } : { kind: "unknown" },
      constant: false,
      immutable: false,
      transient,
      visibility: "internal",
      ...(source?.contract === undefined ? {} : { contract: source.contract }),
      ...(source?.source === undefined ? {} : { source: source.source }),
    }
    table.set(key, variable)
  }
  return variable
}

const memberMemo = new WeakMap<StateVariable, Map<string, StateVariable>>()

/** The member of a struct in storage as a variable of its own: a write to one says nothing about the others. */
const memberOf = (whole: StateVariable, name: string): StateVariable | undefined => {
  if (whole.type.kind !== "struct") return undefined
  let known = memberMemo.get(whole)
  if (known === undefined) memberMemo.set(whole, (known = new Map()))
  const found = known.get(name)
  if (found !== undefined) return found
  const member = memberNamed(whole.type.struct, name)
  if (member === undefined) return undefined
  const variable: StateVariable = { ...whole, name: `${whole.name}.${name}`, type: member.type, whole }
  known.set(name, variable)
  return variable
}

/** What `path` (`.owner`, `.accounts[].amount`) leads to from a place. */
export const within = (place: StoragePlace, path: string): StoragePlace => {
  let { variables } = place
  let rest = path
  while (place.path === "" && place.parameters.length === 0 && variables.length > 0) {
    const name = /^\.([\w$]+)/.exec(rest)?.[1]
    if (name === undefined) break
    const members = variables.flatMap((variable) => memberOf(variable, name) ?? [])
    if (members.length < variables.length) break
    variables = members
    rest = rest.slice(name.length + 1)
  }
  return { ...place, variables, path: place.path + rest }
}

/** How many levels of nested structs are split into members if the whole struct is meant. */
const levelLimit = 4

/** A variable and, for a struct, all of its members. */
export const withMembers = (variable: StateVariable, level = 0): ReadonlyArray<StateVariable> =>
  variable.type.kind !== "struct" || level > levelLimit
    ? [variable]
    : [
        variable,
        ...variable.type.struct.members.flatMap(({ name }) => {
          const member = memberOf(variable, name)
          return member === undefined ? [] : withMembers(member, level + 1)
        }),
      ]

/** A place with the members of the structs that it covers. */
export const withAllMembers = (place: StoragePlace): StoragePlace =>
  place.path !== "" || place.variables.every(({ type }) => type.kind !== "struct")
    ? place
    : { ...place, variables: place.variables.flatMap((variable) => withMembers(variable)) }

/** The variable itself, or a struct that it is a member of. */
export const isPartOf = (variable: StateVariable, whole: StateVariable): boolean =>
  variable === whole || (variable.whole !== undefined && isPartOf(variable.whole, whole))

/** The declared variable: the whole that a member belongs to, or the variable itself. */
export const declaredWhole = (variable: StateVariable): StateVariable =>
  variable.whole === undefined ? variable : declaredWhole(variable.whole)
