import type { Checklist } from "./Checklist.ts"

export const access: Checklist = {
  topic: "Access",
  signals: [],
  questions: [
    "Which functions write the same variable or move the same asset, and do they all impose the same requirements on their caller?",
    "Does a check test an argument that the caller chooses instead of the caller?",
    "Can an initializer be called twice, by someone else, or before the deployer?",
    "Is a callback open to everyone, although only the previously called contract should call it?",
    "Does a permission outlive its purpose: an allowance after a revocation, a role after a transfer of ownership?",
    "Can a multicall, a delegatecall or a batch make one payment or one check count several times?",
    "Can someone act on an account that is not theirs: deposit, withdraw, claim or extend for others, to their harm?",
  ],
}
