import { guaranteed } from "../../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { isAuthorized } from "../authority/authority.ts"
import { isBalanceQuery } from "../questions/balanceQueries.ts"
import { foundBySender, idleFacts, senderQuestions } from "../authority/callerIdentity.ts"
import { type Asked, isChosen, isVerified, type OpenPower } from "../authority/openness.ts"
import type { OutgoingMessage } from "../program/model.ts"
import { paymentOf } from "../questions/payments.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { forgetsOwner } from "../authority/records.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"

// Messages through which a contract governs others, takes its rewards or pays.

/** Whether it equals stored data, which everyone can read and repeat. */
const isRepeated = ({ entry: { message } }: Asked, fact: Term): boolean => {
  if (fact.kind !== "binary" || fact.operator !== "==") return false
  const isSaid = (one: Term): boolean => rootOf(one) === message
  const isKept = (one: Term): boolean => storedPlace(one) !== undefined
  return (isSaid(fact.left) && isKept(fact.right)) || (isSaid(fact.right) && isKept(fact.left))
}

/** Whether a value from the caller is tested; `mentionsCaller` determines what counts as such. */
const isTested = (asked: Asked, mentionsCaller: typeof mentions): boolean => {
  const { entry, handler } = asked
  const { sender, message } = entry
  const idle = idleFacts(handler)
  // For alternatives, each has to test it.
  const asksCaller = (fact: Term): boolean =>
    fact.kind === "binary" && fact.operator === "||"
      ? asksCaller(fact.left) && asksCaller(fact.right)
      : mentionsCaller(fact, (one) => one === message || one === sender)
  return [...handler.facts].some(
    (fact) =>
      // Having to differ from somebody is not a permission.
      (fact.kind === "binary" ? fact.operator !== "!=" : fact.kind === "succeeded" || isVerified(fact)) &&
      asksCaller(fact) &&
      !idle.has(fact) &&
      !isRepeated(asked, fact) &&
      // A valid address proves nothing; one that matches a proof does.
      !mentions(
        fact,
        (one) => isBalanceQuery(one) || (one.kind === "call" && one.name === "addr_validate" && !isVerified(fact)),
      ) &&
      !(
        fact.kind === "succeeded" &&
        fact.call.kind === "call" &&
        /^(mapped|to_(json_)?(binary|vec|string))$/.test(fact.call.name)
      ),
  )
}

/** The answer of a stored contract, such as a factory that was queried for a pair: nobody chooses it. */
const isAnswered = (asked: Asked, to: Term): boolean => {
  if (to.kind === "choice") return to.alternatives.every((one) => !isChosen(asked, one) || isAnswered(asked, one))
  const answer = rootOf(to)
  if (answer.kind !== "call" || !answer.name.startsWith("query")) return false
  const isStored = (one: Term): boolean => storedPlace(one) !== undefined
  const target = queriedContract(answer)
  return target === undefined
    ? answer.args.some((one) => mentions(one, isStored) && !isChosen(asked, one))
    : mentions(target, isStored) && !isChosen(asked, target)
}

/** A member of a collection that was computed from stored entries: the caller chooses which of them, at most. */
const isGathered = (asked: Asked, to: Term): boolean => {
  if (to.kind === "choice") return to.alternatives.every((one) => !isChosen(asked, one) || isGathered(asked, one))
  const root = rootOf(to)
  return root !== to && mentions(root, (one) => storedPlace(one) !== undefined)
}

/** The contract that a query asks: `contract_addr`, anywhere in it. */
const queriedContract = (query: Term): Term | undefined => {
  let found: Term | undefined
  mentions(query, (one) => {
    if (one.kind === "struct") found = one.fields.find(([name]) => name === "contract_addr")?.[1]
    return found !== undefined
  })
  return found
}

/** A flash loan: the contract then calls itself with what it held before, and compares. */
const isRepaidInCall = ({ entry: { env }, handler }: Asked, paid: OutgoingMessage): boolean =>
  outgoingMessages(handler.events).some(({ fields, event }) => {
    const [to, content] = [fields.get("contract_addr"), fields.get("msg")]
    return (
      event.order > paid.event.order &&
      to !== undefined &&
      content !== undefined &&
      mentions(to, (one) => one === env) &&
      mentions(content, isBalanceQuery)
    )
  })

/** Whether the sender receives the contents of such a record. */
const isFoundForSender = ({ entry, handler }: Asked, to: Term, fields: ReadonlyMap<string, Term>): boolean => {
  const own = foundBySender(handler)
  if (mentionsApart(to, (one) => one === entry.message)) return false
  return [...fields.values()].some((one) =>
    mentions(one, (part) => {
      const container = storedPlace(part)?.container
      return container !== undefined && own.has(container)
    }),
  )
}

/** Code of the caller's choice that runs as a contract made, and possibly administered, by this one. */
export const openCode = ({ entry, handler }: Asked): OpenPower | undefined => {
  // An administrator who need not exist is checked on some paths.
  const isStored = (one: Term): boolean => storedPlace(one) !== undefined
  if (senderQuestions(handler).some(({ against }) => mentions(against, isStored))) return undefined
  const made = outgoingMessages(handler.events).find(({ fields, event }) => {
    const code = fields.get("code_id")
    if (code === undefined || rootOf(code) !== entry.message || isAuthorized(entry, guaranteed(event))) return false
    return ![...guaranteed(event)].some((fact) => mentions(fact, (one) => one === code))
  })
  return made === undefined
    ? undefined
    : {
        event: made.event,
        message: "Anyone can have the contract instantiate code of their choice.",
        severity: "medium",
        confidence: "medium",
      }
}

/** Messages through which the contract governs others, takes its rewards or pays. */
export const openMessage = (asked: Asked): OpenPower | undefined => {
  const { entry, handler, authorities } = asked
  const { sender, message } = entry
  const isCaller = (one: Term): boolean => one === message || one === sender
  const sent = outgoingMessages(handler.events)
  // A contract that the sender named when queried is the sender's own concern.
  const governing = sent.find(({ path, fields }) => {
    if (!/^WasmMsg::(Migrate|UpdateAdmin|ClearAdmin)$/.test(path)) return false
    const of = fields.get("contract_addr")
    return of === undefined || !mentions(of, (one) => one === sender)
  })
  if (governing !== undefined && !isTested(asked, mentionsApart))
    return {
      event: governing.event,
      message: "Anyone can make the contract use its rights as the admin of another contract.",
    }
  const rewards = sent.find(({ path, fields }) => {
    const to = path === "DistributionMsg::SetWithdrawAddress" ? fields.get("address") : undefined
    return to !== undefined && mentionsApart(to, isCaller)
  })
  if (rewards !== undefined && senderQuestions(handler).length === 0 && !isTested(asked, mentionsApart))
    return {
      event: rewards.event,
      message: "Anyone can send the contract's staking rewards to an address of their choice.",
    }
  if (!isTested(asked, forgetsOwner(entry, handler, authorities) ? mentionsApart : mentions))
    for (const one of sent) {
      const payment = paymentOf(one)
      if (
        payment !== undefined &&
        mentionsApart(payment.to, isCaller) &&
        !isAnswered(asked, payment.to) &&
        !isGathered(asked, payment.to) &&
        !isRepaidInCall(asked, one) &&
        !isFoundForSender(asked, payment.to, one.fields)
      )
        return {
          event: one.event,
          message: "Anyone can send the contract's funds to an address of their choice.",
          ...(payment.isToken ? { confidence: "medium" as const } : {}),
        }
    }
  return undefined
}
