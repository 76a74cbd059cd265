import type { Ecosystem } from "../../analysis/Framework.ts"
import { access } from "./access.ts"
import { accounting } from "./accounting.ts"
import { bridge } from "./bridge.ts"
import type { Checklist } from "./Checklist.ts"
import { cosmwasm } from "./cosmwasm.ts"
import { governance } from "./governance.ts"
import { liquidation } from "./liquidation.ts"
import { oracle } from "./oracle.ts"
import { signatures } from "./signatures.ts"
import { solana } from "./solana.ts"
import { upgrade } from "./upgrade.ts"

export const checklists: ReadonlyArray<Checklist> = [
  access,
  accounting,
  oracle,
  liquidation,
  signatures,
  upgrade,
  bridge,
  governance,
  solana,
  cosmwasm,
]

/** The lists that apply to code containing these names. */
export const applicable = (ecosystem: Ecosystem | undefined, names: string): ReadonlyArray<Checklist> => {
  const lower = names.toLowerCase()
  return checklists.filter(
    (one) =>
      (one.ecosystem === undefined || one.ecosystem === ecosystem) &&
      (one.signals.length === 0 || one.signals.some((signal) => lower.includes(signal))),
  )
}
