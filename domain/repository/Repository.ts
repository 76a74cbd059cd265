/** A repository as the hosting service describes it. */
export interface HostedRepository {
  /** The service's own id, which does not change when the repository is renamed or transferred. */
  readonly githubId: number
  readonly name: string
  /** `owner/name`. */
  readonly fullName: string
  readonly url: string
  readonly defaultBranch: string
  /** The primary language; undefined if the service detected none. */
  readonly language: string | undefined
  readonly isPrivate: boolean
  readonly isArchived: boolean
  /** When the service last changed it, by the service's clock; in seconds. */
  readonly updatedAt: Date
}

/** The outcome of a sync. `synced` counts the repositories that were read, `updated` those whose record changed. */
export interface SyncResult {
  readonly synced: number
  readonly added: number
  readonly updated: number
  readonly syncedAt: Date
}

/**
 * The form in which URLs of the same repository are equal: hosting services ignore case and a final `.git`. The stores
 * compute the same in SQL.
 */
export const sameRepositoryKey = (url: string): string => url.toLowerCase().replace(/\.git$/, "")
