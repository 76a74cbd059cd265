import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
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

/** Whether a local that holds the bytes is passed to assembly's `create` or `create2`. */
const isDeployed = (flow: Flow, site: CallSite, bytes: S.Expression): boolean => {
  if (site.callKind !== "create" || site.node.kind !== "YulFunctionCall") return false
  let found = false
  walk(site.node, (e) => {
    if (e.kind !== "YulIdentifier") return
    const variable = flow.program.referenceOf(e)
    if (variable?.kind === "LocalVariable" && flow.definitionsOf(variable).some(({ value }) => value === bytes))
      found = true
  })
  return found
}

/**
 * Whether packed bytes are the code that deploys a contract: they are deployed, or their hash is that of the code in a
 * CREATE2 address. The hash then identifies the bytes, however they were concatenated.
 */
export const isInitCode = (flow: Flow, bytes: S.Expression, hash: Expr): boolean => {
  const isHash = (part: S.Expression, at: FlowNode): boolean => writtenAs(flow, part, at).e === hash
  return flow
    .calls()
    .some(
      (site) =>
        isDeployed(flow, site, bytes) ||
        addressParts(flow, site).some((part) => part === hash || isHash(part, site.at)),
    )
}
