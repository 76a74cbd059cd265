import { importResolver, type Remapping } from "./imports.ts"
import { largeModifiers } from "./largeModifiers.ts"
import { linearizeAll } from "./linearize.ts"
import type {
  ContractModel,
  Declaration,
  EnumModel,
  ErrorModel,
  EventModel,
  FunctionModel,
  LocalVariable,
  ModifierModel,
  SourceModel,
  StateVariable,
  StructModel,
  UserTypeModel,
} from "./model.ts"
import { Scopes } from "./scope.ts"
import type * as S from "./syntax.ts"
import { abiName, type Type } from "./types.ts"
import { versionOf } from "./version.ts"

export interface Declared {
  readonly sources: ReadonlyArray<SourceModel>
  readonly contracts: ReadonlyArray<ContractModel>
  readonly functions: ReadonlyArray<FunctionModel>
  readonly modifiers: ReadonlyArray<ModifierModel>
  /** Modifiers that functions have as if their source were missing. */
  readonly unplaced: ReadonlySet<ModifierModel>
  readonly scopes: Scopes
}

const enter = (names: Map<string, Array<Declaration>>, name: string, declaration: Declaration): void => {
  if (name === "") return
  const same = names.get(name)
  if (same === undefined) names.set(name, [declaration])
  else same.push(declaration)
}

/** Models of everything that the files declare, with inheritance and signatures; bodies are not examined. */
export const declareAll = (units: ReadonlyArray<S.SourceUnit>, remappings: ReadonlyArray<Remapping>): Declared => {
  const sources = units.map(declareSource)
  const contracts = sources.flatMap((source) => source.contracts)
  resolveImports(sources, remappings)
  const scopes = new Scopes(sources)
  resolveBases(contracts, scopes)
  for (const source of sources) resolveTypes(source, scopes)
  const functions: Array<FunctionModel> = []
  const modifiers: Array<ModifierModel> = []
  for (const source of sources) declareCallables(source, scopes, functions, modifiers)
  for (const fn of functions) resolveModifiers(fn, scopes)
  const unplaced = largeModifiers(sources, functions, modifiers)
  if (unplaced.size > 0)
    for (const fn of functions)
      for (const one of fn.modifiers)
        if (one.modifier !== undefined && unplaced.has(one.modifier)) one.modifier = undefined
  for (const contract of contracts) contract.deployable = isDeployable(contract)
  return { sources, contracts, functions, modifiers, unplaced, scopes }
}

const declareSource = (unit: S.SourceUnit): SourceModel => {
  const source: SourceModel = {
    kind: "Source",
    file: unit.file,
    unit,
    version: versionOf(unit),
    contracts: [],
    functions: [],
    constants: [],
    usings: [],
    imports: [],
    missingImports: [],
    names: new Map(),
  }
  for (const item of unit.items) {
    if (item.kind === "ContractDefinition") {
      const contract = declareContract(item, source)
      source.contracts.push(contract)
      enter(source.names, contract.name, contract)
    } else if (item.kind === "UsingDirective") source.usings.push(item)
    else declareTypeLike(item, source, undefined)
  }
  return source
}

const declareContract = (node: S.ContractDefinition, source: SourceModel): ContractModel => {
  const contract: ContractModel = {
    kind: "Contract",
    node,
    source,
    name: node.name,
    bases: [],
    missingBases: [],
    linearization: [],
    linearizable: true,
    derived: [],
    functions: [],
    modifiers: [],
    stateVariables: [],
    structs: [],
    enums: [],
    events: [],
    errors: [],
    userTypes: [],
    names: new Map(),
    deployable: false,
  }
  for (const member of node.members) declareTypeLike(member, source, contract)
  return contract
}

