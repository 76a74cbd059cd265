import { sha256 } from "../digest/sha256.ts"
import { type AccessRow, byContract } from "../access/AccessTable.ts"
import type { AnalysisResult } from "../analysis/Analysis.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import { severities, type Severity } from "../finding/Severity.ts"
import { informationalFindings } from "../finding/ResultSummary.ts"
import { fitting, jsonBytes } from "../finding/fitting.ts"
import { htmlStyle } from "./htmlStyle.ts"
import { link, prose, text } from "./htmlText.ts"
import { incompleteness, misunderstanding, omissions, understanding } from "./omissions.ts"
import { count, date, effectsByWho, linesOf, restOfAccess, severityNames, verdict, wholeTable } from "./sentences.ts"

/**
 * As in Markdown: details of the worst, the first of each list; the findings get the space that four lists, the access
 * table and the rest leave.
 */
const limits = { inDetail: 1_000, listed: 200, listBytes: 150_000 } as const
const findingBytes =
  resultLimits.bytes - 5 * limits.listBytes - 12 * resultLimits.notes * resultLimits.note - htmlStyle.length - 100_000

/** From here on, a browser lays out only what is visible. */
const manyFindings = 200

/** No scripts, no requests: anything but this style sheet is blocked, whatever a text manages to inject. */
const policy = `default-src 'none'; style-src 'sha256-${btoa(
  String.fromCharCode(...sha256(htmlStyle)),
)}'; base-uri 'none'; form-action 'none'`

const shapes: Readonly<Record<Severity, string>> = {
  critical: '<path d="M4 0h6l4 4v6l-4 4H4l-4-4V4z" fill="currentColor"/>',
  high: '<path d="M7 0l7 7-7 7-7-7z" fill="currentColor"/>',
  medium: '<path d="M7 1l7 12H0z" fill="currentColor"/>',
  low: '<circle cx="7" cy="7" r="6" fill="currentColor"/>',
  informational: '<circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" stroke-width="2"/>',
}

const symbols = `<svg width="0" height="0" aria-hidden="true">${severities
  .map((severity) => `<symbol id="mark-${severity}" viewBox="0 0 14 14">${shapes[severity]}</symbol>`)
  .join("")}</svg>`

const tag = (severity: Severity, before = ""): string =>
  `<span class="severity"><svg aria-hidden="true"><use href="#mark-${severity}"/></svg>${before}${severityNames[severity]}</span>`

const words = (name: string): string => {
  const spaced = name.replaceAll(/[-_]/g, " ")
  return text(spaced.charAt(0).toUpperCase() + spaced.slice(1))
}

