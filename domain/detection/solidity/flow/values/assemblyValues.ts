import type { Flow, Program, Values } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { blockSources } from "./blockSources.ts"
import type { FlowNode } from "../graph/graph.ts"
import { from, keyed, merge, noOrigins, type Origins, Source, targeted } from "../graph/origins.ts"
import { assemblyVariable, isSomewhere, nowhere, type StoragePlace } from "../graph/storagePlace.ts"
import { isStorage } from "./storagePlaces.ts"
import { isReferenceType } from "../../types.ts"

/** How many variables are followed in a row to the slot that they hold. */
const slotDepthLimit = 16

/** Where values of inline assembly come from, and which storage its slots are. */
export class AssemblyValues {
  private readonly program: Program
  private readonly flow: Flow
  private readonly values: Values
  private stores: Map<S.InlineAssembly, Origins | undefined> | undefined
  private byAssembly: Map<S.InlineAssembly, Array<FlowNode>> | undefined
  private depth = 0

  constructor(program: Program, flow: Flow, values: Values) {
    this.program = program
    this.flow = flow
    this.values = values
  }

  identifier(e: S.YulIdentifier, at: FlowNode): Origins {
    const found = this.program.referenceOf(e)
    switch (found?.kind) {
      case "LocalVariable":
      case "YulVariable":
        return this.values.local(found, at)
      case "StateVariable":
        return found.constant ? this.values.state(found) : from(Source.literal)
      default:
        return from(Source.unknown)
    }
  }

  call(e: S.YulFunctionCall, at: FlowNode): Origins {
    const source = blockSources.get(e.name)
    switch (e.name) {
      case "sload":
      case "tload":
        return this.values.ofPlace(this.slot(e.args[0], at, e.name === "tload"))
      case "mload":
      case "keccak256":
      case "sha3": {
        const memory = this.memory(at)
        return e.name === "mload"
          ? (memory ?? from(Source.unknown))
          : merge(from(Source.hash), memory ?? this.pointee(e.args[0], at))
      }
      case "balance": {
        const of = this.values.all(e.args, at)
        return (of.sources & Source.self) !== 0 ? from(Source.balance) : keyed(from(Source.otherBalance), of)
      }
      case "call":
      case "staticcall":
      case "delegatecall":
      case "callcode": {
        const target = e.args[1] === undefined ? noOrigins : this.values.origins(e.args[1], at)
        return { ...targeted(keyed(from(Source.lowLevel), this.values.all(e.args, at)), target), calls: [e] }
      }
      case "create":
      case "create2":
        return { ...from(Source.created), calls: [e] }
    }
    if (source !== undefined)
      return e.args.length === 0
        ? from(source)
        : merge(from(source), e.name === "calldataload" ? noOrigins : this.values.all(e.args, at))
    return this.values.all(e.args, at)
  }

  /** What a pointer of Solidity refers to: `keccak256(params, 160)`, `keccak256(add(data, 32), mload(data))`. */
  private pointee(e: S.YulExpression | undefined, at: FlowNode): Origins {
    if (e?.kind === "YulFunctionCall" && e.name === "add")
      return (
        e.args.map((arg) => this.pointee(arg, at)).find((o) => o.sources !== Source.unknown) ?? from(Source.unknown)
      )
    const found = e?.kind === "YulIdentifier" ? this.program.referenceOf(e) : undefined
    return found?.kind === "LocalVariable" && isReferenceType(found.type)
      ? this.values.local(found, at)
      : from(Source.unknown)
  }

  /**
   * What the same assembly block puts into memory: enough to see the sender in a hashed slot; undefined if that is
   * nothing.
   */
  private memory(at: FlowNode): Origins | undefined {
    if (at.assembly === undefined) return undefined
    this.stores ??= new Map()
    if (this.stores.has(at.assembly)) return this.stores.get(at.assembly)
    // A store of its own loaded value finds nothing the second time around.
    this.stores.set(at.assembly, noOrigins)
    let result: Origins | undefined
    let count = 0
    for (const node of this.assemblyNodes(at.assembly)) {
      const e = node.expression
      if (e?.kind !== "YulFunctionCall" || (e.name !== "mstore" && e.name !== "mstore8") || e.args[1] === undefined)
        continue
      if (++count > 32) break
      result = merge(result ?? noOrigins, this.values.origins(e.args[1], node))
    }
    this.stores.set(at.assembly, result)
    return result
  }

  private assemblyNodes(assembly: S.InlineAssembly): ReadonlyArray<FlowNode> {
    if (this.byAssembly === undefined) {
      this.byAssembly = new Map()
      for (const node of this.flow.nodes) {
        if (node.assembly === undefined) continue
        const all = this.byAssembly.get(node.assembly)
        if (all === undefined) this.byAssembly.set(node.assembly, [node])
        else all.push(node)
      }
    }
    return this.byAssembly.get(assembly) ?? []
  }

  /** The storage at a slot that assembly computes. */
  slot(e: S.YulExpression | undefined, at: FlowNode, transient: boolean): StoragePlace {
    if (e === undefined) return nowhere
    const unnamed = (keys: Origins): StoragePlace => ({
      ...nowhere,
      keys,
      variables: [assemblyVariable(this.program, transient ? "transient slot" : "assembly slot", transient, undefined)],
      path: "[]",
    })
    if (e.kind === "YulLiteral")
      return { ...nowhere, variables: [assemblyVariable(this.program, e.value, transient, undefined)] }
    if (e.kind === "YulIdentifier") {
      const found = this.program.referenceOf(e)
      if (found?.kind === "StateVariable") {
        return {
          ...nowhere,
          variables: [found.constant ? assemblyVariable(this.program, found.name, transient, found) : found],
        }
      }
      if (found?.kind === "LocalVariable" && isStorage(found) && /[._]slot$/.test(e.name)) {
        const place = this.values.storage.localPlace(found, at)
        if (isSomewhere(place)) return place
      }
      if (found?.kind === "LocalVariable" || found?.kind === "YulVariable") {
        const { definitions, initial } = this.values.reaching(found, at)
        const value = definitions[0]?.value
        if (
          !initial &&
          definitions.length === 1 &&
          value !== undefined &&
          value.kind.startsWith("Yul") &&
          this.depth < slotDepthLimit
        ) {
          this.depth++
          const place = this.slot(value as S.YulExpression, definitions[0]!.at, transient)
          this.depth--
          return place
        }
        const origins = this.values.local(found, at)
        const constant = origins.state.find((v) => v.constant)
        if (constant !== undefined && (origins.sources & ~(Source.constant | Source.literal)) === 0) {
          return { ...nowhere, variables: [assemblyVariable(this.program, constant.name, transient, constant)] }
        }
        return unnamed(origins)
      }
    }
    return unnamed(this.values.origins(e, at))
  }
}
