import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { isPartOf } from "../../flow/graph/storagePlace.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { areRelated, type Forwarder, forwarders, targetsOf } from "./forwarding.ts"

/** The program shows that a proxy runs the code of a contract. */
export interface Implementation {
  readonly logic: ContractModel
  /** Where that is to be seen. */
  readonly site: CallSite
}

const memo = new WeakMap<Program, ReadonlyMap<ContractModel, ReadonlyArray<Implementation>>>()

/**
 * The contracts whose code a proxy runs: it is created with their address, is told it by a call, or stands behind their
 * type (`Vault(address(proxy))`).
 */
export const implementationsOf = (program: Program, proxy: ContractModel): ReadonlyArray<Implementation> => {
  let known = memo.get(program)
  if (known === undefined) memo.set(program, (known = findAll(program)))
  return known.get(proxy) ?? []
}

const findAll = (program: Program): ReadonlyMap<ContractModel, ReadonlyArray<Implementation>> => {
  const found = new Map<ContractModel, Array<Implementation>>()
  const proxies = new Map<ContractModel, Forwarder>()
  for (const forwarder of forwarders(program))
    for (const contract of [forwarder.contract, ...forwarder.contract.derived]) proxies.set(contract, forwarder)
  if (proxies.size === 0) return found
  const add = (proxy: ContractModel, logic: ContractModel | undefined, site: CallSite): void => {
    if (logic === undefined || logic.node.contractKind === "interface" || areRelated(proxy, logic)) return
    if (proxies.has(logic)) return
    const forwarding = proxies.get(proxy)!.contract
    const known = found.get(forwarding) ?? []
    if (known.some((one) => one.logic === logic)) return
    known.push({ logic, site })
    found.set(forwarding, known)
  }
  for (const flow of program.allFlows()) {
    for (const site of flow.calls()) {
      if (site.callKind === "create") {
        const created = site.call?.type
        if (created?.kind !== "contract" || !proxies.has(created.contract)) continue
        for (const arg of site.args) add(created.contract, contractBehind(flow, arg), site)
      } else if (site.callKind === "conversion") {
        const type = site.call?.type
        const [arg] = site.args
        if (type?.kind !== "contract" || arg === undefined) continue
        const proxy = contractBehind(flow, arg)
        if (proxy !== undefined && proxies.has(proxy)) add(proxy, type.contract, site)
      } else if (site.callKind === "external" && site.target?.contract !== undefined) {
        const proxy = site.target.contract
        if (!proxies.has(proxy) || !setsTarget(program, proxies.get(proxy)!, site)) continue
        for (const arg of site.args) add(proxy, contractBehind(flow, arg), site)
      }
    }
  }
  return found
}

/** The function called writes what the proxy forwards to. */
const setsTarget = (program: Program, forwarder: Forwarder, { target }: CallSite): boolean => {
  if (target === undefined || !target.implemented) return false
  const targets = targetsOf(forwarder)
  return program
    .flow(target)
    .writes.some(({ place }) => place?.variables.some((v) => targets.some((t) => isPartOf(v, t) || isPartOf(t, v))))
}

/** Conversions and locals that are looked through. */
const stepLimit = 4

/** The contract that an address is known to be of: by the type of what is converted, or by what created it. */
const contractBehind = (flow: Flow, e: Expr, steps = 0): ContractModel | undefined => {
  if (steps > stepLimit || e.kind.startsWith("Yul")) return undefined
  const expression = e as S.Expression // not of Yul, as was just seen
  const { program } = flow
  const type = program.typeOf(expression)
  if (type.kind === "contract") return type.contract
  if (expression.kind === "FunctionCall") {
    const call = program.callOf(expression)
    const [arg] = call?.args ?? []
    return call?.kind === "conversion" && arg !== undefined ? contractBehind(flow, arg, steps + 1) : undefined
  }
  const variable = program.referenceOf(expression)
  if (variable?.kind !== "LocalVariable") return undefined
  const [definition, ...others] = flow.definitionsOf(variable)
  return definition?.value === undefined || others.length > 0
    ? undefined
    : contractBehind(flow, definition.value, steps + 1)
}
