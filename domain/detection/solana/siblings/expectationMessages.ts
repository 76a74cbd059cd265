import type { Match } from "../../Rule.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Missing } from "../ties/missingTie.ts"
import { ofKind } from "../../rust/terms/events.ts"

const plainSlot = (slot: string): string =>
  slot.startsWith("=")
    ? `the constant \`${slot.slice(1)}\``
    : slot.startsWith("seeds ")
      ? "the address derived from its seeds"
      : slot.startsWith("own ")
        ? `the address stored in its \`${slot.slice(4)}\``
        : `\`${slot}\``

/** Functions that receive the account, or all accounts together, and compare nothing. */
const maxFunctions = 4
const functionsGiven = ({ instruction, account }: Missing): ReadonlyArray<FunctionDefinition> => {
  const all = account.term.kind === "field" ? account.term.base : undefined
  const found = new Set<FunctionDefinition>([instruction.handler])
  for (const event of ofKind(instruction.events, "call"))
    if (event.target !== undefined && event.args.some(({ term }) => term === account.term || term === all))
      found.add(event.target)
  return [...found].slice(0, maxFunctions)
}

/** Why an account should be tied: the instructions that do so, or the account that stores its address. */
export const reasonFor = (missing: Missing): Pick<Match, "message" | "trace"> => {
  const { instruction, account, holder, slot, siblings, role } = missing
  const [sibling] = siblings
  const compared =
    slot === "signature"
      ? `\`${instruction.name}\` does not require \`${account.name}\` to sign`
      : `\`${instruction.name}\` never compares \`${account.name}\` with ${plainSlot(slot)}`
  const twin = sibling?.accounts.find((one) => one.name === account.name)
  return {
    message:
      sibling === undefined
        ? `${compared}.`
        : `${compared}, as ${siblings.length} other instructions do${role === undefined ? "" : ` with the accounts ${role}`}.`,
    trace: [
      ...(holder === undefined ? [] : [{ ...holder.place, note: `\`${holder.name}\` stores the address` }]),
      ...(twin === undefined ? [] : [{ ...twin.place, note: `\`${sibling!.name}\` checks it` }]),
      ...functionsGiven(missing).map(({ module, item, name }) => ({
        file: module.file,
        span: item.nameSpan,
        note: `passed to \`${name}\``,
      })),
    ],
  }
}
