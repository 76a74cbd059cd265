import type { FunctionModel } from "../model.ts"
import type * as S from "../syntax.ts"
import { convertibility, type Type, unknownType } from "../types.ts"
import { inOrderTypes } from "./functionTypes.ts"

/** How many overloads are compared with a call; forge's `console.log` has 384. */
export const mostOverloads = 1_000

/** The function that fits the arguments best; `receiver` is what `using` puts before them. */
export const overload = (
  candidates: ReadonlyArray<FunctionModel> | undefined,
  args: ReadonlyArray<Type>,
  e: S.FunctionCall,
  receiver?: Type,
): FunctionModel | undefined => {
  if (candidates === undefined) return undefined
  const types = receiver === undefined ? args : [receiver, ...args]
  const fitting = candidates.slice(0, mostOverloads).filter((f) => f.parameters.length === types.length)
  if (fitting.length <= 1)
    return fitting[0] ?? (candidates.length === 1 && receiver === undefined ? candidates[0] : undefined)
  let best: FunctionModel | undefined
  let bestScore = -1
  for (const candidate of fitting) {
    const parameters = inOrderTypes(e, candidate, receiver !== undefined)
    let score = 0
    for (let i = 0; i < types.length && score >= 0; i++) {
      const fit = convertibility(types[i]!, parameters[i] ?? unknownType)
      score = fit === 0 ? -1 : score + fit
    }
    if (score > bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best ?? fitting[0]
}
