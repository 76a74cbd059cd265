/**
 * Guards whose removal no example notices, by rule and by the name that `npm run mutate` gives them, each with the
 * reason why it stays: it only saves time, or narrows a type that the language keeps anyway.
 */
export const survivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

/** What `--changed` does not hold to its pins yet. Nothing is added here. */
export const unpinned: ReadonlySet<string> = new Set([])
