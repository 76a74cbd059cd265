import { calendarMonth, type Period } from "./Quota.ts"

/** Scans of earlier periods that still count. */
export interface Carried {
  readonly use: number
  /** The earliest start and the latest end of the periods in which they were charged. */
  readonly since: Date
  readonly until: Date
  /** Whether all of them were charged to a calendar month: those count only while nobody pays. */
  readonly isFree: boolean
}

/** A pool's usage, and its period. */
export interface PoolUse {
  readonly period: Period
  /** Whether the period is the payment service's rather than the calendar's. */
  readonly billed: boolean
  readonly used: number
  readonly carried: Carried | undefined
}

const running = (carried: Carried | undefined, now: Date): ReadonlyArray<Carried> =>
  carried !== undefined && now < carried.until ? [carried] : []

const sum = (parts: ReadonlyArray<Carried>): Carried | undefined =>
  parts.length === 0
    ? undefined
    : {
        use: parts.reduce((use, part) => use + part.use, 0),
        since: new Date(Math.min(...parts.map(({ since }) => since.getTime()))),
        until: new Date(Math.max(...parts.map(({ until }) => until.getTime()))),
        isFree: parts.every(({ isFree }) => isFree),
      }

/**
 * Scans that count at `now`.
 * @judge
 */
export const usedNow = ({ period, billed, used, carried }: PoolUse, now: Date): number => {
  const earlier = running(carried, now).filter(({ isFree }) => !(billed && isFree))
  return (now < period.end ? used : 0) + (sum(earlier)?.use ?? 0)
}

/** The period that follows by itself: earlier usage no longer counts. */
const follow = (pool: PoolUse, period: Period, now: Date): PoolUse => ({
  period,
  billed: true,
  used: 0,
  carried: sum(running(pool.carried, now)),
})

/**
 * A different period while the previous one may continue. A scan counts until the end of the period it was charged to,
 * so that switching between subscriptions and the calendar earns no second quota; only free scans are not part of what
 * is paid for, until nobody pays any longer.
 */
const change = (pool: PoolUse, period: Period, billed: boolean, now: Date): PoolUse => {
  const { start, end } = pool.period
  const own = pool.used > 0 && now < end ? [{ use: pool.used, since: start, until: end, isFree: !pool.billed }] : []
  return { period, billed, used: 0, carried: sum([...running(pool.carried, now), ...own]) }
}

/**
 * The pool of a subscription that grants access. Data about the current period changes nothing about its usage; a
 * period that we have already passed, because the renewal event was late, does not come back. `isSame` if it is the
 * subscription that the pool had before: a later period is then its next one, even if paying cut a trial short.
 */
export const granted = (pool: PoolUse, period: Period, isSame: boolean, now: Date): PoolUse => {
  const { start, end } = pool.period
  if (!pool.billed) return change(pool, period, true, now)
  if (period.end <= start) return pool
  if (period.start.getTime() === start.getTime()) return { ...pool, period }
  return period.start >= end || (isSame && period.start > start)
    ? follow(pool, period, now)
    : change(pool, period, true, now)
}

/**
 * The pool once nobody pays for it. An administrator's grant, which nobody paid for in the first place, does not end
 * here.
 */
export const withdrawn = (pool: PoolUse, now: Date): PoolUse =>
  pool.billed ? change(pool, calendarMonth(now), false, now) : pool
