import type { Checklist } from "./Checklist.ts"

export const cosmwasm: Checklist = {
  topic: "CosmWasm messages and replies",
  ecosystem: "cosmwasm",
  signals: [],
  questions: [
    "Does each execute arm that changes something check the sender as its siblings do?",
    "Are the denomination and number of coins sent with the message checked, and is any excess returned?",
    "Is a reply matched to its cause, and in what state does a failed submessage leave the contract?",
    "Is a token hook accepted from any contract?",
    "Can a list that others fill make a query or a message run out of gas?",
    "Does a migration check what it migrates from?",
  ],
}
