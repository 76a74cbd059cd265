import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { renderHtml } from "../../../domain/report/Html.ts"
import { htmlStyle } from "../../../domain/report/htmlStyle.ts"
import { visible } from "../../../domain/finding/visible.ts"
import { largeReport } from "../../support/largeReport.ts"
import { analysisResult, exampleFinding, resultOf } from "./arbitraries.ts"

const ours =
  /^<(?:!doctype html|\/?(?:html|head|meta|title|style|body|svg|symbol|path|circle|use|header|main|footer|article|div|span|label|input|table|thead|tbody|tr|th|td|h[1-4]|p|ul|ol|li|pre|code|b|a)(?: [a-z-]+(?:="[^"<>]*")?)*\/?)>$/i
const attributes =
  /^(?:lang|charset|http-equiv|content|name|width|height|aria-hidden|aria-label|aria-labelledby|id|viewBox|d|fill|stroke|stroke-width|cx|cy|r|href|class|role|type|checked|autocomplete|scope|data-kind|data-severity|data-line|tabindex|rel)$/

const tagsOf = (html: string): ReadonlyArray<string> => html.replace(htmlStyle, "").match(/<[^>]*>?/g) ?? []

const unescaped = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

describe("HTML report", () => {
  it("has only its own elements, attributes and links, whatever the sources contain", () => {
    fc.assert(
      fc.property(analysisResult, (result) => {
        const html = renderHtml(result)
        for (const tag of tagsOf(html)) {
          expect(tag).toMatch(ours)
          for (const [, name, value] of tag.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)) {
            expect(name).toMatch(attributes)
            if (name === "href") expect(value).toMatch(/^(?:#[\w-]+|https?:\/\/[!-~]+)$/)
          }
        }
        expect(unescaped(html.replaceAll(/<[^>]*>/g, ""))).toContain(visible(result.repository.branch))
      }),
      { numRuns: 150 },
    )
  })

  it("describes each finding, its location and its decision", () => {
    const html = renderHtml(
      resultOf([
        {
          ...exampleFinding,
          title: `<b>"Tom's" & Co</b>`,
          decision: { decision: "accepted_risk", reason: "Known.", decidedAt: "2026-11-20T10:00:00.000Z" },
        },
      ]),
    )
    expect(html).toContain(">1. &lt;b&gt;&quot;Tom&#39;s&quot; &amp; Co&lt;/b&gt;</h3>")
    expect(html).toContain("<code>contracts/Vault.sol:12–15</code>")
    expect(html).toContain(`<span data-line="12">msg.sender.call{value: amount}(&quot;&quot;)</span>`)
    expect(html).toContain("<p>The balance is written after <code>msg.sender</code> was called.</p>")
    expect(html).toContain("<b>Accepted risk</b>, 2026-11-20 10:00:00 UTC</p><p>Known.</p>")
  })

  it("shows who can do what, conditions as code", () => {
    const access = [
      {
        contract: "Vault",
        function: "set<b>()",
        file: "contracts/Vault.sol",
        line: 7,
        standing: "open" as const,
        effects: (["open", "guarded"] as const).map((standing) => ({
          kind: "authority" as const,
          what: "writes `owner`",
          standing,
          who: "`a < b` only",
          file: "x.sol",
          line: 8,
        })),
      },
    ]
    const html = renderHtml(resultOf([], { accessTable: { access, omitted: 3 } }))
    expect(html).toContain("<h3><code>Vault</code></h3>")
    expect(html).toContain(
      "<td><code>set&lt;b&gt;()</code></td><td>authority: writes <code>owner</code></td><td><b>anyone</b></td>",
    )
    expect(html).toContain("<td>authority: writes <code>owner</code></td><td><code>a &lt; b</code> only</td>")
    expect(html).toContain("<p>3 further functions omitted here")
  })

  it("allows only its own style sheet", () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(renderHtml(resultOf([])))!
    const hash = createHash("sha256").update(htmlStyle).digest("base64")
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`)
  })

  it("stays within its limit, worst findings first, and counts what it omits", () => {
    const { findings, ...rest } = largeReport(5_000)
    const location = { ...exampleFinding.location, file: `${`"'&<>`.repeat(100)}.sol` }
    const html = renderHtml(
      resultOf(
        findings.map((finding) => ({ ...finding, location })),
        rest,
      ),
    )
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(resultLimits.bytes)
    const shown = html.match(/<article /g)!.length
    expect(html).toContain(`<p>${5_000 - shown} less severe findings are omitted here`)
  })

  it("has the dashboard's colors", () => {
    const tokens = readFileSync(join(import.meta.dirname, "../../../apps/dashboard/src/styles/tokens.css"), "utf8")
    const [light, dark] = htmlStyle.split("@media screen and (prefers-color-scheme: dark)")
    const names = [...light!.matchAll(/--([a-z-]+): (#\w+);/g)]
    expect(names.length).toBeGreaterThan(10)
    for (const [, name, value] of names) {
      const [, other] = new RegExp(`--${name}: (#\\w+);`).exec(dark!)!
      expect(tokens).toContain(`--${name}: light-dark(${value}, ${other});`)
    }
  })
})
