/** The fewer requirements an effect has, the higher. */
export const looseness = { guarded: 0, once: 1, tied: 2, open: 3 } as const

type Standing = keyof typeof looseness

/** The weakest of several. */
export const weakest = (standings: ReadonlyArray<Standing>): Standing =>
  standings.reduce((found, each) => (looseness[each] > looseness[found] ? each : found), "guarded")
