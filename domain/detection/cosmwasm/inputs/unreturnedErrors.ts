import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { Expression, Path, Pattern } from "../../rust/syntax/syntax.ts"
import type { CosmWasmCrate } from "../program/model.ts"

/** Whether a path names `Err`, a variant of an error type, or a constructor of `StdError`. */
const isErrorPath = ({ project }: CosmWasmCrate, definition: FunctionDefinition, path: Path): boolean => {
  const names = path.segments.map(({ name }) => name)
  if (names.at(-1) === "Err") return true
  const found = project.resolver.resolve(definition.module, names)
  if (found.kind === "definition" && found.definition.kind === "variant") {
    const { enum: owner } = found.definition
    return (
      /Err(or)?$/.test(owner.name) ||
      owner.item.attributes.some(
        ({ name, args }) => name === "derive" && args.some((one) => /(^|::)Error$/.test(one.name)),
      )
    )
  }
  // An error type of another crate: `ContractError::Unauthorized`, `StdError::generic_err`.
  return names.length > 1 && names.at(-2)!.endsWith("Error")
}

/** Whether a path names a function of the project that returns an error value. */
const makesError = ({ project }: CosmWasmCrate, { module }: FunctionDefinition, path: Path): boolean => {
  const found = project.resolver.resolve(
    module,
    path.segments.map(({ name }) => name),
  )
  if (found.kind !== "definition" || found.definition.kind !== "function") return false
  const result = found.definition.item.result
  return result?.kind === "path" && result.path.segments.at(-1)!.name.endsWith("Error")
}

/** `_`, or a name that marks it as unused for the compiler. */
const isUnused = (pattern: Pattern): boolean =>
  pattern.kind === "wildcard" || (pattern.kind === "binding" && pattern.name.startsWith("_"))

const isError = (crate: CosmWasmCrate, definition: FunctionDefinition, node: Expression): boolean => {
  switch (node.kind) {
    case "struct":
    case "path":
      return isErrorPath(crate, definition, node.path)
    case "call":
      return (
        node.callee.kind === "path" &&
        (isErrorPath(crate, definition, node.callee.path) || makesError(crate, definition, node.callee.path))
      )
    case "methodCall":
      return node.method === "into" && isError(crate, definition, node.receiver)
    default:
      return false
  }
}

/** The error that an expression ends in on some path: of a branch, of an arm, of the closure passed to `then`. */
const errorIn = (
  crate: CosmWasmCrate,
  definition: FunctionDefinition,
  node: Expression,
  depth = 0,
): Expression | undefined => {
  const inside = (one: Expression | undefined): Expression | undefined =>
    one === undefined || depth > 8 ? undefined : errorIn(crate, definition, one, depth + 1)
  switch (node.kind) {
    case "block":
      return inside(node.tail)
    case "if":
      return inside(node.then.tail) ?? inside(node.otherwise)
    case "match":
      return node.arms.map(({ body }) => inside(body)).find((one) => one !== undefined)
    case "methodCall": {
      if (!/^then(_some)?$/.test(node.method)) break
      const [given] = node.args
      return given?.kind === "closure" ? inside(given.body) : inside(given)
    }
  }
  return isError(crate, definition, node) ? node : undefined
}

/** An error that is constructed where it has no effect. */
export interface UnreturnedError {
  readonly definition: FunctionDefinition
  readonly error: Expression
}

/** The errors of a crate that are constructed and discarded. */
export const unreturnedErrors = (crate: CosmWasmCrate): ReadonlyArray<UnreturnedError> =>
  crate.crate.functions.flatMap((definition) =>
    (definition.item.body === undefined ? [] : nodesOf(definition.item.body)).flatMap((node) => {
      const dropped =
        node.kind === "expression" && (node.semicolon || /^(if|match)$/.test(node.expression.kind))
          ? node.expression
          : node.kind === "let" && "otherwise" in node === false && isUnused(node.pattern)
            ? node.value
            : undefined
      const error = dropped === undefined ? undefined : errorIn(crate, definition, dropped)
      return error === undefined ? [] : [{ definition, error }]
    }),
  )
