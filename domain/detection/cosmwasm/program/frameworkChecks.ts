import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Attribute, AttributeArg } from "../../rust/syntax/syntax.ts"
import { definitionOf, type RustType } from "../../rust/crate/types.ts"

/** What the macros of a framework check before a message is handled. */
export interface FrameworkChecks {
  /** Whether any message may be one that only some accounts may send: nothing shows which. */
  readonly everyMessage: boolean
  /** Messages that only some accounts may send, as `ExecuteMsg::SetFee`. */
  readonly restricted: ReadonlySet<string>
}

const ofTheLanguage =
  /^(entry_point|cfg|cfg_attr|allow|warn|deny|expect|forbid|doc|inline|cold|must_use|deprecated|no_mangle|export_name|track_caller|skip|instrument)$/

/** Words for a message that not everyone may send. */
const restriction = /restrict|owner|admin|auth|privileged|permissioned|only/i

const words = ({ name, args }: Attribute | AttributeArg): ReadonlyArray<string> => [name, ...args.flatMap(words)]

const restricts = (attribute: Attribute): boolean => words(attribute).some((word) => restriction.test(word))

/** `#[andr_execute_fn] pub fn execute(…)`, with `#[attrs(restricted)]` at the variants of the message. */
export const frameworkChecksOf = (
  { item, owner }: FunctionDefinition,
  message: RustType,
): FrameworkChecks | undefined => {
  const macros = item.attributes.filter(({ name }) => !ofTheLanguage.test(name))
  // Sylvia's attributes of methods only name the kind of message.
  if (macros.length === 0 || owner !== undefined) return undefined
  const declared = definitionOf(message)
  if (macros.some(restricts) || declared?.kind !== "enum") return { everyMessage: true, restricted: new Set() }
  const restricted = declared.item.variants.filter(({ attributes }) => attributes.some(restricts))
  return { everyMessage: false, restricted: new Set(restricted.map(({ name }) => `${declared.name}::${name}`)) }
}
