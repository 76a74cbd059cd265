import { accessLimits, shortened } from "../../access/accessLimits.ts"
import type { AccessEffect, AccessRow, AccessStanding } from "../../access/AccessTable.ts"
import { weakest } from "../../access/looseness.ts"
import type { Event } from "../rust/terms/events.ts"
import { fieldsOf } from "../rust/terms/show.ts"
import { oncePer } from "../oncePer.ts"
import { everySubterm } from "../rust/terms/terms.ts"
import { lineAt } from "../SourceFile.ts"
import { isPrivileged, signersOf } from "./authority/authorization.ts"
import { cpiOf, movesValue } from "./questions/cpi.ts"
import type { Account, Instruction, SolanaCrate, SolanaProgram } from "./program/model.ts"
import { signersSlots } from "./ties/parties.ts"
import { accountIn, successAbout } from "./questions/questions.ts"
import { structOf } from "./authority/relations.ts"
import { accountOfState, keyOf, stateOf } from "./program/semantics.ts"
import { isSigned, roleOf } from "./questions/signedCpi.ts"
import { isTokenType, lastName, tiesOf } from "./ties/ties.ts"

type Done = Pick<AccessEffect, "kind" | "what"> & { readonly at: Event | undefined; readonly account?: Account }

const isOpened = ({ constraints }: Account): boolean =>
  constraints?.init === true || constraints?.initIfNeeded === true || constraints?.zero === true

/** The effects of the constraints on an instruction's accounts. */
const byConstraints = ({ accounts }: Instruction): ReadonlyArray<Done> =>
  accounts.flatMap((account): ReadonlyArray<Done> => {
    const { constraints } = account
    const name = lastName(account)
    return [
      ...(isOpened(account) ? [{ kind: "state" as const, what: `opens \`${name}\``, at: undefined, account }] : []),
      ...(constraints?.close === undefined
        ? []
        : [{ kind: "assets" as const, what: `closes \`${name}\``, at: undefined, account }]),
    ]
  })

const byEvent = (crate: SolanaCrate, instruction: Instruction, event: Event): Done | undefined => {
  const owner = (term: Parameters<typeof accountIn>[1] | undefined): Account | undefined =>
    term === undefined ? undefined : accountIn(instruction, term)
  if (event.kind === "assign") {
    const { term } = event.target
    const state = accountOfState(term)
    const account = owner(state ?? (term.kind === "field" && term.name === "lamports" ? term.base : undefined))
    if (account === undefined) return undefined
    const name = lastName(account)
    if (state === undefined)
      return {
        kind: "assets",
        what: `${event.operator === "-" ? "takes" : "moves"} lamports of \`${name}\``,
        at: event,
        account,
      }
    // The initial contents of a new account are part of its creation.
    if (isOpened(account)) return undefined
    const path = fieldsOf(term)
    const struct = structOf(instruction, account)
    const kind = struct !== undefined && signersSlots(crate).has(`${struct.name}.${path}`) ? "authority" : "state"
    return { kind, what: `writes \`${path === "" ? name : `${name}.${path}`}\``, at: event, account }
  }
  const cpi = event.kind === "call" ? cpiOf(event) : undefined
  if (cpi === undefined) return undefined
  const asked = cpi.instruction.split("::").at(-1) ?? cpi.instruction
  if (!movesValue(cpi)) return { kind: "call", what: `calls \`${asked}\``, at: event }
  const from = owner(roleOf(cpi, "from"))
  const whose = isSigned(cpi) ? " in the program's name" : ""
  return {
    kind: "assets",
    what: from === undefined ? `\`${asked}\`${whose}` : `\`${asked}\` from \`${lastName(from)}\`${whose}`,
    at: event,
    ...(from === undefined ? {} : { account: from }),
  }
}

interface Asked {
  readonly standing: AccessStanding
  readonly who: string
}

/** The account whose state was consulted about a signer: a multisig about its members. */
const asksAbout = (instruction: Instruction, signer: Account): Account | undefined => {
  const holders = holdersOf(instruction)
  for (const fact of successAbout(instruction, keyOf(instruction.walk.terms, signer.term))) {
    const states = [...everySubterm([fact])].flatMap((part) => holders.get(part) ?? [])
    const [first] = states.filter(({ account }) => account !== signer).toSorted((a, b) => a.at - b.at)
    if (first !== undefined) return first.account
  }
  return undefined
}