/** `owner/name` of a URL, or the URL itself if it has another form. */
const repositoryName = (url: string): string => /^https?:\/\/[^/]+\/(.+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? url

const place = ({ file, lineStart, lineEnd }: Finding["location"]): string =>
  `${file}:${lineStart}${lineEnd === lineStart ? "" : `–${lineEnd}`}`

/** The lines at the analyzed commit, if the code host has a URL for them. */
const onHost = ({ url, commit }: AnalysisResult["repository"], { file, lineStart, lineEnd }: Finding["location"]) =>
  commit === undefined || !/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(url)
    ? undefined
    : `${url.replace(/\.git$/, "")}/blob/${commit}/${file.split("/").map(encoded).join("/")}#L${lineStart}-L${lineEnd}`

/** `encodeURIComponent` fails for unpaired surrogates. */
const encoded = (segment: string): string => encodeURIComponent(segment.toWellFormed())

const decisionOf = ({ decision }: Finding): string => {
  if (decision === undefined) return ""
  const by = decision.decidedBy === undefined ? "" : ` by ${text(decision.decidedBy)}`
  const when = decision.decidedAt === undefined ? "" : `, ${text(date(decision.decidedAt))}`
  const until = decision.expiresAt === undefined ? "" : `, until ${text(date(decision.expiresAt))}`
  const again = decision.reopened === undefined ? "" : ` (${words(decision.reopened).toLowerCase()})`
  const reason = decision.reason === undefined ? "" : prose(decision.reason)
  return `<div class="decision"><p><b>${words(decision.decision)}</b>${again}${by}${when}${until}</p>${reason}</div>`
}

const code = ({ snippet, lineStart }: Finding["location"]): string =>
  snippet === undefined || snippet.trim() === ""
    ? ""
    : `<pre tabindex="0"><code>${linesOf(snippet)
        .map((line, index) => `<span data-line="${lineStart + index}">${text(line)}</span>`)
        .join("")}</code></pre>`

const part = (title: string, content: string): string => (content === "" ? "" : `<h4>${title}</h4>${content}`)

const items = <A>(tagName: "ul" | "ol", all: ReadonlyArray<A>, item: (one: A) => string): string => {
  const shown = [...fitting(all.slice(0, limits.listed), limits.listBytes, (one) => `<li>${item(one)}</li>`)]
  if (all.length > shown.length) shown.push(`<li>${all.length - shown.length} more, listed in the JSON report</li>`)
  return shown.length === 0 ? "" : `<${tagName}>${shown.join("")}</${tagName}>`
}

/** A finding's row in the list and its section. */
interface Entry {
  readonly row: string
  readonly section: string
}

const rowOf = (finding: Finding, number: number): string =>
  `<tr data-kind="row" data-severity="${finding.severity}"><td>${number}</td><td>${tag(finding.severity)}</td>` +
  `<td><a href="#finding-${number}">${text(finding.title)}</a></td><td><code>${text(place(finding.location))}</code></td>` +
  `<td>${words(finding.decision?.decision ?? finding.status ?? "open")}</td></tr>`

/** A model's assessment of a finding: text, and a diff as code. */
const reviewOf = ({ review }: Finding, detailed: boolean): string => {
  if (review === undefined) return ""
  const { verdict: judged, reasoning, attack, quotes, patch, model } = review
  return [
    `<p><b>${words(judged)}</b>, by ${text(model)}</p>${prose(reasoning)}`,
    attack === undefined ? "" : `<p><b>The attack according to the model</b></p>${prose(attack)}`,
    detailed ? items("ul", quotes, (quote) => `line ${quote.line}: <code>${text(quote.text)}</code>`) : "",
    patch === undefined || !detailed
      ? ""
      : `<p><b>Patch</b>, tested: the rules no longer find the problem</p><pre tabindex="0"><code>${text(patch)}</code></pre>`,
  ].join("")
}

const sectionOf = (
  finding: Finding,
  number: number,
  result: Omit<AnalysisResult, "markdownReport">,
  detailed: boolean,
) => {
  const { location, trace, references, engines, status } = finding
  const away = onHost(result.repository, location)
  return [
    `<article id="finding-${number}" data-kind="finding" data-severity="${finding.severity}" aria-labelledby="title-${number}">`,
    `<h3 id="title-${number}">${number}. ${text(finding.title)}</h3>`,
    `<p class="meta">${tag(finding.severity)}<span>${words(finding.confidence)} confidence</span><span>${words(finding.category)}</span>`,
    `${status === undefined ? "" : `<span>${words(status)}</span>`}</p>`,
    `<p><code>${text(place(location))}</code>${away === undefined ? "" : ` ${link(away, "Open on GitHub")}`}</p>`,
    decisionOf(finding),
    detailed ? code(location) : "",
    part("The attack", prose(finding.description)),
    detailed
      ? part(
          "Step by step",
          items("ol", trace, ({ file, line, note }) => `${text(note)} <code>${text(`${file}:${line}`)}</code>`),
        )
      : "",
    part("AI review", reviewOf(finding, detailed)),
    part("Remedy", prose(finding.remediation)),
    detailed
      ? part(
          "References",
          items("ul", references, (one) => link(one)),
        )
      : "",
    `<p class="muted">Rule <code>${text(finding.ruleId)}</code>${engines === undefined ? "" : `, found by ${text(engines.join(", "))}`}</p>`,
    `</article>\n`,
  ].join("")
}

const entryOf = (finding: Finding, index: number, result: Omit<AnalysisResult, "markdownReport">): Entry => {
  const row = rowOf(finding, index + 1)
  const section = sectionOf(finding, index + 1, result, index < limits.inDetail)
  return jsonBytes(section) > 4 * resultLimits.finding
    ? { row, section: sectionOf(finding, index + 1, result, false) }
    : { row, section }
}

/** The number of findings per severity; if some are listed, whether they are shown. */
const counts = ({ summary, findings }: Pick<AnalysisResult, "summary" | "findings">): string => {
  const listed = new Set(findings.map(({ severity }) => severity))
  const of: Readonly<Record<Severity, number>> = {
    critical: summary.criticalFindings,
    high: summary.highFindings,
    medium: summary.mediumFindings,
    low: summary.lowFindings,
    informational: informationalFindings(summary),
  }
  const each = severities.map((severity) => {
    const inside = tag(severity, `${of[severity]} `)
    return listed.has(severity)
      ? `<label data-severity="${severity}"><input type="checkbox" id="show-${severity}" checked autocomplete="off">${inside}</label>`
      : `<span class="zero">${inside}</span>`
  })
  return `<div class="counts" role="group" aria-label="Findings by severity">${each.join("")}</div>`
}

const suppressedItem = ({ severity, title, location, ruleId, suppression }: SuppressedFinding): string =>
  `<b>${severityNames[severity]}</b> ${text(title)}, <code>${text(place(location))}</code>, <code>${text(ruleId)}</code>: ${
    text(suppression.reason) || "no reason given"
  }`

/** Conditions and names in backticks become code. */
const withCode = (written: string): string =>
  written
    .split("`")
    .map((one, index) => (index % 2 === 0 ? text(one) : `<code>${text(one)}</code>`))
    .join("")

const accessRow = (row: AccessRow): string => {
  const who = effectsByWho(row, (each) => (each.standing === "open" ? "<b>anyone</b>" : withCode(each.who)), withCode)
  const more = row.more === undefined ? "" : `; ${row.more} more`
  return [...who]
    .map(([name, effects], index) => {
      const own = index === 0 ? `<code>${text(row.function)}</code>` : ""
      return `<tr><td>${own}</td><td>${effects.join("; ")}${index === who.size - 1 ? more : ""}</td><td>${name}</td></tr>`
    })
    .join("\n")
}

/** A table per contract: what its functions can do, and who can call them. */
const accessOf = ({ accessTable, analysisId }: Pick<AnalysisResult, "accessTable" | "analysisId">): string => {
  if (accessTable === undefined) return ""
  const { access, omitted = 0 } = accessTable
  const shown = fitting(access, limits.listBytes, (row) => [row.contract, accessRow(row)])
  const left = omitted + access.length - shown.length
  const tables = [...byContract(access.slice(0, shown.length))].map(
    ([contract, rows]) =>
      `<h3><code>${text(contract)}</code></h3><div class="wide"><table><thead><tr><th scope="col">Function</th><th scope="col">Can</th>` +
      `<th scope="col">Allowed callers</th></tr></thead><tbody>${rows.map(accessRow).join("\n")}</tbody></table></div>`,
  )
  const rest = wholeTable(analysisId)
    .map((one) => `<code>${text(one)}</code>`)
    .join(" or ")
  return [
    `<h2>Who can do what</h2>`,
    tables.length === 0 ? `<p>No function that changes anything was found.</p>` : tables.join(""),
    left === 0 ? "" : `<p>${restOfAccess(left)} ${rest}.</p>`,
  ].join("")
}

const coverageOf = ({ coverage }: Pick<AnalysisResult, "coverage">): string => {
  const { filesAnalysed, filesSkipped, rulesRun, engines, incomplete = [], programs = [], omitted } = coverage
  const by = engines.map(({ name, version }) => text(`${name} ${version}`)).join(", ")
  const left = filesSkipped.length + (omitted?.filesSkipped ?? 0)
  return [
    `<h2 id="coverage">What was analyzed, and what was not</h2>`,
    `<p>${count(filesAnalysed, "file")} analyzed with ${count(rulesRun, "rule")}${by === "" ? "" : `, by ${by}`}.</p>`,
    left === 0
      ? `<p>No source files were skipped.</p>`
      : `<p>${count(left, "file")} skipped, entirely or in part:</p>` +
        items("ul", filesSkipped, ({ file, reason }) => `<code>${text(file)}</code>: ${text(reason)}`),
    incomplete.length === 0
      ? ""
      : `<p>Skipped because of a time or memory limit:</p>` +
        items("ul", incomplete, ({ kind, name, reason }) => `${kind} <code>${text(name)}</code>: ${text(reason)}`),
    programs.length === 0
      ? ""
      : `<p>How far the programs were understood:</p>` +
        items("ul", programs, (one) => `<code>${text(one.program)}</code>: ${text(understanding(one))}`),
    ...omissions(coverage).map((sentence) => `<p>${text(sentence)}</p>`),
    ...engines.map(({ name, note }) => (note === undefined ? "" : `<p>${text(name)}: ${text(note)}</p>`)),
  ].join("")
}

const warnings = ({ coverage }: Pick<AnalysisResult, "coverage">): string =>
  [misunderstanding(coverage), incompleteness(coverage)]
    .map((one) => (one === undefined ? "" : `<p class="warning">${text(one)}</p>`))
    .join("")

/**
 * The report as a single file: it displays and prints without scripts or the network, from an e-mail attachment as from
 * a disk. Whatever sources, titles and paths contain remains text. Time and size are linear in the findings.
 */
export const renderHtml = (result: Omit<AnalysisResult, "markdownReport">): string => {
  const { repository, findings, suppressed } = result
  const name = text(repositoryName(repository.url))
  const entries = fitting(findings, findingBytes, (finding, index) => entryOf(finding, index, result))
  const at = repository.commit === undefined ? "" : ` @ <code>${text(repository.commit)}</code>`
  const path = repository.path === undefined ? "" : ` · <code>${text(repository.path)}</code>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Assay">
<title>${name} · security analysis</title>
<style>${htmlStyle}</style>
</head>
<body${entries.length > manyFindings ? ' class="long"' : ""}>
${symbols}
<header class="top">
<h1>${name}</h1>
<p>Security analysis · ${text(repository.branch)}${at}${path} · ${text(date(result.completedAt))}</p>
<p class="muted">${link(repository.url)}</p>
${warnings(result)}
${counts(result)}
<p>${verdict(result)}</p>
</header>
<main>
<h2>Findings</h2>
${
  findings.length === 0
    ? `<p>No problems were found. This does not prove that there are none: <a href="#coverage">what was analyzed</a>.</p>`
    : `<div class="wide"><table class="list"><thead><tr><th scope="col">No.</th><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Place</th><th scope="col">State</th></tr></thead><tbody>
${entries.map(({ row }) => row).join("\n")}
</tbody></table></div>`
}
${
  findings.length > entries.length
    ? `<p>${findings.length - entries.length} less severe findings are omitted here; see the JSON report.</p>`
    : ""
}
${entries.map(({ section }) => section).join("")}
${suppressed.length === 0 ? "" : `<h2>Suppressed findings</h2>${items("ul", suppressed, suppressedItem)}`}
${accessOf(result)}
${coverageOf(result)}
</main>
<footer>Made by Assay. It opens and prints without the network.</footer>
</body>
</html>
`
}
