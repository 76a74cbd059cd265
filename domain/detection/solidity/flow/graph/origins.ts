import type { LocalVariable, StateVariable } from "../../model.ts"
import type * as S from "../../syntax.ts"

/** Where a value comes from: one bit per source, so that `origins.sources & Source.sender` answers a question. */
export const Source = {
  literal: 1,
  /** A `constant`. */
  constant: 1 << 1,
  immutable: 1 << 2,
  /** A state variable (see `Origins.state`). */
  state: 1 << 3,
  /** A parameter of the function (see `Origins.parameters`). */
  parameter: 1 << 4,
  /** `msg.sender`, `_msgSender()`, `caller()`. */
  sender: 1 << 5,
  txOrigin: 1 << 6,
  /** `msg.value`. */
  value: 1 << 7,
  /** `msg.data`, `msg.sig`, `calldataload`. */
  calldata: 1 << 8,
  timestamp: 1 << 9,
  blockNumber: 1 << 10,
  /**
   * `blockhash`, `block.difficulty`, `prevrandao`, `coinbase`, `gaslimit`: known to or chosen by the block's proposer.
   */
  blockEntropy: 1 << 11,
  chainId: 1 << 12,
  /** `address(this).balance`. */
  balance: 1 << 13,
  /** The ether balance of another address. */
  otherBalance: 1 << 14,
  /** The result of `token.balanceOf(address(this))`. */
  tokenBalance: 1 << 15,
  /** The result of a call to another contract (see `Origins.calls`). */
  external: 1 << 16,
  /** The success flag or data of a low-level call. */
  lowLevel: 1 << 17,
  /** `address(this)`. */
  self: 1 << 18,
  /** The address of a contract created here. */
  created: 1 << 19,
  gas: 1 << 20,
  /** Passed through keccak256 or sha256. */
  hash: 1 << 21,
  /** The result of `ecrecover`, also through a library. */
  recovered: 1 << 22,
  /** The code, code size or code hash of an address. */
  code: 1 << 23,
  /** Not resolved. */
  unknown: 1 << 24,
  /** The sender in some cases only; in others it is stored or passed (see `either`). */
  sometimes: 1 << 25,
} as const

/** Sources that the sender of a transaction chooses. */
export const chosenByCaller = Source.parameter | Source.sender | Source.value | Source.calldata | Source.txOrigin

/**
 * What a value is derived from. `keys` and `keyParameters` are what merely selects it: the index of a mapping, the arguments
 * of an external call. `balances[msg.sender]` has the source `state` and the key `sender`.
 */
export interface Origins {
  readonly sources: number
  readonly keys: number
  readonly parameters: ReadonlyArray<LocalVariable>
  readonly keyParameters: ReadonlyArray<LocalVariable>
  /** For results of external calls: where the called address comes from. */
  readonly targets: number
  readonly targetParameters: ReadonlyArray<LocalVariable>
  readonly state: ReadonlyArray<StateVariable>
  readonly calls: ReadonlyArray<S.FunctionCall | S.YulFunctionCall>
}

/** The longest list kept in one value; the rest is dropped, but the bits remain. */
const listLimit = 16

const noParameters: ReadonlyArray<never> = []

export const noOrigins: Origins = {
  sources: 0,
  keys: 0,
  parameters: noParameters,
  keyParameters: noParameters,
  targets: 0,
  targetParameters: noParameters,
  state: noParameters,
  calls: noParameters,
}

const bits = new Map<number, Origins>()

/** A value from one or more plain sources. */
export const from = (sources: number): Origins => {
  let origins = bits.get(sources)
  if (origins === undefined) {
    origins = { ...noOrigins, sources }
    bits.set(sources, origins)
  }
  return origins
}

export const fromParameter = (variable: LocalVariable): Origins => ({
  ...noOrigins,
  sources: Source.parameter,
  parameters: [variable],
})
export const fromState = (variables: ReadonlyArray<StateVariable>): Origins => ({
  ...noOrigins,
  sources: Source.state,
  state: variables,
})

const union = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (b.length === 0 || a === b) return a
  if (a.length === 0) return b
  const extra = b.filter((x) => !a.includes(x))
  return extra.length === 0 ? a : [...a, ...extra].slice(0, listLimit)
}

export const merge = (a: Origins, b: Origins): Origins => {
  if (a === b || b === noOrigins) return a
  if (a === noOrigins) return b
  return {
    sources: a.sources | b.sources,
    keys: a.keys | b.keys,
    parameters: union(a.parameters, b.parameters),
    keyParameters: union(a.keyParameters, b.keyParameters),
    targets: a.targets | b.targets,
    targetParameters: union(a.targetParameters, b.targetParameters),
    state: union(a.state, b.state),
    calls: union(a.calls, b.calls),
  }
}

const chosenOrStored = Source.parameter | Source.state

/**
 * One of two values, as where branches join. An entry that belongs to the sender if nothing is stored yet, or if the
 * caller names nobody, does not belong to the sender alone.
 */
export const either = (a: Origins, b: Origins): Origins => {
  const both = merge(a, b)
  const others = (a.sources & Source.sender) === 0 ? a : b
  const isMixed = ((a.sources ^ b.sources) & Source.sender) !== 0 && (others.sources & chosenOrStored) !== 0
  return isMixed ? { ...both, sources: both.sources | Source.sometimes } : both
}

/** `value`, selected by `key`. */
export const keyed = (value: Origins, key: Origins): Origins => {
  if (key === noOrigins) return value
  return {
    ...value,
    keys: value.keys | key.sources | key.keys,
    keyParameters: union(value.keyParameters, union(key.parameters, key.keyParameters)),
  }
}

/** The result of a call to the address `target`. */
export const targeted = (value: Origins, target: Origins): Origins => ({
  ...value,
  targets: value.targets | target.sources,
  targetParameters: union(value.targetParameters, target.parameters),
})

/** The same value as a caller sees it: each parameter becomes its argument. */
export const substitute = (value: Origins, argument: (parameter: LocalVariable) => Origins | undefined): Origins => {
  if (value.parameters.length + value.keyParameters.length + value.targetParameters.length === 0) return value
  let result: Origins = {
    ...value,
    sources: value.sources & ~Source.parameter,
    keys: value.keys & ~Source.parameter,
    targets: value.targets & ~Source.parameter,
    parameters: noParameters,
    keyParameters: noParameters,
    targetParameters: noParameters,
  }
  for (const p of value.parameters) {
    const passed = argument(p)
    result = merge(result, passed ?? fromParameter(p))
  }
  for (const p of value.keyParameters) result = keyed(result, argument(p) ?? fromParameter(p))
  for (const p of value.targetParameters) result = targeted(result, argument(p) ?? fromParameter(p))
  return result
}

/** Whether the value has one of these sources (not counting what selects it). */
export const has = (value: Origins, sources: number): boolean => (value.sources & sources) !== 0

/** Whether the value has no sources but these. */
export const only = (value: Origins, sources: number): boolean =>
  value.sources !== 0 && (value.sources & ~sources) === 0