/** Accounts that hold something, and where they are in the list, by their states. */
const holdersOf = oncePer((instruction: Instruction) => {
  const { terms } = instruction.walk
  const all = instruction.accounts.map((account, at) => ({ account, at }))
  const holding = all.filter(({ account }) => !isOpened(account) && structOf(instruction, account) !== undefined)
  return Map.groupBy(holding, ({ account }) => stateOf(terms, account.term))
})

/** Who must sign an instruction, and how the program identifies that account. */
const askedBy = (crate: SolanaCrate, instruction: Instruction): Asked => {
  const ties = tiesOf(instruction)
  const known = signersOf(instruction).flatMap((signer) => {
    const slots = [...new Set(ties.of(signer).map(({ slot }) => slot))].filter((slot) => !slot.includes("[]"))
    const own = instruction.accounts.filter(
      (one) => isTokenType(one) && ties.of(one).some(({ slot, other }) => slot === "own owner" && other === signer),
    )
    const asked = slots.length === 0 ? asksAbout(instruction, signer) : undefined
    if (slots.length === 0 && own.length === 0 && asked === undefined && !ties.isAsked(signer)) return []
    const as = [
      ...slots.map((slot) => slot.replace(/^=/, "")),
      ...own.map((one) => `owner of ${lastName(one)}`),
      ...(asked === undefined ? [] : [`known to ${lastName(asked)}`]),
    ]
    const roles = as.slice(0, 3).map((role) => role.replace(/^((?:\w+ (?:of|to) )?)(.+)$/, "$1`$2`"))
    return [`\`${lastName(signer)}\`${roles.length === 0 ? "" : ` as ${roles.join(", ")}`}`]
  })
  if (known.length === 0) return { standing: "open", who: "anyone" }
  return { standing: isPrivileged(crate, instruction) ? "guarded" : "tied", who: known.join(" and ") }
}

const rowOf = (crate: SolanaCrate, instruction: Instruction): AccessRow | undefined => {
  const { handler, name } = instruction
  const asked = askedBy(crate, instruction)
  const signers = new Set(signersOf(instruction))
  const effects = new Map<string, AccessEffect>()
  const done = [
    ...byConstraints(instruction),
    ...instruction.events.flatMap((one) => byEvent(crate, instruction, one) ?? []),
  ]
  for (const { kind, what, at, account } of done) {
    if (effects.has(what)) continue
    const isOpening = what.startsWith("opens ")
    // Signers pay with their own tokens, and create what did not exist before.
    const own = account !== undefined && signers.has(account)
    const open = asked.standing === "open"
    effects.set(what, {
      kind,
      what: shortened(what),
      standing: open && isOpening ? "once" : open && own ? "tied" : asked.standing,
      who: shortened(open && isOpening ? "the first caller" : open && own ? `\`${lastName(account)}\`` : asked.who),
      file: at?.file.path ?? account?.place.file.path ?? handler.module.file.path,
      line:
        at === undefined
          ? lineAt(account?.place.file ?? handler.module.file, account?.place.span.start ?? handler.item.nameSpan.start)
          : lineAt(at.file, at.node.start),
    })
  }
  if (effects.size === 0) return undefined
  const all = [...effects.values()]
  return {
    contract: shortened(crate.crate.name),
    function: shortened(name),
    file: handler.module.file.path,
    line: lineAt(handler.module.file, handler.item.nameSpan.start),
    standing: weakest(all.map(({ standing }) => standing)),
    effects: all.slice(0, accessLimits.effectsOfRow),
    ...(all.length > accessLimits.effectsOfRow ? { more: all.length - accessLimits.effectsOfRow } : {}),
  }
}

/** A table for each program: its instructions, what they change or move, and who must sign. */
export const solanaAccess = (program: SolanaProgram, isReported: (path: string) => boolean): ReadonlyArray<AccessRow> =>
  program.crates.flatMap((crate) =>
    crate.instructions.flatMap((one) => (isReported(one.handler.module.file.path) ? (rowOf(crate, one) ?? []) : [])),
  )
