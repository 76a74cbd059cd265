import * as Schema from "effect/Schema"

/** The platform that a contract is written for. */
export const ecosystems = ["evm", "solana", "cosmwasm"] as const
export type Ecosystem = (typeof ecosystems)[number]
export const Ecosystem = Schema.Literals(ecosystems)

/** What a caller may request; `auto` is detected from the files. */
export const frameworks = ["cosmwasm", "solana", "evm", "auto"] as const
export type Framework = (typeof frameworks)[number]
export const Framework = Schema.Literals(frameworks)
