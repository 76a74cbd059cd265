import { count, counted } from "./format.ts"

interface Props {
  readonly placeholder: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

/** The search field of a list. A page has at most one: the key `/` focuses it. */
export const SearchField = ({ placeholder, value = "", onChange }: Props) => (
  <div className="field">
    <label htmlFor="search">Search</label>
    <input
      id="search"
      type="search"
      className="input"
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
)

/** For use in `useKeys` of the page, since the list may still be loading. */
export const focusSearch = () => document.querySelector<HTMLInputElement>("#search")?.focus()

interface ShownCountProps {
  readonly shown: number
  readonly all: number
  readonly one: string
  readonly many?: string
}

/** How many items of a list match its search and filters. */
export const ShownCount = ({ shown, all, one, many }: ShownCountProps) => (
  <p className="muted" role="status">
    {shown === all ? counted(all, one, many) : `${count(shown)} of ${count(all)}`}
  </p>
)
