import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { call, holdCsrfToken, request } from "./client.ts"
import type { EndpointId, Input, Output } from "./contract.ts"

/** A read of the contract, cached under its name and its input. */
const read = <Id extends EndpointId>(id: Id, input: Input<Id>) =>
  queryOptions({ queryKey: [id, input] as const, queryFn: ({ signal }) => call(id, input, signal) })

/** The cursor of the next page, from the `Link` header; undefined after the last. */
const nextOf = (response: Response): string | undefined => {
  const [, link] = /^<([^>]*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? []
  return link === undefined ? undefined : (new URL(link, location.origin).searchParams.get("cursor") ?? undefined)
}

export const me = queryOptions({
  queryKey: ["account.me"] as const,
  queryFn: async ({ signal }) => {
    const found = await call("account.me", {}, signal)
    holdCsrfToken(found.csrfToken)
    return found
  },
  staleTime: 5 * 60_000,
})

type ListQuery = NonNullable<Input<"analysis.list">["query"]>

/** One page of the list; `next` is the cursor of the page after it. */
export const analyses = (query: ListQuery) =>
  queryOptions({
    queryKey: ["analysis.list", query] as const,
    queryFn: async ({ signal }) => {
      const response = await request("analysis.list", { query }, signal)
      return { items: (await response.json()) as Output<"analysis.list">, next: nextOf(response) } // as the contract says
    },
  })

export const status = (id: string) => read("analysis.status", { params: { id } })
/** Completed results never change. */
export const result = (id: string) => ({ ...read("analysis.result", { params: { id } }), staleTime: Infinity })
export const deliveries = (id: string) => read("deliveries.list", { params: { id } })
export const repositories = read("repositories.list", {})
export const statistics = read("repositories.stats", {})
export const repository = (id: string) => read("repositories.one", { params: { id } })
export const rules = { ...read("rules.list", {}), staleTime: Infinity }
/** Includes its examples, which the catalog as a whole omits. */
export const rule = (framework: string, category: string, name: string) => ({
  ...read("rules.one", { params: { framework, category, rule: name } }),
  staleTime: Infinity,
})
export const hostingToken = read("settings.hostingToken", {})
export const webhookSecret = read("settings.webhookSecret", {})
export const apiKeys = read("apiKeys.list", {})
export const organization = (id: string) => read("organizations.find", { params: { id } })
export const invitations = read("invitations.list", {})
export const plans = { ...read("subscriptions.plans", {}), staleTime: Infinity }
export const subscription = read("subscriptions.status", {})
export const overview = { ...read("overview.overview", {}), staleTime: 30_000 }
export const compare = (id: string, otherId: string) => ({
  ...read("overview.compare", { params: { id, otherId } }),
  staleTime: Infinity,
})
export const source = (id: string, path: string) => ({
  ...read("overview.source", { params: { id }, query: { path } }),
  staleTime: Infinity,
  retry: false,
})
/** Pages of 500 that are read of one report; to triage the rest of a larger one, narrow it down. */
const mostPages = 20

type FindingItems = Output<"analysisFindings.list">

/** An analysis's findings with their decisions and tags, page by page until there are enough. */
export const analysisFindings = async (
  id: string,
  decision: string | undefined,
  isEnough: (items: FindingItems) => boolean,
  signal?: AbortSignal,
): Promise<FindingItems> => {
  const found: Array<FindingItems[number]> = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages && !isEnough(found); page++) {
    const query = {
      analysis: id,
      limit: 500,
      ...(decision === undefined ? {} : { decision }),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const response = await request("analysisFindings.list", { params: { id }, query }, signal)
    found.push(...((await response.json()) as FindingItems)) // as the contract says
    cursor = nextOf(response)
    if (cursor === undefined) break
  }
  return found
}

/** The findings of an analysis that have a decision: few, whatever the size of the report. */
export const decided = (id: string) =>
  queryOptions({
    queryKey: ["analysisFindings.list", id, "decided"] as const,
    queryFn: ({ signal }) => analysisFindings(id, "false_positive,accepted_risk,fixed", () => false, signal),
  })
/** One finding with its decisions and the entity tag required to make one. */
export const finding = (id: string, fingerprint: string) => ({
  ...read("analysisFindings.one", { params: { id, fingerprint } }),
  staleTime: 0,
})

type FindingsQuery = NonNullable<Input<"findings.list">["query"]>
/** A repository's findings, page by page. */
export const openFindings = (id: string, query: FindingsQuery) =>
  infiniteQueryOptions({
    queryKey: ["findings.list", id, query] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...query, ...(pageParam === undefined ? {} : { cursor: pageParam }) }
      const response = await request("findings.list", { params: { id }, query: page }, signal)
      return { items: (await response.json()) as Output<"findings.list">, next: nextOf(response) } // as the contract says
    },
    getNextPageParam: ({ next }) => next,
  })

/** Whether a response shows decisions about findings. */
export const showsDecisions = ({ queryKey }: { readonly queryKey: ReadonlyArray<unknown> }): boolean =>
  /^(overview|findings|analysisFindings)\./.test(String(queryKey[0]))
