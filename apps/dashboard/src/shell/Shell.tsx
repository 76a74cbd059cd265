import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { Output } from "../api/contract.ts"
import { Brand } from "./Brand.tsx"
import { Help } from "./Help.tsx"
import { useKeys } from "./keys.ts"
import { Notices } from "./Notices.tsx"
import { setTheme, themes, useTheme } from "./theme.ts"
import { words } from "../ui/format.ts"

const places = [
  { to: "/", label: "Overview", exact: true },
  { to: "/repositories", label: "Repositories", exact: false },
  { to: "/analyses", label: "Analyses", exact: false },
  { to: "/rules", label: "Rules", exact: false },
  { to: "/settings", label: "Settings", exact: false },
  { to: "/subscription", label: "Subscription", exact: false },
] as const

const ThemeChoice = () => {
  const theme = useTheme()
  return (
    <label className="field">
      <span className="visually-hidden">Theme</span>
      <select
        className="input"
        value={theme}
        onChange={(event) => setTheme(themes.find((one) => one === event.target.value) ?? "system")}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {words(one)} theme
          </option>
        ))}
      </select>
    </label>
  )
}

export const Shell = ({ me }: { readonly me: Output<"account.me"> }) => {
  const navigate = useNavigate()
  const [help, setHelp] = useState(false)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(path)
  useKeys({
    "?": () => setHelp(true),
    "g o": () => void navigate({ to: "/" }),
    "g r": () => void navigate({ to: "/repositories" }),
    "g a": () => void navigate({ to: "/analyses" }),
    "g s": () => void navigate({ to: "/settings" }),
    n: () => void navigate({ to: "/analyses/new" }),
  })
  // A screen reader continues where the new page begins.
  useEffect(() => {
    if (first.current !== path) main.current?.focus({ preventScroll: true })
    first.current = path
    // On a phone, the navigation scrolls sideways.
    document.querySelector(".nav [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [path])

  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="nav">
        <Brand />
        <nav aria-label="Main">
          <ul>
            {places.map(({ to, label, exact }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact, includeSearch: false }}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="nav-foot">
          <span className="muted" title={me.email ?? me.userId}>
            {me.organization?.name ?? me.email ?? "Signed in"}
          </span>
          <ThemeChoice />
          <button type="button" className="button quiet keys-button" onClick={() => setHelp(true)}>
            Keys <kbd>?</kbd>
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Notices />
        <Outlet />
      </main>
      <Help open={help} onClose={() => setHelp(false)} />
    </div>
  )
}
