import { createGunzip, gunzip } from "node:zlib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Readable } from "node:stream"
import { ByteCache } from "../../../application/ByteCache.ts"
import type { PackedReport } from "../../../application/ports/analysis/PackedReport.ts"

/** Bytes of unpacked reports in this process: any report of today is kept, four of the largest. */
const room = 32 * 1024 * 1024
/** Reports that are unpacked at a time: it takes 1.3 ms a megabyte on threads that share the cores with this one. */
const atOnce = 2
const chunkSize = 64 * 1024

const unpackWhole = (gzip: Uint8Array, size: number): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    gunzip(gzip, { maxOutputLength: size }, (error, bytes) =>
      resume(error === null ? Effect.succeed(bytes) : Effect.die(error)),
    )
  })

/**
 * Reports for clients that do not take gzip. What is read again and again is unpacked once; what is too large to be kept
 * is unpacked while it is sent, as fast as its reader reads.
 */
export class PlainReports extends Context.Service<
  PlainReports,
  { readonly unpack: (key: string, report: PackedReport) => Effect.Effect<Uint8Array | Readable> }
>()("assay/http/PlainReports") {
  static readonly layer = Layer.sync(this, () => {
    const kept = new ByteCache<Uint8Array>(room, (bytes) => bytes.length)
    const keep = (key: string) => (bytes: Uint8Array) => Effect.sync(() => kept.put(key, bytes))
    const turns = Semaphore.makeUnsafe(atOnce)
    return {
      unpack: (key, { gzip, size }) =>
        Effect.suspend((): Effect.Effect<Uint8Array | Readable> => {
          const known = kept.get(key)
          if (known !== undefined) return Effect.succeed(known)
          if (size > room / 4) {
            const unpacking = createGunzip({ chunkSize })
            unpacking.end(gzip)
            return Effect.succeed(unpacking)
          }
          return turns.withPermit(
            Effect.suspend(() => {
              const meanwhile = kept.get(key)
              return meanwhile === undefined
                ? Effect.tap(unpackWhole(gzip, size), keep(key))
                : Effect.succeed(meanwhile)
            }),
          )
        }),
    }
  })
}
