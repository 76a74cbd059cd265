import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { isAuthorized } from "./authorization.ts"
import type { SolanaCrate } from "../program/model.ts"
import { usesOf } from "../questions/questions.ts"
import { structOf } from "./relations.ts"
import { isGlobal } from "../questions/singleton.ts"

/** What there is one of for everybody, and some instruction changes on the word of a known signer only. */
export const guardedSingletons = oncePer(
  (crate: SolanaCrate): ReadonlySet<StructDefinition> =>
    new Set(
      crate.instructions.flatMap((instruction) =>
        instruction.accounts.flatMap((one) => {
          const struct = structOf(instruction, one)
          const changes = usesOf(instruction, one).some(({ kind }) => kind === "state-write")
          return struct !== undefined && changes && isGlobal(instruction, one) && isAuthorized(instruction, one)
            ? [struct]
            : []
        }),
      ),
    ),
)
