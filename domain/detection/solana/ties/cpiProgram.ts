import { oncePer } from "../../oncePer.ts"
import { guaranteed, type CallEvent, callsNamed } from "../../rust/terms/events.ts"
import { type Facts, factsOn } from "../../rust/terms/facts.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { isApproved, isProven } from "../authority/approval.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"
import { checksOf } from "../questions/checks.ts"
import { accountOfKey } from "../questions/identity.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { accountAt, cpisOf, isFromCaller } from "../questions/questions.ts"

/** A call of a program that the caller may choose. */
export interface OpenCpi {
  readonly event: CallEvent
  /** The program's account, or its address if that is an argument. */
  readonly program: Term
  readonly signerSeeds: Term | undefined
  /** Whether the library's own builder or wrapper rejects other programs. */
  readonly refusedByLibrary: boolean
}

const checkingBuilder = /(^|::)(spl_(token|token_2022|associated_token_account)(_interface)?|anchor_spl)::/

/** Whether nothing on the successful paths through a call determines which program is called. */
const isOpen = (instruction: Instruction, event: CallEvent, program: Term): boolean => {
  const account = accountOfKey(program)
  const facts = guaranteed(event)
  const known = accountAt(instruction, account)
  if (known !== undefined) {
    if (known.wrapper !== "raw") return false
  } else if (isElementOfAccounts(account)) {
    // A list element has no declaration that could say more, unless the list is a part of what was proven.
    if (account.kind === "element" && isProven(instruction, account.base)) return false
  } else if (!isFromCaller(instruction, program) || isApprovedOf(instruction, program)) return false
  if (
    checksOf(account, facts).some(({ kind }) => kind === "key" || kind === "pda" || kind === "type" || kind === "call")
  )
    return false
  const own = keyOf(instruction.walk.terms, account)
  // `lib.key == find_program_address(seeds, program).0`; `settings.whitelist.contains(&Entry { program_id })`.
  if (naming(facts, own).some((fact) => isDerivedBy(fact, own) || (fact.kind === "call" && isStoredIn(fact))))
    return false
  return (
    known !== undefined ||
    !naming(facts, program).some((fact) => fact.kind === "call" || fact.left === program || fact.right === program)
  )
}

type Naming = Extract<Term, { readonly kind: "binary" | "call" }>

const isNaming = (fact: Term): fact is Naming => fact.kind === "binary" || fact.kind === "call"

const factsNaming = factsOn(oncePer((fact: Term): ReadonlySet<Term> => everySubterm(isNaming(fact) ? [fact] : [])))

/** The comparisons and calls among the facts that mention a term. */
const naming = (facts: Facts, term: Term): ReadonlyArray<Naming> => factsNaming(facts, term).filter(isNaming)

/** Whether another account is at an address of the program. */
const isDerivedBy = (fact: Naming, program: Term): boolean =>
  fact.kind === "binary" &&
  fact.operator === "==" &&
  mentions(
    fact,
    (one) =>
      one.kind === "call" && one.name.endsWith("program_address") && one.args.length > 1 && one.args.at(-1) === program,
  )

const isStoredIn = (fact: Term): boolean => mentions(fact, (one) => accountOfState(one) !== undefined)

/** Everything it is derived from that the caller chooses. */
const isApprovedOf = (instruction: Instruction, program: Term): boolean =>
  instruction.arguments
    .filter(({ term }) => mentions(program, (one) => one === term))
    .every(({ term }) => isApproved(instruction, term))

const isElementOfAccounts = (term: Term): boolean => {
  if (term.kind !== "element") return false
  const root = rootOf(term)
  return mentions(term, (one) => one.kind === "field" && one.name === "remaining_accounts") || root.kind === "parameter"
}

const partOf = (context: Term, name: string): Term | undefined =>
  context.kind === "struct" && context.path === "CpiContext"
    ? context.fields.find(([own]) => own === name)?.[1]
    : undefined

const contextProgram = (event: CallEvent): { program: Term; signerSeeds: Term | undefined } | undefined => {
  const { term } = event.result
  const program = partOf(term, "program")
  return program === undefined ? undefined : { program, signerSeeds: partOf(term, "signer_seeds") }
}

/** What identifies a context: itself, and what it was derived from. */
const keysOf = (context: Term): ReadonlyArray<string> => {
  const accounts = partOf(context, "accounts")
  return accounts === undefined
    ? [`${context.id}`]
    : [`${context.id}`, `${accounts.id} ${partOf(context, "program")?.id}`]
}

/**
 * Whether a context, possibly with seeds or accounts added since its creation, goes only to wrappers of anchor_spl:
 * they build for the token program, whatever account is passed.
 */
const goesToLibrary = (cpis: ReadonlyArray<Cpi>): ((context: Term) => boolean) => {
  const found = new Map<string, boolean>()
  for (const { event, instruction } of cpis) {
    const isLibrary = /(^|::)anchor_spl::/.test(instruction)
    for (const one of everySubterm(event.args.map(({ term }) => term)))
      if (one.kind === "struct" && one.path === "CpiContext")
        for (const key of keysOf(one)) found.set(key, isLibrary && found.get(key) !== false)
  }
  return (context) => {
    const known = keysOf(context).map((key) => found.get(key))
    return known.includes(true) && !known.includes(false)
  }
}

/** Calls of programs that nothing determines: the CPI's context if it has one, otherwise the `invoke`. */
export const openCpisOf = (instruction: Instruction): ReadonlyArray<OpenCpi> => {
  const found: Array<OpenCpi> = []
  const cpis: ReadonlyArray<Cpi> = cpisOf(instruction)
  const isRefused = goesToLibrary(cpis)
  for (const event of callsNamed(instruction.events, /^new(_with_signer)?$/)) {
    const context = contextProgram(event)
    if (context === undefined || !isOpen(instruction, event, context.program)) continue
    found.push({ event, ...context, refusedByLibrary: isRefused(event.result.term) })
  }
  for (const cpi of cpis) {
    const { event, program, signerSeeds } = cpi
    if (program === undefined || event.args.some(({ term }) => term.kind === "struct" && term.path === "CpiContext"))
      continue
    if (!isOpen(instruction, event, program)) continue
    found.push({ event, program, signerSeeds, refusedByLibrary: checkingBuilder.test(cpi.instruction) })
  }
  return found
}
