import { Link } from "@tanstack/react-router"
import { Failure } from "../api/client.ts"
import { exactTime } from "./format.ts"

/** A placeholder for loading content, shown after 150 ms. */
export const Loading = ({ lines = 6, label = "Loading" }: { readonly lines?: number; readonly label?: string }) => (
  <div className="skeleton" role="status">
    <span className="visually-hidden">{label}</span>
    {Array.from({ length: lines }, (_, index) => (
      <i key={index} />
    ))}
  </div>
)

interface EmptyProps {
  readonly title: string
  readonly children?: React.ReactNode
}

/** An empty state that says what to do first. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div className="state">
    <h2>{title}</h2>
    {children}
  </div>
)

const titles: Partial<Record<Failure["code"], string>> = {
  OFFLINE: "The service is unreachable",
  RATE_LIMIT_EXCEEDED: "Too many requests",
  NOT_FOUND: "Not found",
  FORBIDDEN: "Your credentials do not allow this",
  SUBSCRIPTION_REQUIRED: "This is part of the Pro plan",
  HOSTING_TOKEN_REQUIRED: "No hosting token is set",
  HOSTING_UNAVAILABLE: "The code hosting service is unreachable",
  SERVICE_UNAVAILABLE: "Part of the service is unavailable",
}

const titleOf = (failure: Failure): string =>
  failure.window === "scans" && failure.code === "RATE_LIMIT_EXCEEDED"
    ? "This month's scans are used up"
    : (titles[failure.code] ?? "Something went wrong")

const advice = (failure: Failure): React.ReactNode => {
  if (failure.code === "OFFLINE") return "Check your connection. Anything already loaded still works."
  if (failure.code === "RATE_LIMIT_EXCEEDED" && failure.retryAfter !== undefined) {
    return `It resets ${exactTime(new Date(Date.now() + failure.retryAfter * 1000).toISOString())}.`
  }
  return undefined
}

/** What happened, what to do, and what to quote if it is our fault. */
export const FailureDetails = ({ error }: { readonly error: Error }) => {
  const failure = error instanceof Failure ? error : new Failure(undefined, undefined)
  return (
    <>
      <h2>{titleOf(failure)}</h2>
      <p>
        {failure.message} {advice(failure)}
      </p>
      {failure.window === "scans" && (
        <p>
          <Link to="/subscription">See your plan</Link>
        </p>
      )}
      {failure.code === "HOSTING_TOKEN_REQUIRED" && (
        <p>
          <Link to="/settings/$section" params={{ section: "hosting" }}>
            Set a hosting token
          </Link>
        </p>
      )}
      {failure.status >= 500 && failure.requestId !== undefined && (
        <p className="muted">
          Quote <code>{failure.requestId}</code> when you report it.
        </p>
      )}
    </>
  )
}

interface FailedProps {
  readonly error: Error
  readonly retry?: () => void
}

export const Failed = ({ error, retry }: FailedProps) => (
  <div className="state" role="alert">
    <FailureDetails error={error} />
    {retry !== undefined && (
      <p className="actions">
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      </p>
    )}
  </div>
)

interface Readable<A> {
  readonly data: A | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** One of three: the data, an error, or a loading state. */
export const Shown = <A,>({
  query,
  children,
  lines,
}: {
  readonly query: Readable<A>
  readonly children: (data: A) => React.ReactNode
  readonly lines?: number
}) => {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failed error={query.error} retry={() => void query.refetch()} />
  return <Loading {...(lines === undefined ? {} : { lines })} />
}
