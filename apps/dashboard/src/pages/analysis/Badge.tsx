import { addressOf } from "../../api/client.ts"
import { Copy } from "../../ui/Copy.tsx"

export const Badge = ({ id }: { readonly id: string }) => {
  const path = addressOf("badge.svg", { params: { id } })
  const snippet = `[![Assay](${location.origin}${path})](${location.origin}/analyses/${id})`
  return (
    <section className="section" aria-labelledby="badge">
      <h2 id="badge">Badge</h2>
      <p>The badge is public but shows only counts. Its link works for people who can read the analysis.</p>
      <p>
        <img src={path} alt="The badge of this analysis" height={20} />
      </p>
      <div className="secret">
        <code>{snippet}</code>
        <Copy text={snippet} label="Copy Markdown" />
      </div>
    </section>
  )
}
