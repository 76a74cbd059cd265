import * as Duration from "effect/Duration"

/** Bytes: a page of 100 repositories has less than 1 MB. */
const largest = 10_000_000

/**
 * A request and its response in this time and size. Redirects are rejected: the API does not redirect lists, and neither
 * a token nor the client's secret, which is in a body, must follow one elsewhere.
 */
export const boundedFetch =
  (time: Duration.Duration, signal?: AbortSignal): typeof fetch =>
  async (input, init) => {
    const limit = AbortSignal.timeout(Duration.toMillis(time))
    const response = await fetch(input, {
      ...init,
      redirect: "error",
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    if (response.body === null) return response
    let size = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        if (size > largest) controller.error(new Error(`the response is larger than ${largest} bytes`))
        else controller.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(counted), response)
  }
