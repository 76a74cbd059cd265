import {
  addressType,
  boolType,
  bytes32,
  bytesMemory,
  elementaryType,
  payableType,
  stringMemory,
  type Type,
  uint256,
  unknownType,
} from "./types.ts"

/** Members of `msg`, `block`, `tx` and the old global `now`, with their types. */
const magicMembers = new Map<string, Type>([
  ["msg.sender", payableType],
  ["msg.value", uint256],
  ["msg.data", { kind: "bytes", location: "calldata" }],
  ["msg.sig", { kind: "fixedBytes", size: 4 }],
  ["msg.gas", uint256],
  ["tx.origin", payableType],
  ["tx.gasprice", uint256],
  ["block.timestamp", uint256],
  ["block.number", uint256],
  ["block.difficulty", uint256],
  ["block.prevrandao", uint256],
  ["block.coinbase", payableType],
  ["block.gaslimit", uint256],
  ["block.chainid", uint256],
  ["block.basefee", uint256],
  ["block.blobbasefee", uint256],
  ["now", uint256],
])

export const magicType = (name: string): Type | undefined => magicMembers.get(name)

/** Global functions and their result types. */
const functions = new Map<string, Type>([
  ["require", { kind: "tuple", components: [] }],
  ["assert", { kind: "tuple", components: [] }],
  ["revert", { kind: "tuple", components: [] }],
  ["keccak256", bytes32],
  ["sha3", bytes32],
  ["sha256", bytes32],
  ["ripemd160", { kind: "fixedBytes", size: 20 }],
  ["ecrecover", addressType],
  ["addmod", uint256],
  ["mulmod", uint256],
  ["selfdestruct", { kind: "tuple", components: [] }],
  ["suicide", { kind: "tuple", components: [] }],
  ["blockhash", bytes32],
  ["blobhash", bytes32],
  ["gasleft", uint256],
  ["erc7201", uint256],
])

export const builtinFunction = (name: string): Type | undefined => functions.get(name)

const globals = new Set(["msg", "block", "tx", "abi", "now", "this", "super", "_", ...functions.keys()])
export const isBuiltinName = (name: string): boolean => globals.has(name)

export const lowLevelCalls = new Set(["call", "delegatecall", "staticcall", "callcode", "send", "transfer"])

/** The type of `x.member` if `x` is a value of `type` and `member` is built into the language. */
export const memberType = (type: Type, member: string): Type | undefined => {
  switch (type.kind) {
    case "address":
      if (member === "balance") return uint256
      if (member === "code") return bytesMemory
      if (member === "codehash") return bytes32
      return undefined
    case "array":
    case "bytes":
      return member === "length" ? uint256 : undefined
    case "fixedBytes":
      return member === "length" ? elementaryType("uint8") : undefined
    case "string":
      return undefined
    case "function":
      return member === "selector" ? { kind: "fixedBytes", size: 4 } : member === "address" ? addressType : undefined
    case "meta":
      if (member === "min" || member === "max") return type.type
      if (member === "name") return stringMemory
      if (member === "creationCode" || member === "runtimeCode") return bytesMemory
      return member === "interfaceId" ? { kind: "fixedBytes", size: 4 } : undefined
    default:
      return undefined
  }
}

/** The results of the functions that addresses have. */
export const lowLevelResult = (name: string, before05: boolean): Type => {
  if (name === "transfer") return { kind: "tuple", components: [] }
  if (name === "send" || before05) return boolType
  return { kind: "tuple", components: [boolType, bytesMemory] }
}

/** The results of `abi.encode…`, `bytes.concat`, `string.concat`. */
export const encodingResult = (owner: string, name: string): Type =>
  owner === "string" ? stringMemory : owner === "bytes" || name.startsWith("encode") ? bytesMemory : unknownType
