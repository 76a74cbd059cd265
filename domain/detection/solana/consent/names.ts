/** Names of accounts and stored keys that stand for authorized accounts. */
export const authority =
  /(^|_)(authority|owner|admin|manager|operator|guardian|creator|delegate|signer|user|payer|maker|initializer)$/

/** Parties to a deal: if nobody signs at all, their stored keys represent their consent. */
export const party =
  /(^|_)(seller|buyer|lister|lender|borrower|staker|depositor|funder|grantor|proposer|governor|council|keeper|minter)$/

/** Names of stored keys that are nobody's. */
export const thing = /(^|_)(mint|token|vault|pool|market|reserve|program|oracle|feed)$/

/** Who acts on what belongs to others: what they may do, the records themselves say. */
export const outsider = /(^|_)(liquidator|keeper|filler|crank|cranker|executor|settler|relayer)$/

/** Whoever pays, or calls. */
export const payer = /(^|_)(payer|fee_payer|funder|caller|anyone|cranker?|bot|sender)$/

export const lastPart = (name: string): string =>
  name
    .split(".")
    .at(-1)!
    .replace(/_(info|account|acc|ai)$/, "")
