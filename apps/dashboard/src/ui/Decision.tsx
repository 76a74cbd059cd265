import type { DecisionKind } from "../../../../domain/finding/Decision.ts"

export const decisions: ReadonlyArray<DecisionKind> = ["open", "false_positive", "accepted_risk", "fixed"]

export const decisionLabel: Readonly<Record<DecisionKind, string>> = {
  open: "Open",
  false_positive: "False positive",
  accepted_risk: "Risk accepted",
  fixed: "Fixed",
}
