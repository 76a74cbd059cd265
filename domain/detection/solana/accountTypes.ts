import { isNamed, namedType, pointee, type RustType, successType } from "../rust/types.ts"

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
  AccountLoader: "loader",
  Loader: "loader",
}

/** How a type declares an account; undefined for types that are none. Optional and boxed accounts count. */
export const wrapperOf = (type: RustType): Wrapper | undefined => {
  const inner = pointee(successType(pointee(type)))
  if (inner.kind !== "named" || inner.definition !== undefined) return undefined
  const found = wrappers[inner.name]
  // `Account` without arguments is the token program's own struct.
  return found === "state" && inner.args.length === 0 && !/anchor/.test(inner.path) ? undefined : found
}

/** `T` of `Account<'info, T>` and its like. */
export const stateType = (type: RustType): RustType | undefined => {
  const inner = pointee(successType(pointee(type)))
  return inner.kind === "named" ? inner.args.at(-1) : undefined
}

const iterators = /^(Vec|Iter|Peekable|IntoIter|Enumerate|Skip|Take|Rev|Chain)$/

/** A list of accounts, an iterator over one, or what Pinocchio's lazy entry point takes them from. */
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
