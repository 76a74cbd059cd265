import { type Event, guaranteed } from "../rust/terms/events.ts"
import { anyFact, type Facts } from "../rust/terms/facts.ts"
import { everySubterm, mentions, rootOf, type Term } from "../rust/terms/terms.ts"
import { isAuthorized, isPresence } from "./authority.ts"
import { isBalanceQuery } from "./balanceQueries.ts"
import { aheadIn, asksClock, isDue } from "./blockTime.ts"
import { foundBySender, idleFacts, namesOfSender, senderQuestions } from "./callerIdentity.ts"
import { isUnheeded } from "./libraryChecks.ts"
import type { EntryPoint, Handler } from "./model.ts"
import { paymentOf } from "./payments.ts"
import { type Comparison, outgoingMessages } from "./questions.ts"
import { forgetsOwner, idleAuthority, isTied, isVouchedFor, paysNamed } from "./records.ts"
import { placeKey, storageWrites } from "./storageWrites.ts"
import { isComputedFrom, mentionsApart, mentionsOutside, storedPlace } from "./semantics.ts"
import { eventTerms, touches } from "./touches.ts"
import { unusedAnswer } from "./unusedAnswers.ts"

const arithmetic = /^(checked|saturating|wrapping|overflowing)_|^(add|sub|mul|div|multiply_ratio|mul_floor|mul_ceil)$/

const isComputed = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "binary" || (one.kind === "call" && arithmetic.test(one.name)))

const conditions = new WeakMap<EntryPoint, (facts: Facts) => boolean>()

/** Whether nothing about the sender, the stored state, the time or the payment has to hold. */
const isUnconditional = (entry: EntryPoint, event: Event): boolean => {
  const { sender, env, funds } = entry
  let isConditional = conditions.get(entry)
  if (isConditional === undefined) {
    isConditional = anyFact(
      (fact) =>
        !isPresence(fact) &&
        mentions(fact, (one) => one === sender || one === env || one === funds || storedPlace(one) !== undefined),
    )
    conditions.set(entry, isConditional)
  }
  return !isConditional(guaranteed(event))
}

/** Whether the result of a sender check is dropped. */
export const isLostCheck = ({ sender }: EntryPoint, event: Event): boolean =>
  event.kind === "call" &&
  isUnheeded(event) &&
  sender !== undefined &&
  event.args.some(({ term }) => mentions(sender, (one) => one === term) || mentions(term, (one) => one === sender))

/** Whether a comparison involves both; for alternatives, each has to. */
const comparesBoth = (fact: Term, one: (term: Term) => boolean, other: (term: Term) => boolean): boolean => {
  if (fact.kind !== "binary") return false
  if (fact.operator === "||") return comparesBoth(fact.left, one, other) && comparesBoth(fact.right, one, other)
  return mentions(fact, one) && mentions(fact, other)
}

/** The message may not include coins: checking that is not a payment. */
export const takesNothing = ({ events, facts }: Handler): boolean =>
  events.some((event) => event.kind === "call" && event.name === "nonpayable") ||
  [...facts].some(
    (fact) =>
      fact.kind === "call" &&
      fact.name === "is_empty" &&
      mentions(fact, (one) => one.kind === "field" && one.name.endsWith("funds")),
  )

/** One of several fixed values that the caller chooses. */
const isPicked = (value: Term): boolean =>
  value.kind === "choice" && value.alternatives.every((one) => one.kind === "struct" || one.kind === "constant")

/** Whether a function has confirmed that the caller's value matches stored data: a proof, or a list. */
const isVerified = (fact: Term): boolean =>
  fact.kind === "call" && mentions(fact, (one) => storedPlace(one) !== undefined)

const excludedMemo = new WeakMap<Handler, ReadonlySet<Term>>()

/** Accounts that the sender has to differ from, whatever else holds: everyone else is let through. */
const excluded = (handler: Handler): ReadonlySet<Term> => {
  let found = excludedMemo.get(handler)
  if (found === undefined) {
    const sides = [...handler.facts].flatMap((fact) =>
      fact.kind === "binary" && excludesSender(handler.entry, fact) ? [fact.left, fact.right] : [],
    )
    excludedMemo.set(handler, (found = new Set(sides)))
  }
  return found
}

const isExclusion = (handler: Handler, { fact }: Comparison): boolean =>
  fact.kind === "binary" &&
  (fact.operator === "==" || fact.operator === "!=") &&
  excluded(handler).has(fact.left) &&
  excluded(handler).has(fact.right)

const excludesSender = ({ sender }: EntryPoint, fact: Term): boolean =>
  fact.kind === "binary" && fact.operator === "!=" && (fact.left === sender || fact.right === sender)

