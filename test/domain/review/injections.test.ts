import { describe, expect, it } from "vitest"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { spokenIn } from "../../../domain/detection/steering/speaksToModel.ts"
import { type Conversation, rendered } from "../../../domain/review/Conversation.ts"
import { type Excerpt, excerptOf } from "../../../domain/review/Excerpt.ts"
import { type Claim, huntConversation, refuteConversation } from "../../../domain/review/hunt.ts"
import { triageConversation } from "../../../domain/review/triage.ts"
import { injections } from "../../support/injections.ts"
import { exampleFinding } from "../report/arbitraries.ts"

const marker = "5a1e8d0c9b8a79685746352413021f0e"

/** A model that obeys everything outside of data, which should be only what we wrote ourselves. */
const obeys = (conversation: Conversation): boolean => {
  const [system, ...messages] = rendered(conversation, marker)
  const texts = [system, ...messages].flatMap((message) =>
    message === undefined || message.role === "assistant" ? [] : [message.text],
  )
  return texts.some((text, index) => {
    if (index === 0) return text.includes("OBEY")
    const pieces = text.split(`<data ${marker}>\n`)
    return pieces.some((piece, at) => {
      if (at === 0) return piece.includes("OBEY")
      const [data, ...after] = piece.split(`\n</data ${marker}>`)
      return data === undefined || after.length !== 1 || after[0]!.includes("OBEY")
    })
  })
}

/** Every kind of conversation, with a text in every place that a repository or another model fills. */
const conversationsWith = (text: string): ReadonlyArray<Conversation> => {
  const excerpt: Excerpt = {
    ...excerptOf(sourceFile(text, `contract Vault {\n  // ${text}\n}\n`), { from: 2, to: 2 }, undefined),
    function: text,
  }
  const finding = {
    ...exampleFinding,
    title: text,
    description: text,
    location: { ...exampleFinding.location, file: text, snippet: text },
  }
  const claim: Claim = {
    category: "logic",
    severity: "high",
    title: text,
    file: text,
    function: text,
    lineStart: 2,
    lineEnd: 2,
    description: text,
    attack: text,
    remediation: text,
    quotes: [{ line: 2, text }],
  }
  const row = {
    contract: text,
    function: text,
    file: text,
    line: 1,
    standing: "open" as const,
    effects: [{ kind: "assets" as const, what: text, standing: "open" as const, who: text, file: text, line: 1 }],
  }
  const hunt = huntConversation({ contract: text, rows: [row] }, "evm", [finding])
  const call = { id: "c", name: "search", arguments: { text: "x" } }
  return [
    triageConversation([{ finding, excerpt }], 1),
    hunt,
    { ...hunt, messages: [...hunt.messages, { role: "assistant", calls: [call] }, { role: "tool", call, data: text }] },
    refuteConversation({ claim, excerpt, quotes: claim.quotes }),
  ]
}

describe("the contents of a repository", () => {
  it("has at least sixty injections, in every place", () => {
    expect(injections.length).toBeGreaterThanOrEqual(60)
    expect(new Set(injections.map(({ place }) => place)).size).toBe(8)
  })

  it.each(injections)("is data to an obeying model: $place $text", ({ text }) => {
    for (const one of [text, text.replaceAll("$MARKER", "0".repeat(32))]) {
      expect(conversationsWith(one).map(obeys)).toEqual([false, false, false, false])
    }
  })

  it("would be obeyed outside of data, so that this test proves something", () => {
    const said: Conversation = { system: "", tools: [], messages: [{ role: "user", parts: [{ said: "OBEYED" }] }] }
    expect(obeys(said)).toBe(true)
  })

  it("has no invisible characters when a model reads it", () => {
    for (const { text } of injections) {
      for (const conversation of conversationsWith(text)) {
        expect(JSON.stringify(rendered(conversation, marker))).not.toMatch(/[\p{Cf}\p{Variation_Selector}]/u)
      }
    }
  })

  it("is a finding if it addresses a model in comments or strings", () => {
    const spoken = injections.filter(({ place }) => ["comment", "natspec", "string"].includes(place))
    const missed = spoken.filter(({ place, text }) => {
      const code =
        place === "string"
          ? `contract A { string s = "${text}"; }`
          : `/*\n${text.split("\n").join("\n * ")}\n*/\ncontract A {}`
      return spokenIn(sourceFile("A.sol", code)).length === 0
    })
    // Reversed text has a separate rule.
    expect(missed.map(({ text }) => text)).toEqual([expect.stringContaining("\u202e")])
  })
})
