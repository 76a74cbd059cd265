import type { Call, LocalVariable } from "../../model.ts"
import type { Flow, Program, Values } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Definition, FlowNode } from "../graph/graph.ts"
import { merge, noOrigins, substitute } from "../graph/origins.ts"
import { assemblyVariable, isSomewhere, joined, nowhere, type StoragePlace, within } from "../graph/storagePlace.ts"

/** How many pointers are followed in a row. */
const depthLimit = 120

/** Locals that point into storage. */
export const isStorage = (variable: LocalVariable): boolean =>
  variable.type.kind === "mapping" ||
  ("location" in variable.type && variable.type.location === "storage") ||
  // Of a type that is missing from the sources.
  (variable.type.kind === "unknown" && variable.node.location === "storage")

/** Tells which storage the expressions of one flow designate, through pointers, aliases and results of functions. */
export class StoragePlaces {
  private readonly program: Program
  private readonly flow: Flow
  private readonly values: Values
  private memo: Map<Definition, StoragePlace> | undefined
  /** Definitions being followed: whatever leads back to one of them adds nothing. */
  private open: Set<Definition> | undefined

  constructor(program: Program, flow: Flow, values: Values) {
    this.program = program
    this.flow = flow
    this.values = values
  }

  /** The storage that an expression designates; empty for memory and values. */
  place(e: S.Expression, at: FlowNode): StoragePlace {
    switch (e.kind) {
      case "Identifier": {
        const found = this.program.referenceOf(e)
        if (found?.kind === "StateVariable") return found.constant ? nowhere : { ...nowhere, variables: [found] }
        if (found?.kind === "LocalVariable" && isStorage(found)) return this.localPlace(found, at)
        return nowhere
      }
      case "MemberAccess": {
        const found = this.program.referenceOf(e)
        if (found?.kind === "StateVariable") {
          const object = this.program.typeOf(e.object)
          return object.kind === "typeName" && !found.constant ? { ...nowhere, variables: [found] } : nowhere
        }
        if (found !== undefined) return nowhere
        const object = this.program.typeOf(e.object)
        if (
          object.kind !== "struct" &&
          object.kind !== "unknown" &&
          !(e.member === "length" && (object.kind === "array" || object.kind === "bytes"))
        )
          return nowhere
        const base = this.place(e.object, at)
        return isSomewhere(base) ? within(base, `.${e.member}`) : nowhere
      }
      case "IndexAccess": {
        const base = this.place(e.base, at)
        if (!isSomewhere(base)) return nowhere
        const key = e.index === undefined ? noOrigins : this.values.origins(e.index, at)
        return { ...base, path: `${base.path}[]`, keys: merge(base.keys, key) }
      }
      case "Conditional":
        return joined(this.place(e.then, at), this.place(e.else, at))
      case "FunctionCall":
        return this.callPlace(e, at)
      case "Assignment":
        return e.operator === "=" ? this.place(e.left, at) : nowhere
      default:
        return nowhere
    }
  }

  private callPlace(e: S.FunctionCall, at: FlowNode): StoragePlace {
    const call = this.program.callOf(e)
    if (call === undefined) return nowhere
    if (call.kind === "builtin" && call.name === "push" && call.receiver !== undefined)
      return this.place(call.receiver, at)
    if (call.kind !== "internal" && call.kind !== "library") return nowhere
    const target = this.program.dispatch(call, at.callable, this.flow.context)
    const place = target === undefined ? undefined : this.program.flowIfBuilt(target)?.summary.place
    if (place === undefined || target === undefined || !isSomewhere(place)) return nowhere
    return this.placeForCaller(place, call, target.parameters, at)
  }

  /** A place of the callee as its caller sees it. */
  placeForCaller(
    place: StoragePlace,
    call: Call,
    parameters: ReadonlyArray<LocalVariable>,
    at: FlowNode,
  ): StoragePlace {
    const keys = substitute(place.keys, (p) => this.values.argument(call, parameters, p, at))
    let result: StoragePlace = { ...place, parameters: [], keys }
    for (const parameter of place.parameters) {
      const arg = call.args[parameters.indexOf(parameter)]
      if (arg === undefined) continue
      const passed = this.place(arg, at)
      result = joined(result, { ...within(passed, place.path), keys: merge(passed.keys, keys) })
    }
    return result
  }

  /** Where a storage pointer points. */
  localPlace(variable: LocalVariable, at: FlowNode): StoragePlace {
    const { definitions, initial } = this.values.reaching(variable, at)
    let result = nowhere
    if (initial && variable.role === "parameter" && this.flow.fn.parameters.includes(variable))
      result = { ...nowhere, parameters: [variable] }
    for (const d of definitions) result = joined(result, this.definedPlace(d, variable))
    return result
  }

  private definedPlace(d: Definition, variable: LocalVariable): StoragePlace {
    this.memo ??= new Map()
    const memo = this.memo.get(d)
    if (memo !== undefined) return memo
    this.open ??= new Set()
    if (this.open.has(d) || this.open.size > depthLimit) return nowhere
    this.open.add(d)
    let result: StoragePlace
    if (d.slot === true) {
      const struct = variable.type.kind === "struct" ? variable.type.struct : undefined
      const named =
        d.value === undefined || d.value.kind === "Literal"
          ? nowhere
          : this.values.assembly.slot(d.value as S.YulExpression, d.at, false)
      const declared = named.variables.find((v) => v.node !== undefined)
      result =
        declared !== undefined && named.parameters.length === 0 && struct === undefined
          ? named
          : {
              ...nowhere,
              variables: [
                assemblyVariable(
                  this.program,
                  struct?.name ?? named.variables[0]?.name ?? "assembly slot",
                  false,
                  struct,
                ),
              ],
              keys: named.keys,
            }
    } else if (d.value === undefined) {
      // `T storage p;` that assembly sets afterwards has a further definition.
      const later = this.values.definitionsOf(variable).some((other) => other.slot === true)
      result = later ? nowhere : { ...nowhere, uninitialized: true }
    } else result = d.value.kind.startsWith("Yul") ? nowhere : this.place(d.value as S.Expression, d.at)
    this.open.delete(d)
    this.memo.set(d, result)
    return result
  }
}
