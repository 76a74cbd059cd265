import type { Checklist } from "./Checklist.ts"

export const solana: Checklist = {
  topic: "Solana accounts and CPI",
  ecosystem: "solana",
  signals: [],
  questions: [
    "Is each account tied to the others that it must belong to: authority, mint, vault, pool, owner program?",
    "Can the same account be passed in two places?",
    "Do the seeds of a derived address contain everything that distinguishes two users or pools?",
    "Is the called program the intended one, and are the accounts passed to it still those that were checked?",
    "Is an account reloaded after a call that may have changed it?",
    "Can a closed account be revived, or an account be created by someone else first?",
  ],
}
