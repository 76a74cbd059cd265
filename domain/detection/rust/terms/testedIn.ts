import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term } from "./terms.ts"

/** The values whose variant a fact tests anywhere in it, collected once. */
export const testedIn = oncePer(
  (fact: Term): ReadonlySet<Term> =>
    new Set([...everySubterm([fact])].flatMap((one) => (one.kind === "is" ? [one.value] : []))),
)
