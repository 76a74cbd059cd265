import type { Checklist } from "./Checklist.ts"

export const access: Checklist = {
  topic: "Access",
  signals: [],
  questions: [
    "Which functions write the same variable or move the same asset, and does each of them ask for the same of its caller?",
    "Is a check on an argument that the caller chooses, where it should be on the caller?",
    "Can an initializer be called twice, by somebody else, or before the deployer?",
    "Is a callback open to everybody, though it should only be called by the contract that was called before?",
    "Does a permission outlive what it was given for: an allowance after a revocation, a role after a transfer of ownership?",
    "Can a multicall, a delegatecall or a batch make one payment or one check count several times?",
    "May somebody act on an account that is not theirs: deposit, withdraw, claim or extend for others to their harm?",
  ],
}
