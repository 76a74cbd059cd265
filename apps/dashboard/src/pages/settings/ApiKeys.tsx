import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../api/client.ts"
import { apiKeys, me } from "../../api/queries.ts"
import { Copy } from "../../ui/Copy.tsx"
import { Confirm } from "../../ui/Dialog.tsx"
import { Form } from "../../ui/Form.tsx"
import { Empty, Failed, Shown } from "../../ui/State.tsx"
import { Time } from "../../ui/Time.tsx"

const scopes = ["analysis:read", "analysis:write", "repositories", "billing"] as const
type Scope = (typeof scopes)[number]

/** The one time that a key is shown. */
const NewKey = ({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) => (
  <div className="state" role="status">
    <h3>Your new key</h3>
    <p>Copy it now: it is shown this once.</p>
    <div className="secret">
      <code>{apiKey}</code>
      <Copy text={apiKey} />
      <button type="button" className="button" onClick={onDone}>
        I have it
      </button>
    </div>
  </div>
)

export const ApiKeys = () => {
  const query = useQuery(apiKeys)
  const caller = useQuery(me)
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<Scope>>(["analysis:read", "analysis:write"])
  const [expiresAt, setExpiresAt] = useState("")
  const [shown, setShown] = useState<string>()
  const [revoking, setRevoking] = useState<string>()
  const refresh = () => client.invalidateQueries({ queryKey: apiKeys.queryKey })
  const create = useMutation({
    mutationFn: () =>
      call("apiKeys.create", {
        payload: { name: name.trim(), scopes: chosen, ...(expiresAt === "" ? {} : { expiresAt }) },
      }),
    onSuccess: ({ apiKey }) => {
      setShown(apiKey)
      setName("")
      return refresh()
    },
  })
  const rotate = useMutation({
    mutationFn: (id: string) => call("apiKeys.rotate", { params: { id } }),
    onSuccess: ({ apiKey }) => {
      setShown(apiKey)
      return refresh()
    },
  })
  const revoke = useMutation({
    mutationFn: (id: string) => call("apiKeys.revoke", { params: { id } }),
    onSettled: () => {
      setRevoking(undefined)
      return refresh()
    },
  })
  const error = rotate.error ?? revoke.error
  return (
    <>
      {shown !== undefined && <NewKey apiKey={shown} onDone={() => setShown(undefined)} />}
      <Shown query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="There is no key yet">
              <p>A key lets a program, such as a CI job, act for you.</p>
            </Empty>
          ) : (
            <div className="table-wrap">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Scopes</th>
                    <th scope="col">Last used</th>
                    <th scope="col">Expires</th>
                    <th scope="col">Actions</th>
                  </tr>
                </thead>
                <tbody>
                  {keys.map((key) => (
                    <tr key={key.apiKeyId}>
                      <th scope="row" className="break">
                        {key.name}
                        <div className="muted mono">{key.prefix}…</div>
                      </th>
                      <td>{key.scopes.join(", ")}</td>
                      <td className="nowrap">{key.lastUsedAt === null ? "Never" : <Time at={key.lastUsedAt} />}</td>
                      <td className="nowrap">{key.expiresAt === null ? "Never" : <Time at={key.expiresAt} />}</td>
                      <td>
                        <span className="actions">
                          <button
                            type="button"
                            className="button"
                            disabled={rotate.isPending}
                            onClick={() => rotate.mutate(key.apiKeyId)}
                          >
                            Rotate<span className="visually-hidden"> {key.name}</span>
                          </button>
                          <button type="button" className="button danger" onClick={() => setRevoking(key.apiKeyId)}>
                            Revoke<span className="visually-hidden"> {key.name}</span>
                          </button>
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
      {error !== null && <Failed error={error} />}
      <h2>Create a key</h2>
      <Form
        submit="Create the key"
        sent={create}
        ready={name.trim() !== "" && chosen.length > 0}
        onSubmit={() => create.mutate()}
      >
        <div className="row">
          <div className="field">
            <label htmlFor="key-name">Name</label>
            <input
              id="key-name"
              className="input"
              autoComplete="off"
              placeholder="What it is for"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <div className="field">
            <label htmlFor="key-ends">Expires</label>
            <input
              id="key-ends"
              type="date"
              className="input"
              value={expiresAt}
              onChange={(event) => setExpiresAt(event.target.value)}
            />
          </div>
        </div>
        <fieldset className="field">
          <legend className="label">Scopes</legend>
          {scopes
            .filter((scope) => caller.data?.scopes.includes(scope) ?? true)
            .map((scope) => (
              <label key={scope} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(scope)}
                  onChange={() =>
                    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])
                  }
                />
                <span className="mono">{scope}</span>
              </label>
            ))}
        </fieldset>
      </Form>
      <Confirm
        open={revoking !== undefined}
        title="Revoke this key?"
        action="Revoke the key"
        busy={revoke.isPending}
        onConfirm={() => revoking !== undefined && revoke.mutate(revoking)}
        onClose={() => setRevoking(undefined)}
      >
        <p>What uses it is refused at once, and so are the keys that it made. This cannot be taken back.</p>
      </Confirm>
    </>
  )
}
