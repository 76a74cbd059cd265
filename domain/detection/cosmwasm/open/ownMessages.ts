import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isBalanceQuery } from "../questions/balanceQueries.ts"
import type { CosmWasmCrate, Handler } from "../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../questions/questions.ts"
import { isComputedFrom } from "../program/semantics.ts"

const variantOf = (path: string): string => path.split("::").slice(-2).join("::")

/** `ExecuteMsg::Callback > CallbackMsg::Done` for `ExecuteMsg::Callback(CallbackMsg::Done {})`. */
const messageOf = (term: Term, depth = 0): string | undefined => {
  if (term.kind === "constant") return term.path.includes("::") ? variantOf(term.path) : undefined
  if (term.kind !== "struct" || !term.path.includes("::")) return undefined
  const [only, ...others] = term.fields
  const inner = only === undefined || others.length > 0 || depth > 4 ? undefined : messageOf(only[1], depth + 1)
  return inner === undefined ? variantOf(term.path) : `${variantOf(term.path)} > ${inner}`
}

/** The messages that a contract sends to itself, by name. */
const sentToItself = ({ entryPoints }: CosmWasmCrate): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { events, env } of entryPoints)
    for (const { path, fields } of outgoingMessages(events)) {
      const [to, message] = [fields.get("contract_addr"), fields.get("msg")]
      if (path !== "WasmMsg::Execute" || to === undefined || message?.kind !== "call" || env === undefined) continue
      if (!mentions(to, (one) => one === env)) continue
      const name = message.args[0] === undefined ? undefined : messageOf(message.args[0])
      if (name !== undefined) found.add(name)
    }
  return found
}

/** Whether it requires the contract itself as the caller. */
const isOwnCall = ({ entry: { sender, env }, facts }: Handler): boolean =>
  sender !== undefined &&
  comparisonsOf(sender, facts).some(
    ({ operator, against }) => operator !== "!=" && mentions(against, (one) => one === env),
  )

/** `CallbackMsg` of `ExecuteMsg::Callback > CallbackMsg::Done`. */
const familyOf = ({ message }: Handler): string => message.slice(message.lastIndexOf(" ") + 1).split("::")[0]!

/** Handlers of messages that a contract sends to itself. */
export const selfSent = (crate: CosmWasmCrate): ReadonlySet<Handler> => {
  const sent = sentToItself(crate)
  return new Set(
    crate.entryPoints
      .filter(({ kind }) => kind === "execute")
      .flatMap(({ handlers }) => handlers)
      .filter(({ message }) => [...sent].some((one) => message === one || message.endsWith(` > ${one}`))),
  )
}

/** Whether it spends what the contract holds at that moment, in a way that the caller chooses. */
const spendsHoldings = ({ entry: { env, message }, events }: Handler): boolean =>
  outgoingMessages(events).some(({ fields }) => {
    const values = [...fields.values()]
    return (
      values.some((one) => isComputedFrom(one, (part) => part === message)) &&
      values.some((one) => mentions(one, (part) => isBalanceQuery(part) && mentions(part, (inner) => inner === env)))
    )
  })

/**
 * Handlers of messages that a contract sends to itself and that are meant for it alone, judging by their names, by
 * siblings that require it, or by what they do with its holdings.
 */
export const ownMessages = (sent: ReadonlySet<Handler>): ReadonlySet<Handler> => {
  const own = [...sent]
  const asked = new Set(own.filter(isOwnCall).map(familyOf))
  const isMeant = (one: Handler): boolean =>
    asked.has(familyOf(one)) || /callback|internal/i.test(one.message) || spendsHoldings(one)
  return new Set(own.filter((one) => !isOwnCall(one) && isMeant(one)))
}
