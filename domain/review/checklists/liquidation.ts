import type { Checklist } from "./Checklist.ts"

export const liquidation: Checklist = {
  topic: "Liquidation",
  signals: ["liquidat", "collateral", "borrow", "debt", "health", "seize", "margin", "repay"],
  questions: [
    "Can a healthy position be liquidated, or one be made unhealthy by somebody else?",
    "Can an owner keep a position from being liquidated: by a revert in a transfer, dust, many entries, a pause?",
    "Is more collateral taken than debt is repaid, and is the rest given back?",
    "Who carries what the collateral does not cover, and can it be left with others?",
    "Does interest accrue before every check of health?",
    "Can debt be taken on after the check, in the same transaction or in a callback?",
  ],
}
