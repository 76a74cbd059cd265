import * as Context from "effect/Context"
import { type AllowedHosts, defaultAllowedHosts } from "../../domain/repository/RepositoryUrl.ts"

export interface SubmissionRules {
  /** Where repositories may be fetched from. */
  readonly allowedHosts: AllowedHosts
  /** Whether notifications may go to private addresses; for tests and closed networks. */
  readonly allowPrivateWebhooks: boolean
}

/** What may be submitted for analysis; by default, public repositories on github.com. */
export const SubmissionRules = Context.Reference<SubmissionRules>("assay/application/SubmissionRules", {
  defaultValue: () => ({ allowedHosts: defaultAllowedHosts, allowPrivateWebhooks: false }),
})
