import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { costOf, dollars, estimated, exceeded, nothingSpent, type Spent } from "../../domain/review/Budget.ts"
import {
  type Conversation,
  conversationKey,
  rendered,
  type Reply,
  type Usage,
} from "../../domain/review/Conversation.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { ModelFailed } from "../ports/Reviewer.ts"
import type { ReviewAccount } from "../ports/ReviewStore.ts"
import * as metrics from "./reviewMetrics.ts"
import type { Reviewing } from "./Reviewing.ts"

/** Nothing more is asked in this review; `Session.stopped` says why. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {}) {}

const KeptReply = Schema.fromJsonString(
  Schema.Struct({
    text: Schema.String,
    calls: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, arguments: Schema.Unknown })),
    usage: Schema.Struct({ inputTokens: Schema.Int, outputTokens: Schema.Int }),
  }),
)
const readReply = Schema.decodeUnknownOption(KeptReply)

/** One review: its answers, kept ones first, within its budget. */
export interface Session {
  readonly model: string
  readonly ask: (conversation: Conversation) => Effect.Effect<Reply, Stopped | ModelFailed>
  readonly spent: () => Spent
  /** Answers that were kept from earlier. */
  readonly kept: () => number
  /** Why it ended before its end. */
  readonly stopped: () => string | undefined
}

/** With what tools are described by, and what stands around data. */
const charactersOf = ({ system, messages }: Conversation): number =>
  system.length + JSON.stringify(messages).length + 6_000

export const openSession = Effect.fnUntraced(function* (
  { reviewer, store, settings }: Reviewing,
  account: ReviewAccount,
) {
  const { budget, prices, maxOutputTokens, monthlyMicros } = settings
  const startedAt = yield* Clock.currentTimeMillis
  const places = yield* Semaphore.make(settings.concurrency)
  let [spent, kept]: [Spent, number] = [nothingSpent, 0]
  let stopped: string | undefined

  const stop = (reason: string) =>
    Effect.suspend(() => {
      stopped ??= reason
      return Effect.fail(new Stopped())
    })
  const unreadable = (error: StoreUnavailable) => Effect.logWarning("answers of the model are not kept", error.cause)

  const count = (usage: Usage, cost: number, sign: 1 | -1): void => {
    spent = {
      ...spent,
      inputTokens: spent.inputTokens + sign * usage.inputTokens,
      outputTokens: spent.outputTokens + sign * usage.outputTokens,
      micros: spent.micros + sign * cost,
    }
  }

  /** Asks with what it may cost at the most set aside before, and what it did cost counted after. */
  const request = Effect.fnUntraced(function* (conversation: Conversation) {
    if (stopped !== undefined) return yield* new Stopped()
    const most = estimated(charactersOf(conversation), maxOutputTokens)
    const cost = costOf(most, prices)
    const seconds = ((yield* Clock.currentTimeMillis) - startedAt) / 1_000
    const over = exceeded(budget, spent, most, cost, seconds)
    if (over !== undefined) return yield* stop(`the analysis's budget: ${over}`)
    count(most, cost, 1)
    spent = { ...spent, requests: spent.requests + 1 }
    // What a request costs that is interrupted or fails is not known; it is not counted.
    let used: { readonly usage: Usage; readonly cost: number } = { usage: { inputTokens: 0, outputTokens: 0 }, cost: 0 }
    let charged = 0
    const asked = Effect.gen(function* () {
      if (cost > 0) {
        const may = yield* store
          .spend(account.id, cost, monthlyMicros)
          .pipe(Effect.catchTag("StoreUnavailable", () => stop("the database could not be reached")))
        if (!may) return yield* stop(`the month's budget: its ${dollars(monthlyMicros)} were used up`)
        charged = cost
      }
      const { tools, only } = conversation
      const messages = rendered(conversation, crypto.randomUUID().replaceAll("-", ""))
      const reply = yield* reviewer.ask({ messages, tools, only }).pipe(
        Effect.timeoutOrElse({
          duration: Math.max(0, budget.seconds - seconds) * 1_000,
          orElse: () => stop(`the analysis's budget: its ${budget.seconds} s were over`),
        }),
        Effect.tapError((error) =>
          error._tag === "ModelFailed" && error.reason === "unavailable"
            ? Effect.ignore(stop(error.message))
            : Effect.void,
        ),
      )
      used = { usage: reply.usage, cost: costOf(reply.usage, prices) }
      yield* metrics.asked(used.cost)
      return reply
    })
    return yield* asked.pipe(
      Effect.ensuring(
        Effect.suspend(() => {
          count(most, cost, -1)
          count(used.usage, used.cost, 1)
          // More than was set aside is rare, and counted without a limit.
          const difference = charged - used.cost
          if (charged === 0 || difference === 0) return Effect.void
          const settle =
            difference > 0
              ? store.giveBack(account.id, difference)
              : store.spend(account.id, -difference, Number.MAX_SAFE_INTEGER)
          return Effect.catchTag(Effect.asVoid(settle), "StoreUnavailable", unreadable)
        }),
      ),
    )
  })

  const session: Session = {
    model: reviewer.model,
    spent: () => spent,
    kept: () => kept,
    stopped: () => stopped,
    ask: Effect.fnUntraced(function* (conversation) {
      const key = conversationKey(reviewer.model, conversation)
      const found = yield* store
        .find(account.id, key)
        .pipe(Effect.catchTag("StoreUnavailable", (error) => Effect.as(unreadable(error), undefined)))
      const known = found === undefined ? undefined : readReply(found)
      if (known?._tag === "Some") {
        kept++
        yield* metrics.known
        return known.value
      }
      const reply = yield* places.withPermit(request(conversation))
      yield* store.keep(account.id, key, JSON.stringify(reply)).pipe(Effect.catchTag("StoreUnavailable", unreadable))
      return reply
    }),
  }
  return session
})
