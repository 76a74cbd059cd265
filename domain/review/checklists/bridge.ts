import type { Checklist } from "./Checklist.ts"

export const bridge: Checklist = {
  topic: "Bridge and messaging",
  signals: ["bridge", "message", "relay", "lzreceive", "ccip", "inbox", "outbox", "crosschain", "gateway", "packet"],
  questions: [
    "Is the sender on the other chain checked, and not only the endpoint that delivers?",
    "Can one message be executed twice, or one that failed be claimed and retried?",
    "What becomes of the assets when delivery fails for lack of gas, and can its caller bring that about?",
    "Does what is minted or released on this side always match what was locked or burned on the other?",
    "Are chain ids, token addresses and decimals of both sides mapped by somebody who may?",
    "Can a message of default or empty content pass as proven?",
  ],
}
