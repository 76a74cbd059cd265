import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { idleNames } from "../../rust/syntax/idleNames.ts"
import type { Pattern } from "../../rust/syntax/syntax.ts"
import { hasEffect } from "./idleMessages.ts"
import type { Handler } from "../program/model.ts"

// A message whose function receives the sender but never checks it.

interface IgnoredSender {
  readonly definition: FunctionDefinition
  readonly binding: Pattern
}

/** Parameters that a function never uses, by the name. */
const idleParameters = oncePer(({ item, module }: FunctionDefinition): ReadonlyMap<string, Pattern> => {
  const own = new Set<Pattern>(item.parameters.map(({ pattern }) => pattern))
  return new Map(idleNames(module.file, item).flatMap((one) => (own.has(one) ? [[one.name, one] as const] : [])))
})

/** Where a function of a message takes the caller, alone or with the payment, and never uses it. */
export const ignoredSender = (handler: Handler): IgnoredSender | undefined => {
  const { sender, function: own } = handler.entry
  if (sender?.kind !== "field" || !hasEffect(handler)) return undefined
  const caller = sender.base
  const given = (definition: FunctionDefinition, index: number): IgnoredSender | undefined => {
    const binding = idleParameters(definition).get(definition.parameters[index]?.name ?? "")
    return binding === undefined ? undefined : { definition, binding }
  }
  for (const event of handler.events) {
    if (event.kind !== "call" || event.target === undefined) continue
    for (const [index, { term }] of event.args.entries()) {
      const found = term === sender || term === caller ? given(event.target, index) : undefined
      if (found !== undefined) return found
    }
  }
  const index = caller.kind === "parameter" ? own.parameters.findIndex(({ name }) => name === caller.name) : -1
  return handler.function === own ? given(own, index) : undefined
}
