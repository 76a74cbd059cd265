import type { ConfigError } from "effect/Config"
import { Refusal } from "../runMain.ts"

/** The missing or invalid variables, one sentence each. */
export const wrongVariable = (error: ConfigError): Refusal => {
  const found = [...error.message.matchAll(/^(?:SchemaError\()?(.+)\n +at \["(\w+)"\]/gm)]
  const said = found.map(([, expected, name]) => `${name}: ${expected!.charAt(0).toLowerCase()}${expected!.slice(1)}.`)
  return new Refusal(`Invalid configuration. ${said.length === 0 ? error.message : said.join(" ")}`)
}
