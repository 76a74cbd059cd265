import type { Checklist } from "./Checklist.ts"

export const cosmwasm: Checklist = {
  topic: "CosmWasm messages and replies",
  ecosystem: "cosmwasm",
  signals: [],
  questions: [
    "Does each execute arm that changes something ask for the sender that its siblings ask for?",
    "Is the denomination and the number of coins sent along checked, and is what is too much given back?",
    "Is a reply matched to what caused it, and what state is left when the submessage failed?",
    "Is a hook of a token accepted from any contract?",
    "Can a list that others fill make a query or a message run out of gas?",
    "Does a migration check what it migrates from?",
  ],
}
