import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  again,
  answerIn,
  type Conversation,
  type Message,
  type ToolCall,
  type ToolSpec,
} from "../../domain/review/Conversation.ts"
import { reviewLimits } from "../../domain/review/reviewLimits.ts"
import type { Session } from "./session.ts"

/** Answers the model's queries; the answers are data. */
export type Answering = (call: ToolCall) => Effect.Effect<string>

const asked = ({ name, arguments: given }: ToolCall): string => JSON.stringify([name, given])

/**
 * Lets a model use tools until it calls `final`, for a limited number of turns. It is asked once more for an answer
 * that does not decode; undefined if there is still none.
 */
export const converse = Effect.fnUntraced(function* <A, I>(
  session: Session,
  conversation: Conversation,
  final: ToolSpec,
  schema: Schema.Codec<A, I>,
  turns: number,
  answerTo: Answering,
) {
  const decode = Schema.decodeUnknownOption(schema)
  const seen = new Set<string>()
  const messages: Array<Message> = [...conversation.messages]
  let repeated = false
  let characters = 0
  for (let turn = 1; turn <= turns + 1; turn++) {
    const last = turn >= turns || repeated || characters > reviewLimits.toolCharacters
    const reply = yield* session.ask({
      ...conversation,
      messages: messages.slice(),
      ...(last ? { only: final.name } : {}),
    })
    const answer = answerIn(reply, final.name)
    const decoded = answer === undefined ? Option.none() : decode(answer)
    if (Option.isSome(decoded)) return decoded.value
    if (answer !== undefined || reply.calls.length === 0 || last) {
      if (repeated) return undefined
      repeated = true
      messages.push(again(final.name))
      continue
    }
    const calls = reply.calls.slice(0, reviewLimits.calls)
    const answers: Array<Message> = []
    for (const call of calls) {
      const known = seen.has(asked(call))
      seen.add(asked(call))
      const data = known ? "This was asked and answered before." : yield* answerTo(call)
      characters += data.length
      answers.push({ role: "tool", call, data })
    }
    messages.push({ role: "assistant", calls }, ...answers)
  }
  return undefined
})
