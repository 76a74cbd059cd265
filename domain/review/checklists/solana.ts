import type { Checklist } from "./Checklist.ts"

export const solana: Checklist = {
  topic: "Solana accounts and CPI",
  ecosystem: "solana",
  signals: [],
  questions: [
    "Is each account tied to the others that it must belong to: authority, mint, vault, pool, owner program?",
    "Can the same account be given in two places?",
    "Do the seeds of a derived address hold everything that tells two users or pools apart?",
    "Is the program that is called the one that is meant, and are the accounts passed on to it still what was checked?",
    "Is an account read again after a call that may have changed it?",
    "Can a closed account be brought back, or an account be created by somebody else first?",
  ],
}
