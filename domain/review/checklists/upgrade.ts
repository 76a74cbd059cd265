import type { Checklist } from "./Checklist.ts"

export const upgrade: Checklist = {
  topic: "Upgrade",
  signals: ["upgrade", "proxy", "implementation", "initialize", "migrate", "beacon", "facet"],
  questions: [
    "Who can upgrade, and is the check still in the implementation after the upgrade?",
    "Is the implementation itself initialized, so that nobody can take it over?",
    "Does new storage collide with what the proxy or a base contract stores?",
    "Are values from a constructor or from initial assignments missing behind the proxy?",
    "Can a migration run twice, for a chosen account, or with numbers that its caller chooses?",
  ],
}
