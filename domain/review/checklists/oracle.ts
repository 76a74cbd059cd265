import type { Checklist } from "./Checklist.ts"

export const oracle: Checklist = {
  topic: "Oracle",
  signals: ["oracle", "price", "twap", "reserve", "getamount", "latestround", "feed", "rate", "quote", "sqrt"],
  questions: [
    "Can anyone move the price within one transaction: a spot price, a balance, a reserve, a pool's share price?",
    "Is the answer's age checked against the feed's heartbeat, and is an answer of zero or below rejected?",
    "Is the sequencer's uptime checked on rollups, with a grace period?",
    "Do the decimals of the feed and the token match what the formula expects?",
    "What happens if one of several sources fails: is the price the other one's, zero, or the last one?",
    "Is the price of a wrapped or staked asset mistaken for that of the asset itself?",
  ],
}
