import { oncePer } from "../../../oncePer.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import type { LocalVariable } from "../../model.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { constantNumber } from "../value/constantNumber.ts"
import { writtenAs } from "../value/writtenAs.ts"

/** Libraries without source that compute the address produced by CREATE2. */
const computesAddress = (name: string): boolean => {
  const lower = name.toLowerCase()
  const predicted = lower.indexOf("predict")
  return /create2|computeaddress/.test(lower) || (predicted !== -1 && lower.includes("address", predicted))
}

/** The byte with which the preimage of a CREATE2 address begins: `bytes1(0xff)`, `hex"ff"`. */
const isPrefix = (flow: Flow, e: S.Expression): boolean => {
  if (e.kind === "Literal" && e.literalKind === "hexString") return /^ff$/i.test(e.value)
  if (e.kind === "Literal" && e.literalKind === "string") return /^\\xff$/i.test(e.value)
  const call = e.kind === "FunctionCall" ? flow.program.callOf(e) : undefined
  if (call?.kind === "conversion") return call.args.length === 1 && isPrefix(flow, call.args[0]!)
  return constantNumber(flow.program, e) === 255n
}

/** What a call hashes as the code of a CREATE2 address: the parts of the EIP-1014 formula, or a library's arguments. */
const addressParts = (flow: Flow, { call, callKind, name, target }: CallSite): ReadonlyArray<S.Expression> => {
  if (call === undefined) return []
  if (name === "abi.encodePacked" || name === "bytes.concat")
    return call.args[0] !== undefined && isPrefix(flow, call.args[0]) ? call.args.slice(1) : []
  if (callKind !== "internal" && callKind !== "library") return []
  if (target === undefined || !target.implemented) return computesAddress(name) ? call.args : []
  const inner = flow.program.flow(target)
  if (inner === flow) return []
  const hashed = new Set<LocalVariable>(
    inner
      .calls()
      .filter((site) => site.callKind === "builtin")
      .flatMap((site) => addressParts(inner, site).flatMap((part) => inner.origins(part, site.at).parameters)),
  )
  return call.args.filter((_, i) => target.parameters[i] !== undefined && hashed.has(target.parameters[i]))
}

/** What locals hold that are passed to assembly's `create` or `create2`, and hashes that make up an address. */
const codeIn = oncePer((flow: Flow) => {
  const deployed = new Set<Expr>()
  const hashes = new Set<Expr>()
  for (const site of flow.calls()) {
    for (const part of addressParts(flow, site)) hashes.add(part).add(writtenAs(flow, part, site.at).e)
    if (site.callKind !== "create" || site.node.kind !== "YulFunctionCall") continue
    walk(site.node, (e) => {
      const variable = e.kind === "YulIdentifier" ? flow.program.referenceOf(e) : undefined
      if (variable?.kind !== "LocalVariable") return
      for (const { value } of flow.definitionsOf(variable)) if (value !== undefined) deployed.add(value)
    })
  }
  return { deployed, hashes }
})

/**
 * Whether packed bytes are the code that deploys a contract: they are deployed, or their hash is that of the code in a
 * CREATE2 address. The hash then identifies the bytes, however they were concatenated.
 */
export const isInitCode = (flow: Flow, bytes: S.Expression, hash: Expr): boolean => {
  const { deployed, hashes } = codeIn(flow)
  return deployed.has(bytes) || hashes.has(hash)
}
