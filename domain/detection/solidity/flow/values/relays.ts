import { oncePer } from "../../../oncePer.ts"
import type { Call, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

/** A call by which a contract runs a function of another contract's code on its own storage. */
export interface Relay {
  readonly from: FunctionModel
  readonly call: Call
}

/**
 * The delegate calls that run a function by its selector, in contracts that do not inherit it: what the function
 * changes belongs to them, and so does the question of who may call it.
 */
export const relaysOf = (program: Program, { contract, signature }: FunctionModel): ReadonlyArray<Relay> =>
  (contract === undefined ? undefined : allRelays(program).get(signature))?.filter(
    // every relay has a contract
    ({ from }) =>
      !contract!.linearization.includes(from.contract!) && !from.contract!.linearization.includes(contract!),
  ) ?? []

/** Limit: relays of one signature; contracts with more are not told apart. */
const relayLimit = 24

const allRelays = oncePer((program: Program): ReadonlyMap<string, ReadonlyArray<Relay>> => {
  const found = new Map<string, Array<Relay>>()
  for (const from of program.functions) {
    if (from.contract === undefined) continue
    const calls = program.callsIn(from)
    const call = calls.find(({ kind }) => kind === "delegatecall")
    if (call === undefined) continue
    const names = new Set(calls.flatMap(({ name, args }) => encoded(program, name, args)))
    if (call.args[0] !== undefined && program.isBuiltin(call.args[0], "msg.data")) names.add(from.signature)
    for (const name of names) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [{ from, call }])
      else known.push({ from, call })
    }
  }
  for (const [name, relays] of found) if (relays.length > relayLimit) found.delete(name)
  return found
})

/** The signature of the function that `abi.encodeCall(I.f, (x))` or `abi.encodeWithSelector(I.f.selector, x)` encodes a call of. */
const encoded = (program: Program, name: string, [first]: ReadonlyArray<S.Expression>): ReadonlyArray<string> => {
  if (first === undefined || !name.startsWith("abi.encode")) return []
  if (name === "abi.encodeWithSignature") return first.kind === "Literal" ? [first.value] : []
  const fn = first.kind === "MemberAccess" && first.member === "selector" ? first.object : first
  const declared = program.referenceOf(fn)
  return declared?.kind === "Function" ? [declared.signature] : []
}
