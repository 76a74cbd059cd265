import { oncePer } from "../../../oncePer.ts"
import { shutsOut } from "../../demands/demands.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import { isNothing } from "../../flow/values/isZero.ts"
import { chosenByCaller, has, only, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import { isComputedSlot, isPartOf, type StoragePlace } from "../../flow/graph/storagePlace.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { alongPath, strangersPath } from "./attackerControl.ts"
import { authorities, type Authority, dependsOn, isPaidFor } from "./authorities.ts"
import { changeable } from "./callOut.ts"
import { isProxySetup } from "../deployment/borrowedCode.ts"
import { initialized } from "../deployment/initialized.ts"
import { callsInitializer, hasInitializerModifier } from "../deployment/initializer.ts"
import { misnamedConstructors } from "./misnamedConstructor.ts"

/** A place where strangers can give themselves a privileged role. */
export interface OpenAuthority {
  readonly flow: Flow
  readonly event: StorageAccess
  readonly authority: Authority
  /** The calls that lead to the write from the function that strangers can call, outermost first. */
  readonly path: ReadonlyArray<CallSite>
}

/** Limit: writes of one variable in one function whose conditions are examined. */
const writeLimit = 50

/** Writes to authority state that anyone can reach at any time. */
export const openAuthorities = oncePer((program: Program): ReadonlyArray<OpenAuthority> => [...findOpen(program)])

function* findOpen(program: Program): Iterable<OpenAuthority> {
  const known = authorities(program)
  const misnamed = misnamedConstructors(program)
  for (const flow of program.allFlows()) {
    if (callsInitializer(flow) || isProxySetup(program, flow.fn)) continue
    if (flow.fn.role === "constructor" || misnamed.has(flow.fn) || !program.graph.isReachable(flow.fn)) continue
    const checksElsewhere = elsewhereIn(flow)
    for (const { event, place, via, at } of flow.writes) {
      const authority = place?.variables.map((variable) => authorityOf(known, variable)).find((a) => a !== undefined)
      if (authority === undefined || event.value === undefined || place === undefined) continue
      // A write inside a callee is examined there, unless the caller passes the value: `admins.add(account)`.
      if (via.length > 0 && (event.place.variables.length > 0 || !place.path.includes("[]"))) continue
      if (isCheckedOnTheWay(program, via.slice(1), event)) continue
      const { members, variable } = authority
      if (members.size > 0 && place.path !== "" && !members.has(place.path)) continue
      if (isAmountBeside(program, authority, place.path, event)) continue
      // for storage named only by assembly, keys are not distinguished, unless a constant is the slot itself
      if (variable.node === undefined && variable.whole === undefined && !isOneSlot(variable, place)) continue
      // In a table, the key determines who gets the role.
      const isTable = variable.type.kind === "struct" ? place.path.includes("[]") : authority.table
      const beneficiary = isTable ? place.keys : flow.origins(event.value, at)
      if (isTable && (closesGap(flow, event, place) || isAnswered(flow, event, at))) continue
      const own = isTable && (place.keys.sources & Source.parameter) === 0
      if (own && !authority.strong) continue
      if (checksElsewhere(variable)) continue
      const path = strangersPath(flow, at, beneficiary, Source.parameter | Source.calldata | Source.sender)
      if (
        path === undefined ||
        path.some(({ at: { callable } }) => callable.kind === "Function" && misnamed.has(callable))
      )
        continue
      // Anyone may renounce a role, or set their own entry if it decides nothing for others.
      const isOwn = isTable && only(alongPath(flow, place.keys, path), ownKey)
      if (isOwn && (isNothing(event.value) || !authority.strong)) continue
      // approvals[sender][other]: all callers decide for themselves.
      if (/\[\].*\[\]/.test(place.path) && has(alongPath(flow, place.keys, path), Source.sender)) continue
      const facts = flow.facts(at).filter((fact) => !isNewValue(fact))
      if (
        isPaidFor(facts) ||
        dependsOn(facts, (v) => isPartOf(v, variable) || isPartOf(variable, v) || isFlag(program, v))
      )
        continue
      if (flow.onceAt(at) !== undefined || flow.consumedAt(at).length > 0 || onceOnTheWay(program, path)) continue
      yield { flow, event, authority, path: [...path, ...via] }
    }
  }
}

/** Of a struct of which it is unknown what is compared, a number is rather an amount than who may do something. */
export const isAmountBeside = (
  program: Program,
  { members }: Authority,
  path: string,
  { expression }: StorageAccess,
): boolean =>
  members.size === 0 &&
  path.includes(".") &&
  !expression.kind.startsWith("Yul") &&
  program.typeOf(expression as S.Expression).kind === "integer"

const isOneSlot = (variable: StateVariable, { path, keys }: StoragePlace): boolean =>
  !isComputedSlot(variable) && path === "" && keys.sources === 0

/** Whether a function on the way to the write admits only some callers. */
const isCheckedOnTheWay = (program: Program, via: ReadonlyArray<CallSite>, event: StorageAccess): boolean =>
  [...via, event].some(({ at }) => {
    const inner = at.callable.kind === "Function" ? program.flowIfBuilt(at.callable) : undefined
    return inner !== undefined && via.length > 0 && shutsOut(inner, at)
  })

/** The sender's own entry, for a role with a fixed name. */
const ownKey = Source.sender | Source.literal | Source.constant

/** What another contract, which the caller does not choose, says of the account is noted: whoever calls decides only when. */
const isAnswered = (flow: Flow, { value }: StorageAccess, at: FlowNode): boolean => {
  const answer = flow.origins(value!, at) // what sets nothing has been left out
  return only(answer, Source.external) && answer.targets !== 0 && (answer.targets & chosenByCaller) === 0
}

/** The last element of a list takes the place of the removed one. */
const closesGap = (flow: Flow, event: StorageAccess, { keys, variables }: StoragePlace): boolean =>
  has(keys, Source.state) &&
  flow.writes.some(
    (other) =>
      (other.event.operation === "delete" || other.event.operation === "pop") &&
      other.event.at.callable === event.at.callable &&
      other.place?.variables.some((variable) => variables.includes(variable)) === true,
  )

/** `require(next != owner)` checks that something changes, not who changes it. */
const isNewValue = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "!=" &&
  fact.right !== undefined &&
  (only(fact.left, Source.parameter) || only(fact.right, Source.parameter)) &&
  fact.left.keys === 0 &&
  fact.right.keys === 0

/** For a struct member, the member's own origins, or those of the struct if no member is known. */
const authorityOf = (known: ReadonlyMap<StateVariable, Authority>, variable: StateVariable): Authority | undefined =>
  known.get(variable) ?? (variable.whole === undefined ? undefined : authorityOf(known, variable.whole))

/** Whether a function on the way runs only once, or checks the contract's state. */
const onceOnTheWay = (program: Program, path: ReadonlyArray<CallSite>): boolean =>
  path.some(({ at }) => {
    if (at.callable.kind !== "Function") return false
    const caller = program.flow(at.callable)
    return (
      hasInitializerModifier(at.callable) ||
      caller.onceAt(at) !== undefined ||
      caller.consumedAt(at).length > 0 ||
      dependsOn(caller.facts(at), (v) => isFlag(program, v) || authorities(program).has(v))
    )
  })

/** A value that a completed function can leave behind; a flag that is never set guards nothing. */
const isFlag = (program: Program, variable: StateVariable): boolean =>
  (variable.type.kind === "bool" || variable.type.kind === "integer") && changeable(program).has(variable)

/**
 * Whether the contract has a privileged account from deployment on: in this variable, or in another one of the same
 * contract.
 */
export const isSetUp = (program: Program, { variable }: Authority): boolean =>
  initialized(program, variable) ||
  [...authorities(program).values()].some(
    (other) => !other.table && other.variable.contract === variable.contract && initialized(program, other.variable),
  )

/**
 * Whether the function checks a variable before one of its writes to it: one of two paths through the function checks,
 * and which one is taken may depend on the deployed contract.
 */
const elsewhereIn = (flow: Flow): ((variable: StateVariable) => boolean) => {
  const known = new Map<StateVariable, boolean>()
  return (variable) => {
    let found = known.get(variable)
    if (found === undefined) {
      found = flow.writes
        .filter(({ place }) => place?.variables.includes(variable) === true)
        .slice(0, writeLimit)
        .some(({ at }) =>
          dependsOn(
            flow.facts(at).filter((fact) => !isNewValue(fact)),
            (v) => v === variable,
          ),
        )
      known.set(variable, found)
    }
    return found
  }
}
