import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router"
import { parseSearch, type Search, stringifySearch } from "./search.ts"
import { NotFound } from "./shell/NotFound.tsx"
import { Root } from "./shell/Root.tsx"
import { Failed, Loading } from "./ui/State.tsx"

const validateSearch = (search: Record<string, unknown>): Search => search as Search // `parseSearch` made it

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, validateSearch })
const getParentRoute = () => root

const overview = createRoute({
  getParentRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/Overview.tsx"), "Overview"),
})
const signIn = createRoute({
  getParentRoute,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("./pages/Overview.tsx"), "Overview"),
})
const repositories = createRoute({
  getParentRoute,
  path: "/repositories",
  component: lazyRouteComponent(() => import("./pages/Repositories.tsx"), "Repositories"),
})
const repository = createRoute({
  getParentRoute,
  path: "/repositories/$id",
  component: lazyRouteComponent(() => import("./pages/Repository.tsx"), "Repository"),
})
const analyses = createRoute({
  getParentRoute,
  path: "/analyses",
  component: lazyRouteComponent(() => import("./pages/Analyses.tsx"), "Analyses"),
})
const newAnalysis = createRoute({
  getParentRoute,
  path: "/analyses/new",
  component: lazyRouteComponent(() => import("./pages/NewAnalysis.tsx"), "NewAnalysis"),
})
const analysis = createRoute({
  getParentRoute,
  path: "/analyses/$id",
  component: lazyRouteComponent(() => import("./pages/analysis/Analysis.tsx"), "Analysis"),
})
const rules = createRoute({
  getParentRoute,
  path: "/rules",
  component: lazyRouteComponent(() => import("./pages/Rules.tsx"), "Rules"),
})
const rule = createRoute({
  getParentRoute,
  path: "/rules/$framework/$category/$rule",
  component: lazyRouteComponent(() => import("./pages/Rule.tsx"), "Rule"),
})
const settings = createRoute({
  getParentRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./pages/settings/Settings.tsx"), "Settings"),
})
const settingsSection = createRoute({
  getParentRoute,
  path: "/settings/$section",
  component: lazyRouteComponent(() => import("./pages/settings/Settings.tsx"), "Settings"),
})
const subscription = createRoute({
  getParentRoute,
  path: "/subscription",
  component: lazyRouteComponent(() => import("./pages/Subscription.tsx"), "Subscription"),
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
  scrollRestoration: true,
  defaultPendingComponent: () => (
    <div className="page">
      <Loading />
    </div>
  ),
  defaultErrorComponent: ({ error, reset }) => (
    <div className="page">
      <Failed error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    </div>
  ),
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
