import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Expr } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { literalNumber } from "../value/constantNumber.ts"

/** Limit: nested expressions that are followed. */
const depthLimit = 24
const wordMask = (1n << 256n) - 1n

/**
 * The slot that an expression of literals, constants and hashes denotes, as in
 * `keccak256(abi.encode(uint256(keccak256("acme.main")) - 1)) & ~bytes32(uint256(0xff))`.
 */
export const slotNumber = (flow: Flow, e: Expr, depth = 0): bigint | undefined => {
  if (depth > depthLimit) return undefined
  const number = (inner: Expr | undefined): bigint | undefined =>
    inner === undefined ? undefined : slotNumber(flow, inner, depth + 1)
  switch (e.kind) {
    case "YulLiteral":
      return /^(?:0[xX][0-9a-fA-F]{1,64}|\d{1,78})$/.test(e.value) ? BigInt(e.value) : undefined
    case "Literal":
      return literalNumber(e)
    case "YulIdentifier":
    case "Identifier":
    case "MemberAccess":
      return number(valueOf(flow, e))
    case "UnaryOperation": {
      const value = e.operator === "~" ? number(e.operand) : undefined
      return value === undefined ? undefined : ~value & wordMask
    }
    case "BinaryOperation": {
      const left = number(e.left)
      const right = left === undefined ? undefined : number(e.right)
      if (left === undefined || right === undefined) return undefined
      return e.operator === "-"
        ? (left - right) & wordMask
        : e.operator === "+"
          ? (left + right) & wordMask
          : e.operator === "&"
            ? left & right
            : undefined
    }
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      const [arg] = call?.args ?? []
      if (call?.kind === "conversion") return number(arg)
      if (call?.kind !== "builtin" || call.name !== "keccak256" || arg === undefined) return undefined
      const hashed = hashedBytes(flow, arg, depth + 1)
      return hashed === undefined ? undefined : BigInt(`0x${bytesToHex(keccak_256(hashed))}`)
    }
    default:
      return undefined
  }
}

/** The value of a constant, or of a local that is assigned once. */
const valueOf = (flow: Flow, e: S.Expression | S.YulIdentifier): Expr | undefined => {
  const found = flow.program.referenceOf(e)
  if (found?.kind === "StateVariable") return found.constant ? found.node?.value : undefined
  if (found?.kind !== "LocalVariable" && found?.kind !== "YulVariable") return undefined
  const [definition, ...others] = flow.definitionsOf(found)
  return others.length === 0 ? definition?.value : undefined
}

/** The bytes of a text, or of numbers encoded as words. */
const hashedBytes = (flow: Flow, e: Expr, depth: number): Uint8Array | undefined => {
  if (depth > depthLimit) return undefined
  if (e.kind === "Literal") return e.literalKind === "string" ? utf8ToBytes(e.value) : undefined
  if (e.kind === "Identifier" || e.kind === "MemberAccess") {
    const value = valueOf(flow, e)
    return value === undefined ? undefined : hashedBytes(flow, value, depth + 1)
  }
  if (e.kind !== "FunctionCall") return undefined
  const call = flow.program.callOf(e)
  if (call === undefined) return undefined
  if (call.kind === "conversion" && call.args.length === 1) return hashedBytes(flow, call.args[0]!, depth + 1)
  if (call.kind !== "builtin") return undefined
  const encoded = call.args.map((arg) => {
    const text = call.name === "abi.encodePacked" ? hashedBytes(flow, arg, depth + 1) : undefined
    const word = text === undefined && call.name === "abi.encode" ? slotNumber(flow, arg, depth + 1) : undefined
    return text ?? (word === undefined ? undefined : hexToBytes(word.toString(16).padStart(64, "0")))
  })
  return encoded.every((part) => part !== undefined) ? concatBytes(...encoded) : undefined
}
