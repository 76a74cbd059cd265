import { oncePer } from "../../oncePer.ts"
import type { CallEvent } from "../../rust/terms/events.ts"
import { pathEnds, type Term } from "../../rust/terms/terms.ts"
import { definitionOf, isNamed } from "../../rust/crate/types.ts"
import type { Cpi } from "../program/model.ts"

const invokes = /^invoke(_\w+)?$|^(slice_)?invoke_signed\w*$|^(token_|transfer_|checked_)?invoke(_signed)?$/

const field = (term: Term, ...names: ReadonlyArray<string>): Term | undefined => {
  if (term.kind !== "struct") return undefined
  for (const name of names) {
    const found = term.fields.find(([own]) => own === name)
    if (found !== undefined) return found[1]
  }
  return undefined
}

/** The accounts in a list, or in the fields of a struct such as `Transfer { from, to, authority }`. */
const accountsIn = (term: Term | undefined): Cpi["accounts"] => {
  if (term === undefined) return []
  if (term.kind === "struct") return term.fields.map(([name, value]) => ({ name, term: value }))
  if (term.kind === "list") return term.elements.map((one) => ({ name: "", term: one }))
  if (term.kind === "call" && /^(concat|extend|chain|to_account_infos)$/.test(term.name))
    return term.args.flatMap(accountsIn)
  return [{ name: "", term }]
}

/** The instruction itself, or one from the list that a builder returns. */
const first = (term: Term): Term => {
  if (term.kind === "choice") return first(term.alternatives[0]!)
  if (term.kind === "element") return first(term.base)
  const listed = term.kind === "call" && term.path === "" && /^(first|last|pop|remove|next|get)$/.test(term.name)
  return listed && term.args[0] !== undefined ? first(term.args[0]) : term
}

const fixesProgram =
  /(^|::)(system_instruction|stake::instruction|vote_instruction|compute_budget|bpf_loader_upgradeable)(::|$)|(^|::)(solana_)?(system|stake|vote|compute_budget|loader_v\d|address_lookup_table)_interface(::|$)/

/**
 * Builders of native programs imply the program, and those of the project name it inside; others receive it as their
 * first argument.
 */
const takesProgram = (built: Term & { readonly kind: "call" }): boolean => {
  // The last step of a chain, `TransferBuilder::new().token(…).build(args).instruction()`, goes on with what came before.
  if (built.path === "" && built.args[0]?.kind === "call") return false
  // `spl_noop::instruction(event.try_to_vec()?)` receives only what the program is told.
  const [first] = built.args
  if (first?.kind === "call" && /(^|_)vec$|serialize/.test(first.name)) return false
  if (fixesProgram.test(built.path) || /^(crate|self|super)::/.test(built.path)) return false
  return built.target === undefined || built.target.parameters[0]?.name.includes("program") === true
}

/** The program that an instruction is for: a field of the struct, or the first argument of the builder. */
const programOf = (instruction: Term): { readonly program: Term | undefined; readonly path: string } => {
  const term = first(instruction)
  if (term.kind === "struct") return { program: field(term, "program_id", "program"), path: term.path }
  if (term.kind === "call") {
    if (/^new_with_(borsh|bytes|bincode)$/.test(term.name)) return { program: term.args[0], path: term.path }
    return { program: takesProgram(term) ? term.args[0] : undefined, path: term.path }
  }
  return { program: undefined, path: "invoke" }
}

/** The accounts that well-known builders take, by position; gaps are not accounts. */
const builders: ReadonlyArray<readonly [path: RegExp, roles: ReadonlyArray<string>]> = [
  [/(^|::)(system_instruction|(solana_)?system_interface::instruction)::transfer$/, ["from", "to"]],
  [/(^|::)instruction::transfer$/, ["", "from", "to", "authority"]],
  [/(^|::)instruction::transfer_checked(_with_fee)?$/, ["", "from", "mint", "to", "authority"]],
  [/(^|::)instruction::mint_to(_checked)?$/, ["", "mint", "to", "authority"]],
  [/(^|::)instruction::burn(_checked)?$/, ["", "from", "mint", "authority"]],
  [/(^|::)instruction::close_account$/, ["", "account", "destination", "authority"]],
]

