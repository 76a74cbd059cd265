import type { Checklist } from "./Checklist.ts"

export const upgrade: Checklist = {
  topic: "Upgrade",
  signals: ["upgrade", "proxy", "implementation", "initialize", "migrate", "beacon", "facet"],
  questions: [
    "Who may upgrade, and is the check in the implementation that will be there after the upgrade as well?",
    "Is the implementation itself initialized, so that nobody can take it?",
    "Does new storage collide with what the proxy or a base contract keeps?",
    "Are values of a constructor or of initial assignments missing behind the proxy?",
    "Can a migration run twice, for a chosen account, or with numbers that its caller chooses?",
  ],
}
