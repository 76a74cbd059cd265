import { Link } from "@tanstack/react-router"
import { Empty } from "../ui/State.tsx"
import { useTitle } from "./useTitle.ts"

export const NotFound = () => {
  useTitle("No such page")
  return (
    <div className="page">
      <h1>No such page</h1>
      <Empty title="This address leads nowhere">
        <p>It may have been mistyped, or what it showed was deleted.</p>
        <p className="actions">
          <Link to="/" className="button">
            Go to the overview
          </Link>
        </p>
      </Empty>
    </div>
  )
}
