import { hasProperty } from "effect/Predicate"
import {
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError,
  type SqlErrorReason,
} from "effect/sql/SqlError"

const reasonOf = (cause: unknown): SqlErrorReason => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const props = { cause, message, operation: "query" }
  const code = hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
  if (code === undefined) {
    // Not from the database: the runtime is closed or has aborted, or our parameter does not match its type.
    const gone =
      (cause instanceof Error && ["RuntimeError", "DatabaseThreadEnded"].includes(cause.name)) ||
      message === "PGlite is closed"
    return gone ? new ConnectionError(props) : new UnknownError(props)
  }
  if (code === "23505") {
    const constraint = hasProperty(cause, "constraint") ? String(cause.constraint) : "unknown"
    return new UniqueViolation({ ...props, constraint })
  }
  if (code === "40P01") return new DeadlockError(props)
  if (code === "40001") return new SerializationError(props)
  if (code === "55P03") return new LockTimeoutError(props)
  if (code === "57014") return new StatementTimeoutError(props)
  if (code.startsWith("08")) return new ConnectionError(props)
  if (code.startsWith("23")) return new ConstraintError(props)
  if (code.startsWith("42")) return new SqlSyntaxError(props)
  return new UnknownError(props)
}

/** Errors thrown by PGlite, classified by SQLSTATE like the Postgres driver's. */
export const pgliteError = (cause: unknown): SqlError => new SqlError({ reason: reasonOf(cause) })
