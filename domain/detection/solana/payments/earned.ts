import { severityRank } from "../../../finding/severityRank.ts"
import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import type { Match, Rule } from "../../Rule.ts"
import { mentions } from "../../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate, SolanaProgram } from "../program/model.ts"
import { stateOf } from "../program/semantics.ts"
import { cpisOf, isMutating, usesOf } from "../questions/questions.ts"
import { linksOf } from "../ties/links.ts"
import { isAnchored } from "../ties/ties.ts"
import { writesOf } from "./stakes.ts"

/** Whoever signs, outsiders interfere with what they do, or see it beforehand. */
const isUpToOutsiders = /^solana\/(front-running|oracle-manipulation|bad-randomness|denial-of-service)\//

/** What is wrong is whose accounts are used; a wrong number, type or proof harms others also by way of one's own record. */
const isAboutWhose =
  /^solana\/(access-control|account-validation|initialization)\/(?!insecure-close|missing-owner-check|unchecked-remaining-account)/

interface Reached {
  readonly crate: SolanaCrate
  readonly instruction: Instruction
}

/** By the name of a function, the instructions that it is, or is a part of. */
const reachedBy = oncePer(({ crates }: SolanaProgram): ReadonlyMap<string, ReadonlyArray<Reached>> =>
  indexBy(
    crates.flatMap((crate) => crate.instructions.map((instruction) => ({ crate, instruction }))),
    ({ instruction: { handler, events } }) =>
      new Set([handler.qualifiedName, ...events.map((event) => event.function.qualifiedName)]),
  ),
)

const isChanged = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.close !== undefined ||
  usesOf(instruction, account).some(
    ({ kind, event }) => kind.endsWith("-write") && (kind !== "lamports-write" || event.kind === "assign"),
  )

/**
 * Whether whoever signs changes nothing but records that name them, directly or through what these store, and nothing
 * of others' is read into them, moved, or asked of other programs.
 */
const affectsOnlySender = oncePer((instruction: Instruction): boolean => {
  const signers = signersOf(instruction).filter((one) => !one.optional && isAnchored(instruction, one))
  if (signers.length === 0 || cpisOf(instruction).length > 0) return false
  const { accounts, walk } = instruction
  const isOwn = (one: Account): boolean =>
    signers.includes(one) || signers.some((signer) => linksOf(instruction).determinedBy(one).has(signer))
  const others = new Set(accounts.filter((one) => !isOwn(one)).map(({ term }) => stateOf(walk.terms, term)))
  const known = new Set(accounts.map(({ term }) => term))
  return (
    accounts.every((one) => isOwn(one) || isCreated(instruction, one) || !isChanged(instruction, one)) &&
    writesOf(instruction).every(
      ({ account, value }) => known.has(account) && !mentions(value, (part) => others.has(part)),
    )
  )
})

/**
 * Medium and above have to be earned: an outsider gains something, or spoils what belongs to others. What only
 * administrators, or the owners of everything that is changed, can do is low, and so is what changes nothing.
 */
export const earned = (rule: Rule<SolanaProgram>): Rule<SolanaProgram> => {
  const { severity, id } = rule.meta
  if (isUpToOutsiders.test(id) || severityRank(severity) >= severityRank("low")) return rule
  const isHarmless = (program: SolanaProgram, { scope }: Match): boolean => {
    const reached = reachedBy(program).get(scope) ?? []
    return (
      reached.length > 0 &&
      reached.every(
        ({ crate, instruction }) =>
          !isMutating(instruction) ||
          isPrivileged(crate, instruction) ||
          (isAboutWhose.test(id) && affectsOnlySender(instruction)),
      )
    )
  }
  return {
    ...rule,
    check: (program, report) => {
      // Instructions that share a function report what it does once each.
      const known = new Map<string, boolean>()
      const isKnownHarmless = (match: Match): boolean => {
        const harmless = known.get(match.scope) ?? isHarmless(program, match)
        known.set(match.scope, harmless)
        return harmless
      }
      rule.check(program, (match) =>
        report(
          severityRank(match.severity ?? severity) < severityRank("low") && isKnownHarmless(match)
            ? { ...match, severity: "low" }
            : match,
        ),
      )
    },
  }
}
