import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { Shape } from "../../flow/graph/shape.ts"
import { isPartOf } from "../../flow/graph/storagePlace.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { contractBehind } from "../deployment/contractBehind.ts"
import { areRelated, type Forwarder, forwarders, targetsOf } from "./forwarding.ts"

/** A contract whose code the program shows a proxy to run. */
export interface Implementation {
  readonly logic: ContractModel
  /** Where the program shows it. */
  readonly site: CallSite
}

/**
 * The contracts whose code a proxy runs: it is created with their address, receives it in a call, or is converted to
 * their type (`Vault(address(proxy))`).
 */
export const implementationsOf = (program: Program, proxy: ContractModel): ReadonlyArray<Implementation> =>
  allImplementations(program).get(proxy) ?? []

/** Contracts that the program shows behind a proxy or clone. */
const implementations = oncePer((program: Program): ReadonlySet<ContractModel> => {
  const found = new Set<ContractModel>()
  for (const { contract } of forwarders(program))
    for (const { logic } of implementationsOf(program, contract)) found.add(logic)
  for (const flow of program.allFlows()) {
    if ((flow.shape & Shape.call) === 0) continue
    for (const site of flow.calls()) {
      const logic = deploysFor(flow, site)?.logic
      if (logic !== undefined && logic.node.contractKind === "contract") found.add(logic)
    }
  }
  return found
})

/**
 * Whether the contract is written to run behind a proxy: it can be upgraded, its parents are made for it, or the
 * program deploys it that way.
 */
export const isBehindProxy = (program: Program, contract: ContractModel): boolean =>
  contract.linearization.some(
    ({ name, missingBases, functions }) =>
      [name, ...missingBases].some((base) => /(?:^UUPS|Upgradeable$)/.test(base)) ||
      functions.some((fn) => fn.name === "_authorizeUpgrade" || fn.name === "proxiableUUID"),
  ) || implementations(program).has(contract)

/** A clone or proxy without calldata, which starts without any setup. */
interface BareDeployment {
  /** The contract whose code it runs, if known. */
  readonly logic: ContractModel | undefined
}

/** The names under which libraries create minimal proxies. */
const cloning =
  /^_?(?:clone|createClone|cloneDeterministic|cloneWithImmutableArgs|createMinimalProxy|deployMinimal|deploy(?:Deterministic)?(?:ERC1967|BeaconProxy|UUPSProxy)\w*)$/i

/** Proxies whose sources are often missing, by whether their last argument is the setup call. */
const proxying =
  /^(?:ERC1967Proxy|TransparentUpgradeableProxy|AdminUpgradeabilityProxy|InitializableAdminUpgradeabilityProxy|BeaconProxy|UpgradeableProxy|UpgradeableBeaconProxy)$/

/** Undefined if no proxy is created, or if it is set up on creation. */
export const deploysFor = (flow: Flow, site: CallSite): BareDeployment | undefined => {
  if (site.callKind === "create") {
    const { callee } = site.node as S.FunctionCall // opcodes have no callee
    const created =
      callee?.kind === "NewExpression" && callee.typeName.kind === "UserDefinedTypeName"
        ? callee.typeName.path.at(-1)!
        : ""
    const data = site.args.at(-1)
    return proxying.test(created) && data !== undefined && isEmptyData(flow.program, data)
      ? { logic: firstContract(flow, site.args) }
      : undefined
  }
  if (!cloning.test(site.name) || site.args.length > 4) return undefined
  if (site.callKind !== "library" && site.callKind !== "internal" && site.callKind !== "unknown") return undefined
  return { logic: firstContract(flow, site.receiver === undefined ? site.args : [site.receiver, ...site.args]) }
}

const firstContract = (flow: Flow, args: ReadonlyArray<Expr>): ContractModel | undefined => {
  for (const arg of args) {
    const found = contractBehind(flow, arg)
    if (found !== undefined) return found
  }
  return undefined
}

/** `""`, `hex""`, `new bytes(0)`, `bytes("")`. */
const isEmptyData = (program: Program, e: Expr): boolean => {
  if (e.kind === "Literal") return e.value === ""
  if (e.kind !== "FunctionCall") return false
  const call = program.callOf(e)
  const [arg] = call?.args ?? []
  return (
    (call?.kind === "allocation" && arg?.kind === "Literal" && arg.value === "0") ||
    (call?.kind === "conversion" && arg !== undefined && isEmptyData(program, arg))
  )
}

const allImplementations = oncePer((program: Program): ReadonlyMap<ContractModel, ReadonlyArray<Implementation>> => {
  const found = new Map<ContractModel, Array<Implementation>>()
  const proxies = proxiesOf(program)
  if (proxies.size === 0) return found
  const add = (proxy: ContractModel, logic: ContractModel | undefined, site: CallSite): void => {
    if (logic === undefined || logic.node.contractKind === "interface" || areRelated(proxy, logic)) return
    if (proxies.has(logic)) return
    const forwarding = proxies.get(proxy)?.contract ?? proxy
    const known = found.get(forwarding) ?? []
    if (known.some((one) => one.logic === logic)) return
    known.push({ logic, site })
    found.set(forwarding, known)
  }
  for (const flow of program.allFlows()) {
    if ((flow.shape & Shape.call) === 0) continue
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
      } else if (site.callKind === "external" || site.callKind === "internal") {
        // a proxy that points to code by itself, or by instruction
        const proxy = site.callKind === "external" ? site.target?.contract : flow.context
        const forwarder = proxy === undefined ? undefined : proxies.get(proxy)
        if (proxy === undefined || forwarder === undefined || !setsTarget(program, forwarder, site)) continue
        for (const arg of site.args) add(proxy, contractBehind(flow, arg), site)
      }
    }
  }
  return found
})

/** Contracts that forward calls, themselves or through a base, and how they do so if the source is there. */
export const proxiesOf = (program: Program): ReadonlyMap<ContractModel, Forwarder | undefined> => {
  const proxies = new Map<ContractModel, Forwarder | undefined>()
  for (const contract of program.contracts)
    if (contract.linearization.some(({ missingBases }) => missingBases.some((base) => proxying.test(base))))
      proxies.set(contract, undefined)
  for (const forwarder of forwarders(program))
    for (const contract of [forwarder.contract, ...forwarder.contract.derived]) proxies.set(contract, forwarder)
  return proxies
}

/** Whether the called function writes the address that the proxy forwards to. */
const setsTarget = (program: Program, forwarder: Forwarder, { target }: CallSite): boolean => {
  if (target === undefined || !target.implemented) return false
  const targets = targetsOf(forwarder)
  return program
    .flow(target)
    .writes.some(({ place }) => place?.variables.some((v) => targets.some((t) => isPartOf(v, t) || isPartOf(t, v))))
}
