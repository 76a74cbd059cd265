import type { Span } from "../../../SourceFile.ts"
import type { Rule } from "../../../Rule.ts"
import { nodesOf } from "../../../rust/syntax/nodes.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

export const float: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/float",
    class: "float",
    title: "Floating-point arithmetic in a contract",
    severity: "low",
    confidence: "high",
    cwe: [682, 1339],
    description:
      "The contract computes with `f32` or `f64`. Results may differ between machines, so CosmWasm rejects the " +
      "instructions when code is stored. Where they are allowed, amounts above 2^53 lose their last digits: the " +
      "amounts paid out no longer add up to the amounts paid in.",
    remediation: "Use `Decimal` or `Decimal256` from cosmwasm-std, or integers with `multiply_ratio`.",
    references: [
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Decimal.html",
      "https://docs.cosmwasm.com/core/standard-library/math",
    ],
  },
  check: (program, report) => {
    for (const { crate } of program.crates) {
      for (const definition of crate.functions) {
        // One finding per function: where it begins to compute with them.
        const parameters = definition.item.parameters.map(({ type }) => floatIn(type)).find((one) => one !== undefined)
        const span = parameters ?? (definition.item.body === undefined ? undefined : floatIn(definition.item.body))
        if (span !== undefined) report({ file: definition.module.file, span, scope: definition.qualifiedName })
      }
      for (const module of crate.modules)
        for (const definitions of module.names.values())
          for (const definition of definitions) {
            if (definition.kind !== "struct") continue
            for (const field of definition.item.fields) {
              const span = floatIn(field.type)
              if (span !== undefined) report({ file: definition.module.file, span, scope: definition.name })
            }
          }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::Uint128;

pub fn fee(amount: Uint128) -> Uint128 {
    let part = amount.u128() as f64 * 0.003; // FINDING
    Uint128::new(part as u128)
}
`,
      `use cosmwasm_schema::cw_serde;

#[cw_serde]
pub struct Config {
    pub fee: f32, // FINDING
    pub name: String,
}
`,
      `fn weight(votes: u64) -> u64 {
    let base = 3f64; // FINDING
    votes / base as u64
}

fn half(votes: u64) -> u64 {
    let part = 2f32; // FINDING
    votes / part as u64
}`,
    ],
    safe: [
      `use cosmwasm_std::{Decimal, Uint128};

pub fn fee(amount: Uint128) -> Uint128 {
    amount.mul_floor(Decimal::permille(3))
}
`,
      `use cosmwasm_schema::cw_serde;
use cosmwasm_std::Decimal;

#[cw_serde]
pub struct Config {
    pub fee: Decimal,
    pub version: (u64, u64),
}

#[cfg(test)]
mod tests {
    #[test]
    fn ratio() {
        assert_eq!(1.5_f64 * 2.0, 3.0);
    }
}
`,
    ],
  },
}

/** The first literal, cast or type annotation with a floating-point number. */
const floatIn = (root: object): Span | undefined => {
  for (const node of nodesOf(root)) {
    if (node.kind === "literal" && node.type === "float") return node
    // Types are paths too: `as f64`, `let x: f64`, `f64::from(…)`.
    if (node.kind === "path" && node.path.segments.some(({ name }) => name === "f32" || name === "f64")) return node
  }
  return undefined
}
