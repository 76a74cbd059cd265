import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import {
  costOf,
  dollars,
  estimated,
  exceeded,
  nothingSpent,
  type Spent,
  timeLimit,
} from "../../domain/review/Budget.ts"
import {
  type Conversation,
  conversationKey,
  rendered,
  type Reply,
  type Usage,
} from "../../domain/review/Conversation.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { ModelFailed } from "../ports/finding/Reviewer.ts"
import type { ReviewAccount } from "../ports/finding/ReviewStore.ts"
import * as metrics from "./reviewMetrics.ts"
import type { Reviewing } from "./Reviewing.ts"

/** Nothing more is asked in this review; see `Session.stopped` for the reason. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {}) {}

const KeptReply = Schema.fromJsonString(
  Schema.Struct({
    text: Schema.String,
    calls: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, arguments: Schema.Unknown })),
    usage: Schema.Struct({ inputTokens: Schema.Int, outputTokens: Schema.Int }),
  }),
)
const readReply = Schema.decodeUnknownOption(KeptReply)

/** One review: its answers, reused ones first, within its budget. */
export interface Session {
  readonly model: string
  readonly ask: (conversation: Conversation) => Effect.Effect<Reply, Stopped | ModelFailed>
  readonly spent: () => Spent
  /** Reused answers. */
  readonly kept: () => number
  /** Why it ended early. */
  readonly stopped: () => string | undefined
}

/** Includes the tool descriptions and the markers around data. */
const charactersOf = ({ system, messages }: Conversation): number =>
  system.length + JSON.stringify(messages).length + 6_000

const unreadable = (error: StoreUnavailable) => Effect.logWarning("answers of the model are not kept", error.cause)

/** The maximum cost of one request, and its actual cost. */
class Hold {
  used: Usage = { inputTokens: 0, outputTokens: 0 }
  cost = 0
  /** What the account was charged before the request. */
  charged = 0
  isSent = false
  readonly most: Usage
  readonly mostCost: number

  constructor(most: Usage, mostCost: number) {
    this.most = most
    this.mostCost = mostCost
  }
}

class OpenSession implements Session {
  readonly model: string
  private total: Spent = nothingSpent
  private known = 0
  private reason: string | undefined
  private readonly reviewing: Reviewing
  private readonly account: ReviewAccount
  private readonly startedAt: number
  private readonly places: Semaphore.Semaphore

  constructor(reviewing: Reviewing, account: ReviewAccount, startedAt: number, places: Semaphore.Semaphore) {
    this.model = reviewing.reviewer.model
    this.reviewing = reviewing
    this.account = account
    this.startedAt = startedAt
    this.places = places
  }

  readonly spent = (): Spent => this.total
  readonly kept = (): number => this.known
  readonly stopped = (): string | undefined => this.reason

  readonly ask = Effect.fnUntraced(function* (this: OpenSession, conversation: Conversation) {
    const { store } = this.reviewing
    const key = conversationKey(this.model, conversation)
    const found = yield* store
      .find(this.account.id, key)
      .pipe(Effect.catchTag("StoreUnavailable", (error) => Effect.as(unreadable(error), undefined)))
    const known = found === undefined ? undefined : readReply(found)
    if (known?._tag === "Some") {
      this.known++
      yield* metrics.known
      return known.value
    }
    const reply = yield* this.places.withPermit(this.request(conversation))
    yield* store.keep(this.account.id, key, JSON.stringify(reply)).pipe(Effect.catchTag("StoreUnavailable", unreadable))
    return reply
  }).bind(this)

  private stop(reason: string): Effect.Effect<never, Stopped> {
    return Effect.suspend(() => {
      this.reason ??= reason
      return Effect.fail(new Stopped())
    })
  }

  private count(usage: Usage, cost: number, sign: 1 | -1): void {
    this.total = {
      ...this.total,
      inputTokens: this.total.inputTokens + sign * usage.inputTokens,
      outputTokens: this.total.outputTokens + sign * usage.outputTokens,
      micros: this.total.micros + sign * cost,
    }
  }

  /** Reserves the maximum cost before the request, and counts the actual cost afterwards. */
  private readonly request = Effect.fnUntraced(function* (this: OpenSession, conversation: Conversation) {
    if (this.reason !== undefined) return yield* new Stopped()
    const { budget, prices, maxOutputTokens } = this.reviewing.settings
    const most = estimated(charactersOf(conversation), maxOutputTokens)
    const hold = new Hold(most, costOf(most, prices))
    const elapsed = Duration.millis((yield* Clock.currentTimeMillis) - this.startedAt)
    const over = exceeded(budget, this.total, most, hold.mostCost, elapsed)
    if (over !== undefined) return yield* this.stop(`the analysis's ${over}`)
    this.count(most, hold.mostCost, 1)
    this.total = { ...this.total, requests: this.total.requests + 1 }
    return yield* Effect.ensuring(
      this.answered(conversation, hold, Duration.subtract(budget.time, elapsed)),
      Effect.suspend(() => this.settle(hold)),
    )
  }).bind(this)

  /** The model's answer within `time`, its cost charged to the account's month in advance. */
  private readonly answered = Effect.fnUntraced(function* (
    this: OpenSession,
    conversation: Conversation,
    hold: Hold,
    time: Duration.Duration,
  ) {
    const { reviewer, store, settings } = this.reviewing
    const { budget, prices, monthlyMicros } = settings
    if (hold.mostCost > 0) {
      const may = yield* store
        .spend(this.account.id, hold.mostCost, monthlyMicros)
        .pipe(Effect.catchTag("StoreUnavailable", () => this.stop("the database could not be reached")))
      if (!may) return yield* this.stop(`the monthly budget of ${dollars(monthlyMicros)} was used up`)
      hold.charged = hold.mostCost
    }
    const { tools, only } = conversation
    const messages = rendered(conversation, crypto.randomUUID().replaceAll("-", ""))
    hold.isSent = true
    const reply = yield* reviewer.ask({ messages, tools, only }).pipe(
      Effect.timeoutOrElse({
        duration: time,
        orElse: () => this.stop(`the analysis's ${timeLimit(budget)}`),
      }),
      Effect.tapError((error) =>
        error._tag === "ModelFailed" && error.reason === "unavailable"
          ? Effect.ignore(this.stop(error.message))
          : Effect.void,
      ),
    )
    hold.used = reply.usage
    hold.cost = costOf(reply.usage, prices)
    yield* metrics.asked(hold.cost)
    return reply
  }).bind(this)

  /** The cost of an interrupted or failed request is unknown and is not counted. */
  private settle({ most, mostCost, used, cost, charged, isSent }: Hold): Effect.Effect<void> {
    this.count(most, mostCost, -1)
    if (!isSent) this.total = { ...this.total, requests: this.total.requests - 1 }
    this.count(used, cost, 1)
    // Exceeding the reservation is rare; the excess is counted without a limit.
    const difference = charged - cost
    if (charged === 0 || difference === 0) return Effect.void
    const { store } = this.reviewing
    const settled =
      difference > 0
        ? store.giveBack(this.account.id, difference)
        : store.spend(this.account.id, -difference, Number.MAX_SAFE_INTEGER)
    return Effect.catchTag(Effect.asVoid(settled), "StoreUnavailable", unreadable)
  }
}

export const openSession = Effect.fnUntraced(function* (reviewing: Reviewing, account: ReviewAccount) {
  const startedAt = yield* Clock.currentTimeMillis
  const places = yield* Semaphore.make(reviewing.settings.concurrency)
  return new OpenSession(reviewing, account, startedAt, places) satisfies Session
})
