import type { Checklist } from "./Checklist.ts"

export const oracle: Checklist = {
  topic: "Oracle",
  signals: ["oracle", "price", "twap", "reserve", "getamount", "latestround", "feed", "rate", "quote", "sqrt"],
  questions: [
    "Can anybody move the price within one transaction: a spot price, a balance, a reserve, a share price of a pool?",
    "Is the answer's age checked against the feed's heartbeat, and is an answer of zero or below refused?",
    "Is the sequencer's uptime checked on rollups, with a time of grace?",
    "Do the decimals of the feed and of the token agree with what the formula expects?",
    "What happens when one of several sources fails: is the price the other one's, zero, or the last?",
    "Is the price of a wrapped or staked asset taken for that of the asset itself?",
  ],
}
