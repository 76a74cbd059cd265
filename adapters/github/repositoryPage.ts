import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { HostedRepository } from "../../domain/repository/Repository.ts"

/** The fields that we use; the service sends some hundred more. */
const Repository = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  full_name: Schema.String,
  // Shown as a link.
  html_url: Schema.String.check(Schema.isPattern(/^https?:\/\//i)),
  default_branch: Schema.optional(Schema.NullOr(Schema.String)),
  language: Schema.optional(Schema.NullOr(Schema.String)),
  private: Schema.optional(Schema.Boolean),
  archived: Schema.optional(Schema.Boolean),
  created_at: Schema.optional(Schema.NullOr(Schema.String)),
  updated_at: Schema.optional(Schema.NullOr(Schema.String)),
})

const decode = Schema.decodeUnknownOption(Schema.Array(Repository))

/** Anything that is not a time, or that some database cannot store, becomes the epoch. */
const instant = (text: string | null | undefined): Date => {
  const date = new Date(text ?? 0)
  return date.getTime() >= 0 && date.getUTCFullYear() <= 9_999 ? date : new Date(0)
}

/** Characters that a database cannot store: NUL and unpaired surrogates. */
const clean = (text: string): string => text.replaceAll("\u0000", "").toWellFormed()

/** Repositories, each with its creation time in milliseconds; 0 if the service does not say. */
export interface Listed {
  readonly repositories: ReadonlyArray<HostedRepository>
  readonly createdAt: ReadonlyArray<number>
}

/** Reads the repositories of a page; undefined if it contains something else. */
export const readRepositories = (data: unknown): Listed | undefined =>
  Option.getOrUndefined(
    Option.map(decode(data), (repositories) => ({
      createdAt: repositories.map((one) => instant(one.created_at).getTime()),
      repositories: repositories.map((one) => ({
        githubId: one.id,
        name: clean(one.name),
        fullName: clean(one.full_name),
        url: clean(one.html_url),
        // An empty repository may have none yet.
        defaultBranch: clean(one.default_branch ?? "main"),
        language: one.language === null || one.language === undefined ? undefined : clean(one.language),
        isPrivate: one.private ?? false,
        isArchived: one.archived ?? false,
        updatedAt: instant(one.updated_at),
      })),
    })),
  )

/** Page numbers in a `Link` header (RFC 8288); both undefined without one. */
export const linkedPages = (link: string | undefined): { readonly next?: number; readonly last?: number } => {
  const pages: { next?: number; last?: number } = {}
  for (const [, target = "", parameters = ""] of (link ?? "").matchAll(/<([^<>]*)>;([^<]*)/g)) {
    const relation = /\brel="?(next|last)\b/.exec(parameters)?.[1]
    if (relation === undefined) continue
    const page = Number(/[?&]page=(\d+)/.exec(target)?.[1])
    if (Number.isSafeInteger(page)) pages[relation === "next" ? "next" : "last"] = page
  }
  return pages
}
