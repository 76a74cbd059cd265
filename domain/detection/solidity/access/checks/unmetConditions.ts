import { oncePer } from "../../../oncePer.ts"
import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { type Origins, Source } from "../../flow/graph/origins.ts"
import { isNothing } from "../../flow/values/isZero.ts"
import { declaredWhole, isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { membersRead } from "../../questions/authority/membersRead.ts"
import { storageUse } from "../../questions/value/storageUse.ts"
import { accessOf, type Entry } from "../entries/entries.ts"
import { maySet, wholes, type Write, writesOf } from "./unsetMarks.ts"

// Conditions that state be set, although nothing sets it, or only what such a condition already guards.

export interface UnmetCondition {
  readonly entry: Entry
  readonly fact: Relation
  readonly variable: StateVariable
  /** The phase that is required, if it is one of several. */
  readonly member?: string
  /** The writes that would meet it, behind the condition themselves. */
  readonly behind: ReadonlyArray<Write>
}

/** What a condition requires: that a variable, or an entry of it, is set, to a member of an enum if one is named. */
interface Requirement {
  readonly variable: StateVariable
  readonly member: string | undefined
  /** The member of the struct, if it is one. */
  readonly path: string | undefined
}

/** Limits: conditions of one entry point, and writes of one variable. */
const factLimit = 100
const writeLimit = 50

export const unmetConditions = oncePer((program: Program): ReadonlyArray<UnmetCondition> => {
  const writes = writesOf(program)
  const { handed, written } = storageUse(program)
  const seen = new Set<Expr>()
  return accessOf(program).entries.flatMap((entry) => {
    const facts = new Set(entry.flow.facts(entry.flow.exit).slice(0, factLimit))
    return [...facts].flatMap((fact): ReadonlyArray<UnmetCondition> => {
      const required = requiredBy(program, fact)
      if (required === undefined || fact.kind === "any" || seen.has(fact.expression)) return []
      const { variable, member, path } = required
      if (handed.has(declaredWhole(variable)) || isKept(variable)) return []
      const all = [variable, ...wholes(variable)].flatMap((each) => writes.get(each) ?? []).slice(0, writeLimit)
      // what is written nowhere at all, or only through pointers, is another matter
      if (!written.has(declaredWhole(variable)) || (all.length === 0 && path !== undefined)) return []
      const meeting = all.filter(
        (write) =>
          // as the write would spell the member
          maySet(program, write, path === undefined ? [] : [`${write.path}${path}`]) &&
          maySetTo(program, write, member),
      )
      if (!meeting.every((write) => isBehind(program, write, required))) return []
      seen.add(fact.expression)
      return [{ entry, fact, variable, ...(member === undefined ? {} : { member }), behind: meeting }]
    })
  })
})

/** Its value comes with the contract, or from where it cannot be followed. */
const isKept = (variable: StateVariable): boolean =>
  (variable.node?.value !== undefined && !isNothing(variable.node.value)) ||
  variable.constant ||
  variable.immutable ||
  isComputedSlot(variable) ||
  declaredWhole(variable).node === undefined

/** `require(open)`, `require(order.maker != address(0))`, `require(phase == Phase.Open)`, `msg.sender == pending`. */
const requiredBy = (program: Program, fact: Fact): Requirement | undefined => {
  if (fact.kind === "any") return undefined
  const { operator, left, right, withZero } = fact
  const isStored = soleState(left) !== undefined
  const variable = soleState(left) ?? (right === undefined ? undefined : soleState(right))
  // who is on a list is a question of access
  if (variable === undefined || ((left.keys | (right?.keys ?? 0)) & Source.sender) !== 0) return undefined
  const [path, ...others] = membersRead(program, fact, variable)
  // an amount may be left from an earlier implementation
  if (others.length > 0 || !isStatus(variable.type, path)) return undefined
  if (operator === "true" || (withZero && operator === "!=")) return { variable, member: undefined, path }
  if (operator !== "==" || withZero || right === undefined) return undefined
  if ((isStored ? right : left).sources === Source.sender) return { variable, member: undefined, path }
  const member = enumMemberIn(program, fact.expression)
  return member === undefined ? undefined : { variable, member, path }
}

/** A flag, a phase or an account, also of a table or record. */
const isStatus = (type: Type, path: string | undefined): boolean => {
  if (type.kind === "mapping") return isStatus(type.value, path)
  if (type.kind !== "struct") return type.kind === "bool" || type.kind === "enum" || type.kind === "address"
  const member = type.struct.members.find(({ name }) => path?.endsWith(`.${name}`) === true)
  return member !== undefined && isStatus(member.type, undefined)
}

const soleState = ({ sources, state }: Origins): StateVariable | undefined =>
  sources === Source.state && state.length === 1 ? state[0] : undefined

/** The member of an enum, other than the first, that a comparison names. */
const enumMemberIn = (program: Program, e: Expr): string | undefined => {
  if (e.kind !== "BinaryOperation") return undefined
  for (const side of [e.left, e.right]) {
    const member = enumMember(program, side)
    if (member !== undefined) return member.isFirst ? undefined : member.name
  }
  return undefined
}

const enumMember = (
  program: Program,
  e: S.Expression,
): { readonly name: string; readonly isFirst: boolean } | undefined => {
  if (e.kind !== "MemberAccess") return undefined
  const type = program.typeOf(e)
  if (type.kind !== "enum" || !type.enum.node.values.some(({ name }) => name === e.member)) return undefined
  return { name: e.member, isFirst: type.enum.node.values[0]?.name === e.member }
}

/** Whether a write may set the required phase: not if it names another one. */
const maySetTo = (program: Program, { event: { value } }: Write, member: string | undefined): boolean => {
  if (member === undefined || value === undefined) return true
  const named = value.kind.startsWith("Yul") ? undefined : enumMember(program, value as S.Expression) // not Yul, as just asked
  if (named !== undefined) return named.name === member
  const call = value.kind === "FunctionCall" ? program.callOf(value) : undefined
  if (call?.kind !== "struct") return true
  const phases = call.args.flatMap((arg) => (program.typeOf(arg).kind === "enum" ? [enumMember(program, arg)] : []))
  return phases.length === 0 || phases.some((each) => each === undefined || each.name === member)
}

/** Whether the write itself requires what it would set. */
const isBehind = (program: Program, { flow, at }: Write, { variable, member, path }: Requirement): boolean =>
  flow.facts(at).some((fact) => {
    const required = requiredBy(program, fact)
    return required?.variable === variable && required.member === member && required.path === path
  })
