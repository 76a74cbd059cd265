import { type PlanId, plans } from "./Plan.ts"

/** The tenant that shares a month's scans: the members of an organization, or one user outside of any. */
export interface Pool {
  readonly plan: PlanId
  /** The quantity on the organization's subscription; 1 for a single user. */
  readonly seats: number
}

/** The half-open time span over which scans are counted. */
export interface Period {
  readonly start: Date
  readonly end: Date
}

export interface QuotaUsage {
  readonly limit: number
  readonly used: number
  /** Never negative, even if seats were given up after their scans had been used. */
  readonly remaining: number
  readonly resetsAt: Date
}

/**
 * Scans per period for the whole pool: per seat on `pro`, and independent of the seats on `basic`.
 * @judge
 */
export const scanLimit = ({ plan, seats }: Pool): number =>
  plans[plan].monthlyAnalyses * (plan === "pro" ? Math.max(0, Math.trunc(seats)) : 1)

/** The calendar month (UTC) that contains `now`. */
export const calendarMonth = (now: Date): Period => {
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) }
}

/** The same day of a later month, or its last day if the month is shorter, as Stripe bills. */
const addMonths = (date: Date, months: number): Date => {
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), days))
  return moved
}

/**
 * The period whose scans count at `now`: the billing period of a subscriber, or else the calendar month (UTC). A
 * billing period that is over, because the renewal event is late, continues month by month.
 * @judge
 */
export const quotaPeriod = (billing: Period | undefined, now: Date): Period => {
  if (billing === undefined || now < billing.start) return calendarMonth(now)
  if (now < billing.end) return billing
  const { end } = billing
  const apart = (now.getUTCFullYear() - end.getUTCFullYear()) * 12 + now.getUTCMonth() - end.getUTCMonth()
  const months = now < addMonths(end, apart) ? apart - 1 : apart
  return { start: addMonths(end, months), end: addMonths(end, months + 1) }
}

export const quotaUsage = (limit: number, used: number, resetsAt: Date): QuotaUsage => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resetsAt,
})
