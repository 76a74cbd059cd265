import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { ContractModel, Declaration } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { isSuccessor } from "../storage/layoutChange.ts"
import { contractBehind, holderOf } from "./contractBehind.ts"
import { isInitializable } from "./initializer.ts"

/** Two contracts, one of which replaces the other behind a proxy. */
export interface Succession {
  readonly before: ContractModel
  readonly after: ContractModel
  /** The call that replaces it; absent where names or a comment say so. */
  readonly upgrade: CallSite | undefined
}

/**
 * The upgrades that a program shows: a proxy that the code points to one contract and then to another, a contract that
 * says which one it replaces, and contracts behind proxies whose names differ in the version.
 */
export const successions = (program: Program): ReadonlyArray<Succession> => [
  ...performed(program),
  ...declared(program),
  ...numbered(program),
]

const upgrading = /^_?(?:upgrade(?:To|ToAndCall|AndCall|Proxy|Beacon)?|set(?:Implementation|Target))$/
const deploying = /Proxy$|Beacon$/

/** Upgrades in code: `proxy = new ERC1967Proxy(address(new Old()), …)`, then `proxy.upgradeTo(address(new Later()))`. */
const performed = (program: Program): ReadonlyArray<Succession> => {
  const first = new Map<Declaration, ContractModel>()
  const upgrades: Array<{ readonly flow: Flow; readonly site: CallSite }> = []
  for (const flow of program.allFlows()) {
    if ((flow.shape & Shape.call) === 0) continue
    for (const site of flow.calls()) {
      if (upgrading.test(site.name)) upgrades.push({ flow, site })
      else if (deploying.test(createdBy(site))) {
        const logic = firstLogic(flow, site.args)
        const holder = logic === undefined ? undefined : assignedTo(flow, site)
        if (logic !== undefined && holder !== undefined) first.set(holder, logic)
      }
    }
  }
  const found: Array<Succession> = []
  for (const { flow, site } of upgrades) {
    const after = firstLogic(flow, site.args)
    if (after === undefined) continue
    const proxies = [site.receiver, ...site.args].flatMap((e) => (e === undefined ? [] : [holderOf(flow, e)]))
    const proxy = proxies.find((holder) => holder !== undefined && first.has(holder))
    const before =
      proxy !== undefined ? first.get(proxy) : site.receiver && logicIn(contractBehind(flow, site.receiver))
    if (before !== undefined) found.push({ before, after, upgrade: site })
    // the next upgrade of the same proxy starts from here
    if (proxy !== undefined) first.set(proxy, after)
  }
  return found
}

/** The name of the contract that is created, or of the function that deploys a proxy: `deployUUPSProxy`. */
const createdBy = (site: CallSite): string => {
  if (site.callKind !== "create") return site.name.startsWith("deploy") ? site.name : ""
  const { callee } = site.node as S.FunctionCall // opcodes have no callee
  return callee?.kind === "NewExpression" && callee.typeName.kind === "UserDefinedTypeName"
    ? callee.typeName.path.at(-1)!
    : ""
}

const firstLogic = (flow: Flow, args: ReadonlyArray<Expr>): ContractModel | undefined => {
  for (const arg of args) {
    const found = logicIn(contractBehind(flow, arg) ?? contractNamed(flow.program, arg))
    if (found !== undefined) return found
  }
  return undefined
}

/** A proxy is not what another proxy runs. */
const logicIn = (contract: ContractModel | undefined): ContractModel | undefined =>
  contract?.deployable === true && !/Proxy(?:Admin)?$|Beacon$/.test(contract.name) ? contract : undefined

/** As OpenZeppelin's plugin for Foundry names contracts: `"Vault.sol:Vault"`, `"Vault.sol"`. */
const contractNamed = (program: Program, e: Expr): ContractModel | undefined => {
  const name = e.kind === "Literal" ? /^(?:[\w./-]+:)?(\w+)(?:\.sol)?$/.exec(e.value)?.[1] : undefined
  return name === undefined ? undefined : onlyNamed(program, name)
}

const onlyNamed = (program: Program, name: string): ContractModel | undefined => {
  const [one, ...others] = program.contracts.filter((contract) => contract.name === name)
  return others.length === 0 ? one : undefined
}

/** The variable that a new contract is stored in. */
const assignedTo = (flow: Flow, { node, at }: CallSite): Declaration | undefined => {
  const contains = (e: Expr): boolean =>
    e === node || (e.kind === "FunctionCall" && flow.program.callOf(e)?.kind === "conversion" && e.args.some(contains))
  const local = at.definitions.find(({ value }) => value !== undefined && contains(value))?.variable
  if (local !== undefined) return local
  const { expression } = at
  return expression?.kind === "Assignment" && contains(expression.right) ? holderOf(flow, expression.left) : undefined
}

/** What a contract's comment says it replaces: `@custom:oz-upgrades-from Vault`. */
const declared = (program: Program): ReadonlyArray<Succession> =>
  program.sources.flatMap(({ file, contracts }) => {
    if (!file.text.includes("@custom:oz-upgrades-from")) return []
    let end = 0
    return contracts.flatMap((after) => {
      const { start } = after.node
      const name = /@custom:oz-upgrades-from (?:[\w./-]{1,200}:)?(\w{1,200})/.exec(file.text.slice(end, start))?.[1]
      ;({ end } = after.node)
      const before = name === undefined ? undefined : onlyNamed(program, name)
      return before === undefined ? [] : [{ before, after, upgrade: undefined }]
    })
  })

/** Contracts behind proxies by name without the version number, and that number. */
const numbered = (program: Program): ReadonlyArray<Succession> => {
  const families = new Map<string, Map<number, ContractModel | undefined>>()
  for (const contract of program.contracts) {
    if (!contract.deployable || !isInitializable(contract)) continue
    const { stem, version } = versionOf(contract)
    const family = families.get(stem) ?? new Map<number, ContractModel | undefined>()
    families.set(stem, family)
    // if two have the same name and version, it is not known which one is meant
    family.set(version, family.has(version) ? undefined : contract)
  }
  return [...families.values()].flatMap((family) => {
    const versions = [...family].toSorted(([a], [b]) => a - b)
    return versions.slice(1).flatMap(([, after], i) => {
      const before = versions[i]![1]
      if (before === undefined || after === undefined) return []
      return isSuccessor(program, before, after) ? [{ before, after, upgrade: undefined }] : []
    })
  })
}

/** `VaultV2`, `Vault_v2`, `v2/Vault.sol`; a name without a number is the first. */
const versionOf = ({ name, source }: ContractModel): { readonly stem: string; readonly version: number } => {
  const named = /^(\w*?)_?[vV](\d{1,3})(?:Upgradeable)?$/.exec(name)
  if (named !== null) return { stem: named[1]!, version: Number(named[2]) }
  const folder = /(?:^|\/)[vV](\d{1,3})\//.exec(source.file.path)
  return { stem: name, version: folder === null ? 1 : Number(folder[1]) }
}
