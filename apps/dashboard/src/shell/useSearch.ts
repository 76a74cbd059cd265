import { useNavigate, useSearch as useRouterSearch } from "@tanstack/react-router"
import type { Search } from "../search.ts"

/** The query part of the address; a change keeps the rest, and `undefined` removes a part. */
export const useSearch = (): readonly [
  Search,
  (change: Readonly<Record<string, string | undefined>>, options?: { readonly push?: boolean }) => void,
] => {
  const search: Search = useRouterSearch({ strict: false })
  const navigate = useNavigate()
  return [
    search,
    (change, options) =>
      void navigate({
        to: ".",
        search: (before: Search) => ({ ...before, ...change }),
        replace: options?.push !== true,
        resetScroll: false,
      }),
  ]
}
