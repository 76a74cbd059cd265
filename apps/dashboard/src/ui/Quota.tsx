import { count } from "./format.ts"
import { Time } from "./Time.tsx"

interface Props {
  readonly used: number
  readonly limit: number
  readonly resetsAt: string
}

export const Quota = ({ used, limit, resetsAt }: Props) => (
  <div className="section">
    <p>
      <span className="number">
        {count(used)} of {count(limit)}
      </span>{" "}
      used; it resets <Time at={resetsAt} />.
    </p>
    <div
      className="meter"
      role="meter"
      aria-label="Scans used this month"
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={limit === 0 ? 0 : Math.min(100, (100 * used) / limit)} height="8" />
      </svg>
    </div>
  </div>
)
