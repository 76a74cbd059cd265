import type { Mutation } from "./exampleMutations.ts"

/** Rules whose subject is what a mutation changes, with the reason why it may change the verdict. */
export const exceptions: Record<string, Record<Mutation["name"], string>> = {
  "evm/front-running/ignored-limit": { "with other names": "that a number is a limit is told by its name only" },
  "evm/input-validation/ignored-setting": { "with other names": "that a number is a limit is told by its name only" },
  "evm/signature/unchecked-deadline": { "with other names": "that a number is a time is told by its name only" },
  "evm/signature/unverified-proof": {
    "with other names": "that bytes are a signature or proof is told by their name only",
  },
  "evm/upgradeability/incompatible-layout": {
    "with other names": "that one contract takes the place of another is told by their names only",
  },
  "evm/upgradeability/shared-slot": { "with other names": "that a contract is a facet is often told by its name only" },
}
