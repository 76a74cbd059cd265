import type { Term } from "../../rust/terms/terms.ts"
import type { Handler, OutgoingMessage } from "../program/model.ts"
import { outgoingMessages } from "./questions.ts"

/** Coins or tokens that leave the contract. */
export interface Payment {
  readonly event: OutgoingMessage["event"]
  readonly to: Term
  readonly amount: Term | undefined
  readonly isToken: boolean
}

const tokenMessages = /::(Transfer|Send|Mint|TransferNft|SendNft)$/

/** The tokens that a message to a cw20 or cw721 contract moves or mints, and their recipient. */
export const tokensIn = (
  message: Term | undefined,
): { readonly to: Term; readonly amount: Term | undefined } | undefined => {
  const call = message?.kind === "call" && /^to_(json_)?binary$/.test(message.name) ? message.args[0] : undefined
  if (call?.kind !== "struct" || !tokenMessages.test(call.path)) return undefined
  const of = (...names: ReadonlyArray<string>) => call.fields.find(([name]) => names.includes(name))?.[1]
  const to = of("recipient", "contract")
  return to === undefined ? undefined : { to, amount: of("amount") }
}

/** The recipients of a message's payments, by the bank or by a token contract. */
export const paymentOf = ({ path, fields, event }: OutgoingMessage): Payment | undefined => {
  const to = path === "BankMsg::Send" || path.startsWith("Asset::") ? fields.get("to_address") : undefined
  if (to !== undefined) return { event, to, amount: fields.get("amount"), isToken: path.startsWith("Asset::") }
  const tokens = tokensIn(fields.get("msg"))
  return tokens === undefined ? undefined : { event, ...tokens, isToken: true }
}

/** `CosmosMsg::Bank(…)` around a message that counts by itself. */
const isWrapper = ({ path }: OutgoingMessage): boolean => /^(SubMsg::new|CosmosMsg::(Bank|Wasm))$/.test(path)

/** The payments of one message; undefined if it sends anything else. */
export const onlyPayments = ({ events }: Handler): ReadonlyArray<Payment> | undefined => {
  const found: Array<Payment> = []
  for (const one of outgoingMessages(events)) {
    if (isWrapper(one)) continue
    const payment = paymentOf(one)
    if (payment === undefined) return undefined
    found.push(payment)
  }
  return found
}
