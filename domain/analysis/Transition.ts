import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { AnalysisStatus } from "./Analysis.ts"

/** The states of an analysis: before its creation, its four states, and after its deletion. */
export type LifecycleState = "none" | AnalysisStatus | "removed"

/**
 * What can happen to an analysis. `fail` is final; `fail_for_now` and `lose_worker` leave the remaining attempts;
 * `hand_back` is a worker that shuts down gracefully and returns its attempt.
 */
export type AnalysisEvent =
  | "create"
  | "claim"
  | "complete"
  | "fail"
  | "fail_for_now"
  | "lose_worker"
  | "hand_back"
  | "retry"
  | "delete"

/** A state together with the number of attempts used, including a running one. */
export interface Lifecycle {
  readonly state: LifecycleState
  readonly attempts: number
}

/** Attempts between creation (or a retry) and failure. */
export const maxAttempts = 3

interface Transition {
  readonly from: LifecycleState
  readonly on: AnalysisEvent
  readonly to: LifecycleState
  /** Where it goes instead once all attempts are used. */
  readonly exhausted?: LifecycleState
  readonly attempts: "afresh" | "one more" | "kept" | "one less"
}

/** Every legal transition. */
export const transitions: ReadonlyArray<Transition> = [
  { from: "none", on: "create", to: "pending", attempts: "afresh" },
  { from: "pending", on: "claim", to: "running", attempts: "one more" },
  { from: "running", on: "complete", to: "completed", attempts: "kept" },
  { from: "running", on: "fail", to: "failed", attempts: "kept" },
  { from: "running", on: "fail_for_now", to: "pending", exhausted: "failed", attempts: "kept" },
  { from: "running", on: "lose_worker", to: "pending", exhausted: "failed", attempts: "kept" },
  { from: "running", on: "hand_back", to: "pending", attempts: "one less" },
  { from: "failed", on: "retry", to: "pending", attempts: "afresh" },
  { from: "pending", on: "delete", to: "removed", attempts: "kept" },
  { from: "running", on: "delete", to: "removed", attempts: "kept" },
  { from: "completed", on: "delete", to: "removed", attempts: "kept" },
  { from: "failed", on: "delete", to: "removed", attempts: "kept" },
]

/** The event cannot occur in this state. */
export class IllegalTransition extends Data.TaggedError("IllegalTransition")<{
  readonly state: LifecycleState
  readonly event: AnalysisEvent
}> {
  override get message(): string {
    return `An analysis that is ${this.state} cannot ${this.event.replaceAll("_", " ")}.`
  }
}

const attemptsAfter = (how: Transition["attempts"], attempts: number): number => {
  switch (how) {
    case "afresh":
      return 0
    case "one more":
      return attempts + 1
    case "kept":
      return attempts
    case "one less":
      return attempts - 1
  }
}

/**
 * The beginning of every analysis.
 * @judge
 */
export const beforeCreation: Lifecycle = { state: "none", attempts: 0 }

/** @judge */
export const transition = (
  { state, attempts }: Lifecycle,
  event: AnalysisEvent,
): Result.Result<Lifecycle, IllegalTransition> => {
  const row = transitions.find(({ from, on }) => from === state && on === event)
  if (row === undefined) return Result.fail(new IllegalTransition({ state, event }))
  const to = row.exhausted !== undefined && attempts >= maxAttempts ? row.exhausted : row.to
  return Result.succeed({ state: to, attempts: attemptsAfter(row.attempts, attempts) })
}

/** States in which an event is legal, for statements that check and change a row in one step. */
export const statesBefore = (event: AnalysisEvent): ReadonlyArray<LifecycleState> =>
  transitions.filter(({ on }) => on === event).map(({ from }) => from)

/**
 * Scans that a change of state charges to the month's quota: creation and retry charge one, a failure refunds it unless
 * it repeats a failure by a limit within an hour, and everything else, including deletion, changes nothing.
 * @judge
 */
export const scansTaken = (before: LifecycleState, after: LifecycleState, repeatsLimit: boolean): -1 | 0 | 1 => {
  if (after === "pending" && (before === "none" || before === "failed")) return 1
  return before === "running" && after === "failed" && !repeatsLimit ? -1 : 0
}
