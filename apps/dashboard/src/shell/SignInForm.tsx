import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call, Failure, holdCsrfToken } from "../api/client.ts"
import { me } from "../api/queries.ts"
import { forgetExpiry } from "../api/session.ts"
import { offers } from "./offers.ts"

const explained = (error: Error): string =>
  error instanceof Failure && error.status === 401
    ? "This key is unknown, expired or revoked. Check that you pasted all of it."
    : error.message

export const SignInForm = () => {
  const [apiKey, setApiKey] = useState("")
  const client = useQueryClient()
  const signIn = useMutation({
    mutationFn: () => call("signIn.session", { payload: { apiKey: apiKey.trim() } }),
    onSuccess: async ({ csrfToken }) => {
      holdCsrfToken(csrfToken)
      const before = client.getQueryData(me.queryKey)?.userId
      const now = await client.fetchQuery({ ...me, staleTime: 0 })
      // Another person using the same browser must not see what the first one loaded or typed.
      if (before !== undefined && before !== now.userId) {
        client.clear()
        sessionStorage.clear()
        location.reload()
        return
      }
      forgetExpiry()
      void client.invalidateQueries({ predicate: ({ state }) => state.status === "error" })
    },
  })
  const error = signIn.error === null ? undefined : explained(signIn.error)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (apiKey.trim() !== "") signIn.mutate()
      }}
    >
      <div className="field">
        <label htmlFor="api-key">API key</label>
        <input
          id="api-key"
          className="input mono"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          placeholder="assay_…"
          value={apiKey}
          aria-invalid={error !== undefined}
          aria-describedby="api-key-hint"
          onChange={(event) => setApiKey(event.target.value)}
        />
        <p
          id="api-key-hint"
          className={error === undefined ? "hint" : "error"}
          role={error === undefined ? undefined : "alert"}
        >
          {error ?? "It is sent once to open a seven-day session, which this browser keeps in a cookie."}
        </p>
      </div>
      <div className="actions">
        <button type="submit" className="button primary" disabled={signIn.isPending || apiKey.trim() === ""}>
          {signIn.isPending ? "Signing in" : "Sign in"}
        </button>
        {offers("github") && (
          <a className="button" href="/auth/github">
            Sign in with GitHub
          </a>
        )}
      </div>
    </form>
  )
}
