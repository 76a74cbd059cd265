import { type Event, type Frame } from "../../rust/terms/events.ts"
import type { Place } from "../../Rule.ts"
import type { Handler } from "../program/model.ts"

/** The path of a message to an event: the arm that handles it, and the calls in between. For traces. */
export const wayTo = ({ entry, message, place, function: handler }: Handler, event?: Event) => {
  const steps: Array<Place & { readonly note: string }> = []
  for (let frame: Frame | undefined = event?.scope.frame; frame?.call !== undefined; frame = frame.parent) {
    const { file, start, end } = frame.call
    steps.unshift({ file, span: { start, end }, note: `It calls \`${frame.function.name}\`.` })
  }
  const name = message === "" ? entry.kind : message
  const own = { file: handler.module.file, span: handler.item.nameSpan, note: `\`${handler.name}\` handles it.` }
  return [
    { ...place, note: `Any account can send \`${name}\`.` },
    ...(handler === entry.function ? [] : [own]),
    ...steps,
  ]
}
