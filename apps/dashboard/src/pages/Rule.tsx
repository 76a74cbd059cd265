import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { Output } from "../api/contract.ts"
import { rule as ruleOf, rules } from "../api/queries.ts"
import { useTitle } from "../shell/useTitle.ts"
import { Code } from "../ui/Code.tsx"
import { Fact, Facts } from "../ui/Facts.tsx"
import { frameworkName, words } from "../ui/format.ts"
import { Prose } from "../ui/Prose.tsx"
import { References } from "../ui/References.tsx"
import { Severity } from "../ui/Severity.tsx"
import { Empty, Shown } from "../ui/State.tsx"

const mark = "FINDING"

/** The comment that marks a flagged line, which the page shows by color instead. */
const withoutMark = (line: string): string =>
  line.endsWith(` ${mark}`)
    ? line
        .slice(0, -mark.length)
        .trimEnd()
        .replace(/(?:\/\/|#)$/, "")
        .trimEnd()
    : line

const Example = ({ title, text, framework }: { title: string; text: string; framework: string }) => {
  const lines = text.trim().split("\n")
  const found = new Set(lines.flatMap((line, index) => (line.endsWith(` ${mark}`) ? [index + 1] : [])))
  return (
    <section className="section" aria-label={title}>
      <h2>{title}</h2>
      <Code
        file={framework === "evm" ? "example.sol" : "example.rs"}
        label={title}
        text={lines.map(withoutMark).join("\n")}
        firstLine={1}
        isMarked={(line) => found.has(line)}
        steps={[]}
        focus={1}
        currentStep={undefined}
      />
    </section>
  )
}

type Listed = Output<"rules.list">[number]

const RuleFacts = ({ rule }: { readonly rule: Listed }) => (
  <Facts>
    <Fact name="Severity">
      <Severity severity={rule.severity} />
    </Fact>
    <Fact name="Confidence">{words(rule.confidence)}</Fact>
    <Fact name="Category">{words(rule.category)}</Fact>
    <Fact name="Framework">{frameworkName[rule.framework] ?? rule.framework}</Fact>
    <Fact name="Id" mono>
      {rule.ruleId}
    </Fact>
    <Fact name="Known as">
      {[...rule.cwe.map((number) => `CWE-${number}`), ...(rule.swc === undefined ? [] : [`SWC-${rule.swc}`])].join(
        ", ",
      )}
    </Fact>
  </Facts>
)

const Suppression = ({ ruleId }: Pick<Listed, "ruleId">) => (
  <section className="section" aria-labelledby="leave-out">
    <h2 id="leave-out">Suppress it in source code</h2>
    <p>A comment on a finding’s line, or above it, removes it from the counts but keeps it in the report:</p>
    <p>
      <code>assay-ignore {ruleId}: reason</code>
    </p>
  </section>
)

/** Read from the catalog as a whole: it is small when compressed, never changes, and most people view several rules. */
export const Rule = () => {
  const { framework, category, rule: name } = useParams({ from: "/rules/$framework/$category/$rule" })
  const ruleId = `${framework}/${category}/${name}`
  const query = useQuery(rules)
  const rule = query.data?.find((one) => one.ruleId === ruleId)
  const examples = useQuery({ ...ruleOf(framework, category, name), enabled: rule !== undefined }).data?.examples
  useTitle(rule?.title ?? "Rule")
  return (
    <div className="page">
      <p>
        <Link to="/rules">All rules</Link>
      </p>
      <h1>{rule?.title ?? "Rule"}</h1>
      <Shown query={query}>
        {() =>
          rule === undefined ? (
            <Empty title="Rule not found">
              <p className="mono break">{ruleId}</p>
            </Empty>
          ) : (
            <>
              <RuleFacts rule={rule} />
              <section className="section" aria-labelledby="why">
                <h2 id="why">Why it matters</h2>
                <Prose text={rule.description} />
              </section>
              <section className="section" aria-labelledby="remedy">
                <h2 id="remedy">Remediation</h2>
                <Prose text={rule.remediation} />
              </section>
              {examples !== undefined && (
                <>
                  <Example title="Vulnerable" text={examples.vulnerable} framework={framework} />
                  <Example title="Safe" text={examples.safe} framework={framework} />
                </>
              )}
              {rule.references.length > 0 && <References references={rule.references} heading="h2" />}
              <Suppression ruleId={rule.ruleId} />
            </>
          )
        }
      </Shown>
    </div>
  )
}