/** The accounts of an `invoke`, by the roles that the builder assigns to their addresses. */
const withRoles = (accounts: Cpi["accounts"], instruction: Term, path: string): Cpi["accounts"] => {
  if (instruction.kind !== "call") return accounts
  const roles = builders.find(([known]) => known.test(path))?.[1]
  if (roles === undefined) return accounts
  const named = new Map<Term, string>()
  for (const [index, name] of roles.entries()) {
    const key = instruction.args[index]
    if (name !== "" && key?.kind === "field" && key.name === "key" && !named.has(key.base)) named.set(key.base, name)
  }
  // Even if the list is passed as a whole, the roles are known.
  const given = new Set(accounts.map(({ term }) => term))
  const listed = accounts.map((one) => (one.name === "" ? { ...one, name: named.get(one.term) ?? "" } : one))
  return [...listed, ...[...named].filter(([term]) => !given.has(term)).map(([term, name]) => ({ name, term }))]
}

/** What Pinocchio's structs, `Transfer { from, to, authority, amount }`, hold beside accounts. */
const numbers = /^(amount|lamports|space|decimals)$/

/** The cross-program call that an event represents, if any. Most rules query it for every call. */
export const cpiOf = (event: CallEvent): Cpi | undefined => (mayBeCpi(event) ? knownCpi(event) : undefined)

/** Of the calls of a large program (drift), one in a hundred: only those are kept. */
const mayBeCpi = ({ target, name, method, args }: CallEvent): boolean =>
  // Following a wrapper of the project records the calls inside it.
  target?.item.body === undefined &&
  (invokes.test(name) ||
    (!method &&
      args.some(
        ({ term, type }) => (term.kind === "struct" && term.path === "CpiContext") || isNamed(type, "CpiContext"),
      )))

const knownCpi = oncePer((event: CallEvent): Cpi | undefined => {
  const { args, name } = event
  const context = args.find((one) => one.term.kind === "struct" && one.term.path === "CpiContext")?.term
  if (context !== undefined && !event.method && !/^(new|new_with_signer)$/.test(name)) {
    const accounts = accountsIn(field(context, "accounts"))
    const remaining = accountsIn(field(context, "remaining_accounts"))
    return {
      event,
      program: field(context, "program"),
      instruction: event.path,
      accounts: [...accounts, ...remaining],
      signerSeeds: field(context, "signer_seeds"),
      args: args.slice(1).map((one) => one.term),
    }
  }
  const opaqueContext = args.find((one) => isNamed(one.type, "CpiContext"))
  if (opaqueContext !== undefined && !event.method && definitionOf(opaqueContext.type) === undefined)
    return {
      event,
      program: undefined,
      instruction: event.path,
      accounts: accountsIn(opaqueContext.term),
      signerSeeds: undefined,
      args: args.slice(1).map((one) => one.term),
    }
  if (!invokes.test(name)) return undefined
  const signed = /signed/.test(name)
  if (event.method) {
    const receiver = args[0]?.term
    if (
      receiver?.kind !== "struct" &&
      !(receiver?.kind === "call" && /instruction|cpi|Cpi|Builder/i.test(`${receiver.path}${receiver.name}`))
    )
      return undefined
    const given = accountsIn(receiver)
    const program = receiver.kind === "struct" ? field(receiver, "token_program", "program", "__program") : undefined
    return {
      event,
      program,
      instruction: receiver.kind === "struct" ? receiver.path : receiver.path || receiver.name,
      accounts: given.filter(({ name }) => !numbers.test(name)),
      signerSeeds: signed ? args[1]?.term : undefined,
      args: given.flatMap(({ name, term }) => (numbers.test(name) ? [term] : [])),
    }
  }
  const instruction = args[0]?.term
  if (instruction === undefined || args.length < 2) return undefined
  const { program, path } = programOf(instruction)
  return {
    event,
    program,
    instruction: path,
    accounts: withRoles(accountsIn(args[1]?.term), first(instruction), path),
    signerSeeds: signed ? args[2]?.term : undefined,
    args: instruction.kind === "call" ? instruction.args : [],
  }
})

/** Whether a CPI moves or mints tokens or lamports. */
export const movesValue = (cpi: Cpi): boolean =>
  pathEnds(cpi.instruction, "token::close_account") ||
  /(^|::)(transfer|transfer_checked|mint_to|mint_to_checked|burn|burn_checked|withdraw)$/.test(cpi.instruction) ||
  /(Transfer|TransferChecked|MintTo|Burn)$/.test(cpi.instruction)

const handing =
  /(^|::)(set_authority|set_upgrade_authority(_checked)?|upgrade|approve(_checked)?|authorize(_checked)?|SetAuthority|Approve(Checked)?|Authorize(Checked)?)$/

/** Whether a CPI gives somebody control over tokens, a mint, a stake or a program. */
export const handsOver = (cpi: Cpi): boolean => handing.test(cpi.instruction)
