const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" })
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" })
const number = new Intl.NumberFormat("en")

const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

export const relativeTime = (timestamp: string, now: number): string => {
  const seconds = (Date.parse(timestamp) - now) / 1000
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1]
  return unit === "second" ? "just now" : relative.format(Math.round(seconds / length), unit)
}

export const exactTime = (timestamp: string): string => exact.format(new Date(timestamp))
export const exactDay = (timestamp: string): string => day.format(new Date(timestamp))
export const count = (value: number): string => number.format(value)

/** `3 findings`; the plural adds an s unless it is given. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const duration = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** `owner/name` from a repository URL, or the URL itself if it has another form. */
export const repositoryName = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { hostname, pathname } = new URL(url)
  const path = pathname
    .split("/")
    .filter((segment) => segment !== "")
    .join("/")
    .replace(/\.git$/, "")
  return hostname === "github.com" ? path : `${hostname}/${path}`
}

export const frameworkName: Readonly<Record<string, string>> = {
  evm: "Solidity",
  solana: "Solana",
  cosmwasm: "CosmWasm",
  auto: "Detected",
  external: "External",
}

/** `access-control` as words. */
export const words = (name: string): string => {
  const text = name.replaceAll(/[-_]/g, " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a default branch is called until its name is known. */
export const branchName = (branch: string): string => (branch === "HEAD" ? "Default branch" : branch)
