import type { Checklist } from "./Checklist.ts"

export const governance: Checklist = {
  topic: "Governance",
  signals: ["vote", "propos", "quorum", "delegate", "governor", "timelock", "checkpoint", "ballot"],
  questions: [
    "Can votes be borrowed, transferred or delegated so that they count twice?",
    "Is voting power taken at a block before the proposal, and quorum at the same one?",
    "Can a proposal be executed twice, after its end, or with different calls than those voted on?",
    "Can one person reach the threshold with many proposals, or cancel those of others?",
    "Does a lock, a delay or a veto apply to every path to the same effect?",
  ],
}
