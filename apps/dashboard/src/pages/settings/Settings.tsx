import { Link, useParams } from "@tanstack/react-router"
import { useEffect } from "react"
import { words } from "../../ui/format.ts"
import { useTitle } from "../../shell/useTitle.ts"
import { ApiKeys } from "./ApiKeys.tsx"
import { Hosting } from "./Hosting.tsx"
import { Organization } from "./Organization.tsx"
import { Profile } from "./Profile.tsx"
import { Webhooks } from "./Webhooks.tsx"

const sections = {
  profile: { label: "Profile", Component: Profile },
  hosting: { label: "Hosting token", Component: Hosting },
  keys: { label: "API keys", Component: ApiKeys },
  webhooks: { label: "Webhook secret", Component: Webhooks },
  organization: { label: "Organization", Component: Organization },
} as const

const isSection = (name: string): name is keyof typeof sections => Object.hasOwn(sections, name)

export const Settings = () => {
  const { section: named = "profile" } = useParams({ strict: false })
  const section = isSection(named) ? named : "profile"
  const { label, Component } = sections[section]
  useTitle(`${label}, settings`)
  useEffect(() => {
    document.querySelector(".tabs [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [section])
  return (
    <div className="page">
      <h1>Settings</h1>
      <nav className="tabs" aria-label="Settings">
        {Object.entries(sections).map(([name, { label }]) => (
          <Link
            key={name}
            to="/settings/$section"
            params={{ section: name }}
            aria-current={name === section ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <section className="section" aria-label={words(label)}>
        <Component />
      </section>
    </div>
  )
}
