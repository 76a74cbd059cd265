import { definitionOf, isNamed, namedType, pointee, type RustType, successType } from "../../rust/crate/types.ts"

/** How an account is declared. `raw` is unchecked: `AccountInfo`, `UncheckedAccount`. */
export type Wrapper = "raw" | "signer" | "program" | "sysvar" | "system" | "state" | "loader"

const wrappers: Record<string, Wrapper> = {
  AccountInfo: "raw",
  UncheckedAccount: "raw",
  AccountView: "raw",
  NoopAccountInfo: "raw",
  Signer: "signer",
  Program: "program",
  Interface: "program",
  Sysvar: "sysvar",
  SystemAccount: "system",
  Account: "state",
  InterfaceAccount: "state",
  Migration: "state",
  LazyAccount: "state",
  CpiAccount: "state",
  ProgramAccount: "state",
  ProgramState: "state",
  CpiState: "state",
  ValidatedAccount: "state",
  BorshAccount: "state",
  AccountLoader: "loader",
  Loader: "loader",
}

/** `Mut<…>`, `Init<Seeded<…>>`: what Star Frame and Solitaire express around the account's own type. */
const modifiers = /^(Mut|MaybeMut|Init|Seeded|Derive)$/

/** The type of the account itself, without boxes, options and modifiers. */
const accountType = (type: RustType): RustType => {
  let inner = pointee(successType(pointee(type)))
  for (let depth = 0; depth < 6; depth++) {
    if (inner.kind !== "named" || inner.definition !== undefined || inner.args[0] === undefined) return inner
    if (!modifiers.test(inner.name)) return inner
    inner = pointee(inner.args[0])
  }
  return inner
}

/** Whether one of these wraps the account's own type: `Mut` in `Signer<Mut<SystemAccount>>`. */
export const saysOf = (type: RustType, ...names: ReadonlyArray<string>): boolean => {
  let inner = pointee(successType(pointee(type)))
  for (let depth = 0; depth < 6 && inner.kind === "named" && inner.definition === undefined; depth++) {
    if (names.includes(inner.name)) return true
    if (inner.args[0] === undefined || (!modifiers.test(inner.name) && inner.name !== "Signer")) return false
    inner = pointee(inner.args[0])
  }
  return false
}

/** How a type declares an account; undefined for other types. Optional and boxed accounts count. */
export const wrapperOf = (type: RustType): Wrapper | undefined => {
  const inner = accountType(type)
  if (inner.kind !== "named" || inner.definition !== undefined) return undefined
  // Solitaire's `Data<'b, Pool, { AccountState::Initialized }>`, and `Info` for any account.
  if (inner.name === "Data") return inner.args.some((one) => definitionOf(one) !== undefined) ? "state" : undefined
  if (inner.name === "Info" && inner.args.length === 0) return "raw"
  const found = wrappers[inner.name]
  // `Account` without arguments is the token program's own struct.
  return found === "state" && inner.args.length === 0 && !/anchor/.test(inner.path) ? undefined : found
}

/** `T` of `Account<'info, T>` and the like. */
export const stateType = (type: RustType): RustType | undefined => {
  const inner = accountType(type)
  if (inner.kind !== "named") return undefined
  return inner.name === "Data" ? inner.args.find((one) => definitionOf(one) !== undefined) : inner.args.at(-1)
}

const iterators = /^(Vec|Iter|Peekable|IntoIter|Enumerate|Skip|Take|Rev|Chain)$/

/** A list of accounts, an iterator over one, or the source of accounts in Pinocchio's lazy entry point. */
export const isAccountList = (type: RustType): boolean => {
  const inner = pointee(type)
  if (inner.kind === "named" && inner.name === "InstructionContext" && inner.definition === undefined) return true
  if (
    inner.kind === "named" &&
    iterators.test(inner.name) &&
    inner.args[0] !== undefined &&
    isAccountList(inner.args[0])
  )
    return true
  const element =
    inner.kind === "list"
      ? inner.element
      : inner.kind === "named" && iterators.test(inner.name)
        ? inner.args[0]
        : undefined
  return element !== undefined && isNamed(pointee(element), "AccountInfo", "AccountView", "UncheckedAccount")
}

export const accountInfo: RustType = namedType("AccountInfo")
export const pubkey: RustType = namedType("Pubkey")

const externalFields: Record<string, RustType> = {
  amount: namedType("u64"),
  supply: namedType("u64"),
  delegated_amount: namedType("u64"),
  decimals: namedType("u8"),
  mint: pubkey,
  owner: pubkey,
  unix_timestamp: namedType("i64"),
  slot: namedType("u64"),
  epoch: namedType("u64"),
  lamports_per_byte_year: namedType("u64"),
}

export const isAddressType = (type: RustType): boolean => isNamed(pointee(type), "Pubkey", "Address")

/** Types of the best-known fields of the token program's and the runtime's own structs. */
export const externalFieldType = (name: string): RustType | undefined => externalFields[name]
