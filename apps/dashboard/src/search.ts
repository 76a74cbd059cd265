/** Addresses are plain `?severity=critical,high&q=vault`, which a person can read, edit and send. */
export type Search = Readonly<Record<string, string | undefined>>

const longest = 2_000

export const parseSearch = (text: string): Search =>
  Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== "" && value.length <= longest))

export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "")
  // Commas and slashes need no escaping in a query, and lists and paths read better without it.
  const text = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])))
    .replaceAll("%2C", ",")
    .replaceAll("%2F", "/")
  return text === "" ? "" : `?${text}`
}

/** The values of a list that are among the known ones. */
export const listOf = <A extends string>(value: string | undefined, known: ReadonlyArray<A>): ReadonlyArray<A> => {
  const given = (value ?? "").split(",")
  return known.filter((one) => given.includes(one))
}
