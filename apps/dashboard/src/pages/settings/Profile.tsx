import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import { me } from "../../api/queries.ts"
import { Copy } from "../../ui/Copy.tsx"
import { Fact, Facts } from "../../ui/Facts.tsx"
import { words } from "../../ui/format.ts"
import { Failed, Shown } from "../../ui/State.tsx"

export const Profile = () => {
  const query = useQuery(me)
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => call("signIn.logout", {}),
    onSuccess: () => {
      // Removes all of the user's data, including reasons that were typed but not sent.
      client.clear()
      sessionStorage.clear()
      location.assign("/")
    },
  })
  return (
    <Shown query={query}>
      {({ userId, email, tier, scopes, organization }) => (
        <>
          <Facts>
            <Fact name="E-mail address">{email ?? "None"}</Fact>
            <Fact name="Plan">{words(tier)}</Fact>
            <Fact name="Organization">{organization?.name ?? "None"}</Fact>
            <Fact name="Session scopes">{scopes.join(", ")}</Fact>
          </Facts>
          <div className="field">
            <span className="label">User ID</span>
            <div className="secret">
              <code>{userId}</code>
              <Copy text={userId} />
            </div>
            <p className="hint">Share it with the owner who invites you to an organization.</p>
          </div>
          <p>
            <button type="button" className="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out
            </button>
          </p>
          {signOut.error !== null && <Failed error={signOut.error} />}
        </>
      )}
    </Shown>
  )
}
