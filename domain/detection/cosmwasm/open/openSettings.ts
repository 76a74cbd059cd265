import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import type { EntryPoint } from "../program/model.ts"
import { asksClock } from "../questions/blockTime.ts"
import { type Asked, isAllowed, isComputed, isFoundFree, type OpenPower } from "../authority/openness.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { pathsBy, paysNamed } from "../authority/records.ts"
import { mentionsApart, storedPlace } from "../program/semantics.ts"
import { ignoresCaller } from "../authority/senderConcern.ts"
import { savedWrites, storageWrites } from "../questions/storageWrites.ts"
import { eventTerms } from "../questions/touches.ts"

// What no stranger may change, remove or say in the name of a contract that has trusted accounts.

const ownVoice =
  /^(StakingMsg::(Delegate|Undelegate|Redelegate)|DistributionMsg::(SetWithdrawAddress|FundCommunityPool)|WasmMsg::Instantiate2?|GovMsg::Vote\w*)$/

/** A contract of the caller's choice, about which this contract knows nothing. */
const isNamedByCaller = (message: Term | undefined, called: Term, event: Event): boolean => {
  const named = called.kind === "call" && called.name === "addr_validate" ? called.args[0] : called
  return (
    named !== undefined &&
    rootOf(named) === message &&
    // It is the key of an entry that exists, or a contract that is known answered for it.
    ![...guaranteed(event)].some(
      (fact) => mentions(fact, (one) => storedPlace(one) !== undefined) && mentions(fact, (one) => one === named),
    )
  )
}

/** `Vote { … }` in what is sent to another contract. */
const isVote = (message: Term | undefined): boolean =>
  message?.kind === "call" && message.args.some((one) => one.kind === "struct" && /::(Cast)?Votes?$/.test(one.path))

/** Whether the contract calls a target of the caller's choice, or votes. */
const isOwnCall = ({ message }: EntryPoint, event: Event): boolean => {
  const [sent] = outgoingMessages([event])
  const called = sent?.path === "WasmMsg::Execute" ? sent.fields.get("contract_addr") : undefined
  return called !== undefined && (isNamedByCaller(message, called, event) || isVote(sent?.fields.get("msg")))
}

/**
 * Whether the contract sends a message about its own assets or rights: staking, instances, and messages of chain
 * modules that it signs.
 */
const isOwnVoice = ({ env, message }: EntryPoint, event: Event): boolean => {
  const [sent] = outgoingMessages([event])
  if (sent !== undefined && ownVoice.test(sent.path)) return true
  // Coins that the caller requests, but for a stored account.
  const coins = sent?.path === "BankMsg::Send" ? sent.fields.get("amount") : undefined
  if (coins !== undefined && rootOf(coins) === message) return true
  const made = event.kind === "struct" && event.value.term.kind === "struct" ? event.value.term : undefined
  return (
    made !== undefined &&
    /(^|::)Msg[A-Z]\w*$/.test(made.path) &&
    made.fields.some(
      ([, value]) => value.kind === "field" && value.name === "address" && mentions(value, (one) => one === env),
    )
  )
}

/** Whether it creates a contract that is given no coins: anyone could have created it, though not in this name. */
const isFactory = (event: Event): boolean => {
  const [made] = outgoingMessages([event])
  const funds = made?.path.startsWith("WasmMsg::Instantiate") === true ? made.fields.get("funds") : undefined
  return funds?.kind === "list" && funds.elements.length === 0
}

/** What a condition requires to exist, including that `entry.ok_or(…)?` succeeded. */
const foundIn = (fact: Term): Term | undefined => {
  if (fact.kind === "is") return fact.variant === "Some" ? fact.value : undefined
  return fact.kind === "succeeded" ? fact.call : undefined
}

/** Whether its records name an account that some message compares the sender with. */
const isOwned = (authorities: ReadonlySet<string>, { id }: Term): boolean => pathsBy(authorities).has(`${id}`)

/** Where a message that does nothing else adds its argument to a list that other messages consult, or removes it. */
const openList = ({ entry, handler, lists }: Asked): Event | undefined => {
  if (outgoingMessages(handler.events).length > 0) return undefined
  const isAsked = (container: Term): boolean => {
    const by = lists.get(container)
    return by !== undefined && (by.size > 1 || !by.has(handler))
  }
  return storageWrites(handler.events).find(
    ({ container, key, value, event }) =>
      key !== undefined &&
      mentionsApart(key, (one) => one === entry.message) &&
      isAsked(container) &&
      (event.operator === "remove" ||
        (!isFoundFree({ handler }, container) &&
          !mentions(value, (one) => one === entry.message || one === entry.env))),
  )?.event
}

/** What no stranger may change in a contract that has trusted accounts: its settings, and actions in its own name. */
export const openToAll = (asked: Asked): OpenPower | undefined => {
  const { entry, handler, authorities, privileged, config } = asked
  const chosen = (term: Term | undefined): boolean =>
    term !== undefined && mentionsApart(term, (one) => one === entry.message)
  if (!ignoresCaller(entry, handler)) return undefined
  const isOpen = (event: Event): boolean => ![...guaranteed(event)].some((fact) => isAllowed(entry, fact))
  const exists = (container: Term, key: Term | undefined, event: Event): boolean =>
    key === undefined
      ? config.has(container)
      : [...handler.facts, ...guaranteed(event)].some((fact) => {
          const found = foundIn(fact)
          const place = found === undefined ? undefined : storedPlace(found)
          return place?.container === container && place.key === key
        })
  // A time may let anyone act, but not choose what stands beside that which only trusted senders choose.
  const isOpenBeside = (container: Term, event: Event): boolean =>
    pathsBy(privileged).has(`${container.id}`) &&
    ![...guaranteed(event)].some((fact) => isAllowed(entry, fact) && !asksClock(entry, fact))
  const setting = savedWrites(handler.events).find(
    ({ container, key, path, value, event }) =>
      path !== "" &&
      chosen(value) &&
      !isComputed(value) &&
      exists(container, key, event) &&
      (isOpen(event) || (key === undefined && isOpenBeside(container, event))),
  )
  if (setting !== undefined)
    return {
      event: setting.event,
      message: "Anyone can change this setting.",
      confidence: "medium",
      ...(isOpen(setting.event) ? {} : { severity: "high" as const }),
    }
  const removed = storageWrites(handler.events).find(
    ({ container, key, event }) =>
      event.operator === "remove" &&
      isOwned(authorities, container) &&
      (key === undefined || chosen(key)) &&
      isOpen(event),
  )
  if (removed !== undefined && !paysNamed(handler, removed.container))
    return {
      event: removed.event,
      message: "Anyone can remove an entry that belongs to someone else.",
      confidence: "medium",
    }
  const listed = openList(asked)
  if (listed !== undefined && isOpen(listed))
    return {
      event: listed,
      message: "Anyone can change a list that other messages consult.",
      severity: "medium",
      confidence: "medium",
    }
  const isSaid = (event: Event): boolean => eventTerms(event).some(chosen) && isOpen(event)
  const message = "Anyone can make the contract do this in its own name."
  const said = handler.events.find((event) => isOwnVoice(entry, event) && isSaid(event))
  if (said !== undefined)
    return { event: said, message, confidence: "medium", ...(isFactory(said) ? { severity: "low" as const } : {}) }
  const called = handler.events.find((event) => isOwnCall(entry, event) && isSaid(event))
  return called === undefined ? undefined : { event: called, message, severity: "medium", confidence: "medium" }
}
