import { calendarMonth, type Period } from "./Quota.ts"

/** Scans of earlier periods that still count. */
export interface Carried {
  readonly use: number
  /** The earliest start, and the latest end, of the periods in which they were charged. */
  readonly since: Date
  readonly until: Date
  /** Whether all of them were charged to a calendar month: those count only while nobody pays. */
  readonly isFree: boolean
}

/** What a pool has used, of which period. */
export interface PoolUse {
  readonly period: Period
  /** Whether the period is the payment service's, not the calendar's. */
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

/** The period that follows by itself: what was used before is over. */
const follow = (pool: PoolUse, period: Period, now: Date): PoolUse => ({
  period,
  billed: true,
  used: 0,
  carried: sum(running(pool.carried, now)),
})

/**
 * Another period while the one before may go on. A scan counts until the period ends in which it was charged, so that
 * going to and fro between subscriptions and the calendar earns no second quota; only what was free is not part of what
 * is paid for, until nobody pays any more.
 */
const change = (pool: PoolUse, period: Period, billed: boolean, now: Date): PoolUse => {
  const { start, end } = pool.period
  const own = pool.used > 0 && now < end ? [{ use: pool.used, since: start, until: end, isFree: !pool.billed }] : []
  return { period, billed, used: 0, carried: sum([...running(pool.carried, now), ...own]) }
}

/**
 * The pool of a subscription that grants access. Word of the period that counts already changes nothing of its use; one
 * that we have passed, because word of the renewal was late, does not come back. `isSame` where it is the subscription
 * that the pool had before: then a later period is its next one, also where a trial was cut short by paying.
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

/** The pool once nobody pays for it. What nobody paid for to begin with, an administrator's grant, does not end here. */
export const withdrawn = (pool: PoolUse, now: Date): PoolUse =>
  pool.billed ? change(pool, calendarMonth(now), false, now) : pool
