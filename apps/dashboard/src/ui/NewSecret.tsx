import { Copy } from "./Copy.tsx"

interface Props {
  readonly title: string
  readonly secret: string
  readonly onDone: () => void
}

/** The only time that a secret is shown. */
export const NewSecret = ({ title, secret, onDone }: Props) => (
  <div className="state" role="status">
    <h3>{title}</h3>
    <p>Copy it now. You will not see it again.</p>
    <div className="secret">
      <code>{secret}</code>
      <Copy text={secret} />
      <button type="button" className="button" onClick={onDone}>
        I have it
      </button>
    </div>
  </div>
)
