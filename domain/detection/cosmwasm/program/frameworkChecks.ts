import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Attribute, AttributeArg } from "../../rust/syntax/syntax.ts"
import { definitionOf, namedType, pointee, type RustType } from "../../rust/crate/types.ts"
import type { Value } from "../../rust/terms/events.ts"
import type { CallSite } from "../../rust/walk/state/platform.ts"

/** What the macros of a framework check before a message is handled. */
export interface FrameworkChecks {
  /** Whether any message may be one that only some accounts may send: nothing shows which. */
  readonly everyMessage: boolean
  /** Messages that only some accounts may send, as `ExecuteMsg::SetFee`. */
  readonly restricted: ReadonlySet<string>
}

const ofTheLanguage =
  /^(entry_point|cfg|cfg_attr|allow|warn|deny|expect|forbid|doc|inline|cold|must_use|deprecated|no_mangle|export_name|track_caller|skip|instrument)$/

/** Attributes of a message's variants that say how it is written, whatever their words. */
const ofTheFormat = /^(serde|schemars|doc|cfg|cfg_attr|allow|deprecated|returns|cw_orch|strum|derivative)$/

/** Words for a message that not everyone may send, and for one that everyone may. */
const restriction = /restrict|owner|admin|auth|privileged|permission|govern|only/i
const freedom = /^(any|anyone|everyone|public)$/i

const words = ({ name, args }: Attribute | AttributeArg): ReadonlyArray<string> => [name, ...args.flatMap(words)]

const restricts = (attribute: Attribute): boolean => {
  const said = words(attribute)
  return said.some((word) => restriction.test(word)) && !said.some((word) => freedom.test(word))
}

/**
 * `#[andr_execute_fn] pub fn execute(…)`, with `#[attrs(restricted)]` at the variants of the message. Where a variant has
 * such an attribute, some macro reads it: one of the function, or one that derives a method of the message.
 */
export const frameworkChecksOf = (
  { item, owner }: FunctionDefinition,
  message: RustType,
): FrameworkChecks | undefined => {
  const macros = item.attributes.filter(({ name }) => !ofTheLanguage.test(name))
  // Sylvia's attributes of methods only name the kind of message.
  if (owner !== undefined) return undefined
  const declared = definitionOf(message)
  const restricted = new Set(
    (declared?.kind === "enum" ? declared.item.variants : [])
      .filter(({ attributes }) => attributes.some((one) => !ofTheFormat.test(one.name) && restricts(one)))
      .map(({ name }) => `${declared!.name}::${name}`),
  )
  if (restricted.size > 0) return { everyMessage: false, restricted }
  if (macros.length === 0) return undefined
  return { everyMessage: macros.some(restricts) || declared?.kind !== "enum", restricted }
}

/**
 * `match msg.ensure_permissions(deps.storage, &info.sender)? { … }`: a method that a macro derives for the message, which
 * receives the sender and returns the message. What it asks for, the variants say.
 */
export const derivedCheck = ({ method, name, args, target }: CallSite): Value | undefined => {
  const [message] = args
  if (!method || target !== undefined || message === undefined || !/^(ensure|assert|check|require|verify)_/.test(name))
    return undefined
  if (definitionOf(pointee(message.type))?.kind !== "enum") return undefined
  if (!args.some(({ term }) => term.kind === "field" && term.name === "sender")) return undefined
  return { term: message.term, type: namedType("Result", [message.type]) }
}
