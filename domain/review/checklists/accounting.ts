import type { Checklist } from "./Checklist.ts"

export const accounting: Checklist = {
  topic: "Accounting and rounding",
  signals: [],
  questions: [
    "Does the sum of all shares, balances or debts still agree with the total after every function, also when it ends early?",
    "Is a fee, an interest or a reward taken twice, never, or from the wrong side?",
    "Does each division round for the protocol, and what does an attacker gain by many small calls?",
    "Can the first depositor, or a donation, set the price of a share?",
    "Is a pending amount paid out before the balance that it depends on changes, and is it updated in every path?",
    "Are amounts of different decimals or units added, compared or divided?",
    "Is the amount that arrived counted, or the amount that was asked for, where a token may take a fee or rebase?",
    "What happens when the same account is both sides, or the same item stands in a list twice?",
    "Is a step of a sequence (approve, start, wait, finish) one that may be left out or repeated?",
  ],
}
