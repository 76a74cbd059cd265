import { createGunzip, gunzip } from "node:zlib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Readable } from "node:stream"
import { ByteCache } from "../../application/ByteCache.ts"
import type { PackedReport } from "../../application/ports/PackedReport.ts"

/** Bytes of unpacked reports in this process. */
const room = 16 * 1024 * 1024
const chunkSize = 64 * 1024

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
    return {
      unpack: (key, { gzip, size }) =>
        Effect.suspend((): Effect.Effect<Uint8Array | Readable> => {
          const known = kept.get(key)
          if (known !== undefined) return Effect.succeed(known)
          if (size > room / 8) {
            const unpacking = createGunzip({ chunkSize })
            unpacking.end(gzip)
            return Effect.succeed(unpacking)
          }
          return Effect.callback<Uint8Array>((resume) => {
            gunzip(gzip, { maxOutputLength: size }, (error, bytes) => {
              if (error !== null) return resume(Effect.die(error))
              kept.put(key, bytes)
              resume(Effect.succeed(bytes))
            })
          })
        }),
    }
  })
}
