import type { Checklist } from "./Checklist.ts"

export const accounting: Checklist = {
  topic: "Accounting and rounding",
  signals: [],
  questions: [
    "Does the sum of all shares, balances or debts match the total after every function, even if it returns early?",
    "Is a fee, interest or reward taken twice, never, or from the wrong side?",
    "Does each division round in favor of the protocol, and what does an attacker gain from many small calls?",
    "Can the first depositor, or a donation, set the price of a share?",
    "Is a pending amount paid out before the balance that it depends on changes, and is it updated on every path?",
    "Are amounts with different decimals or units added, compared or divided?",
    "Is the amount received counted, or the amount requested, if a token may take a fee or rebase?",
    "What happens if the same account is on both sides, or the same item is in a list twice?",
    "Can a step of a sequence (approve, start, wait, finish) be skipped or repeated?",
  ],
}
