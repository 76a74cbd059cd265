import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Finding } from "../../domain/finding/Finding.ts"
import type { Excerpt } from "../../domain/review/Excerpt.ts"
import {
  type Case,
  judged,
  needsSecond,
  triageConversation,
  Verdicts,
  verdictsTool,
} from "../../domain/review/triage.ts"
import type { ProgramModel } from "../ports/analysis/ProgramModels.ts"
import { converse } from "./converse.ts"
import type { Session } from "./session.ts"

const ExcerptAnswer = Schema.Struct({
  file: Schema.String,
  from: Schema.Int,
  lines: Schema.Array(Schema.String),
  function: Schema.optionalKey(Schema.String),
  reachedFrom: Schema.optionalKey(Schema.Array(Schema.String)),
})
const readExcerpt = Schema.decodeUnknownOption(ExcerptAnswer)

/** The code around the given lines; undefined if there is no such file. */
export const excerptAt = (
  model: ProgramModel,
  { file, lineStart, lineEnd }: { readonly file: string; readonly lineStart: number; readonly lineEnd: number },
): Effect.Effect<Excerpt | undefined> =>
  Effect.map(model.ask("excerpt", `${file}:${lineStart}-${lineEnd}`), (answer) =>
    Option.getOrUndefined(readExcerpt(answer)),
  )

/** Findings with the surrounding code, except those whose file is gone. */
export const casesOf = Effect.fnUntraced(function* (model: ProgramModel, findings: ReadonlyArray<Finding>) {
  const cases: Array<Case> = []
  for (const finding of findings) {
    const excerpt = yield* excerptAt(model, finding.location)
    if (excerpt !== undefined) cases.push({ finding, excerpt })
  }
  return cases
})

const noTools = () => Effect.succeed("No such tool.")

/** One request, plus another if the answer is unusable. */
const run = (session: Session, cases: ReadonlyArray<Case>, number: number) =>
  Effect.map(
    converse(session, triageConversation(cases, number), verdictsTool, Verdicts, 1, noTools),
    (answer) => answer && judged(cases, answer, session.model),
  )

/** Verdicts on findings of one batch; undefined if the model gave no answer. */
export const triageBatch = Effect.fnUntraced(function* (session: Session, cases: ReadonlyArray<Case>) {
  const first = yield* run(session, cases, 1)
  if (first === undefined) return undefined
  const doubted = cases.flatMap((one, index) => {
    const review = first.reviews.get(index)
    return review !== undefined && needsSecond(one.finding, review) ? [{ ...one, index }] : []
  })
  const second = doubted.length === 0 ? undefined : yield* run(session, doubted, 2)
  const reviews = new Map(first.reviews)
  for (const [position, { index }] of doubted.entries()) {
    const opinion = second?.reviews.get(position)
    // Without a second opinion, severe findings keep their confidence.
    if (opinion === undefined) reviews.delete(index)
    else if (opinion.verdict !== "unlikely") reviews.set(index, opinion)
  }
  return {
    reviews: new Map(
      cases.flatMap(({ finding }, index) => {
        const review = reviews.get(index)
        return review === undefined ? [] : [[finding.fingerprint, review] as const]
      }),
    ),
    voided: first.voided + (second?.voided ?? 0),
  }
})
