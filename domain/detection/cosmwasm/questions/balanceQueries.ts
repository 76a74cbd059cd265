import { oncePerPair } from "../../oncePer.ts"
import { mentions, type Term, type TermTable } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint } from "../program/model.ts"
import { placeKey, storageWrites } from "./storageWrites.ts"

/** `env.contract.address` */
const ownAddress = (terms: TermTable, { env }: EntryPoint): Term | undefined =>
  env === undefined ? undefined : terms.field(terms.field(env, "contract"), "address")

/** Where the contract stores its own address: `state.contract_addr`, as set up. */
const keptAt = oncePerPair(
  (crate: CosmWasmCrate, terms: TermTable): ReadonlySet<string> =>
    new Set(
      crate.entryPoints
        .filter(({ kind }) => kind === "instantiate")
        .flatMap((entry) => {
          const own = ownAddress(terms, entry)
          const isOwn = (value: Term): boolean =>
            value === own || (value.kind === "call" && value.name === "addr_validate" && value.args[0] === own)
          return storageWrites(entry.events)
            .filter(({ value }) => isOwn(value))
            .map(({ container, path }) => `${container.id}:${path}`)
        }),
    ),
)

/** The terms for the contract's own address in one of its messages. */
export const isOwnAddress = (crate: CosmWasmCrate, terms: TermTable, entry: EntryPoint): ((term: Term) => boolean) => {
  const own = ownAddress(terms, entry)
  const kept = keptAt(crate, terms)
  return (term) => term === own || (kept.size > 0 && kept.has(placeKey(term) ?? ""))
}

const isQuestion = (term: Term, variants: RegExp): boolean =>
  (term.kind === "struct" || term.kind === "constant") && variants.test(term.path)

/** Whether it queries what an account holds now: bank coins or cw20 tokens. */
export const isBalanceQuery = (term: Term): boolean => {
  if (term.kind !== "call") return false
  if (/^query_((all_)?balances?|token_balance|balance_\w+)$/.test(term.name)) return true
  if (term.name === "balance" && term.path === "" && term.args.length >= 3) return true
  if (!/^query(_wasm_smart)?$/.test(term.name)) return false
  return term.args.some((one) => mentions(one, (part) => isQuestion(part, /::(Balance|AllBalances)$/)))
}

/** Whether it queries what a pool currently holds on both sides. */
export const isPoolQuery = (term: Term): boolean =>
  term.kind === "call" &&
  /^query(_wasm_smart)?$/.test(term.name) &&
  term.args.some((one) => mentions(one, (part) => isQuestion(part, /::(Pool|Reserves|PoolInfo)$/)))

/** Whether it queries which or how many tokens an account holds, such as the paginated `Tokens` of cw721. */
export const isHoldingsQuery = (term: Term): boolean =>
  term.kind === "call" &&
  (/^query_(tokens|nfts?|owned_tokens)$/.test(term.name) ||
    (/^query(_wasm_smart)?$/.test(term.name) &&
      term.args.some((one) =>
        mentions(one, (part) => isQuestion(part, /::(Tokens|AllTokens|NumTokens|OwnerTokens)$/)),
      )))
