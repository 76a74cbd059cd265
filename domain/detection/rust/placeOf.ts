import type { Match } from "../Rule.ts"
import type { Event, Frame } from "./terms/events.ts"

/** Limit: calls between the entry and the place that a finding names, the innermost ones. */
const mostSteps = 6

/** The calls that lead to an event from the function that was walked, the outermost first. */
export const wayTo = (event: Event): NonNullable<Match["trace"]> => {
  const steps: Array<NonNullable<Match["trace"]>[number]> = []
  for (let frame: Frame | undefined = event.scope.frame; frame !== undefined; frame = frame.parent) {
    if (frame.call === undefined || steps.length === mostSteps) break
    const { file, start, end } = frame.call
    steps.push({ file, span: { start, end }, note: `\`${frame.function.name}\` is called` })
  }
  return steps.toReversed()
}

/** The place of an event, as a rule reports it, and how it is reached if others share the function. */
export const placeOf = (event: Event): Pick<Match, "file" | "span" | "scope" | "trace"> => {
  const trace = wayTo(event)
  return {
    file: event.file,
    span: event.node,
    scope: event.function.qualifiedName,
    ...(trace.length === 0 ? {} : { trace }),
  }
}
