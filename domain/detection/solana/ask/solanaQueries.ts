import type { Answer, ProgramAnswers } from "../../ask/ProgramQueries.ts"
import type { RustEntry, RustModel, StateItem, StateWrite } from "../../rust/ask/RustModel.ts"
import { rustQueries, shownTerm } from "../../rust/ask/rustQueries.ts"
import type { Event } from "../../rust/terms/events.ts"
import { fieldsOf } from "../../rust/terms/show.ts"
import { lineAt } from "../../SourceFile.ts"
import { solanaAccess } from "../access.ts"
import { cpiOf } from "../questions/cpi.ts"
import type { Account, Instruction, SolanaProgram } from "../program/model.ts"
import { accountIn, checksWhenDone } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { accountOfState } from "../program/semantics.ts"
import { isSigned } from "../questions/signedCpi.ts"
import { lastName, typeName } from "../ties/ties.ts"

/** How an account is identified: what every successful path requires of it. */
const shownAccount = (instruction: Instruction, account: Account): Answer => {
  const { constraints } = account
  const checks = new Map(
    checksWhenDone(instruction, account).map(({ kind, fact }) => [`${kind}: ${shownTerm(fact)}`, undefined]),
  )
  return {
    account: account.name,
    type: typeName(account),
    wrapper: account.wrapper,
    ...(constraints?.mutable === true ? { mutable: true } : {}),
    ...(constraints?.init === true || constraints?.initIfNeeded === true ? { opened: true } : {}),
    ...(constraints?.seeds === undefined ? {} : { derived: true }),
    checks: [...checks.keys()].slice(0, 20),
  }
}

const entryOf = (instruction: Instruction): RustEntry => {
  const { name, handler, context, accounts, events, walk } = instruction
  const { file } = handler.module
  return {
    name,
    file: file.path,
    line: lineAt(file, handler.item.nameSpan.start),
    function: handler,
    root: handler,
    events,
    success: walk.success,
    accounts: accounts.map((account) => shownAccount(instruction, account)),
    ...(context === undefined ? {} : { context: { file: context.module.file, span: context.item } }),
  }
}

const writesOf = (instruction: Instruction): ReadonlyArray<StateWrite> =>
  instruction.events.flatMap((event): ReadonlyArray<StateWrite> => {
    if (event.kind !== "assign") return []
    const { term } = event.target
    const state = accountOfState(term)
    const isLamports = state === undefined && term.kind === "field" && term.name === "lamports"
    const owner = state ?? (isLamports ? term.base : undefined)
    const account = owner === undefined ? undefined : accountIn(instruction, owner)
    if (account === undefined) return []
    const path = isLamports ? "lamports" : fieldsOf(term)
    const struct = isLamports ? undefined : structOf(instruction, account)
    const own = lastName(account)
    const short = [struct?.name ?? own, path].filter((part) => part !== "").join(".")
    // Programs in one repository may use the same names for their state.
    const crate = (struct ?? instruction.handler).module.crate.name
    const names = path === "" ? [own] : [path, path.split(".").at(-1)!, `${own}.${path}`, struct?.name ?? own]
    return [{ variable: crate === "" ? short : `${crate}::${short}`, names: [short, ...names], event }]
  })

const outgoing = (event: Event): Answer | undefined => {
  const cpi = event.kind === "call" ? cpiOf(event) : undefined
  if (cpi === undefined) return undefined
  return {
    kind: "cpi",
    instruction: cpi.instruction,
    ...(cpi.program === undefined ? {} : { program: shownTerm(cpi.program) }),
    accounts: cpi.accounts.slice(0, 20).map(({ name, term }) => (name === "" ? "" : `${name}: `) + shownTerm(term)),
    signsAsProgram: isSigned(cpi),
  }
}

const stateOf =
  (program: SolanaProgram): RustModel["stateOf"] =>
  (crate) => {
    const own = program.crates.find((one) => one.crate === crate)
    if (own === undefined) return []
    const shown =
      (kind: string) =>
      ({ name, module, item }: (typeof own.stateStructs)[number]): StateItem => ({
        name,
        file: module.file,
        span: item,
        shown: { kind },
      })
    return [...own.stateStructs.map(shown("state")), ...own.accountsStructs.map(shown("accounts of an instruction"))]
  }

/** Answers about Solana programs. */
export const solanaQueries = (program: SolanaProgram, isReported: (path: string) => boolean): ProgramAnswers => {
  const instructions = program.crates.flatMap((crate) => crate.instructions)
  return rustQueries({
    ecosystem: "solana",
    crates: program.crates.map(({ crate }) => crate),
    rows: solanaAccess(program, isReported),
    entries: instructions.map(entryOf),
    events: [...program.events()],
    writes: instructions.flatMap(writesOf),
    outgoing,
    stateOf: stateOf(program),
  })
}
