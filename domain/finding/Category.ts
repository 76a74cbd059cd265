import * as Schema from "effect/Schema"

/** The closed list of finding categories; a rule has exactly one. */
export const categories = [
  "access-control",
  "account-validation",
  "arithmetic",
  "authorization",
  "bad-randomness",
  "centralization",
  "code-quality",
  "cpi",
  "cryptography",
  "dangerous-call",
  "denial-of-service",
  "dependency",
  "error-handling",
  "front-running",
  "gas",
  "initialization",
  "input-validation",
  "logic",
  "oracle-manipulation",
  "pda",
  "reentrancy",
  "serialization",
  "signature",
  "state-management",
  "storage",
  "time-manipulation",
  "token-handling",
  "unchecked-call",
  "upgradeability",
] as const
export type Category = (typeof categories)[number]
export const Category = Schema.Literals(categories)
