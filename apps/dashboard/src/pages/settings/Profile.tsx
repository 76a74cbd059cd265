import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import { me } from "../../api/queries.ts"
import { Copy } from "../../ui/Copy.tsx"
import { words } from "../../ui/format.ts"
import { Failed, Shown } from "../../ui/State.tsx"

export const Profile = () => {
  const query = useQuery(me)
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => call("signIn.logout", {}),
    onSuccess: () => {
      // Nothing of the person stays in memory.
      client.clear()
      location.assign("/")
    },
  })
  return (
    <Shown query={query}>
      {({ userId, email, tier, scopes, organization }) => (
        <>
          <dl className="facts">
            <div>
              <dt>E-mail address</dt>
              <dd>{email ?? "None"}</dd>
            </div>
            <div>
              <dt>Plan</dt>
              <dd>{words(tier)}</dd>
            </div>
            <div>
              <dt>Organization</dt>
              <dd>{organization?.name ?? "None"}</dd>
            </div>
            <div>
              <dt>This session may</dt>
              <dd>{scopes.join(", ")}</dd>
            </div>
          </dl>
          <div className="field">
            <span className="label">User id</span>
            <div className="secret">
              <code>{userId}</code>
              <Copy text={userId} />
            </div>
            <p className="hint">Whoever invites you to an organization needs it.</p>
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
