import type { Checklist } from "./Checklist.ts"

export const signatures: Checklist = {
  topic: "Signatures",
  signals: ["sign", "permit", "ecrecover", "recover", "nonce", "digest", "merkle", "proof", "eip712"],
  questions: [
    "Is everything relevant signed: chain, contract, function, recipient, amount, fee, nonce, deadline?",
    "Can a signature or proof be used again: in this contract, in another one, on another chain, after a state change?",
    "Is a signer accepted that is zero or was removed?",
    "Can the same signer count several times toward a threshold?",
    "Can a leaf of a tree be an inner node, or one proof serve for two leaves?",
    "Can someone else submit a signature first, and what is then left for the signer?",
  ],
}
