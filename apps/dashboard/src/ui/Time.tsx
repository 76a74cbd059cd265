import { useEffect, useState } from "react"
import { exactTime, relativeTime } from "./format.ts"

/** How long ago, or how long until, with the exact time on hover and for screen readers. */
export const Time = ({ at }: { readonly at: string }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const exact = exactTime(at)
  return (
    <time dateTime={at} title={exact}>
      <span aria-hidden="true">{relativeTime(at, now)}</span>
      <span className="visually-hidden">{exact}</span>
    </time>
  )
}
