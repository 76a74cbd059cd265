import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AnalysisEvent,
  beforeCreation,
  type Lifecycle,
  type LifecycleState,
  maxAttempts,
  scansTaken,
  statesBefore,
  transition,
} from "../../../domain/analysis/Transition.ts"

const events: ReadonlyArray<AnalysisEvent> = [
  "create",
  "claim",
  "complete",
  "fail",
  "fail_for_now",
  "lose_worker",
  "hand_back",
  "retry",
  "delete",
]
const states: ReadonlyArray<LifecycleState> = ["none", "pending", "running", "completed", "failed", "removed"]

const history = fc.array(fc.constantFrom(...events), { maxLength: 60 })

/** Every lifecycle that events can produce; illegal events change nothing. */
const walk = (happened: ReadonlyArray<AnalysisEvent>): ReadonlyArray<Lifecycle> => {
  const seen = [beforeCreation]
  for (const event of happened) {
    const next = transition(seen.at(-1)!, event)
    if (Result.isSuccess(next)) seen.push(next.success)
  }
  return seen
}

const end = (...happened: ReadonlyArray<AnalysisEvent>): Lifecycle => walk(happened).at(-1)!

describe("state machine of an analysis", () => {
  it.each([
    [["create"], "pending", 0],
    [["create", "claim"], "running", 1],
    [["create", "claim", "complete"], "completed", 1],
    [["create", "claim", "fail"], "failed", 1],
    [["create", "claim", "fail_for_now"], "pending", 1],
    [["create", "claim", "lose_worker"], "pending", 1],
    [["create", "claim", "hand_back"], "pending", 0],
    [["create", "claim", "fail", "retry"], "pending", 0],
    [["create", "delete"], "removed", 0],
  ] as const)("%j leads to %s with %d attempts used", (happened, state, attempts) => {
    expect(end(...happened)).toEqual({ state, attempts })
  })

  it.each(["lose_worker", "fail_for_now"] as const)("fails when the third attempt ends in %s", (event) => {
    expect(end("create", "claim", event, "claim", event).state).toBe("pending")
    expect(end("create", "claim", event, "claim", event, "claim", event)).toEqual({ state: "failed", attempts: 3 })
  })

  it("has no other transitions, and names the state and event of an illegal one", () => {
    const legal = new Set(events.flatMap((event) => statesBefore(event).map((state) => `${state} ${event}`)))
    expect(legal.size).toBe(12)
    const all = states.flatMap((state) => events.map((event) => ({ state, event })))
    const refused = all.flatMap(({ state, event }) => {
      const next = transition({ state, attempts: 1 }, event)
      return Result.isFailure(next) ? [next.failure] : []
    })
    const illegal = all.filter(({ state, event }) => !legal.has(`${state} ${event}`))
    expect(refused.map(({ state, event }) => ({ state, event }))).toEqual(illegal)
    expect(refused.map(({ message }) => message)).toContain("An analysis that is completed cannot retry.")
  })

  it("can be deleted in every state of a created analysis", () => {
    expect(statesBefore("delete")).toEqual(["pending", "running", "completed", "failed"])
  })

  it("retries only what has failed, so that one of two retries is illegal", () => {
    expect(statesBefore("retry")).toEqual(["failed"])
    const retried = end("create", "claim", "fail", "retry")
    expect(Result.isFailure(transition(retried, "retry"))).toBe(true)
  })

  it("never uses more than three attempts, and a running one always holds an attempt", () => {
    fc.assert(
      fc.property(history, (happened) => {
        for (const { state, attempts } of walk(happened)) {
          expect(attempts).toBeGreaterThanOrEqual(state === "running" ? 1 : 0)
          expect(attempts).toBeLessThanOrEqual(state === "pending" ? maxAttempts - 1 : maxAttempts)
        }
      }),
    )
  })

  it("never changes after completion, except by deletion, and never after deletion", () => {
    fc.assert(
      fc.property(history, (happened) => {
        const path = walk(happened).map(({ state }) => state)
        const afterCompletion = path.includes("completed") ? path.slice(path.indexOf("completed") + 1) : []
        expect(afterCompletion.filter((state) => state !== "removed")).toEqual([])
        expect(path.indexOf("removed")).toBeOneOf([-1, path.length - 1])
      }),
    )
  })

  it("charges one scan for every analysis that has not failed, and none for one that has", () => {
    fc.assert(
      fc.property(history, (happened) => {
        const path = walk(happened).map(({ state }) => state)
        let charged = 0
        let holds = 0
        for (const [index, state] of path.entries()) {
          if (index > 0) charged += scansTaken(path[index - 1]!, state, false)
          // Deletion changes nothing: a failed analysis has already been refunded.
          if (state !== "removed") holds = state === "none" || state === "failed" ? 0 : 1
          expect(charged).toBe(holds)
        }
      }),
    )
  })
})
