import type { Checklist } from "./Checklist.ts"

export const liquidation: Checklist = {
  topic: "Liquidation",
  signals: ["liquidat", "collateral", "borrow", "debt", "health", "seize", "margin", "repay"],
  questions: [
    "Can a healthy position be liquidated, or be made unhealthy by someone else?",
    "Can an owner prevent a position from being liquidated: with a revert in a transfer, dust, many entries, a pause?",
    "Is more collateral taken than debt is repaid, and is the remainder returned?",
    "Who bears the loss that the collateral does not cover, and can it be shifted to others?",
    "Does interest accrue before every health check?",
    "Can debt be taken on after the check, in the same transaction or in a callback?",
  ],
}
