import { oncePerPair } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"

/** The interface of OpenZeppelin's Initializable, which represents its behavior if the source is missing. */
const initializerName = /^(re)?initializer$/
const chainedInit = /^__\w+_init(_unchained)?$/

/** Whether the function runs once behind a proxy in place of a constructor: it has OpenZeppelin's modifier. */
export const hasInitializerModifier = (fn: FunctionModel): boolean =>
  fn.modifiers.some(({ node }) => initializerName.test(node.path.at(-1) ?? "")) ||
  fn.node.modifiers.some(({ path }) => initializerName.test(path.at(-1) ?? ""))

/** Whether it runs within an initializer only: it has OpenZeppelin's modifier. */
export const runsWithinInitializer = (fn: FunctionModel): boolean =>
  fn.node.modifiers.some(({ path }) => path.at(-1) === "onlyInitializing")

/**
 * Whether it is the part of an initializer that derived contracts call: it has OpenZeppelin's modifier, or a name like
 * `__Ownable_init`.
 */
export const isInitializerPart = (fn: FunctionModel): boolean => chainedInit.test(fn.name) || runsWithinInitializer(fn)

/**
 * Whether the contract inherits what makes initializers run once: `Initializable`, or a base that declares the
 * modifier.
 */
export const isInitializable = ({ linearization }: ContractModel): boolean =>
  linearization.some(
    ({ name, missingBases, modifiers }) =>
      name === "Initializable" ||
      missingBases.some((base) => /^Initializable|Upgradeable$/.test(base)) ||
      modifiers.some((modifier) => modifier.name === "initializer"),
  )

/**
 * Whether it has the initializer modifier, or calls a function that has it, including functions of bases without
 * source.
 */
export const callsInitializer = (flow: Flow): boolean =>
  hasInitializerModifier(flow.fn) ||
  flow.calls().some(({ callKind, target, name }) =>
    target === undefined
      ? callKind === "unknown" && name === "initialize"
      : // another contract that is initialized may be one of many
        callKind === "internal" && hasInitializerModifier(target),
  )

/** A call of `__Ownable_init()` and the like. */
export const isChainedInit = (name: string): boolean => chainedInit.test(name)

/** The contract is meant to run behind a proxy: it has an initializer in place of a constructor. */
export const initializersOf = oncePerPair((program: Program, contract: ContractModel): ReadonlyArray<FunctionModel> =>
  program
    .functionsOf(contract)
    .filter((fn) => fn.implemented && program.graph.isEntryPoint(fn) && hasInitializerModifier(fn)),
)
