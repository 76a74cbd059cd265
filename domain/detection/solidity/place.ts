import type { LocalVariable, StateVariable, StructModel } from "./model.ts"
import { merge, noOrigins, type Origins } from "./origins.ts"
import type { Program } from "./program.ts"

/** The storage an expression designates: variables, or parameters that are storage pointers. */
export interface Place {
  readonly variables: ReadonlyArray<StateVariable>
  readonly parameters: ReadonlyArray<LocalVariable>
  /** Members and indices from the variable on: `.owner`, `[]`, `[].amount`; empty for the variable itself. */
  readonly path: string
  /** Where mapping keys and indices come from. */
  readonly keys: Origins
  /** A storage pointer that nothing was assigned to (possible before 0.5). */
  readonly uninitialised: boolean
}

export const nowhere: Place = { variables: [], parameters: [], path: "", keys: noOrigins, uninitialised: false }
export const isSomewhere = (place: Place): boolean =>
  place.variables.length > 0 || place.parameters.length > 0 || place.uninitialised

/** Either of two. */
export const joined = (a: Place, b: Place): Place =>
  !isSomewhere(a)
    ? b
    : !isSomewhere(b)
      ? a
      : {
          variables: [...new Set([...a.variables, ...b.variables])].slice(0, 16),
          parameters: [...new Set([...a.parameters, ...b.parameters])],
          path: a.path === b.path ? a.path : "",
          keys: merge(a.keys, b.keys),
          uninitialised: a.uninitialised || b.uninitialised,
        }

/** Storage that only assembly names; one variable for each name in a program. */
const assemblyStorage = new WeakMap<Program, Map<string, StateVariable>>()

export const assemblyVariable = (
  program: Program,
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
