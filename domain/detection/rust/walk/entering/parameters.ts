import type { FunctionDefinition } from "../../crate/crate.ts"
import { type RustType, selfTypeOf, unknownType } from "../../crate/types.ts"
import type { Value } from "../../terms/events.ts"
import type { Walk } from "../state/walk.ts"

export const bindParameters = (
  walk: Walk,
  target: FunctionDefinition,
  valueOf: (name: string, type: RustType, index: number) => Value,
): void => {
  const self = target.item.self === undefined ? 0 : 1
  for (const [index, { name, type }] of target.parameters.entries()) {
    const declared =
      name === "self" && index === 0 && self === 1 ? (selfOf(walk, target) ?? unknownType) : walk.typeIn(target, type)
    const value = valueOf(name, declared, index)
    if (index < self) walk.state.env.set("self", value)
    else walk.bindPattern(target.item.parameters[index - self]!.pattern, value)
  }
}

const selfOf = (walk: Walk, target: FunctionDefinition): RustType | undefined =>
  target.owner?.kind === "impl" ? selfTypeOf(walk.resolver, target.owner) : undefined
