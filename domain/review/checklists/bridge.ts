import type { Checklist } from "./Checklist.ts"

export const bridge: Checklist = {
  topic: "Bridge and messaging",
  signals: ["bridge", "message", "relay", "lzreceive", "ccip", "inbox", "outbox", "crosschain", "gateway", "packet"],
  questions: [
    "Is the sender on the other chain checked, and not only the endpoint that delivers?",
    "Can a message be executed twice, or a failed one be both claimed and retried?",
    "What happens to the assets if delivery fails for lack of gas, and can its caller cause that?",
    "Does the amount minted or released on this side always match the amount locked or burned on the other?",
    "Are chain ids, token addresses and decimals of both sides mapped by someone authorized?",
    "Can a message with default or empty content pass as proven?",
  ],
}
