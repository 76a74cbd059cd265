import { oncePer } from "../../oncePer.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Instruction } from "../program/model.ts"
import { isTrusted } from "../questions/questions.ts"

const isRecovered = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "call" && /(^|_)recover(_|$)/.test(one.name))

/**
 * Whether the key that signed a message is a known one: `keccak(secp256k1_recover(hash, id, signature)) == config.signer`.
 * Whoever brings the message along may be anyone.
 */
export const isSignedMessage = oncePer((instruction: Instruction): boolean =>
  [...instruction.walk.success].some(
    (fact) =>
      fact.kind === "binary" &&
      fact.operator === "==" &&
      ((isRecovered(fact.left) && isTrusted(fact.right)) || (isRecovered(fact.right) && isTrusted(fact.left))),
  ),
)
