import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { apiKeys, me } from "../../api/queries.ts"
import { Confirm } from "../../ui/Dialog.tsx"
import { Form } from "../../ui/Form.tsx"
import { NewSecret } from "../../ui/NewSecret.tsx"
import { Empty, Failed, Shown } from "../../ui/State.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

const scopes = ["analysis:read", "analysis:write", "repositories", "billing"] as const
type Scope = (typeof scopes)[number]

type Key = Output<"apiKeys.list">[number]

interface RowProps {
  readonly apiKey: Key
  readonly rotating: boolean
  readonly onRotate: () => void
  readonly onRevoke: () => void
}

const KeyRow = ({ apiKey: key, rotating, onRotate, onRevoke }: RowProps) => (
  <tr>
    <th scope="row" className="break">
      {key.name}
      <div className="muted mono">{key.prefix}…</div>
    </th>
    <td>{key.scopes.join(", ")}</td>
    <td className="nowrap">{key.lastUsedAt === null ? "Never" : <Time at={key.lastUsedAt} />}</td>
    <td className="nowrap">{key.expiresAt === null ? "Never" : <Time at={key.expiresAt} />}</td>
    <td>
      <span className="actions">
        <button type="button" className="button" disabled={rotating} onClick={onRotate}>
          Rotate<span className="visually-hidden"> {key.name}</span>
        </button>
        <button type="button" className="button danger" onClick={onRevoke}>
          Revoke<span className="visually-hidden"> {key.name}</span>
        </button>
      </span>
    </td>
  </tr>
)

/** Creates a key with scopes that the caller has; its text goes to `onCreated`, which is awaited. */
const CreateKey = ({ onCreated }: { readonly onCreated: (apiKey: string) => Promise<unknown> }) => {
  const caller = useQuery(me)
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<Scope>>(["analysis:read", "analysis:write"])
  const [expiresAt, setExpiresAt] = useState("")
  const create = useMutation({
    mutationFn: () =>
      call("apiKeys.create", {
        payload: { name: name.trim(), scopes: chosen, ...(expiresAt === "" ? {} : { expiresAt }) },
      }),
    onSuccess: ({ apiKey }) => {
      setName("")
      return onCreated(apiKey)
    },
  })
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])
  return (
    <Form
      submit="Create key"
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
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <span className="mono">{scope}</span>
            </label>
          ))}
      </fieldset>
    </Form>
  )
}

export const ApiKeys = () => {
  const query = useQuery(apiKeys)
  const client = useQueryClient()
  const [shown, setShown] = useState<string>()
  const [revoking, setRevoking] = useState<string>()
  const refresh = () => client.invalidateQueries({ queryKey: apiKeys.queryKey })
  const show = (apiKey: string) => {
    setShown(apiKey)
    return refresh()
  }
  const rotate = useMutation({
    mutationFn: (id: string) => call("apiKeys.rotate", { params: { id } }),
    onSuccess: ({ apiKey }) => show(apiKey),
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
      {shown !== undefined && <NewSecret title="Your new key" secret={shown} onDone={() => setShown(undefined)} />}
      <Shown query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="No API keys yet">
              <p>A key lets a program, such as a CI job, act on your behalf.</p>
            </Empty>
          ) : (
            <Table columns={["Name", "Scopes", "Last used", "Expires", "Actions"]}>
              {keys.map((key) => (
                <KeyRow
                  key={key.apiKeyId}
                  apiKey={key}
                  rotating={rotate.isPending}
                  onRotate={() => rotate.mutate(key.apiKeyId)}
                  onRevoke={() => setRevoking(key.apiKeyId)}
                />
              ))}
            </Table>
          )
        }
      </Shown>
      {error !== null && <Failed error={error} />}
      <h2>Create a key</h2>
      <CreateKey onCreated={show} />
      <Confirm
        open={revoking !== undefined}
        title="Revoke this key?"
        action="Revoke key"
        busy={revoke.isPending}
        onConfirm={() => revoking !== undefined && revoke.mutate(revoking)}
        onClose={() => setRevoking(undefined)}
      >
        <p>Requests that use it, or any key created with it, are rejected immediately. This cannot be undone.</p>
      </Confirm>
    </>
  )
}