/** Structs, enums, events, errors and value types, which other declarations may mention. */
const declareTypeLike = (
  item: S.SourceItem | S.ContractMember,
  source: SourceModel,
  contract: ContractModel | undefined,
): void => {
  const names = contract?.names ?? source.names
  const owner = contract === undefined ? { source } : { source, contract }
  switch (item.kind) {
    case "StructDefinition": {
      const model: StructModel = { kind: "Struct", node: item, name: item.name, ...owner, members: [] }
      contract?.structs.push(model)
      return enter(names, item.name, model)
    }
    case "EnumDefinition": {
      const model: EnumModel = { kind: "Enum", node: item, name: item.name, ...owner }
      contract?.enums.push(model)
      return enter(names, item.name, model)
    }
    case "EventDefinition": {
      const model: EventModel = { kind: "Event", node: item, name: item.name, ...owner }
      contract?.events.push(model)
      return enter(names, item.name, model)
    }
    case "ErrorDefinition": {
      const model: ErrorModel = { kind: "Error", node: item, name: item.name, ...owner }
      contract?.errors.push(model)
      return enter(names, item.name, model)
    }
    case "TypeDefinition": {
      const model: UserTypeModel = {
        kind: "UserType",
        node: item,
        name: item.name,
        ...owner,
        underlying: { kind: "unknown" },
      }
      contract?.userTypes.push(model)
      return enter(names, item.name, model)
    }
  }
}

const resolveImports = (sources: ReadonlyArray<SourceModel>, remappings: ReadonlyArray<Remapping>): void => {
  const byPath = new Map(sources.map((source) => [source.file.path, source]))
  const resolve = importResolver([...byPath.keys()], remappings)
  for (const source of sources) {
    for (const directive of source.unit.imports) {
      const path = resolve(source.file.path, directive.path)
      const target = path === undefined ? undefined : byPath.get(path)
      if (target === undefined) source.missingImports.push(directive.path)
      source.imports.push(target === undefined ? { directive } : { directive, source: target })
    }
  }
}

const resolveBases = (contracts: ReadonlyArray<ContractModel>, scopes: Scopes): void => {
  for (const contract of contracts) {
    for (const base of contract.node.bases) {
      const found = scopes.path(base.path, contract.source, undefined)
      if (found?.kind !== "Contract") contract.missingBases.push(base.path.join("."))
      else if (found === contract) contract.linearizable = false
      else if (!contract.bases.includes(found)) contract.bases.push(found)
    }
  }
  linearizeAll(contracts)
  for (const contract of contracts) {
    for (let i = 1; i < contract.linearization.length; i++) contract.linearization[i]!.derived.push(contract)
  }
}

/** `readonly` keeps rules from writing; declaring is the one place that fills in the models. */
type Mutable<A> = { -readonly [K in keyof A]: A[K] }

const resolveTypes = (source: SourceModel, scopes: Scopes): void => {
  const fill = (declarations: Map<string, Array<Declaration>>, contract: ContractModel | undefined): void => {
    for (const list of declarations.values()) {
      for (const d of list) {
        if (d.kind === "Struct") {
          ;(d as Mutable<StructModel>).members = d.node.members.map((node) => ({
            name: node.name,
            type: scopes.type(node.typeName, source, contract, "storage"),
            node,
          }))
        } else if (d.kind === "UserType") {
          ;(d as Mutable<UserTypeModel>).underlying = scopes.type(d.node.underlying, source, contract)
        }
      }
    }
  }
  fill(source.names, undefined)
  for (const contract of source.contracts) fill(contract.names, contract)
}

const declareCallables = (
  source: SourceModel,
  scopes: Scopes,
  functions: Array<FunctionModel>,
  modifiers: Array<ModifierModel>,
): void => {
  for (const item of source.unit.items) {
    if (item.kind === "FunctionDefinition") {
      const fn = declareFunction(item, source, undefined, scopes)
      source.functions.push(fn)
      functions.push(fn)
      enter(source.names, fn.name, fn)
      scopes.declareGlobal(fn.name, fn)
    } else if (item.kind === "StateVariableDeclaration") {
      const variable = declareVariable(item, source, undefined, scopes)
      source.constants.push(variable)
      enter(source.names, variable.name, variable)
      scopes.declareGlobal(variable.name, variable)
    }
  }
  for (const contract of source.contracts) {
    for (const member of contract.node.members) {
      if (member.kind === "FunctionDefinition") {
        const fn = declareFunction(member, source, contract, scopes)
        contract.functions.push(fn)
        functions.push(fn)
        if (fn.role === "function") enter(contract.names, fn.name, fn)
      } else if (member.kind === "ModifierDefinition") {
        const parameters = member.parameters.map((p) => local(p, source, contract, scopes))
        const modifier: ModifierModel = {
          kind: "Modifier",
          node: member,
          name: member.name,
          contract,
          source,
          parameters,
          scope: `${contract.name}.${member.name}`,
        }
        contract.modifiers.push(modifier)
        modifiers.push(modifier)
        enter(contract.names, member.name, modifier)
      } else if (member.kind === "StateVariableDeclaration") {
        const variable = declareVariable(member, source, contract, scopes)
        contract.stateVariables.push(variable)
        enter(contract.names, member.name, variable)
      }
    }
  }
}

