import type { Crate } from "../../rust/crate/crate.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { RustProject } from "../../rust/crate/program.ts"
import type { Expression } from "../../rust/syntax/syntax.ts"
import type { TermTable } from "../../rust/terms/terms.ts"
import { isNamed, namedType, pointee, resolveType, unknownType } from "../../rust/crate/types.ts"
import { callsNamed } from "../../rust/terms/events.ts"
import type { EntryPoint, StorageContainer } from "./model.ts"
import { isContainer, storedType } from "./semantics.ts"

const literalOf = (crate: Crate, node: Expression | undefined): string | undefined => {
  if (node === undefined) return undefined
  if (node.kind === "literal") return node.value
  if (node.kind === "reference") return literalOf(crate, node.operand)
  if (node.kind !== "path") return undefined
  const name = node.path.segments.at(-1)?.name
  for (const module of crate.modules) {
    const found = module.names.get(name ?? "")?.find((one) => one.kind === "const")
    if (found?.kind === "const" && found.item.value?.kind === "literal") return found.item.value.value
  }
  return undefined
}

/** Helpers of cw-controllers that contain their own `Item` or, for claims, `Map`. */
const controllers = ["Admin", "Hooks", "Claims"]

const declared = (project: RustProject, terms: TermTable, crate: Crate): ReadonlyArray<StorageContainer> => {
  const found: Array<StorageContainer> = []
  for (const module of crate.modules)
    for (const definitions of module.names.values())
      for (const definition of definitions) {
        if (definition.kind !== "const") continue
        const type = resolveType({ resolver: project.resolver, module }, definition.item.type)
        if (!isContainer(type) && !isNamed(pointee(type), ...controllers)) continue
        const { value } = definition.item
        const key = value?.kind === "call" ? literalOf(crate, value.args[0]) : undefined
        const inner = pointee(type)
        const path = `${crate.name === "" ? "crate" : crate.name}::${module.path}::${definition.name}`.replaceAll(
          "::::",
          "::",
        )
        found.push({
          name: definition.name,
          kind: inner.kind === "named" ? inner.name : "",
          key,
          value: storedType(type),
          type,
          term: terms.constant(path, definition),
          place: { file: module.file, span: definition.item.nameSpan },
        })
      }
  return found
}

/** Containers that a contract has as fields: `Self { owner: Item::new("owner") }`, once for each field. */
const fields = (terms: TermTable, crate: Crate): ReadonlyArray<StorageContainer> => {
  const found = new Map<string, StorageContainer>()
  for (const { item, owner, module } of crate.functions)
    for (const node of item.body === undefined ? [] : nodesOf(item.body)) {
      // The nodes include struct patterns.
      if (node.kind !== "struct" || "rest" in node) continue
      const last = node.path.segments.at(-1)?.name ?? ""
      const self =
        owner !== undefined && "item" in owner && owner.item.kind === "impl" ? owner.item.selfType : undefined
      const type = last === "Self" && self?.kind === "path" ? self.path.segments.at(-1)!.name : last
      for (const { name: field, value } of node.fields) {
        const names = value.kind === "call" && value.callee.kind === "path" ? value.callee.path.segments : []
        const kind = names.at(-2)?.name ?? ""
        const container = namedType(kind)
        if (value.kind !== "call" || names.at(-1)?.name !== "new" || !isContainer(container)) continue
        const name = `${module.path}::${type}.${field}`
        const [given] = value.args
        const key = literalOf(crate, given)
        if (key !== undefined && !found.has(name))
          found.set(name, {
            name: `${type}.${field}`,
            kind,
            key,
            value: unknownType,
            type: container,
            // As the walk calls what is made there.
            term:
              given?.kind === "literal"
                ? terms.call("container", "", [terms.literal(given.type, given.value)])
                : undefined,
            place: { file: module.file, span: { start: value.start, end: value.end } },
          })
      }
    }
  return [...found.values()]
}

/** Indexes created anywhere: `MultiIndex::new(function, "asks", "asks__seller")`, whose own namespace comes last. */
const indexes = (crate: Crate): ReadonlyArray<StorageContainer> =>
  crate.functions.flatMap(({ item, module }) =>
    (item.body === undefined ? [] : nodesOf(item.body)).flatMap((node): ReadonlyArray<StorageContainer> => {
      if (node.kind !== "call" || node.callee.kind !== "path") return []
      const names = node.callee.path.segments.map(({ name }) => name)
      const kind = names.at(-2) ?? ""
      if (names.at(-1) !== "new" || !/^(Multi|Unique)Index$/.test(kind)) return []
      const key = literalOf(crate, node.args[kind === "MultiIndex" ? 2 : 1])
      if (key === undefined) return []
      const place = { file: module.file, span: { start: node.start, end: node.end } }
      return [{ name: kind, kind, key, value: unknownType, type: namedType(kind), term: undefined, place }]
    }),
  )

/** Containers that are made with keys given by a caller: `Self::new("config", "tasks")`. */
const made = (
  entryPoints: ReadonlyArray<EntryPoint>,
  known: ReadonlyArray<StorageContainer>,
): ReadonlyArray<StorageContainer> => {
  const keys = new Set(known.map(({ key }) => key))
  const found = new Map<string, StorageContainer>()
  for (const { events } of entryPoints)
    for (const { result, file, node } of callsNamed(events, /^new$/)) {
      const { term, type } = result
      const [key] = term.kind === "call" && term.name === "container" ? term.args : []
      if (key?.kind !== "literal" || type.kind !== "named" || !isContainer(type) || keys.has(key.value)) continue
      const place = { file, span: node }
      if (!found.has(key.value))
        found.set(key.value, {
          name: key.value,
          kind: type.name,
          key: key.value,
          value: storedType(type),
          type,
          term,
          place,
        })
    }
  return [...found.values()]
}

/** All places in storage that a crate declares, as constants, fields and indexes, or that its messages make. */
export const containersOf = (
  project: RustProject,
  terms: TermTable,
  crate: Crate,
  entryPoints: ReadonlyArray<EntryPoint>,
): ReadonlyArray<StorageContainer> => {
  const known = [...declared(project, terms, crate), ...fields(terms, crate), ...indexes(crate)]
  return [...known, ...made(entryPoints, known)]
}