/** Whether the caller's identity and payment affect the conditions, the writes or the messages. */
export const asksNobody = (entry: EntryPoint, handler: Handler): boolean => {
  const { sender, funds } = entry
  const about = (term: Term | undefined): boolean =>
    term !== undefined && mentions(term, (one) => one === sender || (one === funds && !takesNothing(handler)))
  if (senderQuestions(handler).some((one) => !isExclusion(handler, one))) return false
  if ([...handler.facts].some((fact) => fact.kind === "call" && fact.name !== "fundsChecked" && about(fact)))
    return false
  return (
    !storageWrites(handler.events).some(
      ({ key, value, event }) => about(key) || about(value) || isAuthorized(entry, event.facts),
    ) &&
    !outgoingMessages(handler.events).some(
      ({ fields, event }) => [...fields.values()].some(about) || isAuthorized(entry, event.facts),
    )
  )
}

/**
 * Whether the caller's value is compared with stored data, as with a proof, a signature or a lookup, or the time
 * permits it.
 */
const isAllowed = (entry: EntryPoint, fact: Term): boolean => {
  const { message } = entry
  if (fact.kind === "is" || isPresence(fact)) return false
  if (asksClock(entry, fact)) return true
  return (
    (fact.kind !== "binary" || fact.operator === "==") &&
    mentions(fact, (one) => one === message) &&
    mentionsApart(fact, (one) => storedPlace(one) !== undefined)
  )
}

const ownVoice =
  /^(StakingMsg::(Delegate|Undelegate|Redelegate)|DistributionMsg::(SetWithdrawAddress|FundCommunityPool)|WasmMsg::Instantiate2?|GovMsg::Vote\w*)$/

/** A contract of the caller's choice, of which the contract knows nothing. */
const isNamedByCaller = (message: Term | undefined, called: Term, event: Event): boolean => {
  const named = called.kind === "call" && called.name === "addr_validate" ? called.args[0] : called
  return (
    named !== undefined &&
    rootOf(named) === message &&
    ![...guaranteed(event)].some((fact) => {
      const found = foundIn(fact)
      const key = found === undefined ? undefined : storedPlace(found)?.key
      return key !== undefined && mentions(key, (one) => one === named)
    })
  )
}

/** `Vote { … }` in what is sent to another contract. */
const isVote = (message: Term | undefined): boolean =>
  message?.kind === "call" && message.args.some((one) => one.kind === "struct" && /::(Cast)?Votes?$/.test(one.path))

/**
 * Whether the contract sends a message about its own assets or rights: staking, instances, and messages of chain
 * modules that it signs.
 */
