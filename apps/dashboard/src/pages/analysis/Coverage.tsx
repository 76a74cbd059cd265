import type { Coverage as View } from "../../../../../domain/analysis/Coverage.ts"
import { counted } from "../../ui/format.ts"

const most = 500

type Program = NonNullable<View["programs"]>[number]

/** How far the handlers of a program were understood, and which calls were not followed. */
const ProgramItem = ({ program }: { readonly program: Program }) => (
  <li className="break">
    <b>{program.program}</b>: {program.framework}, {counted(program.entryPoints, "entry point")}, {program.understood}{" "}
    of {counted(program.handlers, "handler")} understood
    {program.warning !== undefined && <p className="error">{program.warning}</p>}
    {program.nearlyEmpty.length > 0 && (
      <p className="muted">Almost nothing was found in {program.nearlyEmpty.join(", ")}.</p>
    )}
    {program.leftOut !== undefined && (
      <p className="muted">
        Code outside the deployed build was not analyzed: <span className="mono">{program.leftOut.join(", ")}</span>
      </p>
    )}
    {program.notFollowed.length > 0 && (
      <details>
        <summary>{counted(program.notFollowed.length, "function")} not followed</summary>
        <ul>
          {program.notFollowed.map(({ name, reason }) => (
            <li key={name} className="break">
              <span className="mono">{name}</span>: {reason}
            </li>
          ))}
        </ul>
      </details>
    )}
  </li>
)

/** Skipped items, with the reason. */
const LeftOut = ({ filesSkipped, incomplete }: Pick<View, "filesSkipped"> & Required<Pick<View, "incomplete">>) => (
  <>
    <h3>What was not analyzed</h3>
    {filesSkipped.length === 0 && incomplete.length === 0 ? (
      <p>Nothing was left out.</p>
    ) : (
      <ul>
        {incomplete.map(({ kind, name, reason }) => (
          <li key={`${kind} ${name}`} className="break">
            <span className="mono">{name}</span>: {reason}
          </li>
        ))}
        {filesSkipped.slice(0, most).map(({ file, reason }) => (
          <li key={file} className="break">
            <span className="mono">{file}</span>: {reason}
          </li>
        ))}
      </ul>
    )}
    {filesSkipped.length > most && <p className="muted">The first {most} are listed.</p>}
  </>
)

/** Items that are counted but did not fit into the result. */
const Omitted = ({ omitted }: { readonly omitted: NonNullable<View["omitted"]> }) => {
  const parts = [
    omitted.findings === undefined
      ? undefined
      : counted(
          Object.values(omitted.findings).reduce((sum, one) => sum + one, 0),
          "finding",
        ),
    omitted.suppressed === undefined ? undefined : `${omitted.suppressed} suppressed`,
    omitted.filesSkipped === undefined ? undefined : counted(omitted.filesSkipped, "file"),
    omitted.details === undefined ? undefined : `the details of ${omitted.details}`,
  ].filter((part) => part !== undefined)
  return <p className="muted">The result reached its size limit: {parts.join(", ")} are counted but not listed.</p>
}

/** What the analysis examined, and what it did not: a lack of findings means only as much as this says. */
export const Coverage = ({ coverage }: { readonly coverage: View }) => {
  const { filesAnalysed, filesSkipped, rulesRun, engines, programs = [], incomplete = [], omitted } = coverage
  return (
    <section className="section" aria-labelledby="coverage">
      <h2 id="coverage">What was analyzed</h2>
      <p>
        {counted(filesAnalysed, "file")}, {counted(rulesRun, "rule")};{" "}
        {engines.map(({ name, version }) => `${name === "ai" ? "AI review" : name} ${version}`).join(", ")}.
      </p>
      {engines
        .filter(({ note }) => note !== undefined)
        .map(({ name, note }) => (
          <p key={name} className="break">
            {name === "ai" ? "AI review" : name}: {note}
          </p>
        ))}
      {programs.length > 0 && (
        <>
          <h3>Programs</h3>
          <ul className="section">
            {programs.slice(0, most).map((program, index) => (
              <ProgramItem key={index} program={program} />
            ))}
          </ul>
        </>
      )}
      <LeftOut filesSkipped={filesSkipped} incomplete={incomplete} />
      {omitted !== undefined && <Omitted omitted={omitted} />}
    </section>
  )
}
