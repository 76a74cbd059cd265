import { mentions, type Term, type TermTable } from "../rust/terms/terms.ts"
import type { EntryPoint } from "./model.ts"

/** `env.contract.address` */
export const ownAddress = (terms: TermTable, { env }: EntryPoint): Term | undefined =>
  env === undefined ? undefined : terms.field(terms.field(env, "contract"), "address")

const isQuestion = (term: Term, variants: RegExp): boolean =>
  (term.kind === "struct" || term.kind === "constant") && variants.test(term.path)

/** A query of what an account holds now: bank coins or cw20 tokens. */
export const isBalanceQuery = (term: Term): boolean => {
  if (term.kind !== "call") return false
  if (/^query_((all_)?balances?|token_balance|balance_\w+)$/.test(term.name)) return true
  if (term.name === "balance" && term.path === "" && term.args.length >= 3) return true
  if (!/^query(_wasm_smart)?$/.test(term.name)) return false
  return term.args.some((one) => mentions(one, (part) => isQuestion(part, /::(Balance|AllBalances)$/)))
}

/** A query of what a pool holds on both of its sides at this moment. */
export const isPoolQuery = (term: Term): boolean =>
  term.kind === "call" &&
  /^query(_wasm_smart)?$/.test(term.name) &&
  term.args.some((one) => mentions(one, (part) => isQuestion(part, /::(Pool|Reserves|PoolInfo)$/)))

/** A query of which or how many tokens an account holds, such as the paginated `Tokens` of cw721. */
export const isHoldingsQuery = (term: Term): boolean =>
  term.kind === "call" &&
  (/^query_(tokens|nfts?|owned_tokens)$/.test(term.name) ||
    (/^query(_wasm_smart)?$/.test(term.name) &&
      term.args.some((one) =>
        mentions(one, (part) => isQuestion(part, /::(Tokens|AllTokens|NumTokens|OwnerTokens)$/)),
      )))
