import { useId } from "react"

interface Props {
  readonly label: string
  readonly value: string | undefined
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
  readonly onChange: (value: string | undefined) => void
  /** The option that means no choice; without it, there must be one. */
  readonly any?: string | undefined
  readonly compact?: boolean
}

/** A labeled select; in a compact one, the label is for screen readers. */
export const Choice = ({ label, value, options, onChange, any = "Any", compact = false }: Props) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={compact ? "visually-hidden" : undefined}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      >
        {any !== "" && <option value="">{compact ? label : any}</option>}
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
