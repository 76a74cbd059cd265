import { type Relation, sidesOf } from "../../flow/facts/facts.ts"
import { chosenByCaller, has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isWrite } from "./deeds.ts"
import type { Entry } from "./entries.ts"

// What the contract's state, or another contract, leaves to the caller's choice.

/**
 * Whether the caller decides only how much, of what there is: each amount is compared with a balance, or with the record
 * that it lowers, and nobody whom the caller names has a part in it. A setting within limits is still a setting.
 */
export const decidesOnlyHowMuch = ({ open }: Entry): boolean => {
  const lowered = new Set(open.flatMap((deed) => (lowers(deed) ? [deed.variable!] : [])))
  return (
    open.some(({ value }) => value.parameters.length > 0) &&
    open.every(
      (deed) =>
        !has(deed.value, Source.sender | Source.calldata) &&
        (deed.keys.sources & chosenByCaller) === 0 &&
        (!isWrite(deed) || lowers(deed) || addsUp(open, deed)) &&
        deed.value.parameters.every((amount) => isBounded(deed, amount, lowered)),
    )
  )
}

const lowers = ({ variable, flow, reached: { event } }: Deed): boolean =>
  variable !== undefined && event.kind === "write" && isLowered(flow.program, event)

/** `paid += n`, beside the payment: what has been paid is added up. */
const addsUp = (open: Entry["open"], { value, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  event.operation === "compound" &&
  open.some((other) => !isWrite(other) && other.value.parameters.some((p) => value.parameters.includes(p)))

const isBounded = ({ demands }: Deed, amount: LocalVariable, lowered: ReadonlySet<StateVariable>): boolean =>
  demands.facts.some((fact) => {
    const [low, high] = fact.kind === "relation" ? ordered(fact) : []
    return (
      low?.sources === Source.parameter &&
      low.parameters.includes(amount) &&
      ((high!.sources | high!.keys | high!.targets) & chosenByCaller) === 0 &&
      (has(high!, Source.external | Source.balance) || high!.state.some((v) => lowered.has(v)))
    )
  })

/** The lower side first. */
const ordered = ({ operator, left, right }: Relation): ReadonlyArray<Origins> =>
  right === undefined ? [] : operator.startsWith("<") ? [left, right] : operator.startsWith(">") ? [right, left] : []

/**
 * Whether a contract that the caller does not choose has confirmed all that the caller says, on evidence that serves for
 * nothing else: a proof, or a signature.
 */
export const isConfirmed = ({ open }: Entry): boolean => {
  const used = new Set(open.flatMap(namedIn))
  return (
    used.size > 0 &&
    open.every((deed) => {
      const named = namedIn(deed)
      return (
        !has(deed.value, Source.sender | Source.calldata) &&
        (named.length === 0 ||
          deed.demands.facts.some(
            (fact) =>
              fact.kind === "relation" &&
              sidesOf(fact).some(
                (side) =>
                  has(side, Source.external) &&
                  (side.targets & chosenByCaller) === 0 &&
                  named.every((p) => side.keyParameters.includes(p)) &&
                  side.keyParameters.some((p) => isEvidence(p) && !used.has(p)),
              ),
          ))
      )
    })
  )
}

const namedIn = ({ value, keys }: Deed): ReadonlyArray<LocalVariable> => [...value.parameters, ...keys.parameters]

const isEvidence = ({ type }: LocalVariable): boolean => type.kind === "bytes" || type.kind === "array"
