import type { Attribute, AttributeArg, Expression } from "../../rust/syntax/syntax.ts"

/** Everything that the `#[account(…)]` attributes of one field declare. Expressions are as written. */
export interface Constraints {
  readonly signer: boolean
  readonly mutable: boolean
  readonly init: boolean
  readonly initIfNeeded: boolean
  readonly zero: boolean
  readonly executable: boolean
  readonly rentExempt?: string
  /** Names of state fields that must equal the key of the account of the same name. */
  readonly hasOne: ReadonlyArray<string>
  readonly conditions: ReadonlyArray<Expression>
  readonly address?: Expression
  readonly owner?: Expression
  readonly close?: Expression
  readonly payer?: Expression
  readonly space?: Expression
  readonly seeds?: Expression
  /** Present with `seeds`: the given bump, or `canonical` for a bare `bump`, which is searched for. */
  readonly bump?: Expression | "canonical"
  readonly seedsProgram?: Expression
  readonly realloc?: { readonly size: Expression; readonly payer?: Expression; readonly zero?: Expression }
  readonly token?: { readonly mint?: Expression; readonly authority?: Expression; readonly program?: Expression }
  readonly associatedToken?: {
    readonly mint?: Expression
    readonly authority?: Expression
    readonly program?: Expression
  }
  readonly mint?: {
    readonly authority?: Expression
    readonly decimals?: Expression
    readonly freezeAuthority?: Expression
  }
  /** Each argument, including those without a place above. */
  readonly args: ReadonlyArray<AttributeArg>
}

const part = <K extends string>(key: K, value: Expression | undefined): { readonly [P in K]?: Expression } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: Expression } // one key, as the type requires

/** Reads the constraints of a field of a `#[derive(Accounts)]` struct. */
export const readConstraints = (attributes: ReadonlyArray<Attribute>): Constraints => {
  const args = attributes.filter((one) => one.name === "account").flatMap((one) => one.args)
  const has = (name: string): boolean => args.some((one) => one.name === name)
  const value = (name: string): Expression | undefined => args.find((one) => one.name === name)?.value
  const all = (name: string): ReadonlyArray<Expression> =>
    args.filter((one) => one.name === name).flatMap((one) => (one.value === undefined ? [] : [one.value]))
  const group = (name: string): boolean => args.some((one) => one.name.startsWith(`${name}::`))
  const reallocSize = value("realloc")
  const rent = value("rent_exempt")
  return {
    signer: has("signer"),
    mutable:
      has("mut") || has("init") || has("init_if_needed") || has("zero") || has("close") || reallocSize !== undefined,
    // `associated = owner, payer = payer`, before Anchor 0.12.
    init: has("init") || (has("associated") && has("payer")),
    initIfNeeded: has("init_if_needed"),
    zero: has("zero"),
    executable: has("executable"),
    ...(rent?.kind === "path" ? { rentExempt: rent.path.segments.at(-1)?.name ?? "" } : {}),
    hasOne: all("has_one").flatMap((one) => (one.kind === "path" ? [one.path.segments.at(-1)?.name ?? ""] : [])),
    conditions: [...all("constraint"), ...all("raw")],
    ...part("address", value("address")),
    ...part("owner", value("owner")),
    ...part("close", value("close")),
    ...part("payer", value("payer")),
    ...part("space", value("space")),
    ...part("seeds", value("seeds")),
    ...(has("bump") ? { bump: value("bump") ?? ("canonical" as const) } : {}),
    ...part("seedsProgram", value("seeds::program")),
    ...(reallocSize === undefined
      ? {}
      : {
          realloc: {
            size: reallocSize,
            ...part("payer", value("realloc::payer")),
            ...part("zero", value("realloc::zero")),
          },
        }),
    ...(group("token")
      ? {
          token: {
            ...part("mint", value("token::mint")),
            ...part("authority", value("token::authority")),
            ...part("program", value("token::token_program")),
          },
        }
      : {}),
    ...(group("associated_token")
      ? {
          associatedToken: {
            ...part("mint", value("associated_token::mint")),
            ...part("authority", value("associated_token::authority")),
            ...part("program", value("associated_token::token_program")),
          },
        }
      : {}),
    ...(group("mint")
      ? {
          mint: {
            ...part("authority", value("mint::authority")),
            ...part("decimals", value("mint::decimals")),
            ...part("freezeAuthority", value("mint::freeze_authority")),
          },
        }
      : {}),
    args,
  }
}
