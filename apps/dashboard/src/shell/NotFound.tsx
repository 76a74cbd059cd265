import { Link } from "@tanstack/react-router"
import { Empty } from "../ui/State.tsx"
import { useTitle } from "./useTitle.ts"

export const NotFound = () => {
  useTitle("No such page")
  return (
    <div className="page">
      <h1>No such page</h1>
      <Empty title="Page not found">
        <p>The address may be mistyped, or the page was deleted.</p>
        <p className="actions">
          <Link to="/" className="button">
            Go to the overview
          </Link>
        </p>
      </Empty>
    </div>
  )
}
