import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { Failure } from "./api/client.ts"
import { overview as overviewOf, result, status as statusOf } from "./api/queries.ts"
import { queryClient } from "./api/queryClient.ts"
import { parseSearch, type Search, stringifySearch } from "./search.ts"
import { NotFound } from "./shell/NotFound.tsx"
import { Root } from "./shell/Root.tsx"
import { Failed, Loading } from "./ui/State.tsx"

const validateSearch = (search: Record<string, unknown>): Search => search as Search // `parseSearch` made it

/** The router reloads if a page's code is gone, as after a new release; without a network, that would lose the page. */
const page = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, () => React.ReactNode>>>,
  name: NoInfer<Name>,
) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw navigator.onLine ? error : new Failure(undefined, undefined)
    }
  }, name)

/** Requested while the page's code and the caller's data are still loading. */
const askForReport = async (id: string): Promise<void> => {
  if (queryClient.getQueryData(result(id).queryKey) !== undefined) return
  await queryClient.prefetchQuery(statusOf(id))
  if (queryClient.getQueryData(statusOf(id).queryKey)?.status === "completed") {
    await queryClient.prefetchQuery(result(id))
  }
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, validateSearch })
const getParentRoute = () => root

const overview = createRoute({
  getParentRoute,
  path: "/",
  loader: ({ preload }) => {
    if (!preload) void queryClient.prefetchQuery(overviewOf)
  },
  component: page(() => import("./pages/Overview.tsx"), "Overview"),
})
const signIn = createRoute({
  getParentRoute,
  path: "/sign-in",
  component: page(() => import("./pages/Overview.tsx"), "Overview"),
})
const repositories = createRoute({
  getParentRoute,
  path: "/repositories",
  component: page(() => import("./pages/Repositories.tsx"), "Repositories"),
})
const repository = createRoute({
  getParentRoute,
  path: "/repositories/$id",
  component: page(() => import("./pages/Repository.tsx"), "Repository"),
})
const analyses = createRoute({
  getParentRoute,
  path: "/analyses",
  component: page(() => import("./pages/Analyses.tsx"), "Analyses"),
})
const newAnalysis = createRoute({
  getParentRoute,
  path: "/analyses/new",
  component: page(() => import("./pages/NewAnalysis.tsx"), "NewAnalysis"),
})
const analysis = createRoute({
  getParentRoute,
  path: "/analyses/$id",
  // Hovering over a link loads only the page's code.
  loader: ({ params, preload }) => {
    if (!preload) void askForReport(params.id)
  },
  component: page(() => import("./pages/analysis/Analysis.tsx"), "Analysis"),
})
const rules = createRoute({
  getParentRoute,
  path: "/rules",
  component: page(() => import("./pages/Rules.tsx"), "Rules"),
})
const rule = createRoute({
  getParentRoute,
  path: "/rules/$framework/$category/$rule",
  component: page(() => import("./pages/Rule.tsx"), "Rule"),
})
const settings = createRoute({
  getParentRoute,
  path: "/settings",
  component: page(() => import("./pages/settings/Settings.tsx"), "Settings"),
})
const settingsSection = createRoute({
  getParentRoute,
  path: "/settings/$section",
  component: page(() => import("./pages/settings/Settings.tsx"), "Settings"),
})
const subscription = createRoute({
  getParentRoute,
  path: "/subscription",
  component: page(() => import("./pages/Subscription.tsx"), "Subscription"),
})

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    signIn,
    repositories,
    repository,
    analyses,
    newAnalysis,
    analysis,
    rules,
    rule,
    settings,
    settingsSection,
    subscription,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 150,
  // The skeletons are alike: existing content is shown at once.
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  defaultPendingComponent: () => (
    <div className="page">
      <Loading />
    </div>
  ),
  defaultErrorComponent: ({ error, reset }) => (
    <div className="page">
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => {
          if (!(error instanceof Failure)) reset()
          else if (navigator.onLine) location.reload()
        }}
      />
    </div>
  ),
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
