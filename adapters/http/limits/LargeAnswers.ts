import type { ServerResponse } from "node:http"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Exchange } from "../request/Exchange.ts"
import { HttpSettings } from "../HttpSettings.ts"
import type { Problem } from "../request/Problem.ts"

/** The size in bytes from which a response counts as large: smaller ones mostly fit into the system's buffers. */
const large = 128 * 1024
/** Memory that a response holds besides its bytes: a connection's buffers, or data being unpacked. */
const beside = 128 * 1024
/** Milliseconds after which a refused client may find room. */
const comeBack = 5_000
/**
 * The minimum time that a reader gets, in milliseconds, and how much it must read per second beyond that in order not
 * to hold its answer forever.
 */
const shortest = 60_000
const slowest = 16 * 1024
/** The same while somebody waits for room: a reader slower than that makes room. */
const shortestWhenFull = 5_000
const slowestWhenFull = 256 * 1024

const tooMany: Problem = {
  code: "SERVICE_UNAVAILABLE",
  message: "The service is sending too many large reports at the moment. Try again in a few seconds.",
  headers: { "retry-after": String(comeBack / 1_000) },
}

/** An answer being sent, and when it has taken so long that it ends to make room for another one. */
interface UnderWay {
  readonly yieldsAt: number
  readonly end: () => void
}

/** What is being sent, to one caller or to all. */
class Held {
  private readonly readers = new Map<Uint8Array, number>()
  answers = 0
  private bytes = 0

  /** The bytes held with one more response; a text shared by several readers is counted once. */
  bytesWith(sent: Uint8Array): number {
    return this.bytes + beside + (this.readers.has(sent) ? 0 : sent.length)
  }

  add(sent: Uint8Array): void {
    this.bytes = this.bytesWith(sent)
    this.readers.set(sent, (this.readers.get(sent) ?? 0) + 1)
    this.answers++
  }

  remove(sent: Uint8Array): void {
    const left = this.readers.get(sent)! - 1
    if (left === 0) this.readers.delete(sent)
    else this.readers.set(sent, left)
    this.bytes -= beside + (left === 0 ? sent.length : 0)
    this.answers--
  }
}

/**
 * The large answers being sent to their readers, limited so that nobody can exhaust this process: together they hold a
 * limited number of bytes, those of one caller a quarter of them. A few callers who read as slowly as permitted do not
 * lock others out: if there is no room, the most overdue answer ends in favor of the next one.
 */
export class LargeAnswers extends Context.Service<
  LargeAnswers,
  {
    /**
     * Counts an answer of `length` bytes until it is sent or its connection is gone, or says why it cannot be sent now.
     * `sent` is what is held for it in the meantime.
     */
    readonly admit: (
      exchange: Exchange,
      response: ServerResponse,
      sent: Uint8Array,
      length: number,
    ) => Problem | undefined
  }
>()("assay/http/LargeAnswers") {
  static readonly layer = Layer.effect(
    this,
    HttpSettings.useSync(({ largeAnswersPerCaller, largeAnswerBytes }) => {
      const all = new Held()
      const callers = new Map<string, Held>()
      const underWay = new Set<UnderWay>()

      const endMostOverdue = (): boolean => {
        let most: UnderWay | undefined
        for (const each of underWay) if (each.yieldsAt <= (most?.yieldsAt ?? Date.now())) most = each
        most?.end()
        return most !== undefined
      }

      const tooManyOfOne = (exchange: Exchange): Problem => {
        exchange.window = {
          name: "downloads",
          length: comeBack,
          limit: largeAnswersPerCaller,
          remaining: 0,
          resetsAt: Date.now() + comeBack,
          allowed: false,
        }
        return {
          code: "RATE_LIMIT_EXCEEDED",
          message: "You have too many large downloads in progress. Wait for them to finish.",
          headers: { "retry-after": String(comeBack / 1_000) },
        }
      }

      return {
        admit: (exchange, response, sent, length) => {
          // If the client is already gone, the end would never be reported.
          if (length < large || response.destroyed) return undefined
          const caller = exchange.userId ?? exchange.address
          const own = callers.get(caller) ?? new Held()
          const isTooMuch = own.answers > 0 && own.bytesWith(sent) > largeAnswerBytes / 4
          if (isTooMuch || own.answers >= largeAnswersPerCaller) return tooManyOfOne(exchange)
          while (all.bytesWith(sent) > largeAnswerBytes) if (!endMostOverdue()) return tooMany
          callers.set(caller, own)
          own.add(sent)
          all.add(sent)
          const deadline = setTimeout(() => response.destroy(), shortest + (length / slowest) * 1_000).unref()
          const release = () => {
            if (!underWay.delete(entry)) return
            clearTimeout(deadline)
            all.remove(sent)
            own.remove(sent)
            if (own.answers === 0) callers.delete(caller)
          }
          const entry: UnderWay = {
            yieldsAt: Date.now() + shortestWhenFull + (length / slowestWhenFull) * 1_000,
            end: () => {
              release()
              response.destroy()
            },
          }
          underWay.add(entry)
          response.once("close", release)
          return undefined
        },
      }
    }),
  )
}
