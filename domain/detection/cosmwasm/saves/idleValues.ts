import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { type Binding, idleNames } from "../../rust/syntax/idleNames.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"

// What a function that may write to storage takes, loads or computes, and then does not use.

const lastNameOf = (type: TypeNode): string =>
  type.kind === "path"
    ? (type.path.segments.at(-1)?.name ?? "")
    : type.kind === "reference"
      ? lastNameOf(type.type)
      : ""

/** `DepsMut`, `ExecCtx`, `&mut dyn Storage`: what a function needs in order to write to storage. */
const isStorage = (type: TypeNode): boolean =>
  type.kind === "reference" &&
  type.type.kind === "bounds" &&
  type.type.bounds.some((one) => lastNameOf(one) === "Storage")

const isAccess = (type: TypeNode): boolean =>
  isStorage(type)
    ? type.kind === "reference" && type.mutable
    : /^(DepsMut|Extern|(Exec|Instantiate|Migrate|Reply|Sudo)Ctx)$/.test(lastNameOf(type))

/** Whether a function may write to storage. */
export const takesStorage = ({ item }: FunctionDefinition): boolean =>
  item.parameters.some(({ type }) => isAccess(type))

/** Whether a function is given storage to read, and none to write to. */
export const readsOnly = (definition: FunctionDefinition): boolean =>
  !takesStorage(definition) &&
  definition.item.parameters.some(({ type }) => lastNameOf(type) === "Deps" || isStorage(type))

/** What a function that may write to storage has at hand and never uses: most likely something was to keep it. */
export const idleValues = oncePer((definition: FunctionDefinition): ReadonlyArray<Binding> => {
  if (!takesStorage(definition)) return []
  const { item, module } = definition
  const types = new Map(item.parameters.map(({ pattern, type }) => [pattern, type]))
  const idle = idleNames(module.file, item)
  const isOfType = (binding: Binding, name: string): boolean => {
    const type = types.get(binding)
    return type !== undefined && lastNameOf(type) === name
  }
  // An unchecked sender is a question of its own (`ignoredSender.ts`).
  if (idle.some((one) => isOfType(one, "MessageInfo"))) return []
  return idle.filter((one) => !isOfType(one, "Env") && !isOfType(one, "DepsMut"))
})
