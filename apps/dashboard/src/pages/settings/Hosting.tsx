import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { hostingToken } from "../../api/queries.ts"
import { offers } from "../../shell/offers.ts"
import { Fact, Facts } from "../../ui/Facts.tsx"
import { words } from "../../ui/format.ts"
import { Form } from "../../ui/Form.tsx"
import { Failed, Shown } from "../../ui/State.tsx"
import { Time } from "../../ui/Time.tsx"

/** The visible part of the current token, and its removal. */
const Configured = ({ kind, account, scopes, updatedAt }: Output<"settings.hostingToken">) => {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call("settings.removeHostingToken", {}),
    onSuccess: () => client.invalidateQueries({ queryKey: hostingToken.queryKey }),
  })
  return (
    <div className="section">
      <Facts>
        <Fact name="Kind">{kind === undefined ? "Unknown" : words(kind)}</Fact>
        {account !== undefined && <Fact name="Account">{account}</Fact>}
        {scopes !== undefined && <Fact name="Scopes">{scopes.join(", ") || "None"}</Fact>}
        {updatedAt !== undefined && (
          <Fact name="Set">
            <Time at={updatedAt} />
          </Fact>
        )}
      </Facts>
      <p>
        <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Remove token
        </button>
      </p>
      {remove.error !== null && <Failed error={remove.error} />}
    </div>
  )
}

const SetToken = () => {
  const client = useQueryClient()
  const [token, setToken] = useState("")
  const save = useMutation({
    mutationFn: () => call("settings.setHostingToken", { payload: { token: token.trim() } }),
    onSuccess: (view) => {
      setToken("")
      client.setQueryData(hostingToken.queryKey, view)
    },
  })
  return (
    <Form
      submit="Set token"
      sending="Checking"
      sent={save}
      ready={token.trim() !== ""}
      onSubmit={() => save.mutate()}
      note={<span role="status">{save.isSuccess && "The token is set."}</span>}
    >
      <div className="field">
        <label htmlFor="token">Personal access token</label>
        <input
          id="token"
          type="password"
          className="input mono"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </div>
    </Form>
  )
}

export const Hosting = () => {
  const query = useQuery(hostingToken)
  return (
    <>
      <p className="prose">
        The service uses it only to read your repositories. Private repositories need the scope repo; public ones need
        public_repo. It is kept encrypted and never shown again.
      </p>
      <Shown query={query}>{(view) => (view.configured ? <Configured {...view} /> : <p>No token is set.</p>)}</Shown>
      {offers("github") && (
        <>
          <h2>Connect the account</h2>
          <p className="actions">
            <a className="button" href="/auth/github?repositories=public">
              Connect GitHub for public repositories
            </a>
            <a className="button" href="/auth/github?repositories=all">
              Connect GitHub for all repositories
            </a>
          </p>
        </>
      )}
      <h2>Set a personal token</h2>
      {!offers("github") && (
        <p className="hint prose">
          To let users connect their accounts, the operator has to set <code>GITHUB_CLIENT_ID</code>.
        </p>
      )}
      <SetToken />
    </>
  )
}
