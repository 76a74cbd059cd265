import * as Clock from "effect/Clock"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AccessRow } from "../../domain/access/AccessTable.ts"
import type { EngineRun } from "../../domain/analysis/Coverage.ts"
import { resultLimits } from "../../domain/finding/ResultLimits.ts"
import { boundedText } from "../../domain/finding/boundedText.ts"
import type { Finding, SuppressedFinding } from "../../domain/finding/Finding.ts"
import { worstFirst } from "../../domain/finding/worstFirst.ts"
import { dollars, type Spent } from "../../domain/review/Budget.ts"
import { promptVersion } from "../../domain/review/Conversation.ts"
import { type Target, targets } from "../../domain/review/hunt.ts"
import type { Review } from "../../domain/finding/Review.ts"
import { reviewLimits } from "../../domain/review/reviewLimits.ts"
import { batches, type Case, chosen, withReview } from "../../domain/review/triage.ts"
import type { ProgramModel } from "../ports/analysis/ProgramModels.ts"
import type { ModelFailed } from "../ports/finding/Reviewer.ts"
import { huntContract } from "./huntContract.ts"
import { provePatch, type Unpatched } from "./provePatch.ts"
import type { Reviewing } from "./Reviewing.ts"
import { openSession, type Session, type Stopped } from "./session.ts"
import { casesOf, triageBatch } from "./triageFindings.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** The outcome of a review, besides its findings. */
export interface ReviewFigures extends Spent {
  readonly model: string
  /** Answers reused from an earlier review. */
  readonly kept: number
  readonly judged: number
  /** Verdicts and claims that were discarded. */
  readonly voided: number
  readonly dropped: number
  readonly refuted: number
  readonly found: number
  readonly patches: number
  /** Requests that the model rejected, or answered unusably. */
  readonly unanswered: number
  readonly milliseconds: { readonly triage: number; readonly hunt: number; readonly patches: number }
  readonly stopped: string | undefined
}

export interface Reviewed {
  readonly findings: ReadonlyArray<Finding>
  /** Includes the findings that the review added; absent if nothing was searched. */
  readonly suppressed?: ReadonlyArray<SuppressedFinding>
  readonly run: EngineRun
  readonly figures?: ReviewFigures
}

/** The coverage's entry for a review that did not take place. */
export const notReviewed = (why: string): EngineRun => ({ name: "ai", version: why })

const plural = (count: number, noun: string, many = `${noun}s`): string => `${count} ${count === 1 ? noun : many}`

const runOf = (figures: ReviewFigures): EngineRun => {
  const { requests, inputTokens, outputTokens, micros, kept, judged, voided, dropped, refuted, found } = figures
  const said = [
    `prompts ${promptVersion}`,
    `${plural(requests, "request")} with ${inputTokens} tokens in and ${outputTokens} out for ${dollars(micros)}, ${plural(kept, "answer")} reused`,
    `${plural(judged, "finding")} judged, ${plural(voided, "verdict")} void`,
    `${plural(found, "problem")} found, ${plural(refuted, "claim")} refuted and ${dropped} not tied to a place in the code`,
    ...(figures.patches === 0 ? [] : [`${plural(figures.patches, "patch", "patches")} proven`]),
    ...(figures.unanswered === 0 ? [] : [`${plural(figures.unanswered, "question")} without a usable answer`]),
    ...(figures.stopped === undefined ? [] : [`ended early: ${figures.stopped}`]),
  ]
  return { name: "ai", version: figures.model, note: boundedText(said.join("; "), resultLimits.note) }
}

/** Processes requests one after the other; a missing answer affects only itself. */
const unless = <A>(
  work: Effect.Effect<A | undefined, Stopped | ModelFailed>,
): Effect.Effect<A | undefined | "stopped"> =>
  work.pipe(
    Effect.catchTags({
      Stopped: () => Effect.succeed("stopped" as const),
      ModelFailed: ({ reason }) => Effect.succeed(reason === "unavailable" ? ("stopped" as const) : undefined),
    }),
  )

const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = yield* Clock.currentTimeMillis
    const result = yield* work
    return { result, milliseconds: (yield* Clock.currentTimeMillis) - from }
  })

/** The findings with their proven patches; unproven patches are removed. */
const withPatches = Effect.fnUntraced(function* (
  model: Parameters<typeof provePatch>[0],
  unpatched: Unpatched,
  cases: ReadonlyArray<Case>,
  reviews: Map<string, Review>,
  deadline: number,
) {
  let [tried, proven] = [0, 0]
  for (const { finding, excerpt } of cases) {
    const review = reviews.get(finding.fingerprint)
    if (review?.patch === undefined) continue
    const { patch, ...rest } = review
    // Only our own rules are run again.
    const isOurs = !finding.ruleId.startsWith("external/")
    const isTime = isOurs && tried++ < reviewLimits.patches && (yield* Clock.currentTimeMillis) < deadline
    const shown = isTime ? yield* provePatch(model, unpatched, finding, excerpt, patch) : undefined
    if (shown !== undefined) proven++
    reviews.set(finding.fingerprint, shown === undefined ? rest : { ...rest, patch: shown })
  }
  return proven
})

