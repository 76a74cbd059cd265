import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { Failure } from "./client.ts"
import { announceExpiry } from "./session.ts"

/** A network or service failure may be temporary; a rejected request would be rejected again. */
const mayPass = (error: Error): boolean => error instanceof Failure && (error.status === 0 || error.status >= 500)

const onError = (error: Error): void => {
  if (error instanceof Failure && error.status === 401) announceExpiry()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (count, error) => count < 2 && mayPass(error),
      // The page shows failures along with everything that still works; waiting for a network that a browser considers
      // gone would not.
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
})
