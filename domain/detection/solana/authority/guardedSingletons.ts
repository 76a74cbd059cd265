import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { isAuthorized } from "./authorization.ts"
import type { SolanaCrate } from "../program/model.ts"
import { usesOf } from "../questions/questions.ts"
import { structOf } from "./relations.ts"
import { isGlobal } from "../questions/singleton.ts"

/** What exists once for everyone and some instruction changes only for a known signer. */
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
