import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { catalog } from "../../../domain/detection/catalog.ts"
import { catalogIndex, type DocumentedRule, rulePage, rulePages } from "../../../domain/detection/rulePages.ts"

const folder = fileURLToPath(new URL("../../../docs/rules/", import.meta.url))

const rule: DocumentedRule = {
  meta: {
    id: "evm/gas/a-rule",
    class: "a-class",
    title: "A | title",
    severity: "low",
    confidence: "high",
    cwe: [1, 2],
    swc: 100,
    description: "Wrong.\n\nAttacked.",
    remediation: "Right it.",
    references: ["https://example.com/"],
  },
  examples: { vulnerable: ["\nbad // FINDING\n", "bad2 // FINDING"], safe: ["good", "better"] },
}

describe("rule pages", () => {
  it("show metadata, examples and references", () => {
    expect(rulePage(rule)).toBe(
      "# A | title\n\n" +
        "| | |\n|---|---|\n| Rule | `evm/gas/a-rule` |\n| Class | `a-class` |\n| Severity | low |\n" +
        "| Confidence | high |\n| Weakness | CWE-1, CWE-2, SWC-100 |\n\n" +
        "Wrong.\n\nAttacked.\n\n## Remediation\n\nRight it.\n\n" +
        "## Vulnerable code\n\n```solidity\nbad // FINDING\n```\n\n```solidity\nbad2 // FINDING\n```\n\n" +
        "## Safe code\n\n```solidity\ngood\n```\n\n```solidity\nbetter\n```\n\n" +
        "## References\n\n- <https://example.com/>\n- <https://swcregistry.io/docs/SWC-100>\n" +
        "- <https://cwe.mitre.org/data/definitions/1.html>\n- <https://cwe.mitre.org/data/definitions/2.html>\n",
    )
  })

  it("show the first three examples of each kind and count the others", () => {
    const page = rulePage({
      ...rule,
      examples: { vulnerable: ["v1", "v2", "v3", "v4"], safe: ["s1", "s2", "s3", "s4", "s5"] },
    })
    expect(page.match(/^[vs]\d$/gm)).toEqual(["v1", "v2", "v3", "s1", "s2", "s3"])
    expect(page).toContain("```\n\n1 more example is in the rule's source file.\n\n## Safe code")
    expect(page).toContain("```\n\n2 more examples are in the rule's source file.\n\n## References")
  })

  it("skip long examples, unless there are no others", () => {
    const long = (name: string): string => `${name}${"\n".repeat(60)}end`
    const page = rulePage({ ...rule, examples: { vulnerable: [long("v1"), "v2"], safe: [long("s1"), long("s2")] } })
    expect(page.match(/^[vs]\d$/gm)).toEqual(["v2", "s1"])
  })

  it("are listed by ecosystem in a table that no title can break", () => {
    const index = catalogIndex([rule])
    expect(index).toContain("## EVM (Solidity): 1 rule\n")
    expect(index).toContain(
      "| [A \\| title](evm/gas/a-rule.md) | `evm/gas/a-rule` | low | high | CWE-1, CWE-2, SWC-100 |",
    )
    expect(index).not.toContain("CosmWasm")
  })

  it("in the repository match the catalog (otherwise run `npm run docs:rules`)", () => {
    const files = existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      : []
    const pages = rulePages(catalog)
    expect(files.toSorted()).toEqual([...pages.keys()].toSorted())
    const outdated = [...pages].filter(([path, text]) => readFileSync(join(folder, path), "utf8") !== text)
    expect(outdated.map(([path]) => path)).toEqual([])
  })
})
