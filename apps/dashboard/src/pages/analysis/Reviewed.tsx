import type { Finding } from "../../../../../domain/finding/Finding.ts"
import type { Review } from "../../../../../domain/finding/Review.ts"

const verdicts: Readonly<Record<Review["verdict"], string>> = {
  confirmed: "Confirmed",
  likely: "Likely",
  unlikely: "Unlikely",
}

/** A model's output is untrusted text: shown as it is, never as markup. */
const Plain = ({ text }: { readonly text: string }) => <p className="plain break">{text}</p>

const kindOf = (line: string): string | undefined =>
  line.startsWith("@@")
    ? "hunk"
    : line.startsWith("+") && !line.startsWith("+++")
      ? "added"
      : line.startsWith("-") && !line.startsWith("---")
        ? "removed"
        : undefined

/** The signs before the lines convey their meaning without color. */
const Diff = ({ patch }: { readonly patch: string }) => (
  <pre className="diff" tabIndex={0} role="region" aria-label="Patch">
    {patch
      .replace(/\n$/, "")
      .split("\n")
      .map((line, index) => (
        <span key={index} data-kind={kindOf(line)}>
          {line}
          {"\n"}
        </span>
      ))}
  </pre>
)

/** A finding of a model, a finding of other engines, or one that several agree on. */
export const FoundBy = ({ finding }: { readonly finding: Finding }) => {
  const { engines = [], ruleId } = finding
  if (ruleId.startsWith("external/ai/")) return <span>found by AI review</span>
  return engines.length === 0 ? undefined : <span className="break">found by {engines.join(", ")}</span>
}

/** A model's assessment of a finding; each line that it quotes occurs in the file. */
export const Reviewed = ({ review }: { readonly review: Review }) => {
  const { verdict, reasoning, attack, quotes, patch, model } = review
  return (
    <section className="section" aria-labelledby="review">
      <h3 id="review">AI review: {verdicts[verdict].toLowerCase()}</h3>
      <Plain text={reasoning} />
      {quotes.length > 0 && (
        <ul className="quotes" aria-label="Supporting lines">
          {quotes.map(({ line, text }, index) => (
            <li key={index}>
              <span className="muted number">line {line}</span> <code className="break">{text}</code>
            </li>
          ))}
        </ul>
      )}
      {attack !== undefined && (
        <>
          <h4>Attack, according to the model</h4>
          <Plain text={attack} />
        </>
      )}
      {patch !== undefined && (
        <>
          <h4>Patch</h4>
          <p className="muted">
            With this patch applied, the rules find neither this problem nor a new one. Review it before applying it.
          </p>
          <Diff patch={patch} />
        </>
      )}
      <p className="muted break">By {model}. A model can be wrong: check its claims against the lines it quotes.</p>
    </section>
  )
}
