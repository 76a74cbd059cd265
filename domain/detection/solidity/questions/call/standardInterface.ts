import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { abiName } from "../../types.ts"

export interface WrongReturns {
  readonly contract: ContractModel
  readonly wrong: ReadonlyArray<{ readonly fn: FunctionModel; readonly expected: string }>
}

/**
 * The number of functions of a standard, including getters, that a contract needs to count as an implementation of it.
 */
const fewest = 3

const returned = (fn: FunctionModel): string => fn.returns.map(({ type }) => abiName(type)).join(",")

/**
 * Deployable contracts that have at least three functions of a standard (signature to return type, empty for none),
 * with their own functions that return a different type. A wrong declaration in a base is reported for the base.
 */
export const wrongReturns = (program: Program, standard: ReadonlyMap<string, string>): ReadonlyArray<WrongReturns> => {
  const found: Array<WrongReturns> = []
  const told = new Set<FunctionModel>()
  for (const contract of program.contracts) {
    if (!contract.deployable) continue
    let count = 0
    const wrong: Array<{ fn: FunctionModel; expected: string }> = []
    const getters = new Set(
      contract.linearization.flatMap((c) =>
        c.stateVariables.filter((v) => v.visibility === "public").map((v) => v.name),
      ),
    )
    for (const [signature, expected] of standard) {
      const fn = program.implementation(contract, signature)
      if (fn === undefined) {
        if (getters.has(signature.slice(0, signature.indexOf("(")))) count++
        continue
      }
      count++
      if (!fn.implemented || told.has(fn) || (fn.visibility !== "public" && fn.visibility !== "external")) continue
      const actual = returned(fn)
      if (actual === expected || actual.includes("?")) continue
      wrong.push({ fn, expected: expected === "" ? "nothing" : expected })
    }
    if (count < fewest || wrong.length === 0) continue
    for (const { fn } of wrong) told.add(fn)
    found.push({ contract, wrong })
  }
  return found
}
