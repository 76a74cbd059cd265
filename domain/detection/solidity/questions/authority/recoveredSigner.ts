import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { merge, noOrigins, type Origins, Source, substitute } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

/**
 * A place where a signer is recovered from a signature: `ecrecover`, the precompile, or a function that leads to one.
 */
export interface Recovery {
  readonly site: CallSite
  /** The signed message, in terms of the flow's function. */
  readonly digest: Origins
  /** The parts of the signature, in terms of the flow's function. */
  readonly signature: Origins
  /** Whether the recovery happens here rather than inside a called function. */
  readonly direct: boolean
}

/** Helpers without source, by the names used in common libraries. */
const recoverName = /^(try)?recover|^isValid\w*Signature|^verifySignature$/i

const callLimit = 12

const memo = new WeakMap<Flow, ReadonlyArray<Recovery>>()

const isPrecompile = (e: Expr | undefined): boolean => e?.kind === "YulLiteral" && Number(e.value) === 1

const all = (flow: Flow, es: ReadonlyArray<Expr>, at: FlowNode): Origins =>
  es.reduce<Origins>((sum, e) => merge(sum, flow.origins(e, at)), noOrigins)

/** The arguments, preceded by the receiver if `using` attaches a library without source. */
const allArguments = (site: CallSite): ReadonlyArray<Expr> =>
  site.callKind !== "internal" && site.receiver !== undefined && !site.args.includes(site.receiver)
    ? [site.receiver, ...site.args]
    : site.args

/** `ECDSA` in `ECDSA.recover(…)` is not an argument; a value of unknown type is. */
const isTypeName = (program: Program, e: Expr): boolean =>
  e.kind === "Identifier" && (program.referenceOf(e) === undefined || program.referenceOf(e)?.kind === "Contract")

/** Helpers without source that wrap a hash for signing: their arguments are what is signed. */
const wrapName = /^(toEthSignedMessageHash|toTypedDataHash|_?hashTypedData(V4)?)$/

const calleeName = ({ callee }: S.FunctionCall): string =>
  callee.kind === "Identifier" ? callee.name : callee.kind === "MemberAccess" ? callee.member : ""

/** The 32-byte argument that represents the signed message. */
const digestArgument = (program: Program, args: ReadonlyArray<Expr>): number => {
  const index = args.findIndex((arg) => {
    if (arg.kind === "FunctionCall" && wrapName.test(calleeName(arg))) return true
    const type = arg.kind.startsWith("Yul") ? undefined : program.typeOf(arg as Parameters<Program["typeOf"]>[0])
    return type?.kind === "fixedBytes" && type.size === 32
  })
  return Math.max(index, 0)
}

/** The origins of the signed message, through locals and the wrappers of libraries without source. */
const digestOrigins = (flow: Flow, e: Expr, at: FlowNode, depth = 0): Origins => {
  const { program } = flow
  if (depth < 6 && e.kind === "Identifier") {
    const variable = program.referenceOf(e)
    if (variable?.kind === "LocalVariable") {
      const { definitions, initial } = flow.values.reaching(variable, at)
      const [only] = definitions
      if (
        !initial &&
        definitions.length === 1 &&
        only?.value !== undefined &&
        only.index === undefined &&
        !only.keepsOld
      )
        return digestOrigins(flow, only.value, only.at, depth + 1)
    }
  }
  if (depth < 6 && e.kind === "FunctionCall") {
    const site = flow.siteOf(e)
    if (site !== undefined && site.target?.implemented !== true && wrapName.test(site.name)) {
      const args = allArguments(site).filter((arg) => !isTypeName(program, arg))
      const inner = args.reduce<Origins>((sum, arg) => merge(sum, digestOrigins(flow, arg, at, depth + 1)), noOrigins)
      // A typed-data hash includes the domain: contract and chain.
      const bound = site.name === "toEthSignedMessageHash" ? 0 : Source.self | Source.chainId
      return merge(inner, { ...noOrigins, sources: Source.hash | bound })
    }
  }
  return flow.origins(e, at)
}

/** Everything in a function, and in the functions it calls, that recovers a signer. */
export const recoveriesIn = (program: Program, flow: Flow, depth = 0): ReadonlyArray<Recovery> => {
  const known = memo.get(flow)
  if (known !== undefined) return known
  memo.set(flow, [])
  const found: Array<Recovery> = []
  for (const site of flow.calls()) {
    const { at } = site
    if (site.callKind === "builtin" && site.name === "ecrecover" && site.args.length === 4) {
      const digest = digestOrigins(flow, site.args[0]!, at)
      found.push({ site, digest, signature: all(flow, site.args.slice(1), at), direct: true })
    } else if ((site.callKind === "staticcall" || site.callKind === "call") && isPrecompile(site.receiver)) {
      // The input is in memory: what the block stores there is digest and signature combined.
      const input: Origins = flow.fn.parameters.reduce<Origins>(
        (sum, p) => merge(sum, { ...noOrigins, sources: Source.parameter | Source.unknown, parameters: [p] }),
        noOrigins,
      )
      found.push({ site, digest: input, signature: input, direct: true })
    } else if (site.callKind === "internal" || site.callKind === "library" || site.callKind === "unknown") {
      if (site.target === undefined || !site.target.implemented) {
        const args = allArguments(site).filter((arg) => !isTypeName(program, arg))
        if (!recoverName.test(site.name) || args.length < 2) continue
        const index = digestArgument(program, args)
        const digest = digestOrigins(flow, args[index]!, at)
        found.push({ site, digest, signature: all(flow, args.slice(index + 1), at), direct: false })
        continue
      }
      if (depth > callLimit || site.call === undefined) continue
      const { call, target } = site
      const inner = recoveriesIn(program, program.flow(target), depth + 1)[0]
      if (inner === undefined) continue
      const passed = (value: Origins): Origins =>
        substitute(value, (p) => {
          const arg = call.args[target.parameters.indexOf(p)]
          return arg === undefined ? undefined : digestOrigins(flow, arg, at)
        })
      found.push({ site, digest: passed(inner.digest), signature: passed(inner.signature), direct: false })
    }
  }
  memo.set(flow, found)
  return found
}
