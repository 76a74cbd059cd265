import type { Event, Frame, WalkScope } from "../../terms/events.ts"
import { carriedOver, type Facts } from "../../terms/facts.ts"
import type { WalkedCall } from "./sharedCalls.ts"

/** The events of a call from another walk, moved to a scope of this one. */
export const eventsIn = (
  { events, from, to, before, scope: callee, results }: WalkedCall,
  around: WalkScope,
  call: Frame["call"],
  order: number,
  facts: Facts,
): ReadonlyArray<Event> => {
  const shift = order - from.order
  const carry = carriedOver(before, facts)
  const exits = new Map<Frame["exits"], Frame["exits"]>()
  const frames = new Map<Frame, Frame>()
  const scopes = new Map<WalkScope, WalkScope>()

  const frameOf = (frame: Frame): Frame => {
    let known = frames.get(frame)
    if (known !== undefined) return known
    const isOuter = frame === callee.frame
    const parent = isOuter ? around.frame : frameOf(frame.parent!)
    const own = exits.get(frame.exits) ?? []
    known = { ...frame, parent, exits: own, depth: parent.depth + 1, ...(isOuter ? { call } : {}) }
    frames.set(frame, known)
    if (!exits.has(frame.exits)) {
      exits.set(frame.exits, own)
      for (const one of frame.exits)
        own.push({ order: one.order + shift, scope: scopeOf(one.scope), facts: carry(one.facts) })
    }
    return known
  }
  const scopeOf = (scope: WalkScope): WalkScope => {
    // Exits of the frame may be in this scope.
    const frame = frameOf(scope.frame)
    let known = scopes.get(scope)
    if (known !== undefined) return known
    known = {
      ...scope,
      parent: scope === callee ? around : scopeOf(scope.parent!),
      frame,
      startOrder: scope.startOrder + shift,
      endOrder: scope.endOrder + shift,
      ...(scope.end === undefined ? {} : { end: carry(scope.end) }),
    }
    scopes.set(scope, known)
    return known
  }

  const taken: Array<Event> = []
  const last = to.events - results.length
  for (let index = from.events; index < to.events; index++) {
    const event = events[index]!
    const moved = {
      ...event,
      order: event.order + shift,
      scope: scopeOf(event.scope),
      facts: carry(event.facts),
    }
    const result = index < last ? undefined : results[index - last]
    if (moved.kind === "call" && result !== undefined) moved.result = result
    taken.push(moved)
  }
  return taken
}
