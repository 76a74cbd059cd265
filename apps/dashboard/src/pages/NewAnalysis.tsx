import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useRef, useState } from "react"
import { call, Failure } from "../api/client.ts"
import type { Input } from "../api/contract.ts"
import { repositories, subscription } from "../api/queries.ts"
import { listOf, type Search } from "../search.ts"
import { useSearch } from "../shell/useSearch.ts"
import { useTitle } from "../shell/useTitle.ts"
import { Choice } from "../ui/Choice.tsx"
import { count, frameworkName } from "../ui/format.ts"
import { Failed } from "../ui/State.tsx"

type Payload = Input<"analysis.create">["payload"]

const frameworks = ["auto", "evm", "solana", "cosmwasm"] as const
type Framework = (typeof frameworks)[number]

/** The contents of the form. */
type Fields = Readonly<Record<"repositoryUrl" | "branch" | "commit" | "path" | "webhookUrl", string>>

/** The part that the address contains; not the notification URL, which often carries a secret. */
const fieldsOf = (search: Search): Omit<Fields, "webhookUrl"> => ({
  repositoryUrl: search["url"] ?? "",
  branch: search["branch"] ?? "",
  commit: search["commit"] ?? "",
  path: search["path"] ?? "",
})

const payloadOf = (fields: Fields, framework: Framework, quick: boolean): Payload => ({
  repositoryUrl: fields.repositoryUrl.trim(),
  framework,
  analysisType: quick ? "quick" : "full",
  ...(fields.branch.trim() === "" ? {} : { branch: fields.branch.trim() }),
  ...(fields.commit.trim() === "" ? {} : { commit: fields.commit.trim() }),
  ...(fields.path.trim() === "" ? {} : { path: fields.path.trim() }),
  ...(fields.webhookUrl.trim() === "" ? {} : { webhookUrl: fields.webhookUrl.trim() }),
})

/** Problems with a URL that can be detected without the service, which has the last word. */
const objection = (address: string): string | undefined => {
  const url = address.trim()
  if (url === "") return undefined
  if (!/^https?:\/\//i.test(url)) return "Start with https://, as in https://github.com/owner/name."
  if (!URL.canParse(url)) return "This is not a valid URL."
  if (new URL(url).pathname.split("/").filter((segment) => segment !== "").length < 2) {
    return "Add the owner and the name, as in https://github.com/owner/name."
  }
  return undefined
}

/** `VALIDATION_ERROR` names each field and what is wrong with it. */
const fieldErrors = (error: Error | null): Readonly<Record<string, string>> => {
  const fields = error instanceof Failure ? error.details["fields"] : undefined
  if (!Array.isArray(fields)) return {}
  return Object.fromEntries(fields.map(({ field, message }) => [String(field), String(message)]))
}

/** A field's view of the form's state, and how it changes it. */
interface Bound {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

interface TextFieldProps extends Bound {
  readonly label: string
  readonly hint: string
  readonly placeholder?: string
  readonly list?: string
  readonly required?: boolean
}

const TextField = ({ name, label, hint, value, error, onChange, placeholder, list, required }: TextFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        className="input"
        value={value}
        placeholder={placeholder}
        list={list}
        required={required}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className={error === undefined ? "hint" : "error"}>
        {error ?? hint}
      </p>
    </div>
  )
}

/** Suggested URLs. */
const KnownRepositories = ({ id: listId }: { readonly id: string }) => {
  const known = useQuery(repositories)
  return (
    <datalist id={listId}>
      {(known.data ?? []).slice(0, 200).map(({ id, url, fullName }) => (
        <option key={id} value={url}>
          {fullName}
        </option>
      ))}
    </datalist>
  )
}

const Depth = ({ quick, onChange }: { readonly quick: boolean; readonly onChange: (quick: boolean) => void }) => (
  <fieldset className="field">
    <legend className="label">Depth</legend>
    <label className="check">
      <input type="radio" name="depth" checked={!quick} onChange={() => onChange(false)} />
      <span>Full: everything that is configured</span>
    </label>
    <label className="check">
      <input type="radio" name="depth" checked={quick} onChange={() => onChange(true)} />
      <span>Quick: the built-in rules only</span>
    </label>
  </fieldset>
)

/** Options that few people use. */
const Details = ({ field }: { readonly field: (name: keyof Fields) => Bound }) => {
  const isOpen = (["commit", "path", "webhookUrl"] as const).some((name) => field(name).value !== "")
  return (
    <details open={isOpen}>
      <summary>Commit, folder, notification</summary>
      <div className="form">
        <TextField
          {...field("commit")}
          label="Commit"
          hint="40 hexadecimal digits. If set, the branch is only a label."
        />
        <TextField
          {...field("path")}
          label="Folder"
          hint="Leave empty for the whole repository."
          placeholder="contracts"
        />
        <TextField
          {...field("webhookUrl")}
          label="Notify"
          hint="Receives one signed request when the analysis ends."
          placeholder="https://"
        />
      </div>
    </details>
  )
}

/** Starts the analysis and goes to it. */
const useCreate = (payload: Payload) => {
  // The same key for the same form: a second click, or a retry after a lost response, starts nothing twice.
  const attempt = useRef({ body: "", key: "" })
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const body = JSON.stringify(payload)
      if (attempt.current.body !== body) attempt.current = { body, key: crypto.randomUUID() }
      return call("analysis.create", { payload, headers: { "idempotency-key": attempt.current.key } })
    },
    onSuccess: ({ analysisId }) => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account.me", refetchType: "none" })
      return navigate({ to: "/analyses/$id", params: { id: analysisId } })
    },
  })
}