const isOwnVoice = ({ env, message }: EntryPoint, event: Event): boolean => {
  const [sent] = outgoingMessages([event])
  if (sent !== undefined && ownVoice.test(sent.path)) return true
  const called = sent?.path === "WasmMsg::Execute" ? sent.fields.get("contract_addr") : undefined
  if (called !== undefined && (isNamedByCaller(message, called, event) || isVote(sent?.fields.get("msg")))) return true
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

/** What a condition requires to exist, including that `entry.ok_or(…)?` succeeded. */
const foundIn = (fact: Term): Term | undefined => {
  if (fact.kind === "is") return fact.variant === "Some" ? fact.value : undefined
  return fact.kind === "succeeded" ? fact.call : undefined
}

const ownedMemo = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()

/** Whether its records name an account that some message compares the sender with. */
const isOwned = (authorities: ReadonlySet<string>, { id }: Term): boolean => {
  let owned = ownedMemo.get(authorities)
  if (owned === undefined) {
    const ofRecords = [...authorities].filter((place) => !place.endsWith(":"))
    ownedMemo.set(authorities, (owned = new Set(ofRecords.map((place) => place.slice(0, place.indexOf(":"))))))
  }
  return owned.has(`${id}`)
}

/** What no stranger may change in a contract that has trusted accounts: its settings, and actions in its own name. */
const openToAll = ({ entry, handler, authorities, config }: Asked): OpenPower | undefined => {
  const chosen = (term: Term | undefined): boolean =>
    term !== undefined && mentionsApart(term, (one) => one === entry.message)
  if (!asksNobody(entry, handler)) return undefined
  const isOpen = (event: Event): boolean => ![...guaranteed(event)].some((fact) => isAllowed(entry, fact))
  const exists = (container: Term, key: Term | undefined, event: Event): boolean =>
    key === undefined
      ? config.has(container)
      : [...handler.facts, ...guaranteed(event)].some((fact) => {
          const found = foundIn(fact)
          const place = found === undefined ? undefined : storedPlace(found)
          return place?.container === container && place.key === key
        })
  const setting = storageWrites(handler.events).find(
    ({ container, key, path, value, event }) =>
      path !== "" && chosen(value) && !isComputed(value) && exists(container, key, event) && isOpen(event),
  )
  if (setting !== undefined)
    return { event: setting.event, message: "Anyone can change this setting.", confidence: "medium" }
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
  const said = handler.events.find(
    (event) => isOwnVoice(entry, event) && eventTerms(event).some(chosen) && isOpen(event),
  )
  return said === undefined
    ? undefined
    : { event: said, message: "Anyone can make the contract do this in its own name.", confidence: "medium" }
}

export interface OpenPower {
  readonly event: Event
  readonly message: string
  readonly severity?: "medium"
  readonly confidence?: "medium" | "low"
}

/** A message, and what is known about the contract's storage. */
interface Asked {
  readonly entry: EntryPoint
  readonly handler: Handler
  readonly authorities: ReadonlySet<string>
  readonly privileged: ReadonlySet<string>
  readonly config: ReadonlySet<Term>
}

/** Writes of a handler that nothing authorizes. */
const openWrites = ({ entry, handler }: Asked) =>
  storageWrites(handler.events).filter(
    ({ key, event }) => !isAuthorized(entry, event.facts) && (key === undefined || !isVouchedFor(entry, event.facts)),
  )

const isChosen = ({ entry: { message } }: Asked, term: Term): boolean => mentions(term, (one) => one === message)

const looked = new WeakMap<Handler, ReadonlySet<Term>>()

/** Whether an entry found in the container is checked. */
const isFoundFree = ({ handler }: Pick<Asked, "handler">, container: Term): boolean => {
  let containers = looked.get(handler)
  if (containers === undefined) {
    const parts = everySubterm([...handler.facts].filter((fact) => !isPresence(fact)))
    looked.set(handler, (containers = new Set([...parts].flatMap((one) => storedPlace(one)?.container ?? []))))
  }
  return containers.has(container)
}

/** Delegation by the sender: below the sender's own address is somebody else's. */
const isGrant = ({ entry: { sender } }: Asked, key: Term | undefined): boolean =>
  key?.kind === "list" && key.elements.length > 1 && key.elements[0] === sender

const empties = new WeakMap<Handler, ReadonlySet<string | undefined>>()

/** Keys of the places that are compared with their initial value, such as an empty address. */
const emptyPlaces = (handler: Handler): ReadonlySet<string | undefined> => {
  let places = empties.get(handler)
  if (places === undefined) {
    const compared = [...handler.facts].flatMap((fact) =>
      fact.kind === "binary" && fact.operator === "=="
        ? [[fact.left, fact.right] as const, [fact.right, fact.left] as const]
        : [],
    )
    places = new Set(compared.flatMap(([place, empty]) => (isEmptyValue(empty) ? placeKey(place) : [])))
    empties.set(handler, places)
  }
  return places
}

const isFirstTime = (handler: Handler, container: Term, path: string): boolean =>
  emptyPlaces(handler).has(`${container.id}:${path}`)

/** Whether it sets a place that has to be empty before: there is no second time. */
export const happensOnce = (handler: Handler): boolean =>
  storageWrites(handler.events).some(({ container, path }) => isFirstTime(handler, container, path))

const isEmptyValue = (term: Term): boolean =>
  (term.kind === "literal" && /^("")?$/.test(term.value)) ||
  (term.kind === "constant" && /(^|::)None$/.test(term.path)) ||
  (term.kind === "list" && term.elements.length === 0) ||
  (term.kind === "call" && term.args.every(isEmptyValue) && /^(from|new|default|unchecked|vec)$/.test(term.name))

/** Whether a time has to come first: what was announced long enough ago needs no consent. A deadline does not wait. */
const asksTime = (entry: EntryPoint, event: Event): boolean =>
  [...guaranteed(event)].some((fact) => asksClock(entry, fact) && aheadIn(entry, fact) === undefined)

/** Places that determine who is authorized, settings, and what another message guards. */
const openPlace = (asked: Asked): OpenPower | undefined => {
  const { entry, handler, authorities, privileged, config } = asked
  const { sender, message } = entry
  const chosen = (term: Term): boolean => isChosen(asked, term)
  const isInput = (one: Term): boolean => one === message || one === sender || one === entry.funds
  const compared = (container: Term): boolean =>
    [...handler.facts].some(
      (fact) =>
        !excludesSender(entry, fact) && comparesBoth(fact, isInput, (one) => storedPlace(one)?.container === container),
    )
  // A new record with an owner belongs to nobody yet: its key is not chosen by the caller, or was found to be free.
  const isNewRecord = (container: Term, key: Term | undefined): boolean =>
    key !== undefined && (!chosen(key) || isFoundFree(asked, container))
  const writes = openWrites(asked)
  for (const { container, key, path, value, event } of writes)
    if (
      authorities.has(`${container.id}:${path}`) &&
      ((chosen(value) && !isComputed(value)) || value === sender) &&
      !isNewRecord(container, key) &&
      !isGrant(asked, key) &&
      !compared(container)
    )
      return {
        event,
        message: "Any caller can take over: other messages compare the sender with the value stored here.",
        // A second deployment step: whoever is faster spoils it, and it has to be repeated.
        ...(isFirstTime(handler, container, path) ? { severity: "medium" as const } : {}),
      }
  for (const { container, path, value, event } of writes) {
    const offered = storedPlace(value)
    if (
      authorities.has(`${container.id}:${path}`) &&
      offered !== undefined &&
      offered.container !== container &&
      !asksTime(entry, event) &&
      asksNobody(entry, handler)
    )
      return {
        event,
        message: "Anyone can complete the change of administrator; the new one does not have to accept.",
        severity: "medium",
        confidence: "medium",
      }
  }
  for (const { container, key, value, event } of writes)
    if (
      key === undefined &&
      config.has(container) &&
      (chosen(value) || isPicked(value)) &&
      !isComputed(value) &&
      !compared(container) &&
      (chosen(value) || isUnconditional(entry, event))
    )
      return { event, message: "The configuration is overwritten with values from the caller.", confidence: "medium" }

  for (const { container, key, path, value, event } of writes)
    if (
      key === undefined &&
      privileged.has(`${container.id}:${path}`) &&
      ((value.kind === "literal" && value.type === "boolean") || (chosen(value) && !isComputed(value))) &&
      isUnconditional(entry, event)
    )
      return {
        event,
        message: "Another message lets only a trusted sender change this; here, anyone can.",
        confidence: "medium",
      }
  return undefined
}

/** The sender's own entry, or the sender's own coins. */
export const isOwnAffair = (handler: Handler): boolean => {
  const { entry } = handler
  const names = namesOfSender(handler)
  const isOwn = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => names.has(part))
  }
  const paysIn = (one: Term): boolean => one === entry.funds && !takesNothing(handler)
  return touches(handler, (one) => isOwn(one) || paysIn(one))
}

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

