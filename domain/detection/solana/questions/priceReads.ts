import { oncePer, oncePerPair } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { CallEvent } from "../../rust/terms/events.ts"
import { isNamed, pointee } from "../../rust/crate/types.ts"
import type { Instruction } from "../program/model.ts"

/** Every function that the walk of an instruction goes through. */
const functionsOf = oncePer(
  (instruction: Instruction): ReadonlySet<FunctionDefinition> =>
    new Set([instruction.handler, ...instruction.events.map((one) => one.function)]),
)

/** Instructions have most of their functions in common. */
const touchedIn = oncePerPair(
  (name: RegExp, { item: { body } }: FunctionDefinition): boolean =>
    body !== undefined &&
    nodesOf(body).some(
      (node) =>
        (node.kind === "field" && name.test(node.name)) ||
        (node.kind === "methodCall" && name.test(node.method)) ||
        (node.kind === "call" &&
          node.callee.kind === "path" &&
          name.test(node.callee.path.segments.at(-1)?.name ?? "")),
    ),
)

/** Whether some function on the way reads a field, or calls a method, with such a name. */
export const touchesName = (instruction: Instruction, name: RegExp): boolean =>
  [...functionsOf(instruction)].some((one) => touchedIn(name, one))

/** Readers of Pyth (both SDKs) and Switchboard feeds whose result carries a price and its uncertainty. */
const readers =
  /^get_(ema_)?price_(no_older_than(_with_custom_verification_level)?|unchecked)$|^get_current_price$|^get_current_ema_price$/

/** Functions that parse a price account without checking its owner. */
export const isFeedLoad = (event: CallEvent): boolean =>
  /^(load_price_feed_from_account(_info)?|load_price_account|load_price|account_info_to_feed|load_price_feed|query_price_feed)$/.test(
    event.name,
  )

/** Switchboard's aggregator returns its last result, however old. */
const isAggregatorResult = (event: CallEvent): boolean =>
  event.name === "get_result" &&
  event.args[0] !== undefined &&
  isNamed(pointee(event.args[0].type), "AggregatorAccountData")

/** Whether the call reads a price from an oracle's account. */
export const isPriceRead = (event: CallEvent): boolean => readers.test(event.name) || isAggregatorResult(event)
