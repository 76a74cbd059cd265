import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/layout.css"
import "./styles/controls.css"
import "./styles/content.css"
import "./styles/report.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { me } from "./api/queries.ts"
import { queryClient } from "./api/queryClient.ts"
import { router } from "./router.tsx"
import { applyTheme } from "./shell/theme.ts"

applyTheme()
void queryClient.prefetchQuery(me)

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
