/** Names with their values, such as the facts about a repository. */
export const Facts = ({ children }: { readonly children: React.ReactNode }) => <dl className="facts">{children}</dl>

interface FactProps {
  readonly name: string
  readonly mono?: boolean
  readonly children: React.ReactNode
}

export const Fact = ({ name, mono = false, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={mono ? "mono" : undefined}>{children}</dd>
  </div>
)
