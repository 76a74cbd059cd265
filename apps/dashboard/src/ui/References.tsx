import { Away } from "./Away.tsx"

interface Props {
  readonly references: ReadonlyArray<string>
  /** The level of its heading on the page. */
  readonly heading: "h2" | "h3"
}

/** The references of a rule or finding, as links. */
export const References = ({ references, heading: Heading }: Props) => (
  <section className="section" aria-labelledby="references">
    <Heading id="references">References</Heading>
    <ul>
      {references.map((reference) => (
        <li key={reference}>
          <Away href={reference}>{reference}</Away>
        </li>
      ))}
    </ul>
  </section>
)
