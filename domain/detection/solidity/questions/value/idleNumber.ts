import { oncePerPair } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** What a function does with its variables, other than reporting them. */
interface Uses {
  readonly used: ReadonlySet<LocalVariable>
  /** Members that are read from structs that are not used otherwise. */
  readonly members: ReadonlyMap<LocalVariable, ReadonlySet<string>>
  readonly handed: ReadonlyMap<LocalVariable, ReadonlyArray<{ readonly to: FunctionModel; readonly index: number }>>
  /** Names that occur in assembly. */
  readonly assembly: ReadonlySet<string>
  /** What events or errors report. */
  readonly reported: ReadonlySet<LocalVariable>
}

const usesIn = oncePerPair((program: Program, fn: FunctionModel): Uses => {
  const used = new Set<LocalVariable>()
  const members = new Map<LocalVariable, Set<string>>()
  const handed = new Map<LocalVariable, Array<{ to: FunctionModel; index: number }>>()
  const assembly = new Set<string>()
  const reported = new Set<LocalVariable>()
  const settled = new Set<S.Node>()
  const localOf = (e: S.Expression): LocalVariable | undefined => {
    const named = e.kind === "Identifier" ? program.referenceOf(e) : undefined
    return named?.kind === "LocalVariable" ? named : undefined
  }
  const visit = (node: S.Node): boolean => {
    switch (node.kind) {
      case "YulIdentifier":
        // `data.offset` uses `data`
        assembly.add(node.name.replace(/\.(?:offset|length)$/, ""))
        return true
      case "EmitStatement":
      case "RevertStatement":
        for (const arg of node.call.args) {
          settled.add(arg)
          const variable = localOf(arg)
          if (variable !== undefined) reported.add(variable)
        }
        return true
      case "ExpressionStatement":
        // `minimum;` only silences the compiler
        settled.add(node.expression)
        return true
      case "Assignment":
        if (node.operator === "=") settled.add(node.left)
        return true
      case "MemberAccess": {
        const struct = localOf(node.object)
        if (struct?.type.kind !== "struct") return true
        settled.add(node.object)
        const known = members.get(struct)
        if (known === undefined) members.set(struct, new Set([node.member]))
        else known.add(node.member)
        return true
      }
      case "FunctionCall": {
        const call = program.callOf(node)
        // the reason for a revert
        if (call?.name === "revert" || call?.kind === "error") for (const arg of node.args) settled.add(arg)
        const to = call?.kind === "internal" ? call.target : undefined
        if (to === undefined || !isSettledHere(to)) return true
        for (const [index, arg] of call!.args.entries()) {
          const variable = localOf(arg)
          if (variable === undefined) continue
          settled.add(arg)
          const known = handed.get(variable)
          if (known === undefined) handed.set(variable, [{ to, index }])
          else known.push({ to, index })
        }
        return true
      }
      case "Identifier": {
        const variable = settled.has(node) ? undefined : localOf(node)
        if (variable !== undefined) used.add(variable)
        return true
      }
      default:
        return true
    }
  }
  if (fn.node.body !== undefined) walk(fn.node.body, visit)
  for (const modifier of fn.modifiers) walk(modifier.node, visit)
  return { used, members, handed, assembly, reported }
})

/** Whether the function has a body and no derived contract replaces it. */
const isSettledHere = ({ implemented, node, contract, signature }: FunctionModel): boolean =>
  implemented &&
  (!node.virtual || contract === undefined || !contract.derived.some((heir) => declares(heir, signature)))

const declares = (contract: ContractModel, signature: string): boolean =>
  contract.functions.some((fn) => fn.signature === signature)

/** Whether it does something that arguments could decide, rather than computing or rejecting. */
export const changesSomething = (flow: Flow): boolean =>
  flow.fn.role === "function" &&
  isSettledHere(flow.fn) &&
  flow.fn.mutability !== "view" &&
  flow.fn.mutability !== "pure" &&
  flow.isReachable(flow.exit) &&
  (flow.writes.length > 0 || flow.externalCalls.length > 0)

/** Limit: functions that a number is followed into. */
const depthLimit = 8

const isIdleAt = (program: Program, fn: FunctionModel, variable: LocalVariable, depth: number): boolean => {
  const { used, members, handed, assembly } = usesIn(program, fn)
  if (used.has(variable) || members.has(variable) || assembly.has(variable.name)) return false
  const to = handed.get(variable) ?? []
  if (to.length > 0 && depth >= depthLimit) return false
  return to.every(({ to: callee, index }) => {
    const parameter = callee.parameters[index]
    return parameter !== undefined && parameter.name !== "" && isIdleAt(program, callee, parameter, depth + 1)
  })
}

/** Whether the variable decides nothing in the function: at most, an event or error reports it. */
export const isIdle = (program: Program, fn: FunctionModel, variable: LocalVariable): boolean =>
  isIdleAt(program, fn, variable, 0)

/** Whether an event or error of the function reports the variable. */
export const isReported = (program: Program, fn: FunctionModel, variable: LocalVariable): boolean =>
  usesIn(program, fn).reported.has(variable)

/** Whether the function passes the variable on, so that another can use it. */
export const isHandedOn = (program: Program, fn: FunctionModel, variable: LocalVariable): boolean =>
  usesIn(program, fn).handed.has(variable)

type Member = Pick<LocalVariable, "name" | "type">

/** Struct members that the function never reads, although it reads others and keeps the struct to itself. */
export const idleMembers = (program: Program, fn: FunctionModel, struct: LocalVariable): ReadonlyArray<Member> => {
  if (struct.type.kind !== "struct") return []
  const uses = usesIn(program, fn)
  const read = uses.members.get(struct)
  if (read === undefined || uses.assembly.has(struct.name)) return []
  if (uses.used.has(struct) || uses.handed.has(struct)) return []
  return struct.type.struct.members.filter(({ name }) => !read.has(name))
}
