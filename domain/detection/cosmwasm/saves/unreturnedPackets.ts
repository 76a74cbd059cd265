import { changeOf } from "../../rust/siblingConditions.ts"
import { mentions } from "../../rust/terms/terms.ts"
import type { CosmWasmCrate, EntryPoint, Handler } from "../program/model.ts"
import { isReceiveHook } from "../authority/authority.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { placeKey, storageWrites } from "../questions/storageWrites.ts"
import { touches } from "../questions/touches.ts"

// What is taken when a packet is sent has to be given back when the packet fails or is never delivered.

/** Whether something of the sender's is kept or destroyed for the packet: coins, tokens, a part of a balance. */
const takes = (handler: Handler): boolean => {
  const { funds } = handler.entry
  return (
    outgoingMessages(handler.events).some(({ path }) => path === "IbcMsg::SendPacket") &&
    (isReceiveHook(handler) ||
      touches(
        handler,
        (one) => one.kind === "field" && one.name === "amount" && mentions(one, (part) => part === funds),
      ) ||
      storageWrites(handler.events).some(({ container, path, value }) => {
        const isOld = `${container.id}:${path}`
        return changeOf("=", value, (one) => placeKey(one) === isOld)?.sign === "-"
      }))
  )
}

/** Whether an entry point changes anything, or may in code without source. */
const acts = ({ handlers, walk }: EntryPoint): boolean =>
  walk.truncated ||
  handlers.some(
    ({ events }) =>
      storageWrites(events).length > 0 ||
      outgoingMessages(events).length > 0 ||
      events.some(
        (event) =>
          event.kind === "call" &&
          event.target === undefined &&
          !event.method &&
          event.args.some(({ term }) => term.kind === "parameter" && /^(deps|storage)$/.test(term.name)),
      ),
  )

/** Entry points that learn that a packet failed, and give nothing back. */
export const unreturnedPackets = ({ entryPoints }: CosmWasmCrate): ReadonlyArray<EntryPoint> => {
  const sends = entryPoints.some(({ kind, handlers }) => kind === "execute" && handlers.some(takes))
  return sends ? entryPoints.filter((one) => /^ibc_packet_(timeout|ack)$/.test(one.kind) && !acts(one)) : []
}
