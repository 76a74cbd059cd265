import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Ecosystem } from "../../domain/analysis/Framework.ts"
import { type Finding, SuppressedFinding } from "../../domain/finding/Finding.ts"
import {
  anchored,
  Claims,
  huntConversation,
  isKnown,
  judgmentTool,
  Refutation,
  refuteConversation,
  reportTool,
  survivor,
  type Target,
} from "../../domain/review/hunt.ts"
import { reviewLimits } from "../../domain/review/reviewLimits.ts"
import type { ProgramModel } from "../ports/analysis/ProgramModels.ts"
import { answerQuery } from "./answerQuery.ts"
import { converse } from "./converse.ts"
import type { Session } from "./session.ts"
import { excerptAt } from "./triageFindings.ts"

export interface Hunted {
  readonly found: ReadonlyArray<Finding>
  /** The scope of suppression comments in the sources. */
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** Claims whose place or quotes do not exist, or that were already known. */
  readonly dropped: number
  readonly refuted: number
}

const readSuppression = Schema.decodeUnknownOption(SuppressedFinding.fields.suppression)
const readEcosystem = Schema.decodeUnknownOption(Ecosystem)

/** Hunts in one contract, and has each claim refuted in a conversation that knows only the claim. */
export const huntContract = Effect.fnUntraced(function* (
  session: Session,
  model: ProgramModel,
  target: Target,
  known: ReadonlyArray<Finding>,
  setAside: ReadonlyArray<SuppressedFinding>,
) {
  const answers = answerQuery(model, known)
  const { ecosystem } = yield* model.ask("ecosystem", target.rows[0]?.file)
  const conversation = huntConversation(target, Option.getOrUndefined(readEcosystem(ecosystem)), known)
  const reported = yield* converse(session, conversation, reportTool, Claims, reviewLimits.huntTurns, answers)
  const found: Array<Finding> = []
  const suppressed: Array<SuppressedFinding> = []
  let [dropped, refuted] = [0, 0]
  for (const claim of reported?.claims.slice(0, reviewLimits.claims) ?? []) {
    const excerpt = yield* excerptAt(model, claim)
    const placed = excerpt && anchored(claim, excerpt)
    if (placed === undefined || isKnown(placed, known) || isKnown(placed, setAside)) {
      dropped++
      continue
    }
    const judgment = yield* converse(
      session,
      refuteConversation(placed),
      judgmentTool,
      Refutation,
      reviewLimits.refuteTurns,
      answers,
    )
    const finding = judgment && survivor(placed, judgment, session.model)
    if (finding === undefined) {
      refuted++
      continue
    }
    const { ruleId, location } = finding
    const asked = { file: location.file, line: location.lineStart, ruleId }
    const suppression = Option.getOrUndefined(readSuppression(yield* model.ask("suppression", JSON.stringify(asked))))
    if (suppression === undefined) found.push(finding)
    else suppressed.push({ ...Struct.omit(finding, ["decision", "engines", "review"]), suppression })
  }
  return { found, suppressed, dropped, refuted } satisfies Hunted
})
