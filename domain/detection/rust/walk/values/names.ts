import type { ConstDefinition, Definition, Module, TypeDefinition } from "../../crate/crate.ts"
import type { Path } from "../../syntax/syntax.ts"
import type { Walk } from "../state/walk.ts"

/**
 * A constant has one path, whether it is imported or named through its module; those of an impl are named as written.
 */
const isOfModule = (definition: ConstDefinition): boolean =>
  definition.module.names.get(definition.name)?.includes(definition) === true

interface Meaning {
  /** With imports followed. */
  readonly path: string
  readonly definition: Definition | undefined
}

/** What names mean in the function that is walked, with imports followed. */
export const meaningOf = (walk: Walk, names: ReadonlyArray<string>): Meaning => {
  const { module, owner: around } = walk.frame.function
  // `Self::check(…)` in a trait whose implementor is not known runs the trait's own.
  const self = walk.selfDefinition ?? (around?.kind === "trait" ? around : undefined)
  const resolution = walk.resolver.resolve(module, names, "value", self)
  if (resolution.kind === "external") return { path: resolution.path.join("::"), definition: undefined }
  const { definition } = resolution
  const owner =
    definition.kind === "variant"
      ? definition.enum.name
      : definition.kind === "function" && definition.owner !== undefined
        ? definition.qualifiedName.slice(0, -definition.name.length - 2)
        : definition.kind === "const" && names.length > 1 && !isOfModule(definition)
          ? names.slice(0, -1).join("::")
          : definition.module.path
  const crate = definition.module.crate.name === "" ? "crate" : definition.module.crate.name
  const full =
    definition.kind === "variant" || definition.kind === "function"
      ? `${owner}::${definition.name}`
      : `${crate}::${owner}::${definition.name}`
  return { path: full.replace(/^::/, "").replaceAll("::::", "::"), definition }
}

const findMeaning = (walk: Walk, path: Path): Meaning =>
  meaningOf(
    walk,
    path.segments.map((segment) => segment.name),
  )

interface Known extends Meaning {
  readonly module: Module
  readonly self: TypeDefinition | undefined
}

const known = new WeakMap<Path, Known>()

/** The path of a name with imports followed, and its declaration if the project contains it. */
export const lookUp = (walk: Walk, path: Path): Meaning => {
  const { module } = walk.frame.function
  // In trait methods, `Self` depends on the caller.
  const self = path.segments[0]?.name === "Self" ? walk.selfDefinition : undefined
  let found = known.get(path)
  if (found?.module !== module || found.self !== self)
    known.set(path, (found = { ...findMeaning(walk, path), module, self }))
  return found
}