export const local = (
  node: S.VariableDeclaration,
  source: SourceModel,
  contract: ContractModel | undefined,
  scopes: Scopes,
  /** The default data location. */
  location?: S.DataLocation,
): LocalVariable => ({
  kind: "LocalVariable",
  node,
  name: node.name,
  role: node.role,
  type: scopes.type(node.typeName, source, contract, node.location ?? location),
})

const declareVariable = (
  node: S.StateVariableDeclaration,
  source: SourceModel,
  contract: ContractModel | undefined,
  scopes: Scopes,
): StateVariable => {
  const type: Type = scopes.type(node.typeName, source, contract, "storage")
  const visibility = node.visibility === "public" || node.visibility === "private" ? node.visibility : "internal"
  return {
    kind: "StateVariable",
    node,
    name: node.name,
    ...(contract === undefined ? {} : { contract }),
    source,
    type,
    constant: node.constant,
    immutable: node.immutable,
    transient: node.transient,
    visibility,
  }
}

const declareFunction = (
  node: S.FunctionDefinition,
  source: SourceModel,
  contract: ContractModel | undefined,
  scopes: Scopes,
): FunctionModel => {
  // Before 0.5, parameters without a location were copies.
  const location = source.version.before05 ? (node.visibility === "external" ? "calldata" : "memory") : undefined
  const variable = (v: S.VariableDeclaration): LocalVariable => local(v, source, contract, scopes, location)
  const parameters = node.parameters.map(variable)
  const old = source.version.before05 && contract?.node.contractKind === "contract" && node.name === contract.name
  const role = contract === undefined ? "free" : old ? "constructor" : node.functionKind
  const signature = `${node.name || role}(${parameters.map((p) => abiName(p.type)).join(",")})`
  return {
    kind: "Function",
    node,
    name: node.name,
    role,
    visibility: effectiveVisibility(node, source, contract, role),
    mutability: node.mutability === "constant" ? "view" : node.mutability,
    parameters,
    returns: node.returns.map(variable),
    signature,
    scope: contract === undefined ? signature : `${contract.name}.${signature}`,
    ...(contract === undefined ? {} : { contract }),
    source,
    modifiers: [],
    implemented: node.body !== undefined,
  }
}

const effectiveVisibility = (
  node: S.FunctionDefinition,
  source: SourceModel,
  contract: ContractModel | undefined,
  role: FunctionModel["role"],
): FunctionModel["visibility"] => {
  if (node.visibility !== "default") return node.visibility
  if (contract === undefined) return "internal"
  if (role === "constructor") return "public"
  if (role === "fallback" || role === "receive" || contract.node.contractKind === "interface") return "external"
  // Since 0.5, a function must state its visibility; without one, it was public in the compilers that accept it.
  return source.version.max >= 5000 && !source.version.before05 ? "internal" : "public"
}

const resolveModifiers = (fn: FunctionModel, scopes: Scopes): void => {
  for (const node of fn.node.modifiers) {
    const found = scopes.path(node.path, fn.source, fn.contract)
    // A base constructor's call.
    if (found?.kind === "Contract") continue
    if (found === undefined && fn.role === "constructor" && fn.contract?.missingBases.includes(node.path.join(".")))
      continue
    fn.modifiers.push({ node, modifier: found?.kind === "Modifier" ? found : undefined })
  }
}

const isDeployable = (contract: ContractModel): boolean => {
  if (contract.node.contractKind !== "contract" || contract.node.abstract) return false
  const implemented = new Set<string>()
  for (const c of contract.linearization) {
    for (const fn of c.functions) {
      if (fn.role === "constructor") {
        if (c === contract && fn.visibility === "internal") return false
      } else if (fn.implemented) implemented.add(fn.signature)
      // Before 0.6, there was no keyword `abstract`: a function without a body made a contract abstract.
      else if (c.node.contractKind === "contract" && !implemented.has(fn.signature)) return false
    }
  }
  return true
}