/** `contract_addr` of `WasmQuery::Smart`, anywhere in the query. */
const queriedContract = (query: Term): Term | undefined => {
  let found: Term | undefined
  mentions(query, (one) => {
    if (one.kind === "struct" && one.path.endsWith("::Smart"))
      found = one.fields.find(([name]) => name === "contract_addr")?.[1]
    return found !== undefined
  })
  return found
}

/** Whether the sender receives the contents of such a record. */
const isFoundForSender = ({ entry, handler }: Asked, to: Term, fields: ReadonlyMap<string, Term>): boolean => {
  const own = foundBySender(handler)
  if (own.size === 0 || mentionsApart(to, (one) => one === entry.message)) return false
  return [...fields.values()].some((one) =>
    mentions(one, (part) => {
      const container = storedPlace(part)?.container
      return container !== undefined && own.has(container)
    }),
  )
}

/** Messages through which the contract governs others, takes its rewards or pays. */
const openMessage = (asked: Asked): OpenPower | undefined => {
  const { entry, handler, authorities } = asked
  const { sender, message } = entry
  const isInput = (one: Term): boolean => one === message || one === sender || one === entry.funds
  const sent = outgoingMessages(handler.events)
  // A contract that the sender named when queried is the sender's own concern.
  const governing = sent.find(
    ({ path, fields }) =>
      /^WasmMsg::(Migrate|UpdateAdmin|ClearAdmin)$/.test(path) &&
      !(fields.get("contract_addr") !== undefined && mentions(fields.get("contract_addr")!, (one) => one === sender)), // checked before
  )
  if (governing !== undefined && !isTested(asked, mentionsApart))
    return {
      event: governing.event,
      message: "Anyone can make the contract use its rights as the admin of another contract.",
    }
  const rewards = sent.find(({ path, fields }) => {
    const to = path === "DistributionMsg::SetWithdrawAddress" ? fields.get("address") : undefined
    return to !== undefined && mentionsApart(to, isInput)
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
        mentionsApart(payment.to, (one) => one === message || one === sender) &&
        !isAnswered(asked, payment.to) &&
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

const isAnyKey = (term: Term): boolean => term.kind === "call" && term.name === "anyKey"

/** Other accounts' entries. */
const openEntry = (asked: Asked): OpenPower | undefined => {
  const { entry } = asked
  const { message } = entry
  for (const { container, key, value, event } of openWrites(asked)) {
    if (
      key === undefined ||
      isFoundFree(asked, container) ||
      isTied(entry, key, event.facts) ||
      (event.operator === "remove" && isDue(entry, container, event.facts)) ||
      // Of the entries found by iterating, the contract chooses which.
      !mentionsOutside(
        key,
        (one) => one.kind === "call" && one.name === "addr_validate" && isChosen(asked, one),
        isAnyKey,
      )
    )
      continue
    // Whether a record follows from itself and the time, such as interest: anyone may update it.
    if (
      event.operator === "remove" ||
      mentionsApart(value, (one) => one === message) ||
      (value.kind === "literal" && value.type === "boolean")
    )
      return { event, message: "Anyone can change the entry of any address.", confidence: "medium" }
  }
  return undefined
}

/** A place where the authorized account is loaded but never used, although the message does something. */
const forgottenAuthority = ({ entry, handler, authorities }: Asked): OpenPower | undefined => {
  const { sender } = entry
  if (sender === undefined || senderQuestions(handler).length > 0) return undefined
  if (storageWrites(handler.events).length === 0 && outgoingMessages(handler.events).length === 0) return undefined
  const event = idleAuthority(handler, authorities)
  const answer = event === undefined ? unusedAnswer(handler) : undefined
  if (answer !== undefined)
    return {
      event: answer,
      message: "The account asked for here is never compared with the sender.",
      severity: "medium",
      confidence: "medium",
    }
  if (event === undefined) return undefined
  const message = "The administrator is loaded here but never compared with the sender."
  return { event, message, severity: "medium", confidence: "medium" }
}

/** The first effect of an unauthorized message that should require authorization. */
export const openPowerOf = (
  entry: EntryPoint,
  handler: Handler,
  authorities: ReadonlySet<string>,
  privileged: ReadonlySet<string>,
  config: ReadonlySet<Term>,
): OpenPower | undefined => {
  const asked: Asked = { entry, handler, authorities, privileged, config }
  const place = openPlace(asked)
  if (place !== undefined) return place
  const forgotten = forgottenAuthority(asked)
  if (isOwnAffair(handler)) return forgotten
  return openMessage(asked) ?? openEntry(asked) ?? openToAll(asked) ?? forgotten
}

/**
 * An entry that anyone replaces with whatever they like, not even what was there before matters, in a contract that has
 * settings or trusted accounts.
 */
export const openReplacement = (
  entry: EntryPoint,
  handler: Handler,
  authorities: ReadonlySet<string>,
  privileged: ReadonlySet<string>,
  config: ReadonlySet<Term>,
): OpenPower | undefined => {
  if (config.size + authorities.size === 0 || !asksNobody(entry, handler)) return undefined
  const chosen = (term: Term | undefined): boolean =>
    term !== undefined && mentionsApart(term, (one) => one === entry.message)
  const isLookedAt = (container: Term): boolean =>
    isFoundFree({ handler }, container) ||
    handler.events.some((event) => event.kind === "read" && storedPlace(event.value.term)?.container === container)
  const replaced = storageWrites(handler.events).find(
    ({ container, key, value, event }) =>
      event.operator === "=" &&
      chosen(key) &&
      // What another contract answers is not the caller's.
      isComputedFrom(value, (one) => one === entry.message) &&
      !isComputed(value) &&
      // Where another message is trusted with the entries, this one deviates from it: a finding of its own.
      !privileged.has(`${container.id}[]`) &&
      ![...guaranteed(event)].some((fact) => isAllowed(entry, fact)) &&
      !isLookedAt(container),
  )
  return replaced === undefined
    ? undefined
    : { event: replaced.event, message: "Anyone can replace any entry of this map.", confidence: "medium" }
}

/** What a message that the contract sends to itself does, if anyone else can send it as well. */
export const openCallback = (entry: EntryPoint, handler: Handler): OpenPower | undefined => {
  const done = [...storageWrites(handler.events), ...outgoingMessages(handler.events)][0]
  if (done === undefined || !asksNobody(entry, handler)) return undefined
  if ([...guaranteed(done.event)].some((fact) => isAllowed(entry, fact))) return undefined
  return {
    event: done.event,
    message: "The contract sends this message to itself, but anyone else can send it at any time.",
    confidence: "medium",
  }
}