/** What the plan leaves for the month. */
const Left = () => {
  const plan = useQuery(subscription)
  const left = plan.data === undefined ? undefined : plan.data.monthlyAnalysesLimit - plan.data.monthlyAnalysesUsed
  return (
    <span className="muted">
      Uses one scan{left === undefined ? "." : `; ${count(Math.max(0, left))} left this month.`}
    </span>
  )
}

export const NewAnalysis = () => {
  useTitle("New analysis")
  const [search, change] = useSearch()
  const [fields, setFields] = useState<Fields>({ ...fieldsOf(search), webhookUrl: "" })
  const [framework = "auto"] = listOf(search["framework"], frameworks)
  const quick = search["depth"] === "quick"
  const payload = payloadOf(fields, framework, quick)
  const create = useCreate(payload)
  const refused = fieldErrors(create.error)
  const wrong = objection(fields.repositoryUrl)
  const field = (name: keyof Fields): Bound => ({
    name,
    value: fields[name],
    error: refused[name],
    onChange: (value) => {
      setFields((before) => ({ ...before, [name]: value }))
      // Going back, reloading, or opening a shared link restores the form.
      if (name !== "webhookUrl") change({ [name === "repositoryUrl" ? "url" : name]: value })
    },
  })

  return (
    <div className="page">
      <h1>New analysis</h1>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (payload.repositoryUrl !== "" && wrong === undefined && !create.isPending) create.mutate()
        }}
      >
        <TextField
          {...field("repositoryUrl")}
          error={wrong ?? refused["repositoryUrl"]}
          label="Repository"
          hint="The code is read, never executed."
          placeholder="https://github.com/owner/name"
          list="known-repositories"
          required
        />
        <KnownRepositories id="known-repositories" />
        <div className="row">
          <TextField {...field("branch")} label="Branch or tag" hint="Leave empty for the default branch." />
          <Choice
            label="Framework"
            any=""
            value={framework}
            options={frameworks.map((one) => [one, one === "auto" ? "Auto-detect" : frameworkName[one]!])}
            onChange={(value) => change({ framework: value === "auto" ? undefined : value })}
          />
        </div>
        <Depth quick={quick} onChange={(next) => change({ depth: next ? "quick" : undefined })} />
        <Details field={field} />
        {create.error !== null && Object.keys(refused).length === 0 && <Failed error={create.error} />}
        <div className="actions">
          <button
            type="submit"
            className="button primary"
            disabled={create.isPending || payload.repositoryUrl === "" || wrong !== undefined}
          >
            {create.isPending ? "Starting" : "Start analysis"}
          </button>
          <Left />
        </div>
      </form>
    </div>
  )
}
