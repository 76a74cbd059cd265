import type { CallSite } from "../graph/events.ts"
import { isZero } from "../values/isZero.ts"

/** Libraries that are missing from the sources and whose functions call other contracts. */
const callingName = /transfer|call|send|approve|permit|delegate/i

/** Whether a call runs code of another contract or sends ether. */
export const leavesContract = (site: CallSite): boolean => {
  switch (site.callKind) {
    case "external":
    case "call":
    case "delegatecall":
    case "staticcall":
    case "callcode":
    case "send":
    case "transfer":
    case "create":
      return true
    case "pointer":
      return site.call?.target === undefined && site.receiver !== undefined
    case "library":
      // SafeERC20 and the like, if the library is missing from the sources.
      return site.target === undefined && callingName.test(site.name)
    case "unknown":
      // OpenZeppelin's ERC-721 and ERC-1155, if the base is missing from the sources: they call the receiver's hook.
      return site.name === "_safeMint" || (site.name === "_mint" && site.args.length === 4)
    default:
      return false
  }
}

/**
 * Whether the callee can call back with state changes: not a static call, and with more than the stipend of 2,300 gas.
 */
export const canReenter = (site: CallSite): boolean => {
  if (site.isStatic || !leavesContract(site)) return false
  if (site.callKind === "send" || site.callKind === "transfer" || site.callKind === "create") return false
  const gas = site.gas
  if (
    gas !== undefined &&
    (gas.kind === "Literal" || gas.kind === "YulLiteral") &&
    Number(gas.value.replaceAll("_", "")) <= 2300
  )
    return false
  return true
}

/** Whether ether is sent along. */
export const sendsEther = (site: CallSite): boolean =>
  site.value !== undefined && !isZero(site.value) && site.callKind !== "event"
