import type { Match } from "../../Rule.ts"
import { placeOf } from "../../rust/placeOf.ts"
import type { Event } from "../../rust/terms/events.ts"
import type { CosmWasmCrate, CosmWasmProgram } from "../program/model.ts"
import { wayTo } from "../questions/way.ts"
import { unfilledContainers } from "./unfilledContainers.ts"

const noteOn = ({ file, node }: Event) => ({ file, span: node, note: "An entry with the same key is created here." })

/** Which entries do messages look up that none of them creates? */
export const lookedUpInVain = (program: CosmWasmProgram, crate: CosmWasmCrate): ReadonlyArray<Match> =>
  unfilledContainers(program, crate).map(({ container, handler, event, isChange, made }) => ({
    ...placeOf(event),
    message: isChange
      ? `Only existing entries of \`${container.name}\` are changed here, and no message creates one.`
      : `No message ever writes to \`${container.name}\`, so lookups never find anything.`,
    trace: [...wayTo(handler, event), ...(made === undefined ? [] : [noteOn(made)])],
    confidence: "medium",
  }))
