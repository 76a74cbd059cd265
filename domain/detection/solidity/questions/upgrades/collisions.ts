import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { type Forwarder, targetsOf } from "../authority/forwarding.ts"
import { type Implementation, implementationsOf } from "../authority/implementations.ts"
import { storageUse } from "../value/storageUse.ts"
import { bareName, formOf, isSameVariable, layoutOf, overlaps, type Placed } from "../storage/layout.ts"

/** Two variables that use the same bytes for different things. */
interface Collision {
  readonly ours: StateVariable
  readonly theirs: StateVariable
}

/** The function that a delegate call names writes the other contract's variable. */
interface WrittenCollision extends Collision {
  readonly fn: FunctionModel
}

/** The other contract is behind the proxy. */
interface PlacedCollision extends Collision {
  readonly implementation: Implementation
}

/** Entry points by signature. */
const entryPoints = oncePer((program: Program) =>
  indexBy(program.functions, (fn) => (program.graph.isEntryPoint(fn) ? [fn.signature] : [])),
)

/** A function named in the calldata that writes a variable where this contract has a different one. */
export const writtenCollision = (
  { program }: Flow,
  site: CallSite,
  contract: ContractModel,
): WrittenCollision | undefined => {
  const ours = layoutOf(program, contract)
  for (const signature of site.args.flatMap((arg) => signaturesIn(program, arg))) {
    const candidates = entryPoints(program).get(signature) ?? []
    // One of several was made for this layout: that is the one that is meant.
    if (candidates.some((fn) => sharesLayout(program, fn, contract))) continue
    for (const fn of candidates) {
      if (fn.contract === undefined) continue
      const inner = program.flow(fn)
      const theirs = new Map(layoutOf(program, inner.context ?? fn.contract).map((placed) => [placed.variable, placed]))
      for (const { place } of inner.writes) {
        for (const variable of place?.variables ?? []) {
          const written = theirs.get(declaredWhole(variable))
          const hit = written === undefined ? undefined : ours.find((own) => collide(own, written))
          if (hit !== undefined) return { fn, theirs: variable, ours: hit.variable }
        }
      }
    }
  }
  return undefined
}

const sharesLayout = (program: Program, fn: FunctionModel, contract: ContractModel): boolean => {
  if (fn.contract === undefined) return false
  const ours = layoutOf(program, contract)
  const theirs = layoutOf(program, program.flow(fn).context ?? fn.contract)
  return theirs.length > 0 && !theirs.some((placed) => ours.some((own) => collide(own, placed)))
}

/** Limit: variables of a proxy, and of the code behind it, that are compared. */
const placesLimit = 200

/** The first variable of a contract behind the proxy at a place where the proxy stores something else. */
export const placedCollision = (program: Program, contract: ContractModel): PlacedCollision | undefined => {
  const { read, written } = storageUse(program)
  // An unused variable is a place reserved for the other contract.
  const isUsed = ({ variable }: Placed): boolean => read.has(variable) || written.has(variable)
  const own = layoutOf(program, contract).filter(isUsed).slice(0, placesLimit)
  for (const implementation of implementationsOf(program, contract)) {
    for (const placed of layoutOf(program, implementation.logic).filter(isUsed).slice(0, placesLimit)) {
      const hit = own.find((one) => collide(one, placed))
      if (hit !== undefined) return { theirs: placed.variable, ours: hit.variable, implementation }
    }
  }
  return undefined
}

/** Both use the same bytes for different things. */
const collide = (a: Placed, b: Placed): boolean => overlaps(a, b) && !isSameVariable(a, b)

/** Signatures in calldata that is encoded here: as text, or by a function's selector. */
const signaturesIn = (program: Program, e: Expr): ReadonlyArray<string> => {
  const found: Array<string> = []
  const look = (part: S.Node, depth: number): void =>
    walk(part, (node) => {
      // Arguments of the call are not what is called
      const [first] = node.kind === "FunctionCall" ? node.args : []
      if (first !== undefined) {
        look(first, depth)
        return false
      }
      if (node.kind === "Literal") found.push(node.value)
      if (node.kind === "Identifier") {
        const variable = program.referenceOf(node)
        if (variable?.kind === "StateVariable" && variable.node?.value !== undefined && depth < 2)
          look(variable.node.value, depth + 1)
      }
      if (node.kind === "MemberAccess") {
        const target = program.referenceOf(node)
        if (target?.kind === "Function") found.push(target.signature)
      }
      return true
    })
  look(e, 0)
  return found
}

/** The state variable in which the target is stored, when it lies among the ordinary ones. */
export const ordinaryTarget = (program: Program, forwarder: Forwarder): StateVariable | undefined => {
  const layout = new Set(layoutOf(program, forwarder.contract).map(({ variable }) => variable))
  return targetsOf(forwarder).find((variable) => layout.has(variable))
}

/** Whether some other contract of the project has the same first variables: the layouts were made for each other. */
export const hasTwin = (program: Program, contract: ContractModel): boolean => {
  const ours = layoutOf(program, contract)
  return program.everything.contracts.some((other) => {
    if (other.linearization.includes(contract)) return false
    const theirs = layoutOf(program, other)
    return (
      (theirs.length >= ours.length && ours.every((placed, i) => isSameVariable(placed, theirs[i]!))) ||
      areFirstMembers(ours, theirs[0])
    )
  })
}

/** Whether the other contract keeps all its state in one struct, which begins with these variables. */
const areFirstMembers = (ours: ReadonlyArray<Placed>, first: Placed | undefined): boolean => {
  const type = first?.variable.type
  if (type?.kind !== "struct" || first!.slot > 0 || first!.after !== "") return false
  const { members } = type.struct
  return ours.every(({ after, variable }, i) => {
    const member = members[i]
    return (
      after === "" &&
      member !== undefined &&
      bareName(member) === bareName(variable) &&
      formOf(member.type) === formOf(variable.type)
    )
  })
}
