import type { ConstDefinition } from "./crate.ts"
import type { Path } from "./syntax.ts"
import type { Walk } from "./walk.ts"

/** One constant has one path, whether it is imported or named through its module; those of an impl are named as written. */
const isOfModule = (definition: ConstDefinition): boolean =>
  definition.module.names.get(definition.name)?.includes(definition) === true

/** The path of a name with imports followed, and what it is when the project declares it. */
export const lookUp = (walk: Walk, path: Path) => {
  const names = path.segments.map((segment) => segment.name)
  const resolution = walk.resolver.resolve(walk.frame.function.module, names, walk.selfDefinition)
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
