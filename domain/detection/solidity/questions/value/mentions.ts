import { oncePer } from "../../../oncePer.ts"
import type { Declaration } from "../../model.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"

export interface Mentions {
  /** Everything that an expression or assembly of the program names. */
  readonly declarations: ReadonlySet<Declaration>
  /** Unresolved names in expressions: they may refer to anything of that name. */
  readonly unresolved: ReadonlySet<string>
}

/** One pass over all files, including initial values and the arguments of modifiers and base constructors. */
export const mentions = oncePer((program: Program): Mentions => {
  const declarations = new Set<Declaration>()
  const unresolved = new Set<string>()
  for (const source of program.sources) {
    walk(source.unit, (node) => {
      switch (node.kind) {
        case "Identifier":
        case "MemberAccess":
        case "YulIdentifier":
        case "YulFunctionCall": {
          const found = program.referenceOf(node)
          if (found !== undefined) declarations.add(found)
          else unresolved.add(node.kind === "MemberAccess" ? node.member : node.name)
          break
        }
        case "FunctionCall": {
          const target = program.callOf(node)?.target
          if (target !== undefined) declarations.add(target)
          break
        }
      }
    })
  }
  return { declarations, unresolved }
})