/** Asks for verdicts on all batches. */
const triagePass = Effect.fnUntraced(function* (
  session: Session,
  asked: ReadonlyArray<ReadonlyArray<Case>>,
  concurrency: number,
  step: (units: number) => void,
) {
  const reviews = new Map<string, Review>()
  let [voided, unanswered] = [0, 0]
  const judge = Effect.fnUntraced(function* (batch: ReadonlyArray<Case>) {
    const judgment = yield* unless(triageBatch(session, batch))
    step(1)
    if (judgment === "stopped") return
    if (judgment === undefined) return void unanswered++
    voided += judgment.voided
    for (const [fingerprint, review] of judgment.reviews) reviews.set(fingerprint, review)
  })
  yield* Effect.forEach(asked, judge, { concurrency, discard: true })
  return { reviews, voided, unanswered }
})

/** A hunt takes many turns, a batch only one. */
const unitsPerHunt = 4

/** Hunts in all targets, each problem found counted once. */
const huntPass = Effect.fnUntraced(function* (
  session: Session,
  model: ProgramModel,
  hunted: ReadonlyArray<Target>,
  { findings, suppressed }: Unpatched["result"],
  concurrency: number,
  step: (units: number) => void,
) {
  const survivors = new Map<string, Finding>()
  const setAside = new Map<string, SuppressedFinding>()
  let [dropped, refuted, unanswered] = [0, 0, 0]
  const hunt = Effect.fnUntraced(function* (target: Target) {
    const result = yield* unless(huntContract(session, model, target, findings, suppressed))
    step(unitsPerHunt)
    if (result === "stopped") return
    if (result === undefined) return void unanswered++
    dropped += result.dropped
    refuted += result.refuted
    for (const finding of result.suppressed) setAside.set(finding.fingerprint, finding)
    for (const finding of result.found) survivors.set(finding.fingerprint, finding)
  })
  yield* Effect.forEach(hunted, hunt, { concurrency, discard: true })
  return { survivors: [...survivors.values()], setAside: [...setAside.values()], dropped, refuted, unanswered }
})

const work = Effect.fnUntraced(function* (
  reviewing: Reviewing,
  userId: UserId,
  examined: Unpatched & { readonly access: ReadonlyArray<AccessRow> },
  progress: (fraction: number) => void,
) {
  const { tiers, budget, concurrency } = reviewing.settings
  const account = yield* reviewing.store.account(userId)
  const { findings, suppressed } = examined.result
  if (!tiers.has(account.plan)) {
    return { findings, run: notReviewed(`not included in the ${account.plan} plan`) } satisfies Reviewed
  }
  yield* reviewing.reviewer.reach
  const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(budget.time)
  const session = yield* openSession(reviewing, account)
  const model = yield* reviewing.models.open(examined.input.directory, examined.input.files)
  const cases = yield* casesOf(model, chosen(findings))
  const asked = batches(cases)
  const hunted = targets(examined.access)
  const total = asked.length + unitsPerHunt * hunted.length + 1
  let done = 0
  const step = (units: number): void => progress((done += units) / total)

  const triage = yield* timed(triagePass(session, asked, concurrency, step))
  const hunt = yield* timed(huntPass(session, model, hunted, examined.result, concurrency, step))
  const { reviews, voided } = triage.result
  const { survivors, setAside, dropped, refuted } = hunt.result
  const patched = yield* timed(withPatches(model, examined, cases, reviews, deadline))
  progress(1)
  const figures: ReviewFigures = {
    ...session.spent(),
    model: session.model,
    kept: session.kept(),
    judged: reviews.size,
    voided,
    dropped,
    refuted,
    found: survivors.length,
    patches: patched.result,
    unanswered: triage.result.unanswered + hunt.result.unanswered,
    milliseconds: { triage: triage.milliseconds, hunt: hunt.milliseconds, patches: patched.milliseconds },
    stopped: session.stopped(),
  }
  const reviewed = findings.map((finding) => {
    const review = reviews.get(finding.fingerprint)
    return review === undefined ? finding : withReview(finding, review)
  })
  return {
    findings: [...reviewed, ...survivors].toSorted(worstFirst),
    suppressed: [...suppressed, ...setAside],
    run: runOf(figures),
    figures,
  } satisfies Reviewed
}, Effect.scoped)

/**
 * Has a model judge the findings of an examination and search for problems that rules do not detect. The analysis does
 * not depend on it: any failure becomes a note in the coverage.
 */
export const reviewExamination = (...[reviewing, userId, examined, progress]: Parameters<typeof work>) =>
  work(reviewing, userId, examined, progress).pipe(
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(
        Effect.logWarning("no review because the database is unavailable", error.cause),
        "the database could not be reached",
      ),
    ),
    Effect.catchTag("ModelFailed", ({ message }) => Effect.succeed(message)),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("defect in a review", Cause.die(defect)), "it ended with an internal error"),
    ),
    Effect.map((reviewed): Reviewed => {
      if (typeof reviewed !== "string") return reviewed
      const { model } = reviewing.reviewer
      return { findings: examined.result.findings, run: { name: "ai", version: model, note: `failed: ${reviewed}` } }
    }),
  )
