import * as Redacted from "effect/Redacted"
import type { Job } from "./Job.ts"

/**
 * What authorizes requests to the job's repository: basic, with a user name that GitHub takes for every kind of token.
 * Undefined before the repository asked for it, and for every origin but the credential's own.
 */
export const authorizationHeader = ({
  url,
  credential,
  isAuthorized,
}: Pick<Job, "url" | "credential" | "isAuthorized">): string | undefined =>
  !isAuthorized || credential === undefined || new URL(url).origin !== credential.origin
    ? undefined
    : `Basic ${Buffer.from(`x-access-token:${Redacted.value(credential.secret)}`).toString("base64")}`

/** The job with its credential, where it has one that it did not use yet and that is for this place. */
export const authorized = (job: Job): Job | undefined => {
  const next = { ...job, isAuthorized: true }
  return job.isAuthorized || authorizationHeader(next) === undefined ? undefined : next
}
