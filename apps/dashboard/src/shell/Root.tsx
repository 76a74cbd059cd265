import { useQuery } from "@tanstack/react-query"
import { Failure } from "../api/client.ts"
import { me } from "../api/queries.ts"
import { useExpired } from "../api/session.ts"
import { SignIn } from "./SignIn.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Failed, Loading } from "../ui/State.tsx"
import { Toasts } from "../ui/toasts.tsx"
import { Shell } from "./Shell.tsx"
import { SignInForm } from "./SignInForm.tsx"

/**
 * Users who are not signed in sign in at the address they came to. If a session ends in the meantime, the page stays
 * with everything typed, and the sign-in appears on top of it.
 */
export const Root = () => {
  const caller = useQuery(me)
  const expired = useExpired()
  if (caller.data === undefined) {
    if (caller.error instanceof Failure && caller.error.status === 401) return <SignIn />
    return (
      <main className="page">
        {caller.error === null ? (
          <Loading label="Loading the dashboard" />
        ) : (
          <>
            <h1>Assay</h1>
            <Failed error={caller.error} retry={() => void caller.refetch()} />
          </>
        )}
      </main>
    )
  }
  return (
    <>
      <Shell me={caller.data} />
      <Dialog open={expired} title="Your session has ended">
        <p>Sign in again to continue. Your input is preserved.</p>
        <SignInForm />
      </Dialog>
      <Toasts />
    </>
  )
}
