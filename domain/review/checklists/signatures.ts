import type { Checklist } from "./Checklist.ts"

export const signatures: Checklist = {
  topic: "Signatures",
  signals: ["sign", "permit", "ecrecover", "recover", "nonce", "digest", "merkle", "proof", "eip712"],
  questions: [
    "Is everything that matters signed: chain, contract, function, recipient, amount, fee, nonce, deadline?",
    "Can a signature or proof be used again: in this contract, in another one, on another chain, after a change of state?",
    "Is a signer of zero, or one that was removed, accepted?",
    "Can the same signer count several times toward a threshold?",
    "Can a leaf of a tree be an inner node, or one proof serve for two leaves?",
    "Can somebody else submit a signature first, and what is left for the signer then?",
  ],
}
